import TerminalText

/// Writes a diagnostic as text: title, place, the line with a marker under it, notes, help, and how to see it again.
public struct DiagnosticFormatter: Hashable, Sendable {
  /// Whether severity and marker are coloured by ANSI escapes.
  public var usesColour: Bool

  public init(usesColour: Bool = false) {
    self.usesColour = usesColour
  }

  /// The text, every line of it with its line end.
  ///
  /// Whatever of the file is quoted in it, no control character gets through.
  public func text(_ diagnostic: Diagnostic, in source: SourceFile) -> String {
    let diagnostic = diagnostic.printable
    let name = DisplayWidth.printable(source.name)
    let colour = diagnostic.severity == .error ? "31" : "33"
    var result = paint("\(diagnostic.severity.rawValue)[\(diagnostic.code)]", colour) + ": \(diagnostic.title)\n"
    if let range = diagnostic.range {
      result += place(range, label: diagnostic.label, in: source, colour: colour)
    } else {
      result += "  --> \(name)\n"
    }
    for note in diagnostic.notes {
      result += "   = \(note.text)\n"
      if let range = note.range { result += place(range, label: nil, in: source, colour: "36") }
    }
    if let help = diagnostic.help { result += "help: \(help)\n" }
    if let reproduction = diagnostic.reproduction { result += "repro: \(reproduction)\n" }
    return result
  }

  private func place(_ range: SourceRange, label: String?, in source: SourceFile, colour: String) -> String {
    var result = "  --> \(DisplayWidth.printable(source.name)):\(range.line):\(range.column)\n"
    let text = source.text(ofLine: range.line)
    // A line that is too long to be read is no excerpt either.
    guard text.utf8.count <= 1_000 else { return result }
    let gutter = "\(range.line)"
    let scalars = Array(text.unicodeScalars)
    result += "\(gutter) | \(scalars.reduce(into: "") { $0.unicodeScalars.append(DisplayWidth.shown($1)) })\n"
    var marker = String(repeating: " ", count: gutter.utf8.count) + " | "
    let first = min(max(range.column - 1, 0), scalars.count)
    let last = min(first + range.length, scalars.count)
    marker += String(repeating: " ", count: DisplayWidth.of(scalars[..<first]))
    marker += paint(String(repeating: "^", count: max(1, DisplayWidth.of(scalars[first..<last]))), colour)
    if let label { marker += " \(label)" }
    return result + marker + "\n"
  }

  private func paint(_ text: String, _ colour: String) -> String {
    usesColour ? "\u{1B}[1;\(colour)m\(text)\u{1B}[0m" : text
  }
}

extension Diagnostic {
  /// The same with nothing in its texts that a terminal would act upon.
  fileprivate var printable: Diagnostic {
    var diagnostic = self
    diagnostic.title = DisplayWidth.printable(title)
    diagnostic.label = label.map { DisplayWidth.printable($0) }
    diagnostic.notes = notes.map { Note(DisplayWidth.printable($0.text), range: $0.range) }
    diagnostic.help = help.map { DisplayWidth.printable($0) }
    diagnostic.reproduction = reproduction.map { DisplayWidth.printable($0) }
    return diagnostic
  }
}
