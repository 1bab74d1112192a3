import Instant
import Testing
import Timeline

@testable import Replay
@testable import Scenario

/// Plans driven through the real world with the real engine.
@Suite struct RunTests {
  private let push = PlannedStimulus.push(call: "c1", caller: text("Alice"), callID: text("inv-1@10.0.0.1"))
  private let incoming = Observation.reports(call: "c1", report: .incoming)

  private func run(_ plan: Plan, until: Instant? = nil) -> (Verdict, [Record]) {
    var run = Run(plan, seed: nil, until: until)
    var records: [Record] = []
    let verdict = run.execute { records.append($0) }
    return (verdict, records)
  }

  /// Early answer whose INVITE never comes (LP-7).
  private func earlyAnswer(deadline: Int64) -> Plan {
    let failed = Observation.action(call: "c1", action: "answer", becomes: false, status: "failed")
    return plan(
      [
        block(
          .at(.zero), push, as: "push1", line: 10,
          [
            expect(within: ms(50), incoming),
            expect(within: ms(50), .becomes(call: "c1", state: "ringing", reason: nil)),
          ]
        ),
        block(
          .at(ms(400)), user(.answers(call: "c1")), as: "tap", line: 13,
          [
            expect(within: ms(50), .audio("configures")),
            expect(
              within: ms(50), .action(call: "c1", action: "answer", becomes: true, status: "pending"), line: 15),
            check(.expect(.at(label: "push1", from: ms(deadline), to: ms(deadline))), failed, line: 16),
            check(
              .expect(.at(label: "push1", from: ms(deadline), to: ms(deadline))),
              .reports(call: "c1", report: .ended(reason: "failed")), line: 17),
            never(.until(label: "end"), .audio("activates")),
            never(.until(label: "end"), .message(arrow("phone", "pbx", .any))),
          ]),
      ], mode: .exhaustive,
      invariants: [
        .atMost(1, state: "active"), .eachActionCompletedOnce,
        .implies(.audioUnitIs(running: true), .some, states: ["connected"]),
      ])
  }

  @Test func aPlanThatFitsHolds() {
    let (verdict, records) = run(earlyAnswer(deadline: 15_000))
    #expect(verdict.diagnostics == [])
    #expect(verdict.outcome == .held)
    #expect(verdict.recordCount == records.count)
    #expect(verdict.openCalls == [])
    #expect(records.map(\.number) == Array(1...records.count))
    #expect(records.first?.line == 10)
  }

  @Test func aPlanThatDoesNotFitFails() {
    let (verdict, _) = run(earlyAnswer(deadline: 14_000))
    #expect(verdict.codes == ["R101", "R101"])
    #expect(verdict.words.contains("1s too late"))
    #expect(verdict.words.contains("state of c1 was answering, open action: answer"))
    #expect(verdict.words.contains("cause chain"))
  }

  @Test func theSameRunIsTheSame() {
    let (verdict, records) = run(earlyAnswer(deadline: 15_000))
    let (again, recordsAgain) = run(earlyAnswer(deadline: 15_000))
    #expect(verdict == again)
    #expect(records == recordsAgain)
  }

  /// A copy of a run is a snapshot: both go on alike.
  @Test func aCopyIsASnapshot() {
    var run = Run(earlyAnswer(deadline: 15_000), seed: nil, until: nil)
    for _ in 0..<20 { _ = run.step { _ in } }
    var copy = run
    #expect(run.execute { _ in } == copy.execute { _ in })
  }

  @Test(arguments: [0, 399, 400, 14_999])
  func aRunCanBeStopped(until: Int64) {
    let (verdict, records) = run(earlyAnswer(deadline: 15_000), until: at(until))
    #expect(verdict.outcome == .undecided)
    #expect(verdict.diagnostics == [])
    #expect(records.allSatisfy { $0.instant <= at(until) })
  }
}
