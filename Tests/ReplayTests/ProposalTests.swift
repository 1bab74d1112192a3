import Instant
import Testing
import Timeline

@testable import Replay
@testable import Scenario

/// What the tool proposes for an act that nothing expects can stand in a scenario and holds there.
@Suite struct ProposalTests {
  private static let head = "callsim 1\ndevice phone sip:bob@10.0.0.2\npeer pbx sip:alice@10.0.0.1:5070\ncall c1\n"

  private static func message(_ method: String, _ status: Int? = nil, fragment: Int? = nil, toTag: String? = "t")
    -> Event
  {
    let message = MessageFacts(
      id: 1, from: "phone", to: "pbx", method: method, status: status, callID: "k", sequence: 1, toTag: toTag,
      fragment: fragment)
    return .sip(SIPEvent(phase: .sent(bytes: []), message: message))
  }

  private static let phases = TransferEvent.Phase.allCases.filter(\.isFinal)

  /// Every kind of act with everything that it can say.
  private static let acts: [Event] =
    [
      message("REFER"), message("INVITE"), message("INVITE", toTag: nil), message("INVITE", 200), message("BYE"),
      message("NOTIFY"), message("NOTIFY", 200), .report(.incoming(caller: "A", handle: "sip:a@b")),
      .report(.updated(caller: "A", handle: "sip:a@b")), .report(.startedConnecting), .report(.connected),
      .report(.ended(reason: "failed")), action(1, "end", .fulfilled), action(1, "end", .failed),
      .request(.asked(id: 1, kinds: ["end"])), .audio(.unitStarts), .audio(.unitStops),
    ] + [100, 180, 200, 486, 699].map { message("NOTIFY", fragment: $0) }
    + phases.map { .transfer(TransferEvent(phase: $0)) }
    + phases.flatMap { phase -> [Event] in
      guard let statuses = Vocabulary.transferStatuses[phase.rawValue] else { return [] }
      return [statuses.lowerBound, statuses.upperBound].map { .transfer(TransferEvent(phase: phase, status: $0)) }
    }

  private func verdict(_ lines: String, _ happenings: [ScriptedWorld.Happening]) throws -> Verdict {
    let (file, diagnostics) = ScenarioFile.parse(Array((Self.head + lines).utf8), named: "x.call")
    #expect(diagnostics == [], "\(lines)")
    return judged(try #require(file?.plan(case: nil, params: [:]).plan), ScriptedWorld(happenings))
  }

  @Test(arguments: acts)
  func whatIsProposedHoldsAndMeansThisAct(event: Event) throws {
    var happening = happens(10, event)
    if case .sip = event { happening.to = "pbx" }
    let line = "@0s user transfers c1 to pbx\n"
    let found = try #require(try verdict(line, [happening]).diagnostics.first)
    #expect(found.code == "R170")
    let check = try #require(found.help?.split(separator: "`").dropFirst().first)
    let verdict = try verdict(line + check + "\n", [happening])
    #expect(verdict.diagnostics.map(\.title) == [], "\(check)")
    // Where it says more than the kind of act, another one does not meet it.
    for other in Self.acts where other != event && (check.contains("reporting") || check.contains("status")) {
      var happening = happens(10, other)
      if case .sip = other { happening.to = "pbx" }
      #expect(try self.verdict(line + check + "\n", [happening]).outcome == .failed, "\(check)")
    }
  }
}
