import Instant

/// When the timed lines of a script run, as far as the file alone says.
///
/// The time of a line is a span after a base: the start of the run, or something whose instant is known only in the run
/// (an `on` line, or a gap that is a param). Of such a base it is known what it cannot be earlier than.
struct ScriptTimes {
  struct Time: Hashable {
    /// 0 is the start of the run.
    var base = 0
    var offset = Span.zero
  }

  /// How many bases are followed to compare two times; nothing is claimed beyond.
  private static let depth = 16

  /// What each base is not earlier than.
  private var earliest: [Time?] = [nil]
  /// The time of the last line, and that from which `+` counts.
  private(set) var last = Time()
  private var anchor = Time()

  /// Goes on from a line that was placed before; from an instant that nothing is known of without one.
  mutating func resume(at time: Time?) {
    last = time ?? unknown(since: nil)
    anchor = last
  }

  /// The time of the next line; `label` is the time of the stimulus whose label an `on` line waits for, if it is known.
  mutating func next(_ when: TimedLine.When, label: Time?) -> Time {
    switch when {
    case .next: return last
    case .at(let span): last = Time(base: 0, offset: span)
    case .after(let span): last = Self.sum(anchor, span) ?? unknown(since: anchor)
    case .afterParam: last = unknown(since: anchor)
    case .on(_, let span): last = Self.sum(unknown(since: label), span) ?? unknown(since: nil)
    }
    anchor = last
    return last
  }

  /// Whether one time is plainly not later than another; `strictly`: earlier.
  func isPlain(_ early: Time, before late: Time, strictly: Bool) -> Bool {
    var late: Time? = late
    for _ in 0..<Self.depth {
      guard let time = late else { return false }
      if time.base == early.base {
        return strictly ? early.offset < time.offset : early.offset <= time.offset
      }
      late = earliest[time.base].flatMap { Self.sum($0, time.offset) }
    }
    return false
  }

  private mutating func unknown(since time: Time?) -> Time {
    earliest.append(time)
    return Time(base: earliest.count - 1)
  }

  private static func sum(_ time: Time, _ span: Span) -> Time? {
    let (sum, overflow) = time.offset.microseconds.addingReportingOverflow(span.microseconds)
    return overflow ? nil : Time(base: time.base, offset: Span(microseconds: sum))
  }
}
