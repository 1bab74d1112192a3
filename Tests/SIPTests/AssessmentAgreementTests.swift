import Testing

@testable import SIP

/// The assessment of a request and what the user agent does with it are one.
@Suite struct AssessmentAgreementTests {
  /// What a session, and not the message, decides on.
  private static let decidedElsewhere: Set<Int> = [100, 180, 200, 403, 481, 488]

  private func agree(_ message: SIPMessage, _ name: String) {
    guard case .request(let method, _) = message.startLine, method != .ack else { return }
    let assessment = MessageAssessment(message)
    var bench = UserAgentBench()
    bench.receive(message)
    var status: Int?
    if case .response(let code, _)? = bench.sent.first?.message.startLine { status = code }
    switch assessment.answer?.status {
    // What a registrar would say; ours is none.
    case _ where assessment.answer?.reason.rule == .registeredAddress: #expect(status == 405, "\(name)")
    case let expected? where assessment.answer?.reason.field != "body":
      #expect(status == expected, "\(name): \(assessment.findings)")
      // Unsupported has a line for each option in the agent's response, and one for all in the assessment.
      if let header = assessment.answer?.header, header.name != "Unsupported" {
        #expect(
          bench.sent.first?.message.value(of: header.name) == header.value.split(separator: ",").first.map(String.init))
      }
    default: #expect(status.map(Self.decidedElsewhere.contains) ?? true, "\(name): \(status ?? 0)")
    }
  }

  @Test(arguments: MessageFixture.all) func theAgentAnswersAsTheAssessmentSays(file: String) throws {
    guard let message = try? SIPMessage(reading: MessageFixture.bytes(file)) else { return }
    agree(message, file)
  }
}
