import Foundation
import Testing

@testable import SIP

/// The most that is read, and the error beyond it.
@Suite struct MessageLimitTests {
  private func error(_ text: String, _ limits: MessageLimits) -> SIPReadingError? {
    do throws(SIPReadingError) {
      _ = try SIPMessage(reading: Array(text.utf8), limits: limits)
      return nil
    } catch {
      return error
    }
  }

  private let sound = AssessmentTests.sound("OPTIONS")

  /// As much as the limit is read, and one more is not.
  @Test(arguments: [SyntaxRule.messageTooLong, .tooManyFields, .fieldTooLong])
  func whatIsMoreThanALimitIsAnError(rule: SyntaxRule) throws {
    func limits(_ size: Int) -> MessageLimits {
      var limits = MessageLimits()
      switch rule {
      case .messageTooLong: limits.messageLength = size
      case .tooManyFields: limits.fieldCount = size
      default: limits.fieldLength = size
      }
      return limits
    }
    let lines = sound.split(separator: "\r\n", omittingEmptySubsequences: false)
    let header = lines.prefix { !$0.isEmpty }
    let size =
      switch rule {
      case .messageTooLong: sound.utf8.count
      case .tooManyFields: header.count - 1
      default: header.map(\.utf8.count).max() ?? 0
      }
    #expect(error(sound, limits(size)) == nil)
    let error = try #require(self.error(sound, limits(size - 1)))
    #expect(error.rule == rule)
    #expect(error.status == 513)
    #expect(error.why.contains("\(size - 1)"))
    #expect((0...sound.utf8.count).contains(error.offset))
    // Nothing is answered to a response.
    let response = sound.replacing("OPTIONS sip:a@h SIP/2.0", with: "SIP/2.0 200 " + String(repeating: "x", count: 11))
    #expect(self.error(response, limits(size - 1))?.rule == rule)
    #expect(self.error(response, limits(size - 1))?.status == nil)
  }

  @Test func partsOfABodyHaveALimit() throws {
    let parts = String(repeating: "--b\r\n\r\nx\r\n", count: 65) + "--b--\r\n"
    let text = AssessmentTests.sound("MESSAGE").replacing(AssessmentTests.body, with: parts)
      .replacing("application/sdp", with: "multipart/mixed;boundary=b").replacing(
        "Length: 68", with: "Length: \(parts.utf8.count)")
    let message = try SIPMessage(reading: Array(text.utf8))
    #expect(message.bodyParts.count == 64)
    #expect(MessageAssessment(message).findings.contains { $0.rule == .nestedTooDeep && $0.status == 400 })
  }
}
