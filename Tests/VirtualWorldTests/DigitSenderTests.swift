import CallEngine
import Instant
import Testing

@testable import VirtualWorld

/// Digits one after the other, as events or as INFO: what leaves when. The bench fires the sender's timer.
@Suite struct DigitSenderTests {
  private static let leg = LegID(.remote, 1)
  private static let action = ActionID(1)

  /// A sender with its timer; what it has its owner do is noted with the instant in milliseconds.
  private struct Bench {
    var sender = DigitSender()
    var now = Instant.zero
    var due: Instant?
    var log: [String] = []

    mutating func begin(_ digits: String, by way: DigitSender.Way, action: ActionID = action) {
      take(sender.begin(digits, for: action, on: leg, by: way, at: now))
    }

    mutating func answer(_ status: Int?) { take(sender.answered(leg, status: status, at: now)) }

    mutating func advance(to milliseconds: Int64) {
      let end = Instant.zero + .milliseconds(milliseconds)
      while let next = due, next <= end {
        (now, due) = (next, nil)
        take(sender.fire(leg, at: now))
      }
      now = end
    }

    mutating func take(_ outputs: [DigitSender.Output]) {
      for output in outputs {
        switch output {
        case .setTimer(let span): due = now + span
        case .cancelTimer: due = nil
        case .startEvent(let digit): note("starts \(digit)")
        case .endEvent(let digit, let duration): note("ends \(digit) after \(duration)")
        case .sendInfo(let digit): note("INFO \(digit)")
        case .sent(let action): note("sent \(action.number)")
        case .failed(let action): note("failed \(action.number)")
        }
      }
    }

    /// Whether nothing is under way, and the end of the leg leaves nothing.
    var isIdle: Bool {
      var rest = sender
      return due == nil && rest.end(leg, at: now).isEmpty && rest == DigitSender()
    }

    private mutating func note(_ what: String) { log.append("\(now) \(what)") }
  }

  @Test func eventsComeEvery200MillisecondsAndLast100() {
    var bench = Bench()
    bench.begin("12#", by: .events)
    bench.advance(to: 2_000)
    #expect(
      bench.log == [
        "0.000 starts 1", "0.100 ends 1 after 100ms", "0.200 starts 2", "0.300 ends 2 after 100ms", "0.400 starts #",
        "0.500 ends # after 100ms", "0.540 sent 1",
      ])
    #expect(bench.due == nil)
    #expect(bench.isIdle)
  }

  @Test func anInfoWaitsForTheAnswerToTheOneBefore() {
    var bench = Bench()
    bench.begin("12#", by: .info)
    bench.advance(to: 30)
    bench.answer(200)
    bench.advance(to: 350)
    bench.answer(200)
    bench.advance(to: 700)
    bench.answer(202)
    bench.advance(to: 2_000)
    #expect(bench.log == ["0.000 INFO 1", "0.200 INFO 2", "0.400 INFO #", "0.700 sent 1"])
    #expect(bench.isIdle)
  }

  @Test func anInfoThatIsAnsweredLateIsFollowedAtOnce() {
    var bench = Bench()
    bench.begin("12", by: .info)
    bench.advance(to: 900)
    bench.answer(200)
    #expect(bench.log == ["0.000 INFO 1", "0.900 INFO 2"])
  }

  @Test(arguments: [nil, 199, 300, 405, 415, 481, 603]) func aRefusedInfoDropsTheRest(status: Int?) {
    var bench = Bench()
    bench.begin("12", by: .info)
    bench.advance(to: 30)
    bench.answer(status)
    bench.advance(to: 2_000)
    #expect(bench.log == ["0.000 INFO 1", "0.030 failed 1"])
    #expect(bench.isIdle)
  }

  @Test func aStoppedEventEndsAtOnce() {
    var bench = Bench()
    bench.begin("12", by: .events)
    bench.advance(to: 240)
    bench.take(bench.sender.stop(Self.leg, at: bench.now))
    bench.advance(to: 2_000)
    #expect(
      bench.log == ["0.000 starts 1", "0.100 ends 1 after 100ms", "0.200 starts 2", "0.240 ends 2 after 40ms"])
    #expect(bench.isIdle)
  }

  @Test(arguments: [150, 520]) func betweenTwoEventsAStopEndsNothing(instant: Int64) {
    var bench = Bench()
    bench.begin("123", by: .events)
    bench.advance(to: instant)
    let before = bench.log
    bench.take(bench.sender.stop(Self.leg, at: bench.now))
    bench.advance(to: 2_000)
    #expect(bench.log == before)
  }

  /// The order of the INFO requests stays, also over two actions.
  @Test func whatIsSentAfterAStopWaitsForTheOldAnswer() {
    var bench = Bench()
    bench.begin("12", by: .info)
    bench.take(bench.sender.stop(Self.leg, at: bench.now))
    bench.begin("3", by: .info, action: ActionID(2))
    bench.advance(to: 300)
    bench.answer(500)
    bench.advance(to: 400)
    bench.answer(200)
    #expect(bench.log == ["0.000 INFO 1", "0.300 INFO 3", "0.400 sent 2"])
  }

  /// One digit and the next are 200 ms apart, whoever they are for, and however the first ended.
  @Test(arguments: DigitSender.Way.allCases, [0, 40, 99, 100, 150, 540, 900] as [Int64])
  func theNextActionKeepsTheSpacing(way: DigitSender.Way, instant: Int64) {
    var bench = Bench()
    bench.begin("1", by: way)
    bench.answer(200)
    bench.advance(to: instant)
    bench.take(bench.sender.stop(Self.leg, at: bench.now))
    bench.begin("2", by: way, action: ActionID(2))
    bench.advance(to: 2_000)
    let start = Instant.zero + .milliseconds(max(200, instant))
    let second = bench.log.first { $0.hasSuffix(way == .events ? "starts 2" : "INFO 2") }
    #expect(second?.hasPrefix("\(start) ") == true)
  }

  /// What is stopped while it waits was never begun, so it has no length either.
  @Test(arguments: DigitSender.Way.allCases) func aDigitThatWaitedLeavesNoTrace(way: DigitSender.Way) {
    var bench = Bench()
    bench.begin("1", by: way)
    bench.advance(to: 100)
    bench.take(bench.sender.stop(Self.leg, at: bench.now))
    let before = bench.log
    bench.begin("2", by: way, action: ActionID(2))
    bench.advance(to: 150)
    bench.take(bench.sender.stop(Self.leg, at: bench.now))
    bench.advance(to: 2_000)
    #expect(bench.log == before)
    #expect(bench.due == nil)
  }

  @Test func aLegSendsForOneActionAtATime() {
    var bench = Bench()
    bench.begin("1", by: .events)
    bench.begin("2", by: .events, action: ActionID(2))
    bench.advance(to: 2_000)
    #expect(bench.log == ["0.000 starts 1", "0.000 failed 2", "0.100 ends 1 after 100ms", "0.140 sent 1"])
  }

  @Test func theEndOfALegLeavesNothing() {
    var bench = Bench()
    bench.begin("12", by: .info)
    bench.take(bench.sender.end(Self.leg, at: bench.now))
    #expect(bench.sender == DigitSender())
    bench.advance(to: 2_000)
    bench.answer(200)
    #expect(bench.log == ["0.000 INFO 1"])
    #expect(bench.sender == DigitSender())
  }

  @Test func noDigitsAreSentAtOnce() {
    var bench = Bench()
    bench.begin("", by: .events)
    #expect(bench.log == ["0.000 sent 1"])
  }
}
