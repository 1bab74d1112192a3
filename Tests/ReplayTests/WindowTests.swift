import Instant
import Scenario
import Testing
import Timeline

@testable import Replay

/// Language, section 3.2 and the consumption rule of 3.5.
@Suite struct WindowTests {
  private let tap = user(.answers(call: "c1"))
  private let answering = Observation.becomes(call: "c1", state: "answering", reason: nil)

  /// `within D` is the closed interval [t0, t0+D].
  @Test(arguments: [(99, false), (100, true), (150, true), (151, false)])
  func withinIncludesBothEnds(instant: Int64, holds: Bool) {
    let verdict = judged(
      [block(.at(ms(100)), tap, [expect(within: ms(50), answering)])], [becomes(instant, "answering")])
    #expect(verdict.outcome == (holds ? .held : .failed))
    #expect(verdict.codes == (holds ? [] : ["R101"]))
  }

  /// `of LABEL` moves t0.
  @Test(arguments: [(129, false), (130, true), (180, true), (181, false)])
  func ofMovesTheWindow(instant: Int64, holds: Bool) {
    let checks = [
      expect(within: ms(50), .audio("activates"), as: "live"),
      expect(within: ms(50), of: "live", answering),
    ]
    let happenings = [happens(130, .audio(.activates), call: nil), becomes(instant, "answering")]
    let verdict = judged([block(.at(ms(100)), tap, checks)], happenings.sorted { $0.instant < $1.instant })
    #expect(verdict.outcome == (holds ? .held : .failed))
  }

  /// A window is an interval of the clock: what happened at the label's instant before the label is in it.
  @Test func windowOfALabelIncludesItsWholeInstant() {
    let checks = [
      expect(within: ms(50), .audio("activates"), as: "live"), expect(within: ms(50), of: "live", answering),
    ]
    let verdict = judged(
      [block(.at(ms(100)), tap, checks)], [becomes(130, "answering"), happens(130, .audio(.activates), call: nil)])
    #expect(verdict.outcome == .held)
    #expect(verdict.checks.map(\.record) == [3, 2])
  }

  /// `at L+T` is one instant, `at L+T..U` an interval.
  @Test(arguments: [(1099, false), (1100, true), (1200, true), (1201, false)])
  func atIsCountedFromTheLabel(instant: Int64, holds: Bool) {
    let checks = [check(.expect(.at(label: "tap", from: ms(1000), to: ms(1100))), answering)]
    let verdict = judged([block(.at(ms(100)), tap, as: "tap", checks)], [becomes(instant, "answering")])
    #expect(verdict.outcome == (holds ? .held : .failed))
  }

  /// An expect looks only at what comes after its block's stimulus, even at the same instant.
  @Test func whatCameBeforeTheStimulusDoesNotCount() {
    let blocks = [
      block(.at(ms(100)), tap, as: "tap", [expect(.audioIs("inactive"))]),
      block(.on(label: "first", .zero), user(.ends(call: "c1")), [expect(within: ms(50), answering)]),
      block(.at(.zero), user(.answers(call: "c1")), [expect(within: ms(200), answering, as: "first")]),
    ]
    #expect(judged(blocks, [becomes(100, "answering")]).codes == ["R101"])
    #expect(judged(blocks, [becomes(100, "answering"), becomes(100, "answering")]).outcome == .held)
  }

  /// Not even an unconsumed record of the same instant counts for a line that reacts to a later one.
  @Test func aReactionDoesNotSeeWhatCameBeforeIt() {
    let blocks = [
      block(.at(ms(100)), tap, [expect(within: ms(50), .audio("activates"), as: "live")]),
      block(.on(label: "live", .zero), user(.ends(call: "c1")), [expect(within: ms(50), answering)]),
    ]
    let activates = happens(130, .audio(.activates), call: nil)
    #expect(judged(blocks, [becomes(130, "answering"), activates]).codes == ["R101"])
    #expect(judged(blocks, [activates, becomes(130, "answering")]).outcome == .held)
  }

  /// The record that opens a window is consumed once like any other.
  @Test func anArrivalThatOpensAWindowIsConsumedOnce() {
    let invite = arrow("pbx", "phone", .request(method: "INVITE"))
    let checks = [expect(within: ms(50), of: "inv", .message(invite)), expect(within: ms(50), .message(invite))]
    let verdict = judged([block(.at(.zero), .message(invite), as: "inv", checks)])
    #expect(verdict.checks.map(\.held) == [true, false])
  }

  /// Windowed expects of one block are unordered.
  @Test func expectsOfABlockAreUnordered() {
    let checks = [expect(within: ms(50), answering), expect(within: ms(50), .audio("configures"))]
    let verdict = judged(
      [block(.at(.zero), tap, checks)], [happens(1, .audio(.configures), call: nil), becomes(2, "answering")])
    #expect(verdict.outcome == .held)
  }

  /// An `in-order` block orders them.
  @Test func groupsAreOrdered() {
    let checks = [
      expect(within: ms(50), answering, order: 1), expect(within: ms(50), .audio("configures"), order: 1),
    ]
    let blocks = [block(.at(.zero), tap, checks)]
    let configures = happens(1, .audio(.configures), call: nil)
    #expect(judged(blocks, [becomes(1, "answering"), configures]).outcome == .held)
    let verdict = judged(blocks, [configures, becomes(1, "answering")])
    #expect(verdict.checks.map(\.held) == [true, false])
  }

  /// A windowed expect consumes the record: two expects need two records.
  @Test func aRecordIsConsumedOnce() {
    let blocks = [
      block(.at(.zero), tap, [expect(within: ms(50), answering), expect(within: ms(50), answering)])
    ]
    let one = judged(blocks, [becomes(1, "answering")])
    #expect(one.checks.map(\.held) == [true, false])
    #expect(judged(blocks, [becomes(1, "answering"), becomes(2, "answering")]).outcome == .held)
  }

  /// Of two expects that could take a record, the earlier line does.
  @Test func theEarlierLineTakesTheRecord() {
    let verdict = judged(
      [
        block(.at(.zero), tap, [expect(within: ms(100), answering, line: 11)]),
        block(.at(ms(10)), user(.ends(call: "c1")), [expect(within: ms(100), answering, line: 13)]),
      ], [becomes(20, "answering")])
    #expect(verdict.checks.map(\.held) == [true, false])
    #expect(verdict.diagnostics.first?.range?.line == 13)
  }

  /// A window may reach past later lines.
  @Test func aWindowReachesPastLaterLines() {
    let verdict = judged(
      [
        block(.at(.zero), tap, [expect(within: ms(500), answering)]),
        block(.at(ms(10)), user(.ends(call: "c1"))),
      ], [becomes(500, "answering")])
    #expect(verdict.outcome == .held)
    #expect(verdict.end == at(500))
  }

  /// Without a window and without windowed expects above it, it is asked at t0, after all events of that instant.
  @Test func aQuestionIsAskedAfterTheInstant() {
    let blocks = [block(.at(ms(5)), tap, [expect(.isInState(call: "c1", states: ["answering"]))])]
    #expect(judged(blocks, [becomes(5, "ringing"), becomes(5, "answering")]).outcome == .held)
    #expect(judged(blocks, [becomes(5, "ringing"), becomes(6, "answering")]).codes == ["R110"])
  }

  /// Every line that runs at an instant has its questions asked then.
  @Test func questionsOfSeveralLinesAreAskedAtOneInstant() {
    let blocks = [When.at(ms(5)), .next, .next].map { when in
      block(when, tap, [expect(.isInState(call: "c1", states: ["answering"])), expect(.audioIs("active"))])
    }
    let verdict = judged(blocks, [becomes(5, "answering"), happens(6, .audio(.activates), call: nil)])
    #expect(verdict.checks.map(\.held) == [true, false, true, false, true, false])
    #expect(verdict.checks.allSatisfy { $0.instant == at(5) })
  }

  /// Else it is asked at the instant in which the last of those above matched.
  @Test func aQuestionWaitsForTheWindowsAboveIt() {
    let blocks = [
      block(
        .at(ms(5)), tap,
        [expect(within: ms(50), .audio("activates")), expect(.isInState(call: "c1", states: ["answering"]))])
    ]
    let activates = happens(20, .audio(.activates), call: nil)
    #expect(judged(blocks, [activates, becomes(20, "answering")]).outcome == .held)
    #expect(judged(blocks, [activates, becomes(21, "answering")]).codes == ["R110"])
    #expect(judged(blocks, [becomes(19, "answering"), activates, becomes(21, "ended")]).outcome == .held)
  }

  /// A question consumes nothing.
  @Test func aQuestionConsumesNothing() {
    let verdict = judged(
      [block(.at(.zero), tap, [expect(answering), expect(within: ms(5), answering)])], [becomes(0, "answering")])
    #expect(verdict.outcome == .held)
  }

  /// A windowed `action … is fulfilled` consumes the completion, and so does `becomes`.
  @Test(arguments: [true, false])
  func aCompletionIsConsumed(becomes: Bool) {
    let fulfilled = Observation.action(call: "c1", action: "answer", becomes: becomes, status: "fulfilled")
    let blocks = [block(.at(.zero), tap, [expect(within: ms(5), fulfilled)])]
    let happenings = [
      happens(0, action(1, "answer", .pending)), happens(1, action(1, "answer", .fulfilled)),
    ]
    #expect(judged(plan(blocks, mode: .exhaustive), ScriptedWorld(happenings)).outcome == .held)
    let unasked = judged(plan([block(.at(.zero), tap)], mode: .exhaustive), ScriptedWorld(happenings))
    #expect(unasked.codes == ["R170"])
  }

  /// A windowed question holds as soon as it is answered with yes.
  @Test(arguments: [(50, true), (51, false)])
  func aWindowedQuestionMayBecomeTrue(instant: Int64, holds: Bool) {
    let verdict = judged(
      [block(.at(.zero), tap, [expect(within: ms(50), .isInState(call: "c1", states: ["active"]))])],
      [becomes(0, "ringing"), becomes(instant, "active")])
    #expect(verdict.outcome == (holds ? .held : .failed))
  }

  /// A failure says by how much the record missed the window, and what was the case when it closed.
  @Test func aMissIsMeasured() {
    let tooLate = judged(
      [block(.at(ms(600)), tap, [expect(within: ms(200), answering)])],
      [
        becomes(1, "ringing"), happens(2, action(7, "answer", .pending)),
        happens(812, .state(old: nil, new: "answering", reason: nil), causes: [2]),
      ])
    #expect(tooLate.words.contains("12ms too late"))
    #expect(tooLate.words.contains("window 0.600..0.800"))
    #expect(tooLate.words.contains("state of c1 was ringing, open action: answer"))
    #expect(tooLate.words.contains("cause chain: 4 <- action answer of c1 delivered (2)"))
    let tooEarly = judged(
      plan(
        [
          block(
            .at(.zero), tap, as: "tap",
            [check(.expect(.at(label: "tap", from: ms(100), to: ms(100))), .message(arrow("phone", "pbx", .any)))])
        ], mode: .exhaustive), ScriptedWorld([sends(90, "BYE")]))
    #expect(tooEarly.codes == ["R101"])
    #expect(tooEarly.words.contains("10ms too early"))
  }
}
