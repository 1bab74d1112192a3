import Foundation
import SIP
import Testing

/// Every rule is shown by a test and stands in the reference.
@Suite struct SyntaxRuleTests {
  /// Rules that no change of one line of a message breaks, and the suite that shows them.
  private static let elsewhere: [SyntaxRule: String] = [
    .noStartLine: "MessageReadingTests", .nothing: "MessageReadingTests", .messageTooLong: "MessageLimitTests",
    .tooManyFields: "MessageLimitTests", .fieldTooLong: "MessageLimitTests", .headerEnd: "MessageReadingTests",
    .lengthMissing: "MessageStreamTests", .statusCode: "MessageTortureTests", .statusLineSpace: "SyntaxRuleTests",
    .osipRejectsValid: "MessageTortureTests", .osipRejects: "SyntaxRuleTests", .severalVias: "SyntaxRuleTests",
    .broadcast: "MessageTortureTests",
  ]

  @Test func everyRuleIsShown() {
    let shown = Set(AssessmentTests.cases.map(\.rule))
    #expect(shown.isDisjoint(with: Self.elsewhere.keys))
    #expect(shown.union(Self.elsewhere.keys) == Set(SyntaxRule.allCases))
  }

  @Test func theReferenceHasTheSameTable() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let text = try String(contentsOf: root.appending(path: "Documentation/Rules.md"), encoding: .utf8)
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("| M") }.map(String.init)
    #expect(
      rows
        == SyntaxRule.allCases.map { rule in
          let suite = Self.elsewhere[rule] ?? "AssessmentTests"
          return "| \(rule.code) | \(rule.meaning) | \(rule.source) | `\(suite)` |"
        })
  }

  @Test(arguments: [("SIP/2.0  404 x", 7), ("SIP/2.0 404", 11)]) func spacesOfAStatusLineAreOnlyNoted(
    line: String, offset: Int
  ) throws {
    let text = AssessmentTests.sound("INVITE").replacing("INVITE sip:a@h SIP/2.0", with: line)
    let assessment = MessageAssessment(try SIPMessage(reading: Array(text.utf8)))
    #expect(assessment.verdict == .valid)
    #expect(assessment.findings.map(\.rule) == [.statusLineSpace])
    #expect(assessment.findings.first?.offset == offset)
  }

  @Test func aResponseWithSeveralViasIsOnlyNoted() throws {
    let text = AssessmentTests.sound("INVITE").replacing("INVITE sip:a@h SIP/2.0", with: "SIP/2.0 200 OK")
      .replacing("z9hG4bK1\r\n", with: "z9hG4bK1, SIP/2.0/UDP p;branch=z9hG4bK2\r\n")
    let assessment = MessageAssessment(try SIPMessage(reading: Array(text.utf8)))
    #expect(assessment.verdict == .valid)
    #expect(assessment.findings.map(\.rule) == [.severalVias])
  }

  /// What our own reading of the header has no opinion of, and libosip2 has: it looks into the body at once. The
  /// assessment has the flaw by its name.
  @Test func whatOnlyLibosip2ObjectsToIsNamedByItsField() throws {
    let text = AssessmentTests.sound("OPTIONS").replacing("application/sdp", with: "multipart/mixed;boundary=b")
    let message = try SIPMessage(reading: Array(text.utf8))
    let finding = try #require(message.findings.first { $0.rule == .osipRejects }, "\(message.findings)")
    #expect(finding.field == "Content-Type" && finding.status == 400)
    #expect(Set(MessageAssessment(message).findings.map(\.rule)) == [.multipart])
  }
}
