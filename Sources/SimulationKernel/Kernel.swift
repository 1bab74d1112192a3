import Instant

/// The clock and the queue. Time advances here and nowhere else.
public struct Kernel<Event: Hashable & Sendable>: Hashable, Sendable {
  /// The instant of what is happening now.
  public private(set) var now: Instant = .zero
  private var queue = EventQueue<Event>()

  /// A kernel at the start of a run with nothing due.
  public init() {}

  /// When the next event is due.
  public var nextInstant: Instant? { queue.nextInstant }

  /// The next event without performing it.
  public var next: (instant: Instant, element: Event)? { queue.first }

  /// Has the event happen a span from now; a span under zero counts as zero.
  public mutating func schedule(_ event: Event, after span: Span = .zero) {
    queue.push(event, at: now + max(span, .zero))
  }

  /// Has the event happen at an instant; one that has passed counts as now.
  public mutating func schedule(_ event: Event, at instant: Instant) {
    queue.push(event, at: max(instant, now))
  }

  /// Has a timer expire at an instant: behind everything else that happens then.
  public mutating func scheduleTimer(_ event: Event, at instant: Instant) {
    queue.push(event, at: max(instant, now), rank: .timer)
  }

  /// Takes the next event and moves the clock to it; the clock stands if it is past the event already.
  public mutating func advance() -> Event? {
    guard let (instant, event) = queue.pop() else { return nil }
    now = max(now, instant)
    return event
  }

  /// Drops the next event without moving the clock: one that no longer means anything.
  public mutating func dropNext() {
    _ = queue.pop()
  }

  /// Moves the clock forward to an instant at which the script acts. Events that are due before stay due.
  public mutating func moveClock(to instant: Instant) {
    now = max(now, instant)
  }
}
