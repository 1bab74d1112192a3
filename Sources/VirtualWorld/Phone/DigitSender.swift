import CallEngine
import Instant

/// Sends digits one after the other, as telephone events (RFC 4733) or as INFO requests. One digit begins 200 ms after
/// the one before it and lasts 100 ms.
struct DigitSender: Hashable, Sendable {
  static let spacing = Span.milliseconds(200)
  static let length = Span.milliseconds(100)
  /// The end of an event is sent three times, 20 ms apart (RFC 4733 2.5.1.4).
  static let repetitionOfTheEnd = Span.milliseconds(40)

  /// How digits leave.
  enum Way: Hashable, Sendable { case events, info }

  /// What the sender has its owner do, in order.
  enum Output: Hashable, Sendable {
    case startEvent(Character)
    case endEvent(Character, after: Span)
    case sendInfo(Character)
    /// Tell the sender when the leg's timer is due.
    case setTimer(after: Span)
    case cancelTimer
    case sent(ActionID)
    case failed(ActionID)
  }

  private struct Job: Hashable {
    var action: ActionID
    var way: Way
    var current: Character
    var rest: [Character]
    var phase = Phase.waiting
  }

  private enum Phase: Hashable {
    /// An INFO of a job that was stopped has no response yet: the next must wait for it.
    case waiting
    /// The event goes on since then.
    case sounding(since: Instant)
    /// The event is over; the next may not begin yet.
    case pausing
    /// The end of the last event is being repeated.
    case ending
    /// An INFO is on its way; whether the time for the next has come.
    case asking(isDue: Bool)
  }

  private var jobs: [LegID: Job] = [:]
  /// The legs with an INFO that has no final response.
  private var unanswered: Set<LegID> = []

  /// Begins to send. A leg sends the digits of one action at a time.
  mutating func begin(
    _ digits: String, for action: ActionID, on leg: LegID, by way: Way, at now: Instant
  ) -> [Output] {
    guard jobs[leg] == nil else { return [.failed(action)] }
    guard let first = digits.first else { return [.sent(action)] }
    jobs[leg] = Job(action: action, way: way, current: first, rest: Array(digits.dropFirst()))
    return way == .info && unanswered.contains(leg) ? [] : start(leg, at: now)
  }

  private mutating func start(_ leg: LegID, at now: Instant) -> [Output] {
    guard let job = jobs[leg] else { return [] }
    switch job.way {
    case .events:
      jobs[leg]?.phase = .sounding(since: now)
      return [.startEvent(job.current), .setTimer(after: Self.length)]
    case .info:
      jobs[leg]?.phase = .asking(isDue: false)
      unanswered.insert(leg)
      // The timer is set first: the answer may come with the sending, that none can be sent.
      return [.setTimer(after: Self.spacing), .sendInfo(job.current)]
    }
  }

  /// The leg's timer is due.
  mutating func fire(_ leg: LegID, at now: Instant) -> [Output] {
    guard let job = jobs[leg] else { return [] }
    switch job.phase {
    case .sounding(let start):
      jobs[leg]?.phase = job.rest.isEmpty ? .ending : .pausing
      let wait = job.rest.isEmpty ? Self.repetitionOfTheEnd : Self.spacing - Self.length
      return [.endEvent(job.current, after: now - start), .setTimer(after: wait)]
    case .pausing: return goOn(leg, at: now)
    case .ending: return finish(leg, .sent(job.action))
    case .asking:
      jobs[leg]?.phase = .asking(isDue: true)
      return unanswered.contains(leg) ? [] : goOn(leg, at: now)
    case .waiting: return []
    }
  }

  /// An INFO has its final response, or none will come.
  mutating func answered(_ leg: LegID, status: Int?, at now: Instant) -> [Output] {
    unanswered.remove(leg)
    guard let job = jobs[leg], job.way == .info else { return [] }
    switch job.phase {
    case .waiting: return start(leg, at: now)
    case .asking(let isDue):
      guard let status, 200..<300 ~= status else { return [.cancelTimer] + finish(leg, .failed(job.action)) }
      if job.rest.isEmpty { return [.cancelTimer] + finish(leg, .sent(job.action)) }
      return isDue ? goOn(leg, at: now) : []
    case .sounding, .pausing, .ending: return []
    }
  }

  private mutating func goOn(_ leg: LegID, at now: Instant) -> [Output] {
    guard var job = jobs[leg], !job.rest.isEmpty else { return [] }
    job.current = job.rest.removeFirst()
    jobs[leg] = job
    return start(leg, at: now)
  }

  private mutating func finish(_ leg: LegID, _ output: Output) -> [Output] {
    jobs[leg] = nil
    return [output]
  }

  /// Sends nothing more; an event that goes on ends at once.
  mutating func stop(_ leg: LegID, at now: Instant) -> [Output] {
    guard let job = jobs.removeValue(forKey: leg) else { return [] }
    guard case .sounding(let start) = job.phase else { return [.cancelTimer] }
    return [.cancelTimer, .endEvent(job.current, after: now - start)]
  }

  /// The leg is over: nobody answers for it any more.
  mutating func end(_ leg: LegID, at now: Instant) -> [Output] {
    unanswered.remove(leg)
    return stop(leg, at: now)
  }
}
