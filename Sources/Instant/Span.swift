/// A length of time in whole microseconds.
public struct Span: Hashable, Comparable, Sendable {
  /// The length in microseconds; negative spans arise only from subtraction.
  public var microseconds: Int64

  /// A span of so many microseconds.
  public init(microseconds: Int64) {
    self.microseconds = microseconds
  }

  /// No time at all.
  public static let zero = Span(microseconds: 0)

  /// A span of whole milliseconds.
  public static func milliseconds(_ count: Int64) -> Span {
    Span(microseconds: 1_000) * count
  }

  /// A span of whole seconds.
  public static func seconds(_ count: Int64) -> Span {
    Span(microseconds: 1_000_000) * count
  }

  public static func < (left: Span, right: Span) -> Bool {
    left.microseconds < right.microseconds
  }

  /// The sum. This and every other operation stops at the longest span that can be represented.
  public static func + (left: Span, right: Span) -> Span {
    let (sum, overflow) = left.microseconds.addingReportingOverflow(right.microseconds)
    return Span(microseconds: overflow ? (right.microseconds < 0 ? .min : .max) : sum)
  }

  /// The difference.
  public static func - (left: Span, right: Span) -> Span {
    let (difference, overflow) = left.microseconds.subtractingReportingOverflow(right.microseconds)
    return Span(microseconds: overflow ? (right.microseconds < 0 ? .max : .min) : difference)
  }

  /// So many times the span.
  public static func * (span: Span, factor: Int64) -> Span {
    let (product, overflow) = span.microseconds.multipliedReportingOverflow(by: factor)
    let isNegative = (span.microseconds < 0) != (factor < 0)
    return Span(microseconds: overflow ? (isNegative ? .min : .max) : product)
  }
}

extension Span: CustomStringConvertible {
  /// The span in the largest unit that needs no decimals, as the scenario language writes it: `15s`, `200ms`, `7us`.
  public var description: String {
    if microseconds == 0 { return "0ms" }
    if microseconds % 60_000_000 == 0 { return "\(microseconds / 60_000_000)min" }
    if microseconds % 1_000_000 == 0 { return "\(microseconds / 1_000_000)s" }
    if microseconds % 1_000 == 0 { return "\(microseconds / 1_000)ms" }
    return "\(microseconds)us"
  }
}
