import CallEngine
import Instant

/// Sends digits one after the other, as telephone events (RFC 4733) or as INFO requests. One digit lasts 100 ms, and the
/// next on its leg begins no earlier than 200 ms after it, whichever action either belongs to and however it ended: the
/// other side must tell them apart.
struct DigitSender: Hashable, Sendable {
  static let spacing = Span.milliseconds(200)
  static let length = Span.milliseconds(100)
  /// The end of an event is sent three times, 20 ms apart (RFC 4733 2.5.1.4).
  static let repetitionOfTheEnd = Span.milliseconds(40)

  /// How digits leave.
  enum Way: Hashable, Sendable, CaseIterable { case events, info }

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
    /// The current digit waits for its time, and an INFO for the response to the one before.
    case waiting
    /// The event goes on since then.
    case sounding(since: Instant)
    /// The end of the last event is being repeated.
    case ending
    /// The INFO is on its way.
    case asking
  }

  private var jobs: [LegID: Job] = [:]
  /// When the next digit of a leg may begin; nothing for a leg that has sent none.
  private var earliestStart: [LegID: Instant] = [:]
  /// The legs with an INFO that has no final response.
  private var unanswered: Set<LegID> = []

  /// Begins to send. A leg sends the digits of one action at a time.
  mutating func begin(
    _ digits: String, for action: ActionID, on leg: LegID, by way: Way, at now: Instant
  ) -> [Output] {
    guard jobs[leg] == nil else { return [.failed(action)] }
    guard let first = digits.first else { return [.sent(action)] }
    jobs[leg] = Job(action: action, way: way, current: first, rest: Array(digits.dropFirst()))
    return startWhenDue(leg, at: now)
  }

  /// Starts the digit that waits, unless it has to wait longer.
  private mutating func startWhenDue(_ leg: LegID, at now: Instant) -> [Output] {
    guard let job = jobs[leg], job.phase == .waiting else { return [] }
    if job.way == .info, unanswered.contains(leg) { return [] }
    if let earliest = earliestStart[leg], now < earliest { return [.setTimer(after: earliest - now)] }
    earliestStart[leg] = now + Self.spacing
    switch job.way {
    case .events:
      jobs[leg]?.phase = .sounding(since: now)
      return [.startEvent(job.current), .setTimer(after: Self.length)]
    case .info:
      jobs[leg]?.phase = .asking
      unanswered.insert(leg)
      return [.sendInfo(job.current)]
    }
  }

  /// The leg's timer is due.
  mutating func fire(_ leg: LegID, at now: Instant) -> [Output] {
    guard let job = jobs[leg] else { return [] }
    switch job.phase {
    case .waiting: return startWhenDue(leg, at: now)
    case .sounding(let start):
      let end = Output.endEvent(job.current, after: now - start)
      guard job.rest.isEmpty else { return [end] + goOn(leg, at: now) }
      jobs[leg]?.phase = .ending
      return [end, .setTimer(after: Self.repetitionOfTheEnd)]
    case .ending: return finish(leg, .sent(job.action))
    case .asking: return []
    }
  }

  /// An INFO has its final response, or none will come.
  mutating func answered(_ leg: LegID, status: Int?, at now: Instant) -> [Output] {
    unanswered.remove(leg)
    guard let job = jobs[leg], job.way == .info else { return [] }
    switch job.phase {
    case .waiting: return startWhenDue(leg, at: now)
    case .asking:
      guard let status, 200..<300 ~= status else { return finish(leg, .failed(job.action)) }
      return job.rest.isEmpty ? finish(leg, .sent(job.action)) : goOn(leg, at: now)
    case .sounding, .ending: return []
    }
  }

  /// Turns to the next digit of the job.
  private mutating func goOn(_ leg: LegID, at now: Instant) -> [Output] {
    guard var job = jobs[leg], !job.rest.isEmpty else { return [] }
    job.current = job.rest.removeFirst()
    job.phase = .waiting
    jobs[leg] = job
    return startWhenDue(leg, at: now)
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
    earliestStart[leg] = nil
    return stop(leg, at: now)
  }
}
