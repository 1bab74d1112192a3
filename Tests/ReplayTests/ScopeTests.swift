import Instant
import Scenario
import Testing
import Timeline

@testable import Replay

/// Language, section 3.3.
@Suite struct ScopeTests {
  private let answers = user(.answers(call: "c1"))
  private let ends = user(.ends(call: "c1"))
  private let activates = Observation.audio("activates")
  private func activation(_ milliseconds: Int64) -> ScriptedWorld.Happening {
    happens(milliseconds, .audio(.activates), call: nil)
  }

  /// `never until L` covers the records after the block's stimulus and before L's record, exactly, also at gap 0.
  @Test func untilIsExactAtOneInstant() {
    let checks = [
      expect(within: ms(5), .becomes(call: "c1", state: "active", reason: nil), as: "up"),
      never(.until(label: "up"), activates),
    ]
    let blocks = [block(.at(.zero), answers, checks)]
    #expect(judged(blocks, [becomes(0, "active"), activation(0)]).outcome == .held)
    #expect(judged(blocks, [activation(0), becomes(0, "active")]).codes == ["R130"])
  }

  /// If L never happens the scope ends with the run.
  @Test func untilALabelThatNeverHappensLastsToTheEnd() {
    let blocks = [
      block(.at(.zero), answers, [never(.until(label: "later"), activates)]),
      block(.at(ms(5)), ends, [expect(within: ms(1), .audio("deactivates"), as: "later")]),
    ]
    for time: Int64 in [4, 40] {
      let verdict = judged(blocks, [activation(time)])
      #expect(verdict.checks.first?.code == "R130")
      // That the label never came is the root; the scope would have been shorter with it.
      #expect(verdict.codes == ["R101"])
    }
  }

  /// `end` is the end of the run, settling included.
  @Test func untilEndCoversTheSettling() {
    let blocks = [block(.at(.zero), answers, [never(.until(label: "end"), activates)])]
    let verdict = judged(blocks, [activation(31_000)])
    #expect(verdict.codes == ["R130"])
    #expect(verdict.words.contains("31.000"))
    #expect(judged(blocks).outcome == .held)
  }

  /// `between A and B` leaves out both records and covers what lies between them in the record order.
  @Test(arguments: [(0, true), (10, false), (11, false), (19, false), (20, true), (21, true)])
  func betweenCoversWhatLiesBetween(instant: Int64, holds: Bool) {
    let blocks = [
      block(.at(ms(10)), answers, as: "a", [never(.between(label: "a", and: "b"), activates)]),
      block(.at(ms(20)), ends, as: "b"),
    ]
    // A line runs before what happens at its instant: at 10 the record comes after `a`, at 20 after `b`.
    #expect(judged(blocks, [activation(instant)]).outcome == (holds ? .held : .failed))
  }

  /// The record that A names is not covered itself.
  @Test func betweenLeavesOutTheRecordItBeginsWith() {
    let incoming = Observation.reports(call: "c1", report: .incoming)
    let checks = [
      expect(within: ms(50), incoming, as: "rep"), never(.between(label: "rep", and: "end"), incoming),
    ]
    let report = happens(5, .report(.incoming(caller: nil, handle: nil)))
    #expect(judged([block(.at(.zero), answers, checks)], [report]).outcome == .held)
    #expect(judged([block(.at(.zero), answers, checks)], [report, report]).codes == ["R130"])
  }

  /// With gap 0 nothing lies between two lines.
  @Test func betweenTwoLinesOfOneInstantLiesNothing() {
    let blocks = [
      block(.at(ms(10)), answers, as: "a", [never(.between(label: "a", and: "b"), activates)]),
      block(.after(.zero), ends, as: "b"),
    ]
    #expect(judged(blocks, [activation(10)]).outcome == .held)
  }

  /// `between A and B` whose A never happens fails.
  @Test func betweenFailsIfItNeverBegins() {
    let blocks = [
      block(.at(.zero), .message(arrow("pbx", "phone", .request(method: "INVITE"))), as: "inv"),
      block(.at(.zero), answers, as: "b", [never(.between(label: "inv", and: "b"), activates)]),
    ]
    #expect(judged(plan(blocks), ScriptedWorld(latency: nil)).codes == ["R131"])
  }

  /// `within D` is the closed interval from the block's instant.
  @Test(arguments: [(100, false), (150, false), (151, true)])
  func withinIncludesBothEnds(instant: Int64, holds: Bool) {
    let verdict = judged(
      [block(.at(ms(100)), answers, [never(.within(ms(50)), activates)])], [activation(instant)])
    #expect(verdict.outcome == (holds ? .held : .failed))
  }

  /// A label on a peer's message means its arrival at the phone.
  @Test(arguments: [(29, false), (30, true)])
  func aLabelOfAPeersMessageMeansItsArrival(instant: Int64, holds: Bool) {
    let blocks = [
      block(.at(.zero), answers, [never(.until(label: "inv"), activates)]),
      block(.at(ms(10)), .message(arrow("pbx", "phone", .request(method: "INVITE"))), as: "inv"),
    ]
    // The activation is due behind the arrival.
    let verdict = judged(plan(blocks), ScriptedWorld([activation(instant)], latency: ms(20)))
    #expect(verdict.outcome == (holds ? .held : .failed))
  }
}
