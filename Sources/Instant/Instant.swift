/// A point of time, in whole microseconds since the start of a run.
///
/// Nothing in the package but live mode ever asks a clock: an instant is always handed in.
public struct Instant: Hashable, Comparable, Sendable {
  /// Microseconds since the start.
  public var microseconds: Int64

  /// The instant so many microseconds after the start.
  public init(microseconds: Int64) {
    self.microseconds = microseconds
  }

  /// The start of a run.
  public static let zero = Instant(microseconds: 0)

  public static func < (left: Instant, right: Instant) -> Bool {
    left.microseconds < right.microseconds
  }

  /// The instant a span later; the last or the first that can be represented where that is beyond it.
  public static func + (instant: Instant, span: Span) -> Instant {
    let sum = Span(microseconds: instant.microseconds) + span
    return Instant(microseconds: sum.microseconds)
  }

  /// The span from one instant to another.
  public static func - (end: Instant, start: Instant) -> Span {
    Span(microseconds: end.microseconds) - Span(microseconds: start.microseconds)
  }
}

extension Instant: CustomStringConvertible {
  /// Seconds with three decimals, or six where milliseconds do not suffice: `0.400`, `0.400125`.
  public var description: String {
    let magnitude = microseconds.magnitude
    let seconds = magnitude / 1_000_000
    let rest = magnitude % 1_000_000
    let decimals = rest % 1_000 == 0 ? padded(rest / 1_000, to: 3) : padded(rest, to: 6)
    return (microseconds < 0 ? "-" : "") + "\(seconds).\(decimals)"
  }

  private func padded(_ value: UInt64, to width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: width - digits.count) + digits
  }
}
