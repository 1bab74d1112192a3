import Instant
import Scenario
import Testing
import Timeline

@testable import Replay

/// Language, section 3.5.
@Suite struct ExhaustivenessTests {
  private let line = block(.at(.zero), user(.answers(call: "c1")), line: 10)

  /// What the app does must be asserted: messages, reports, completions, requests, the audio unit.
  @Test(arguments: [
    Event.report(.incoming(caller: nil, handle: nil)), .report(.updated(caller: "A", handle: nil)),
    .report(.startedConnecting), .report(.connected), .report(.ended(reason: "failed")),
    action(1, "answer", .fulfilled), action(1, "answer", .failed), .request(.asked(id: 1, kinds: ["end"])),
    .audio(.unitStarts), .audio(.unitStops), .transfer(TransferEvent(phase: .succeeded)),
    .transfer(TransferEvent(phase: .failed, status: 486)), .transfer(TransferEvent(phase: .refused)),
    .transfer(TransferEvent(phase: .unknown)),
  ])
  func actsOfTheAppMustBeExpected(event: Event) {
    let world = ScriptedWorld([happens(1, event)])
    #expect(judged(plan([line], mode: .exhaustive), world).codes == ["R170"])
    #expect(judged(plan([line], mode: .loose), world).outcome == .held)
  }

  /// What follows by rule, and what the system does, is not covered.
  @Test(arguments: [
    Event.report(.accepted), .report(.refused(error: "unknown")), action(1, "answer", .pending),
    action(1, "answer", .timedOut), .request(.accepted(id: 1)), .audio(.configures), .audio(.activates),
    .audio(.deactivates), .state(old: nil, new: "ringing", reason: nil), .timer(TimerEvent(name: "ring", phase: .set)),
    .ignored("nothing"), .push(PushEvent(callID: nil, caller: nil)), .transfer(TransferEvent(phase: .accepted)),
    .transfer(TransferEvent(phase: .progress, status: 180)), .lifecycle(.networkLost), .lifecycle(.networkRestored),
  ])
  func whatFollowsByRuleIsNotCovered(event: Event) {
    #expect(judged(plan([line], mode: .exhaustive), ScriptedWorld([happens(1, event)])).outcome == .held)
  }

  @Test(arguments: [
    (MessageFacts.Origin.decision, false), (.rule, true), (.retransmission, true),
  ])
  func onlyDecisionsOfTheAppAreCovered(origin: MessageFacts.Origin, holds: Bool) {
    let world = ScriptedWorld([sends(1, "BYE", origin: origin)])
    #expect(judged(plan([line], mode: .exhaustive), world).outcome == (holds ? .held : .failed))
  }

  /// `ignore ARROW` switches it off for these messages.
  @Test func whatIsIgnoredIsNotCovered() {
    let world = ScriptedWorld([sends(1, "BYE"), sends(2, "INVITE", status: 200, id: 2)])
    let ignoring = plan([line], mode: .exhaustive, ignored: [arrow("phone", "pbx", .request(method: "BYE"))])
    let verdict = judged(ignoring, world)
    #expect(verdict.codes == ["R170"])
    #expect(verdict.words.contains("1 act of the app was not expected: `phone -> pbx 200 to INVITE`"))
  }

  /// Left-over records are reported together, with what to add.
  @Test func leftOversAreReportedTogether() {
    let world = ScriptedWorld([sends(1, "INVITE", status: 603), happens(2, action(1, "end", .fulfilled))])
    let verdict = judged(plan([line], mode: .exhaustive), world)
    #expect(verdict.codes == ["R170"])
    #expect(verdict.words.contains("2 acts"))
    #expect(verdict.words.contains("action end of c1 fulfilled at 0.002 (event 3)"))
    #expect(
      verdict.diagnostics.first?.help
        == "add `expect within 50ms phone -> pbx 603 to INVITE` under this line, "
        + "or to the head of the file `ignore phone -> pbx 603`")
    #expect(verdict.diagnostics.first?.range?.line == 10)
  }

  /// `never` and an `expect` without a window consume nothing.
  @Test func onlyWindowsConsume() {
    let blocks = [
      block(.at(.zero), user(.answers(call: "c1")), [expect(.message(arrow("phone", "pbx", .request(method: "BYE"))))])
    ]
    let verdict = judged(plan(blocks, mode: .exhaustive), ScriptedWorld([sends(0, "BYE")]))
    #expect(verdict.checks.map(\.held) == [true])
    #expect(verdict.codes == ["R170"])
  }

  /// What came at the wrong time is told of once.
  @Test func aMissIsNoLeftOver() {
    let blocks = [
      block(
        .at(.zero), user(.answers(call: "c1")),
        [expect(within: ms(50), .message(arrow("phone", "pbx", .request(method: "BYE"))))])
    ]
    let verdict = judged(plan(blocks, mode: .exhaustive), ScriptedWorld([sends(60, "BYE")]))
    #expect(verdict.codes == ["R101"])
    #expect(verdict.words.contains("10ms too late"))
  }

  /// What the app does while the world settles counts.
  @Test func settlingCounts() {
    #expect(judged(plan([line], mode: .exhaustive), ScriptedWorld([sends(32_000, "BYE")])).codes == ["R170"])
  }
}
