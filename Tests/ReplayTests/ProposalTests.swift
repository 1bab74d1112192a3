import Instant
import Testing
import Timeline

@testable import Replay
@testable import Scenario

/// What the tool proposes for an act that nothing expects can stand in a scenario and holds there.
@Suite struct ProposalTests {
  private static let head = "callsim 1\ndevice phone sip:bob@10.0.0.2\npeer pbx sip:alice@10.0.0.1:5070\ncall c1\n"

  private static func message(_ method: String, _ status: Int? = nil, sipfragStatus: Int? = nil, toTag: String? = "t")
    -> Event
  {
    let message = MessageFacts(
      id: 1, from: "phone", to: "pbx", method: method, status: status, callID: "k", sequence: 1, toTag: toTag,
      sipfragStatus: sipfragStatus)
    return .sip(SIPEvent(phase: .sent(bytes: []), message: message))
  }

  private static let phases = TransferEvent.Phase.allCases.filter(\.isFinal)

  /// Every kind of act with everything that it can say.
  private static let acts: [Event] =
    [
      message("REFER"), message("INVITE"), message("INVITE", toTag: nil), message("INVITE", 200), message("BYE"),
      message("NOTIFY"), message("NOTIFY", 200), .report(.incoming(caller: "A", handle: "sip:a@b")),
      .report(.updated(caller: "A", handle: "sip:a@b")), .report(.updated(caller: nil, handle: nil)),
      .report(.updated(caller: "\"A\\ \u{1}\t${x} $\u{7F}é", handle: "")), .report(.startedConnecting),
      .report(.connected),
      .report(.ended(reason: "failed")), action(1, "end", .fulfilled), action(1, "end", .failed),
      .request(.asked(id: 1, kinds: ["end"])), .audio(.unitStarts), .audio(.unitStops),
    ] + [100, 180, 200, 486, 699].map { message("NOTIFY", sipfragStatus: $0) }
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

  /// The act at 10 ms, of a call with this name.
  private func act(_ event: Event, of call: String?) -> ScriptedWorld.Happening {
    var happening = happens(10, event, call: call)
    if case .sip = event { happening.to = "pbx" }
    return happening
  }

  @Test(arguments: acts)
  func whatIsProposedHoldsAndMeansThisAct(event: Event) throws {
    let line = "@0s user transfers c1 to pbx\n"
    let found = try #require(try verdict(line, [act(event, of: "c1")]).diagnostics.first)
    #expect(found.code == "R170")
    let check = try #require(found.help?.split(separator: "`").dropFirst().first)
    let verdict = try verdict(line + check + "\n", [act(event, of: "c1")])
    #expect(verdict.diagnostics.map(\.title) == [], "\(check)")
    // Where it says more than the kind of act, another one does not meet it.
    for other in Self.acts where other != event && (check.contains("reporting") || check.contains("status")) {
      #expect(try self.verdict(line + check + "\n", [act(other, of: "c1")]).outcome == .failed, "\(check)")
    }
  }

  /// A call that the scenario does not declare has no name there: the record has one that was made up, or none. What
  /// cannot be said without a name is not proposed.
  @Test(arguments: acts)
  func withoutANameForTheCallWhatIsProposedHoldsToo(event: Event) throws {
    let line = "@0s user transfers c1 to pbx\n"
    for call in [nil, "call-1"] {
      let found = try #require(try verdict(line, [act(event, of: call)]).diagnostics.first)
      #expect(found.code == "R170")
      let help = try #require(found.help)
      guard help.hasPrefix("add `") else {
        #expect(help.hasPrefix("write `mode loose`") || help.hasPrefix("name the call"))
        #expect(!found.title.contains("any "))
        #expect(found.notes.allSatisfy { !$0.text.contains("`expect") })
        continue
      }
      let check = try #require(help.split(separator: "`").dropFirst().first)
      #expect(try verdict(line + check + "\n", [act(event, of: call)]).diagnostics.map(\.title) == [], "\(check)")
    }
  }

  /// A Call-ID of its own can name a call; that of a call which has a name cannot name a second one.
  @Test func aCallThatOnlyItsCallIDTellsIsNamedByIt() throws {
    let acts: [Event] = [action(1, "end", .failed), .transfer(TransferEvent(phase: .unknown))]
    for event in acts {
      let message = MessageFacts(id: 1, from: "pbx", to: "phone", method: "INVITE", callID: "a\"b", sequence: 1)
      let arrives = ScriptedWorld.Happening(
        instant: at(5), from: "pbx", to: "phone", call: "call-1",
        event: .sip(SIPEvent(phase: .arrived, message: message)))
      let found = try verdict("@0s user ends c1\n", [arrives, act(event, of: "call-1")]).diagnostics.first
      #expect(
        found?.help
          == #"name the call in the head of the file, `call other call-id "a\"b"`, or write `mode loose` there"#)
      var same = arrives
      same.call = "c1"
      let second = try verdict("@0s user ends c1\n", [same, arrives, act(event, of: "call-1")]).diagnostics.first
      #expect(second?.help?.hasPrefix("write `mode loose`") == true)
    }
  }
}
