import Instant
import Testing
import Timeline
import VirtualWorld

@testable import Replay
@testable import Scenario

/// When lines run, and what happens if they do not (language, sections 2, 3.1, 3.4 and 3.13).
@Suite struct ScriptTests {
  private let answers = user(.answers(call: "c1"))
  private let ends = user(.ends(call: "c1"))
  private let invite = PlannedStimulus.message(arrow("pbx", "phone", .request(method: "INVITE")))

  /// The instants and lines of everything the script did.
  private func course(_ blocks: [Block], _ world: ScriptedWorld = ScriptedWorld()) -> [String] {
    var replayer = Replayer(plan(blocks), world: world)
    var course: [String] = []
    _ = replayer.execute { record in
      course.append("\(record.instant) \(record.line.map(String.init) ?? "-")")
    }
    return course
  }

  @Test func linesAreTimedFromTheStartAndFromEachOther() {
    let blocks = [
      block(.at(ms(100)), answers, line: 1), block(.after(ms(50)), ends, line: 2), block(.next, ends, line: 3),
      block(.after(ms(50)), ends, line: 4),
    ]
    #expect(course(blocks) == ["0.100 1", "0.150 2", "0.150 3", "0.200 4"])
  }

  /// `+D` counts from the instant at which the line above ran, also a line with `on`.
  @Test func afterCountsFromAReaction() {
    let blocks = [
      block(.at(.zero), answers, [expect(within: ms(50), .audio("activates"), as: "live")]),
      block(.on(label: "live", ms(5)), ends, line: 2), block(.after(ms(5)), ends, line: 3),
    ]
    let world = ScriptedWorld([happens(20, .audio(.activates), call: nil)])
    #expect(course(blocks, world) == ["0.000 10", "0.020 -", "0.025 2", "0.030 3"])
  }

  /// A scripted line runs before anything else that is due at the same instant, several in file order.
  @Test func linesComeBeforeEvents() {
    let blocks = [block(.at(ms(5)), answers, line: 1), block(.at(ms(5)), ends, line: 2)]
    #expect(course(blocks, ScriptedWorld([becomes(5, "ringing")])) == ["0.005 1", "0.005 2", "0.005 -"])
  }

  /// `on LABEL` fires where the reacting actor stands: at the sending for the sender, at the arrival for the phone.
  @Test func reactionsStandWhereTheActorStands() {
    func second(_ stimulus: PlannedStimulus) -> [String] {
      course(
        [block(.at(.zero), invite, as: "inv", line: 1), block(.on(label: "inv", ms(1)), stimulus, line: 2)],
        ScriptedWorld(latency: ms(30))
      ).filter { $0.hasSuffix(" 2") }
    }
    #expect(second(ends) == ["0.031 2"])
    #expect(second(invite) == ["0.001 2"])
  }

  /// For a message to a peer: at its arrival there.
  @Test func aPeerReactsToTheArrival() {
    let message = MessageFacts(id: 1, from: "phone", to: "pbx", method: "BYE", callID: "k", sequence: 1)
    let blocks = [
      block(
        .at(.zero), answers, [expect(within: ms(50), .message(arrow("phone", "pbx", .any)), as: "bye")]),
      block(.on(label: "bye", ms(10)), invite, line: 2),
    ]
    let arrival = happens(40, .sip(SIPEvent(phase: .arrived, message: message)))
    #expect(course(blocks, ScriptedWorld([sends(5, "BYE"), arrival])).contains("0.050 2"))
    let lost = judged(blocks, [sends(5, "BYE")])
    #expect(lost.codes == ["R160"])
    #expect(lost.words.contains("`bye`, BYE, never arrived at pbx"))
  }

  /// A peer that vanishes on a message to it has received it.
  @Test func aPeerVanishesAtTheArrival() {
    let message = MessageFacts(id: 1, from: "phone", to: "pbx", method: "BYE", callID: "k", sequence: 1)
    let byes = [expect(within: ms(50), .message(arrow("phone", "pbx", .any)), as: "bye")]
    let arrival = happens(40, .sip(SIPEvent(phase: .arrived, message: message)))
    for (stimulus, time) in [
      (PlannedStimulus.vanishes(peer: "pbx"), "0.050 2"), (.returns(peer: "pbx"), "0.050 2"),
      (.system("fails unit"), "0.015 2"),
    ] {
      let blocks = [block(.at(.zero), answers, byes), block(.on(label: "bye", ms(10)), stimulus, line: 2)]
      #expect(course(blocks, ScriptedWorld([sends(5, "BYE"), arrival])).contains(time))
    }
  }

  /// A line that never ran fails the run unless it is optional; what hangs on it is folded.
  @Test func aLineThatNeverRanFailsTheRun() {
    func blocks(optional: Bool) -> [Block] {
      [
        block(.at(.zero), invite, as: "inv", line: 1),
        block(
          .on(label: "inv", .zero), ends, optional: optional, line: 2, [expect(within: ms(1), .audio("activates"))]),
        block(.next, ends, optional: optional, line: 3),
      ]
    }
    let verdict = judged(plan(blocks(optional: false)), ScriptedWorld(latency: nil))
    #expect(verdict.codes == ["R160"])
    #expect(verdict.words.contains("1 later line could not run"))
    #expect(verdict.words.contains("1 later check not evaluated"))
    let optional = judged(plan(blocks(optional: true)), ScriptedWorld(latency: nil))
    #expect(optional.outcome == .held)
    #expect(optional.checks.map(\.held) == [nil])
  }

  /// The first failure is the root; checks and lines that wait for its label are folded into it.
  @Test func followersAreFolded() {
    let blocks = [
      block(
        .at(.zero), answers, line: 1,
        [
          expect(within: ms(50), .audio("activates"), as: "live", line: 2),
          expect(within: ms(50), of: "live", .audio("configures"), line: 3),
          expect(.audioIs("active"), line: 4),
        ]),
      block(.on(label: "live", .zero), ends, as: "bye", line: 5, [expect(within: ms(1), .audioIs("active"), line: 6)]),
      block(.on(label: "bye", .zero), ends, line: 7),
    ]
    let verdict = judged(blocks)
    #expect(verdict.codes == ["R101"])
    #expect(verdict.diagnostics.first?.range?.line == 2)
    #expect(verdict.words.contains("2 later lines could not run"))
    #expect(verdict.words.contains("3 later checks not evaluated"))
  }

  /// A stimulus that cannot be carried out fails at that line, and the run goes on.
  @Test func aRefusedLineFailsAndTheRunGoesOn() {
    let blocks = [block(.at(.zero), answers, line: 1), block(.after(ms(5)), ends, line: 2)]
    let world = ScriptedWorld(refusing: ["answers": "no call rings"])
    let verdict = judged(plan(blocks), world)
    #expect(verdict.codes == ["R161"])
    #expect(verdict.words.contains("no call rings"))
    #expect(course(blocks, world) == ["0.005 2"])
  }

  /// So does a stimulus that refers to a label that has not happened.
  @Test func aLineThatNamesWhatHasNotHappenedFails() {
    let cancel = PlannedStimulus.message(arrow("pbx", "phone", .request(method: "CANCEL"), .label("inv")))
    let blocks = [block(.at(.zero), cancel, line: 1), block(.at(ms(5)), invite, as: "inv", line: 2)]
    let verdict = judged(blocks)
    #expect(verdict.codes == ["R161"])
    #expect(verdict.words.contains("label `inv` has not happened"))
  }

  /// The world settles at most 3·64·T1 after the last window has closed.
  @Test(arguments: [(96_000, true), (96_001, false)])
  func settlingIsBounded(instant: Int64, isSeen: Bool) {
    let verdict = judged([block(.at(.zero), answers)], [becomes(instant, "ended")])
    #expect(verdict.recordCount == (isSeen ? 2 : 1))
  }

  /// Only what is periodic is left: the run is over.
  @Test func aSettledWorldEndsTheRun() {
    var repeated = becomes(10, "ringing")
    repeated.isPeriodic = true
    #expect(judged(plan([block(.at(.zero), answers)]), ScriptedWorld([repeated])).recordCount == 1)
  }

  /// `--until` leaves undecided what is open.
  @Test(arguments: [(49, .undecided), (50, .held)] as [(Int64, Verdict.Outcome)])
  func stoppingLeavesOpenWhatIsOpen(until: Int64, outcome: Verdict.Outcome) {
    let open = [
      block(.at(.zero), answers, [expect(within: ms(60), .becomes(call: "c1", state: "active", reason: nil))])
    ]
    let verdict = judged(plan(open), ScriptedWorld([becomes(50, "active")]), until: at(until))
    #expect(verdict.outcome == outcome)
    #expect(verdict.codes == [])
  }

  @Test func whatFailedBeforeTheStopHasFailed() {
    let blocks = [block(.at(.zero), answers, [expect(within: ms(10), .audio("activates"))]), block(.at(ms(99)), ends)]
    #expect(judged(plan(blocks), ScriptedWorld(), until: at(10)).codes == ["R101"])
    #expect(judged(plan(blocks), ScriptedWorld(), until: at(9)).outcome == .undecided)
  }

  /// A world in which time stands still does not hang the run.
  @Test func aLivelockEndsTheRun() {
    struct Treadmill: SimulatedWorld {
      var now: Instant { .zero }
      var nextInstant: Instant? { .zero }
      var isSettled: Bool { false }
      mutating func moveClock(to instant: Instant) {}
      mutating func perform(_ stimulus: Stimulus, line: Int?) throws(StimulusRefusal) -> [Record] { [] }
      mutating func step() -> [Record] { [] }
    }
    var replayer = Replayer(plan([block(.at(.zero))]), world: Treadmill())
    #expect(replayer.execute { _ in }.codes == ["R190"])
  }

  @Test func aFaultMustFire() {
    func fault(optional: Bool) -> FaultDeclaration {
      FaultDeclaration(
        name: "f1", isOptional: optional, effect: .drop, occurrence: .first, arrow: arrow("phone", "pbx", .any),
        from: nil, until: nil, range: range(3))
    }
    func codes(_ fault: FaultDeclaration, _ happenings: [ScriptedWorld.Happening]) -> [String] {
      judged(plan([block(.at(.zero))], faults: [fault]), ScriptedWorld(happenings)).codes
    }
    #expect(codes(fault(optional: false), []) == ["R150"])
    #expect(codes(fault(optional: true), []) == [])
    #expect(codes(fault(optional: false), [happens(1, .fault(FaultEvent(name: "f1", effect: "drop")))]) == [])
  }
}
