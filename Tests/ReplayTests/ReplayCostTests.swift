import Instant
import Scenario
import Testing
import Timeline

@testable import Replay

/// Long files are replayed in one pass. They are of a size at which a step that looks at every line, label or check
/// would keep these tests from ending.
@Suite struct ReplayCostTests {
  private static let count = 5_000
  private let invite = arrow("pbx", "phone", .request(method: "INVITE"))
  private let answers = user(.answers(call: "c1"))

  private func blocks(_ block: (Int) -> Block) -> [Block] { (0..<Self.count).map(block) }

  /// What is never so, in scopes that all end with the run or each with the next line.
  @Test(arguments: [
    Observation.audio("activates"), .message(arrow("phone", "pbx", .request(method: "BYE"))),
    .isInState(call: "c1", states: ["active"]), .audioUnitIs(running: true),
    .becomes(call: "c1", state: "ended", reason: nil),
  ])
  func manyLabelsExpectationsAndNevers(absent: Observation) {
    let blocks = blocks { number in
      block(
        .after(ms(10)), .message(invite), as: "l\(number)",
        [
          expect(within: ms(5), .message(invite), as: "r\(number)"),
          never(.until(label: number.isMultiple(of: 2) ? "end" : "l\(number + 1)"), absent),
        ])
    }
    let verdict = judged(plan(blocks, mode: .exhaustive), ScriptedWorld(latency: ms(1)))
    #expect(verdict.outcome == .held)
    #expect(verdict.recordCount == 2 * Self.count)
  }

  @Test func manyReactionsOneToTheOther() {
    let chain = blocks { number in
      block(number == 0 ? .at(.zero) : .on(label: "l\(number - 1)", ms(1)), .message(invite), as: "l\(number)")
    }
    #expect(judged(chain).recordCount == 2 * Self.count)
  }

  /// A ladder of lines that never run, and everything that hangs on it.
  @Test(arguments: [When.next, .after(ms(1))])
  func manyLinesThatNeverRun(when: When) {
    let ladder = blocks { number in
      block(
        number == 0 ? .on(label: "x", .zero) : when, answers, as: "l\(number)",
        [expect(within: ms(5), of: "l\(number)", .audio("activates"))])
    }
    let verdict = judged(ladder)
    #expect(verdict.codes == ["R160"])
    #expect(verdict.words.contains("\(Self.count - 1) later lines could not run"))
    #expect(verdict.words.contains("\(Self.count) later checks not evaluated"))
  }

  /// All windows are open at once, and each question waits for those above it.
  @Test func manyWindowsAndQuestionsOfOneLine() {
    let checks = (0..<Self.count).flatMap { number in
      [
        expect(within: ms(50_000), .audio("activates"), order: 1),
        expect(.audioIs("active")), expect(within: ms(50_000), .audioIs("active")),
      ]
    }
    let world = TickingWorld(event: .audio(.activates), count: Self.count)
    #expect(judged(plan([block(.at(.zero), answers, checks)]), world).outcome == .held)
  }

  /// Nothing of what is expected comes.
  @Test func manyFailures() {
    let bye = Observation.message(arrow("pbx", "phone", .request(method: "BYE")))
    let blocks = blocks { number in
      block(.after(ms(10)), .message(invite), as: "l\(number)", [expect(within: ms(5), bye)])
    }
    #expect(judged(blocks).codes.count == Self.count)
  }

  @Test func manyCallsUnderInvariants() {
    let blocks = blocks { number in block(.after(ms(1)), user(.answers(call: "c\(number)"))) }
    let verdict = judged(
      plan(
        blocks,
        invariants: [.atMost(0, state: "active"), .implies(.audioIs("inactive"), .each, states: ["ringing", "ended"])]),
      TickingWorld(event: .audio(.deactivates), count: 0))
    #expect(verdict.codes == ["R140"])
  }

  @Test func manyLinesAtOneInstant() {
    let blocks = blocks { _ in
      block(.at(.zero), answers, [expect(within: ms(5), .audio("activates")), never(.within(ms(5)), .deviceCrashes)])
    }
    let verdict = judged(plan(blocks), TickingWorld(event: .audio(.activates), count: Self.count))
    #expect(verdict.checks.allSatisfy { $0.held != nil })
  }
}
