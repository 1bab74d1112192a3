import Instant
import Scenario
import Testing
import Timeline

@testable import Replay

/// Invariants are looked at after every instant, and judge from records alone.
@Suite struct InvariantTests {
  private func codes(_ invariant: InvariantCheck.Invariant, _ happenings: [ScriptedWorld.Happening]) -> [String] {
    judged(plan([block(.at(.zero))], invariants: [invariant]), ScriptedWorld(happenings)).codes
  }

  @Test func atMostCountsCallsInAState() {
    let invariant = InvariantCheck.Invariant.atMost(1, state: "active")
    #expect(codes(invariant, [becomes(1, "active"), becomes(2, "active", call: "c2")]) == ["R140"])
    #expect(codes(invariant, [becomes(1, "active"), becomes(2, "ended"), becomes(3, "active", call: "c2")]) == [])
    // Within one instant the order does not matter.
    #expect(codes(invariant, [becomes(1, "active"), becomes(2, "active", call: "c2"), becomes(2, "ended")]) == [])
  }

  private static let answer = action(1, "answer", .pending)
  private static let end = action(2, "end", .pending)

  /// CallKit knows a call as connected when its Answer was fulfilled or it was reported connected, until it ends.
  @Test(arguments: [
    ([answer, action(1, "answer", .fulfilled)], true), ([Event.report(.connected)], true),
    ([answer], false), ([answer, action(1, "answer", .failed)], false),
    // A completion of what is not open has no effect (CK-5).
    ([action(1, "answer", .fulfilled)], false),
    ([answer, action(1, "answer", .failed), action(1, "answer", .fulfilled)], false),
    ([answer, action(1, "answer", .fulfilled), Event.report(.ended(reason: "failed"))], false),
    // A second report of the live call is refused and leaves it alone (CK-18).
    (
      [
        answer, action(1, "answer", .fulfilled), Event.report(.incoming(caller: nil, handle: nil)),
        Event.report(.refused(error: "callUUIDAlreadyExists")),
      ], true
    ),
    ([Event.report(.incoming(caller: nil, handle: nil)), Event.report(.refused(error: "unknown"))], false),
    ([answer, action(1, "answer", .fulfilled), end, action(2, "end", .fulfilled)], false),
    // With the app its calls are gone.
    ([answer, action(1, "answer", .fulfilled), Event.lifecycle(.killed(reason: "memory"))], false),
  ])
  func theUnitRunsOnlyForConnectedCalls(events: [Event], holds: Bool) {
    let invariant = InvariantCheck.Invariant.implies(.audioUnitIs(running: true), .some, states: ["connected"])
    let happenings = events.map { happens(1, $0) } + [happens(2, .audio(.unitStarts), call: nil)]
    #expect(codes(invariant, happenings) == (holds ? [] : ["R140"]))
  }

  @Test func anActionIsCompletedOnce() {
    let once = [happens(1, action(1, "answer", .fulfilled)), happens(2, action(2, "end", .fulfilled))]
    #expect(codes(.eachActionCompletedOnce, once) == [])
    #expect(codes(.eachActionCompletedOnce, once + [happens(3, action(1, "answer", .failed))]) == ["R140"])
    // The next process of the app has its own actions.
    let next = [happens(3, action(1, "start", .pending)), happens(4, action(1, "start", .fulfilled))]
    #expect(codes(.eachActionCompletedOnce, once + next) == [])
    #expect(codes(.eachActionCompletedOnce, once + next + [happens(5, action(1, "start", .failed))]) == ["R140"])
  }

  @Test func aViolationIsReportedOnce() {
    let verdict = judged(
      plan([block(.at(.zero))], invariants: [.atMost(0, state: "active")]),
      ScriptedWorld([becomes(1, "active"), becomes(2, "ringing"), becomes(3, "active")]))
    #expect(verdict.codes == ["R140"])
    #expect(verdict.words.contains("0.001"))
    #expect(verdict.words.contains("c1 was active"))
  }
}
