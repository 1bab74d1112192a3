import Instant
import Testing

@testable import Scenario

/// Every form that is supported says in the plan what the line says.
@Suite struct PlanTests {
  private func block(_ lines: String, _ place: Int = 0, sourceLocation: SourceLocation = #_sourceLocation) throws
    -> Block
  {
    try plan(lines, sourceLocation: sourceLocation).blocks[place]
  }

  private func checks(_ line: String) throws -> PlannedCheck {
    let trunk = "@0s pbx -> phone INVITE c1 as inv\nfault f1: maybe drop every phone -> pbx any\n"
    return try #require(try plan(trunk + line + "\n").blocks.first?.checks.first)
  }

  @Test(arguments: [
    ("placeholder-deadline 1s", DeviceDeclaration.Setting.Value.duration(.seconds(1))),
    ("ring-timeout 1min", .duration(.seconds(60))), ("action-watchdog 5s", .duration(.seconds(5))),
    ("system-action-limit 90s", .duration(.seconds(90))), ("report-delay 7us", .duration(Span(microseconds: 7))),
    ("action-delay 3ms", .duration(.milliseconds(3))), ("activation-delay 0ms", .duration(.zero)),
    ("host 10.0.0.9", .word("10.0.0.9")), ("host [2001:db8::1]:5070", .word("[2001:db8::1]:5070")),
    ("transport tcp", .word("tcp")), ("decline-status 486", .number(486)), ("decline-status 603", .number(603)),
    ("do-not-disturb on", .flag(true)), ("do-not-disturb off", .flag(false)), ("max-groups 1", .number(1)),
    ("activation manual", .word("manual")), ("activation automatic", .word("automatic")),
    ("audio-handover cycle", .word("cycle")), ("dtmf events-else-info", .word("events-else-info")),
    ("resume-after-local-end off", .flag(false)), ("resume-remaining-call on", .flag(true)),
    ("offer srtp-else-rtp", .word("srtp-else-rtp")), ("repair replaces", .word("replaces")),
  ])
  func aSettingHasItsValue(line: String, value: DeviceDeclaration.Setting.Value) throws {
    let plan = try plan("", above: "callsim 1\ndevice phone sip:bob@10.0.0.2\n  \(line)\n")
    #expect(plan.device.settings.map(\.value) == [value])
    #expect(plan.device.settings.first?.name == String(line.prefix { $0 != " " }))
  }

  /// A peer, a URI or a call: the name says which.
  @Test(arguments: [
    ("pbx", UserAct.transfers(call: "c1", target: "pbx")),
    ("sip:carol@10.0.0.3", .transfers(call: "c1", target: "sip:carol@10.0.0.3")),
    ("c2", .connects(call: "c1", with: "c2")),
  ])
  func whomACallIsTransferredTo(target: String, act: UserAct) throws {
    for (ending, others) in [("", []), (", ends c2", [.ends(call: "c2")])] as [(String, [UserAct])] {
      for inApp in [false, true] {
        let line = "@0s user transfers c1 to \(target)\(ending)\(inApp ? " in app" : "")\n"
        #expect(try plan("call c2\n" + line).blocks.map(\.stimulus) == [.user([act] + others, inApp: inApp)])
      }
    }
  }

  @Test func aReportStandsInLinesAndChecks() throws {
    let plan = try plan(
      "@0s pbx -> phone NOTIFY c1 reporting 180 with \"A: b\"\nexpect phone -> pbx NOTIFY c1 reporting 486\n"
        + "never until end phone -> pbx NOTIFY before.c1 reporting 200\nlabel before\n"
        + "ignore phone -> pbx NOTIFY reporting 100\nfault f: drop first phone -> pbx NOTIFY c1 reporting 603\n")
    guard case .message(let sent) = plan.blocks[0].stimulus else { throw Missing() }
    #expect(sent.fragment == 180)
    #expect(sent.with.count == 1)
    let looked = plan.blocks[0].checks.map { check -> Int? in
      if case .message(let arrow) = check.observation { arrow.fragment } else { nil }
    }
    #expect(looked == [486, 200])
    #expect(plan.ignored.map(\.fragment) == [100])
    #expect(plan.faults.map(\.arrow.fragment) == [603])
  }

  private struct Missing: Error {}

  @Test(arguments: [
    ("succeeded", Observation.transfer(call: "c1", phase: "succeeded", status: nil)),
    ("progress status 199", .transfer(call: "c1", phase: "progress", status: 199)),
    ("failed status 300", .transfer(call: "c1", phase: "failed", status: 300)),
    ("refused status 699", .transfer(call: "c1", phase: "refused", status: 699)),
    ("refused", .transfer(call: "c1", phase: "refused", status: nil)),
  ])
  func whatBecomesOfATransferIsObserved(words: String, observation: Observation) throws {
    let plan = try plan("@0s user ends c1\nexpect within 1s c1 transfer \(words) as t\n")
    #expect(plan.blocks[0].checks.map(\.observation) == [observation])
    #expect(plan.blocks[0].checks.map(\.label) == ["t"])
  }

  @Test func everySettingIsTested() {
    #expect(Vocabulary.settingValues.count == 19)
  }

  @Test(arguments: [
    "decline-status 404", "decline-status 0603x", "max-groups 0", "max-groups -1", "transport sctp",
    "activation sometimes", "dtmf inband", "audio-handover on", "resume-remaining-call yes", "offer srtp",
    "repair re-invite",
  ])
  func aSettingOutOfRangeIsRefused(line: String) {
    let found = codes("", above: "callsim 1\ndevice phone sip:bob@10.0.0.2\n  \(line)\n")
    #expect(found == ["S013"] || found == ["S021"])
  }

  @Test(arguments: [
    ("placeholder-deadline 60s", true), ("placeholder-deadline 59999ms", false), ("action-watchdog 60s", true),
    ("system-action-limit 15s", true), ("system-action-limit 16s", false),
    ("placeholder-deadline 80s\n  system-action-limit 90s", false),
  ])
  func aDeadlineBehindTheSystemsIsWarnedOf(lines: String, isWarned: Bool) {
    let above = "callsim 1\ndevice phone sip:bob@10.0.0.2\n  \(lines)\n"
    let (file, diagnostics) = ScenarioFile.parse(Array(above.utf8), named: "x.call")
    #expect(diagnostics.map(\.code) == (isWarned ? ["L015"] : []))
    #expect(diagnostics.allSatisfy { $0.severity == .warning && $0.title.contains("CK-6") })
    #expect(file != nil)
  }

  @Test func aPeersOptionsStandInAnyOrder() throws {
    for line in ["host h:5070 transport tcp auto answers after 2s", "auto answers after 2s transport tcp host h:5070"] {
      let peer = try #require(try plan("peer q sip:q@x \(line)\n").peers.last)
      #expect(peer.host == "h:5070" && peer.transport == "tcp" && peer.isAutomatic && peer.answersAfter == .seconds(2))
    }
    let plain = try #require(try plan("peer q sip:q@x auto\n").peers.last)
    #expect(plain.isAutomatic && plain.answersAfter == nil && plain.host == nil && plain.transport == nil)
  }

  @Test func latencyIsARangeOfAWayOrOfEverything() throws {
    let links = try plan("network latency 5ms\nnetwork pbx -> phone latency 1ms..2s\n").links
    #expect(links.map(\.latency) == [.milliseconds(5)...(.milliseconds(5)), .milliseconds(1)...(.seconds(2))])
    #expect(links.map(\.from) == [nil, "pbx"] && links.map(\.to) == [nil, "phone"])
  }

  @Test(arguments: [
    ("drop first", FaultDeclaration.Effect.drop, FaultDeclaration.Occurrence.first),
    ("drop every", .drop, .every), ("reorder nth 3", .reorder, .nth(3)), ("drop 10%", .drop, .percent(10)),
    ("drop 0 %", .drop, .percent(0)), ("duplicate first", .duplicate(copies: 1, gap: .zero), .first),
  ])
  func aFaultHasItsEffect(form: String, effect: FaultDeclaration.Effect, occurrence: FaultDeclaration.Occurrence) throws
  {
    let faults = try plan("fault f: \(form) phone -> pbx 200 to INVITE\nfault g: maybe \(form) phone -> pbx any\n")
      .faults
    #expect(faults.map(\.effect) == [effect, effect] && faults.map(\.occurrence) == [occurrence, occurrence])
    #expect(faults.map(\.isOptional) == [false, true])
    #expect(faults[0].arrow.what == .response(status: 200) && faults[0].arrow.subject == .method("INVITE"))
  }

  @Test func aFaultHasItsTimes() throws {
    let faults = try plan(
      """
      fault f: delay every pbx -> phone INVITE c1 by 25ms from 6s until 8s
      fault g: delay first pbx -> phone any by 1ms..2ms
      fault h: duplicate first pbx -> phone any copies 3 gap 20ms from 0s until 1s

      """
    ).faults
    #expect(faults[0].effect == .delay(.milliseconds(25)...(.milliseconds(25))))
    #expect(faults[0].from == .seconds(6) && faults[0].until == .seconds(8) && faults[0].arrow.subject == .call("c1"))
    #expect(faults[1].effect == .delay(.milliseconds(1)...(.milliseconds(2))) && faults[1].from == nil)
    #expect(faults[2].effect == .duplicate(copies: 3, gap: .milliseconds(20)) && faults[2].until == .seconds(1))
  }

  @Test(arguments: [
    ("expect c1 is ended", PlannedCheck.Kind.expect(nil)),
    ("expect within 50ms c1 is ended", .expect(.within(.milliseconds(50), of: nil))),
    ("expect within 50ms of inv c1 is ended", .expect(.within(.milliseconds(50), of: "inv"))),
    ("expect at inv+1s c1 is ended", .expect(.at(label: "inv", from: .seconds(1), to: .seconds(1)))),
    ("expect at inv+1s..2s c1 is ended", .expect(.at(label: "inv", from: .seconds(1), to: .seconds(2)))),
    ("never within 5ms c1 is ended", .never(.within(.milliseconds(5)))),
    ("never until end c1 is ended", .never(.until(label: "end"))),
    ("never between inv and end c1 is ended", .never(.between(label: "inv", and: "end"))),
  ])
  func aCheckHasItsWindowOrScope(line: String, kind: PlannedCheck.Kind) throws {
    #expect(try checks(line).kind == kind)
  }

  @Test(arguments: [
    ("phone reports c1 incoming", Observation.reports(call: "c1", report: .incoming)),
    ("phone reports any connecting", .reports(call: nil, report: .connecting)),
    ("phone reports c1 connected", .reports(call: "c1", report: .connected)),
    ("phone reports c1 ended", .reports(call: "c1", report: .ended(reason: nil))),
    ("phone reports c1 ended reason unanswered", .reports(call: "c1", report: .ended(reason: "unanswered"))),
    ("phone updates c1", .updates(call: "c1", caller: nil, handle: nil)),
    ("phone requests start c1", .requests(call: "c1", action: "start")),
    ("c1 becomes ended reason local", .becomes(call: "c1", state: "ended", reason: "local")),
    ("c1 is ringing or active", .isInState(call: "c1", states: ["ringing", "active"])),
    ("c1 action answer is timed-out", .action(call: "c1", action: "answer", becomes: false, status: "timed-out")),
    ("c1 action end becomes fulfilled", .action(call: "c1", action: "end", becomes: true, status: "fulfilled")),
    ("audio configures", .audio("configures")), ("audio is inactive", .audioIs("inactive")),
    ("audio interrupted", .audio("interrupted")), ("audio is interrupted", .audioIs("interrupted")),
    ("audio is silent", .audioIsSilent(cause: nil)), ("audio unit fails", .audio("unit fails")),
    ("audio is silent not-activated", .audioIsSilent(cause: "not-activated")),
    ("audio microphone opens", .audio("microphone opens")), ("audio microphone closes", .audio("microphone closes")),
    ("c1 becomes held-by-remote", .becomes(call: "c1", state: "held-by-remote", reason: nil)),
    ("c1 action unhold is pending", .action(call: "c1", action: "unhold", becomes: false, status: "pending")),
    ("audio unit starts", .audioUnit(starts: true)), ("audio unit stops", .audioUnit(starts: false)),
    ("audio unit runs", .audioUnitIs(running: true)), ("audio unit is stopped", .audioUnitIs(running: false)),
    ("c1 uuid is unchanged since inv", .uuidUnchanged(call: "c1", since: "inv")),
    ("phone is running", .deviceIs("running", reason: nil)), ("phone is killed", .deviceIs("killed", reason: nil)),
    ("phone is killed unreported", .deviceIs("killed", reason: "unreported")), ("phone crashes", .deviceCrashes),
    ("faults f1 fired", .faultsFired(["f1"])),
  ])
  func anObservationIsWhatItSays(text: String, observation: Observation) throws {
    #expect(try checks("expect \(text)").observation == observation)
    let named = try checks("expect \(text)   as seen  # why")
    #expect(named.observation == observation && named.label == "seen" && named.text == "expect \(text)")
  }

  @Test(arguments: [
    ("user holds c1", PlannedStimulus.user([.holds(call: "c1")], inApp: false)),
    ("user resumes c1 in app", .user([.resumes(call: "c1")], inApp: true)),
    ("user swaps c1, d", .user([.swaps(call: "c1", with: "d")], inApp: false)),
    ("user swaps c1, d, mutes d in app", .user([.swaps(call: "c1", with: "d"), .mutes(call: "d")], inApp: true)),
    ("user holds c1, swaps d,c1", .user([.holds(call: "c1"), .swaps(call: "d", with: "c1")], inApp: false)),
    ("user unmutes c1", .user([.unmutes(call: "c1")], inApp: false)),
    ("user presses \"12#\" on c1", .user([.presses(digits: "12#", call: "c1")], inApp: false)),
    (
      "user presses \"*aBcD0\" on c1, ends c1",
      .user([.presses(digits: "*ABCD0", call: "c1"), .ends(call: "c1")], inApp: false)
    ),
    ("system activates audio", .system("activates audio")), ("system fails  unit", .system("fails unit")),
    ("pbx vanishes", .vanishes(peer: "pbx")), ("pbx returns", .returns(peer: "pbx")),
  ])
  func aStimulusIsWhatItSays(text: String, stimulus: PlannedStimulus) throws {
    for when in ["", "@1s ", "+1ms ", "on o+1s "] {
      let blocks = try plan("call d\n@0s pbx -> phone OPTIONS as o\n\(when)\(text)  as seen\n").blocks
      #expect(blocks[1].stimulus == stimulus && blocks[1].label == "seen")
    }
  }

  @Test func aPeerRenegotiatesAndInforms() throws {
    let lines = """
      @0s pbx -> phone re-INVITE c1 offer sendonly as hold
      pbx -> phone INFO c1 with "Content-Type: application/dtmf"
      expect within 1s phone -> pbx 200 to hold answer recvonly
      expect within 1s phone -> pbx 491 to INFO

      """
    let blocks = try plan(lines).blocks
    guard case .message(let hold) = blocks[0].stimulus, case .message(let info) = blocks[1].stimulus else {
      throw Missing()
    }
    #expect(hold.what == .reInvite && hold.subject == .call("c1") && hold.role == .offer)
    #expect(info.what == .request(method: "INFO") && info.with.count == 1)
  }

  @Test(arguments: [
    ("c1 has mute on", "mute", "on"), ("c1 has media inactive", "media", "inactive"),
    ("c1 has dtmf \"1a#\"", "dtmf", "1A#"),
    ("c1 has dtmf \"\"", "dtmf", nil),
  ])
  func aPropertyHasItsValue(text: String, property: String, value: String?) throws {
    guard case .has(call: "c1", property, let found) = try checks("expect \(text)").observation else { throw Missing() }
    #expect(found.pieces == value.map { [.literal($0)] } ?? [])
  }

  @Test(arguments: [
    ("1.5s", Span.milliseconds(1_500)), ("0.2ms", Span(microseconds: 200)), ("2.100s", .milliseconds(2_100)),
    ("0.5min", .seconds(30)), ("3.0us", Span(microseconds: 3)),
  ])
  func aDurationMayHaveAFraction(text: String, span: Span) throws {
    #expect(try block("@\(text) user ends c1\n").when == .at(span))
    #expect(try plan("network latency 0s..\(text)\n").links.map(\.latency) == [.zero...span])
  }

  @Test(arguments: [
    ("@1500us", When.at(Span(microseconds: 1_500))), ("+2s", .after(.seconds(2))), ("+${g}", .after(.seconds(7))),
    ("on a", .on(label: "a", .zero)), ("on a+3ms", .on(label: "a", .milliseconds(3))), ("", .next),
  ])
  func aLineHasItsTime(when: String, expected: When) throws {
    let lines = "param g: duration = 1s\n@0s push c1 to phone as a\n\(when) user ends c1\n"
    let (file, _) = ScenarioFile.parse(Array((preamble + lines).utf8), named: "x.call")
    let plan = try #require(file?.plan(case: nil, params: ["g": "7s"]).plan)
    #expect(plan.blocks[1].when == expected)
  }

  @Test func anArrowSaysWhatIsSent() throws {
    let lines = """
      @0s pbx -> phone INVITE c1 offer sendonly with "A: b" without Contact call-id "x" as inv
      pbx -> phone 486 to inv
      pbx -> phone 200 inv answer inactive
      pbx -> phone raw verbatim
      | INVITE ${x}
      |

      """
    let arrows = try plan(lines).blocks.compactMap { block -> Arrow? in
      if case .message(let arrow) = block.stimulus { arrow } else { nil }
    }
    #expect(arrows[0].what == .request(method: "INVITE") && arrows[0].subject == .call("c1"))
    #expect(arrows[0].role == .offer && arrows[0].direction == "sendonly" && arrows[0].without == ["Contact"])
    #expect(arrows[0].callID?.pieces == [.literal("x")] && arrows[0].with.map(\.pieces) == [[.literal("A: b")]])
    #expect(arrows[1].what == .response(status: 486) && arrows[1].subject == .label("inv"))
    #expect(arrows[2].subject == .label("inv") && arrows[2].role == .answer && arrows[2].direction == "inactive")
    guard case .raw(let raw, let verbatim, _) = arrows[3].what else { throw Missing() }
    #expect(verbatim && raw.map(\.pieces) == [[.literal("INVITE ${x}")], []])
  }

  @Test func blocksSayWhatMayStayAwayAndWhatIsOrdered() throws {
    let lines = """
      @0s push c1 to phone
      in-order
      expect within 1s c1 becomes ringing
      optional
      user answers c1
      expect within 1s c1 becomes active
      expect c1 is active
      end
      end
      in-order
      expect within 1s c1 becomes ended
      end
      expect within 1s c1 becomes ended

      """
    let blocks = try plan(lines).blocks
    #expect(blocks.map(\.isOptional) == [false, true])
    let checks = blocks.flatMap(\.checks)
    #expect(checks.map(\.order) == [1, 1, nil, 2, nil])
  }
}
