import Instant

/// The type of a param.
public enum ParamType: String, Hashable, Sendable, CaseIterable {
  case duration, int, flag, text, code

  /// Whether a value, written without quotes, fits.
  public func accepts(_ value: String) -> Bool {
    switch self {
    case .duration: if case .span = Duration.read(value) { true } else { false }
    case .int: Number.read(value) != nil
    case .flag: value == "on" || value == "off"
    case .text: !value.utf8.contains { $0 < 0x20 || $0 == 0x7F }
    case .code: Number.status(value) != nil
    }
  }

  /// What fits, for messages.
  var example: String {
    switch self {
    case .duration: "a duration such as `200ms`"
    case .int: "a whole number"
    case .flag: "`on` or `off`"
    case .text: "a text on one line"
    case .code: "a status from 100 to 699"
    }
  }
}

/// A value that a scenario leaves open.
public struct Param: Hashable, Sendable {
  public var name: String
  public var type: ParamType
  /// As it is written, a text without its quotes.
  public var defaultValue: String
  /// The values that `in […]` lists; empty without a list.
  public var values: [String]
  public var range: SourceRange
}

/// Reads whole numbers.
enum Number {
  /// A number of digits with an optional minus.
  static func read(_ text: String) -> Int? {
    let digits = text.utf8.first == 0x2D ? text.utf8.dropFirst() : text.utf8[...]
    guard !digits.isEmpty, digits.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
    return Int(text)
  }

  /// Three digits from 100 to 699.
  static func status(_ text: String) -> Int? {
    guard text.utf8.count == 3, let status = read(text), (100...699).contains(status) else { return nil }
    return status
  }
}

/// Reads durations.
enum Duration {
  enum Reading: Hashable {
    case span(Span)
    case malformed(help: String?)
  }

  /// The units in microseconds; `min` before `ms`, `us` and `s`, since the end of the word decides.
  private static let units: [(name: String, size: Int64)] = [
    ("min", 60_000_000), ("us", 1), ("ms", 1_000), ("s", 1_000_000),
  ]

  static func read(_ text: String) -> Reading {
    guard let unit = units.first(where: { text.hasSuffix($0.name) }) else {
      let isNumber = Number.read(text) != nil
      return .malformed(help: isNumber ? "add a unit: `\(text)ms`" : nil)
    }
    let number = text.dropLast(unit.name.utf8.count)
    if !number.isEmpty, number.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) {
      guard let count = Int64(number) else { return .malformed(help: "the number is too large") }
      let (size, overflow) = count.multipliedReportingOverflow(by: unit.size)
      return overflow ? .malformed(help: "the number is too large") : .span(Span(microseconds: size))
    }
    return fraction(number, unit: unit.size)
  }

  /// A decimal fraction, as far as it is a whole number of microseconds.
  private static func fraction(_ number: Substring, unit: Int64) -> Reading {
    let parts = number.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let whole = Int64(parts[0]), whole >= 0, parts[1].utf8.count <= 9,
      let rest = Int64(parts[1]), rest >= 0, parts.allSatisfy({ Int64($0.prefix(1)) != nil })
    else { return .malformed(help: nil) }
    let tooLarge = Reading.malformed(help: "the number is too large")
    var scale: Int64 = 1
    for _ in parts[1].utf8 { scale *= 10 }
    let (large, overflow) = whole.multipliedReportingOverflow(by: unit)
    let (small, smallOverflow) = rest.multipliedReportingOverflow(by: unit)
    let (sum, sumOverflow) = large.addingReportingOverflow(small / scale)
    guard !overflow, !smallOverflow, !sumOverflow else { return tooLarge }
    return small % scale == 0 ? .span(Span(microseconds: sum)) : .malformed(help: "the smallest unit is `1us`")
  }
}

extension Span {
  /// Reads a duration as scenarios write it: `200ms`. `nil` if it is none.
  public init?(scenarioText text: String) {
    guard case .span(let span) = Duration.read(text) else { return nil }
    self = span
  }
}
