import Instant
import Testing
import Timeline

@testable import Replay
@testable import Scenario

/// What a failure says of what came instead.
@Suite struct ExplanationTests {
  private let answers = user(.answers(call: "c1"))

  private func message(_ change: (inout Arrow) -> Void = { _ in }) -> Observation {
    var arrow = arrow("phone", "pbx", .response(status: 200))
    change(&arrow)
    return .message(arrow)
  }

  private func sendsOK(_ milliseconds: Int64, _ session: MessageFacts.Session?, headers: String = "")
    -> ScriptedWorld.Happening
  {
    var happening = sends(milliseconds, "INVITE", status: 200)
    guard case .sip(var event) = happening.event else { return happening }
    event.message.session = session
    event.phase = .sent(
      bytes: Array(
        ("SIP/2.0 200 OK\r\nVia: SIP/2.0/UDP h;branch=z9hG4bK1\r\nFrom: <sip:a@b>;tag=1\r\nTo: <sip:c@d>;tag=2\r\n"
          + "Call-ID: k\r\nCSeq: 1 INVITE\r\n\(headers)Content-Length: 0\r\n\r\n").utf8))
    happening.event = .sip(event)
    return happening
  }

  private func verdict(
    _ observation: Observation, mode: Plan.Mode = .exhaustive, _ happenings: [ScriptedWorld.Happening]
  ) -> Verdict {
    judged(
      plan([block(.at(.zero), answers, [expect(within: ms(50), observation)])], mode: mode), ScriptedWorld(happenings))
  }

  struct Detail: Sendable {
    var change: @Sendable (inout Arrow) -> Void
    var session: MessageFacts.Session?
    var headers = ""
    var how: String
  }

  @Test(arguments: [
    Detail(
      change: { ($0.role, $0.direction) = (.answer, "sendrecv") }, session: .init(role: .answer, direction: "recvonly"),
      how: "with answer recvonly"),
    Detail(
      change: { ($0.role, $0.direction) = (.offer, "sendrecv") }, session: .init(role: .answer, direction: "sendrecv"),
      how: "with answer sendrecv"),
    Detail(change: { $0.fragment = 180 }, how: "without a status that it reports"),
    Detail(change: { $0.role = .answer }, how: "without a session description"),
    Detail(change: { $0.with = [text("X-A: 1")] }, headers: "X-A: 2\r\n", how: "with `X-A: 2`"),
    Detail(change: { $0.with = [text("X-A: 1")] }, how: "without X-A"),
    Detail(change: { $0.without = ["X-A"] }, headers: "X-A: 2\r\n", how: "with `X-A: 2`"),
    Detail(change: { $0.callID = text("other") }, how: "with Call-ID k"),
    Detail(
      change: { ($0.role, $0.with) = (.answer, [text("X-A: 1")]) }, headers: "X-B: 2\r\n",
      how: "without a session description, without X-A"),
  ])
  func aMessageThatDiffersInADetailIsTold(detail: Detail) {
    let verdict = verdict(message(detail.change), [sendsOK(10, detail.session, headers: detail.headers)])
    // What came instead is explained by this and is no further act that was not expected.
    #expect(verdict.codes == ["R101"])
    #expect(verdict.diagnostics.first?.title.hasSuffix("was not met: `phone -> pbx 200` came \(detail.how)") ?? false)
    #expect(verdict.words.contains("phone -> pbx 200 to INVITE sent at 0.010 (event 2)"))
  }

  @Test(arguments: [
    (
      Observation.reports(call: "c1", report: .ended(reason: "failed")),
      Event.report(.ended(reason: "unanswered")), "`phone reports c1 ended reason unanswered` came instead"
    ),
    (
      .updates(call: "c1", caller: nil, handle: text("sip:a@b")), .report(.updated(caller: nil, handle: "sip:x@y")),
      "`phone updates c1 handle \"sip:x@y\"` came instead"
    ),
    (
      .transfer(call: "c1", phase: "failed", status: 486), .transfer(TransferEvent(phase: .failed, status: 603)),
      "`c1 transfer failed status 603` came instead"
    ),
  ])
  func soIsWhatTheAppTellsTheSystem(observation: Observation, event: Event, how: String) {
    let verdict = verdict(observation, [happens(10, event)])
    #expect(verdict.codes == ["R101"])
    #expect(verdict.words.contains(how))
  }

  /// Another message, or the right one at the wrong time, is no near miss.
  @Test func whatIsSomethingElseIsNot() {
    let wanted = message { $0.direction = "sendrecv" }
    #expect(verdict(wanted, [sends(10, "BYE")]).words.contains("it did not happen"))
    #expect(verdict(wanted, mode: .loose, [sendsOK(60, nil)]).words.contains("it did not happen"))
    let late = verdict(
      wanted, [sendsOK(10, nil), sendsOK(60, .init(role: .answer, direction: "sendrecv"))])
    #expect(late.words.contains("10ms too late"))
  }

  @Test func whatAnotherCheckTookIsTold() {
    let checks = [expect(within: ms(50), message(), line: 11), expect(within: ms(50), message(), line: 12)]
    let verdict = judged([block(.at(.zero), answers, checks)], [sendsOK(10, nil)])
    #expect(verdict.codes == ["R101"])
    #expect(verdict.diagnostics.first?.range?.line == 12)
    #expect(verdict.diagnostics.first?.title.hasSuffix("it was taken by `check 11` in line 11") ?? false)
  }

  @Test func whatCameOutOfOrderIsTold() {
    let checks = [
      expect(within: ms(50), .audio("activates"), order: 1, line: 11),
      expect(within: ms(50), message(), order: 1, line: 12),
    ]
    let verdict = judged(
      [block(.at(.zero), answers, checks)], [sendsOK(10, nil), happens(20, .audio(.activates), call: nil)])
    #expect(verdict.words.contains("it came out of order"))
  }

  /// Every act that was not expected has its line to copy, with where it goes.
  @Test func everyLeftOverHasItsExpectation() {
    let blocks = [block(.at(.zero), answers, line: 10), block(.at(ms(1_000)), answers, line: 20)]
    let world = ScriptedWorld([
      sends(10, "BYE"), happens(1_120, action(1, "end", .fulfilled)),
      happens(1_120, .report(.ended(reason: "failed"))),
    ])
    let verdict = judged(plan(blocks, mode: .exhaustive), world)
    #expect(verdict.codes == ["R170"])
    #expect(
      verdict.diagnostics.first?.notes.map(\.text).map { $0.drop { $0 != "`" } } == [
        "`expect within 50ms phone -> pbx BYE c1` under line 10",
        "`expect within 200ms c1 action end is fulfilled` under line 20",
        "`expect within 200ms phone reports c1 ended reason failed` under line 20",
      ])
  }

  /// Lines that wait for each other all hang on one of them, and that one is told.
  @Test func aRingOfLinesIsToldOnce() {
    let blocks = [
      block(.on(label: "b", .zero), answers, as: "a", line: 10),
      block(.on(label: "a", .zero), answers, as: "b", line: 11), block(.on(label: "a", .zero), answers, line: 12),
    ]
    let verdict = judged(blocks)
    #expect(verdict.codes == ["R160"])
    #expect(verdict.words.contains("2 later lines could not run"))
  }

  /// A question that is answered with no says what was so instead.
  @Test(arguments: [
    ("a has dtmf \"13\"", "a had dtmf \"12\""), ("a has media sendonly", "a had media sendrecv"),
    ("a has mute on", "a had mute off"), ("a has call-id \"x\"", "a had call-id \"a@10.0.0.2\""),
    ("a has dialog call-id \"x\"", "a had dialog call-id \"a@10.0.0.2\""), ("a has caller \"Bob\"", "a had no caller"),
    ("a has handle \"x\"", "a had handle \"sip:alice@10.0.0.1\""),
    ("audio is inactive", "audio was active, configured"),
    ("audio is interrupted", "audio was active, configured"), ("audio is silent", "no call was silent"),
    ("audio unit is stopped", "the audio unit ran"), ("a action start is failed", "action start of a was fulfilled"),
    ("a action mute is pending", "a had no action mute"), ("a is ringing", "state of a was active"),
    ("phone is killed", "the app was running"), ("b is ringing", "nothing was known of b"),
  ])
  func whatWasSoInsteadIsTold(question: String, fact: String) throws {
    let text = """
      callsim 1
      mode loose
      device phone sip:bob@10.0.0.2
      peer alice sip:alice@10.0.0.1 auto answers after 100ms
      call a
      call b
      @0s user calls a to alice
      @3s user presses "12" on a
      @5s alice -> phone OPTIONS
      expect \(question)
      expect within 1s \(question)

      """
    let (file, diagnostics) = ScenarioFile.parse(Array(text.utf8), named: "x.call")
    #expect(diagnostics == [])
    var run = Run(try #require(file?.plan(case: nil, params: [:]).plan), seed: nil, until: nil)
    let found = run.execute { _ in }.diagnostics
    #expect(found.count == 2)
    for diagnostic in found { #expect(diagnostic.notes.map(\.text).contains(fact), "\(diagnostic.notes.map(\.text))") }
  }
}
