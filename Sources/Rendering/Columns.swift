import Instant
import TerminalText

/// Columns of text, as wide as a terminal shows them.
enum Columns {
  /// The width of ``time(_:)`` for instants below 10 000 s.
  static let timeWidth = 11

  static func width(of text: String) -> Int { DisplayWidth.of(text.unicodeScalars) }

  /// The text, with blanks behind it up to a width; a longer text is never cut.
  static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - self.width(of: text)))
  }

  /// The text, or as much of its begin as fits with an ellipsis behind it.
  static func cut(_ text: String, to width: Int, isASCII: Bool) -> String {
    if self.width(of: text) <= width { return text }
    let ellipsis = isASCII ? ".." : "…"
    let room = width - self.width(of: ellipsis)
    guard room >= 0 else { return String(repeating: ".", count: max(0, width)) }
    var kept = String.UnicodeScalarView()
    var used = 0
    for scalar in text.unicodeScalars {
      used += DisplayWidth.of(scalar)
      if used > room { break }
      kept.append(scalar)
    }
    return String(kept) + ellipsis
  }

  /// The text without blanks at its end.
  static func trimmed(_ text: String) -> String {
    var text = text
    while text.last == " " { text.removeLast() }
    return text
  }

  /// Seconds, with the point always in the same column and room for microseconds behind.
  static func time(_ instant: Instant) -> String {
    let text = instant.description
    let whole = text.prefix { $0 != "." }.count
    return padded(String(repeating: " ", count: max(0, 4 - whole)) + text, to: timeWidth)
  }
}
