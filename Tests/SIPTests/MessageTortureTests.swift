import Foundation
import SIP
import Testing

/// How each torture message of RFC 4475 and RFC 5118 is classified.
@Suite struct MessageTortureTests {
  @Test(arguments: TortureTable.cases) func classifies(_ entry: TortureTable.Case) throws {
    #expect(try outcome(of: entry) == entry.outcome)
    let bytes = try MessageFixture.bytes(entry.file)
    guard let message = try? SIPMessage(reading: bytes) else { return }
    let assessment = MessageAssessment(message)
    #expect(assessment.findings.map(\.offset) == assessment.findings.map(\.offset).sorted())
    #expect(assessment.findings.allSatisfy { (0...bytes.count).contains($0.offset) })
    // Nothing is answered to a response.
    if case .response = message.startLine { #expect(assessment.findings.allSatisfy { $0.status == nil }) }
  }

  private func outcome(of entry: TortureTable.Case) throws -> TortureTable.Outcome {
    guard let message = try? SIPMessage(reading: MessageFixture.bytes(entry.file)) else {
      return TortureTable.Outcome(verdict: .unreadable)
    }
    let assessment = MessageAssessment(message)
    let found = assessment.findings.filter { $0.severity != .notice }
    return TortureTable.Outcome(
      verdict: TortureTable.Verdict(rawValue: assessment.verdict.rawValue),
      findings: found.map { TortureTable.Place($0.rule, $0.field, $0.offset) }, answer: assessment.answer?.status)
  }

  /// Prints the table into the file that CALLSIM_TORTURE names.
  @Test func tableIsPrinted() throws {
    guard let path = ProcessInfo.processInfo.environment["CALLSIM_TORTURE"] else { return }
    var failed = 0
    var lines: [String] = []
    for entry in TortureTable.cases {
      let outcome = try outcome(of: entry)
      if outcome != entry.outcome { failed += 1 }
      let columns = [(entry.file, 24), (entry.section, 10), (outcome.words, 0)]
      let line = columns.map { $0.padding(toLength: max($1, $0.count), withPad: " ", startingAt: 0) }
      let wrong = outcome == entry.outcome ? "" : "  FAILED, expected \(entry.outcome.words)"
      lines.append(line.joined(separator: " ") + (entry.choice.map { "  (\($0))" } ?? "") + wrong)
    }
    lines.append("\(TortureTable.cases.count - failed) passed, \(failed) failed")
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: path))
  }

  /// Everything malformed is found by our own reading: what only libosip2 objects to would name no rule.
  @Test(arguments: TortureTable.cases) func ourOwnReadingNamesTheFlaw(_ entry: TortureTable.Case) throws {
    guard let message = try? SIPMessage(reading: MessageFixture.bytes(entry.file)) else { return }
    #expect(!message.findings.contains { $0.rule == .osipRejects })
  }

  @Test func everyTortureMessageIsInTheTable() {
    let torture = MessageFixture.all.filter { $0.hasSuffix(".dat") }
    #expect(torture == TortureTable.cases.map(\.file).sorted())
    #expect(torture.count == 65)
  }

  /// REFERs as they are printed that require the extension of RFC 4538, which callsim has not; one of them lacks a `%` in
  /// Refer-To besides.
  private static let notValid: [String: MessageAssessment.Verdict] = [
    "rfc5589/6.1-successful-transfer/03_REFER.sip": .refused,
    "rfc5589/7.2-protecting-transfer-target/05_REFER.sip": .refused,
    "rfc5589/7.3-attended-transfer/05_REFER.sip": .malformed,
  ]

  @Test func flowsHaveNoFatalFinding() throws {
    let flows = MessageFixture.all.filter { $0.hasSuffix(".sip") }
    #expect(flows.count == 51)
    for file in flows {
      let message = try SIPMessage(reading: MessageFixture.bytes(file))
      #expect(message.findings.allSatisfy { !$0.isFatal }, "\(file)")
      #expect(MessageAssessment(message).verdict == Self.notValid[file] ?? .valid, "\(file)")
    }
  }

  @Test func whatLibosip2RejectsWronglyIsReadAndNoted() throws {
    let message = try SIPMessage(reading: MessageFixture.bytes("rfc4475/intmeth.dat"))
    #expect(message.method == Method("!interesting-Method0123456789_*+`.%indeed'~"))
    #expect(message.callID == "intmeth.word%ZK-!.*_+'@word`~)(><:\\/\"][?}{")
    #expect(message.to?.displayName == "BEL:\u{7} NUL:\0 DEL:\u{7F}")
    #expect(message.findings.map(\.text).contains { $0.hasPrefix("libosip2 rejects") })
  }
}
