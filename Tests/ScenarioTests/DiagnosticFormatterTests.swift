import TerminalText
import Testing

@testable import Scenario

/// How a diagnostic is written.
@Suite struct DiagnosticFormatterTests {
  private func text(_ line: String, column: Int, length: Int, label: String? = nil) throws -> [String] {
    let source = try SourceFile(Array(line.utf8), named: "x.call")
    let diagnostic = Diagnostic(
      code: "S021", title: "t", range: SourceRange(line: 1, column: column, length: length), label: label)
    return DiagnosticFormatter().text(diagnostic, in: source).split(separator: "\n").map(String.init)
  }

  @Test func titlePlaceExcerptAndMarker() throws {
    #expect(
      try text("recieve it", column: 1, length: 7, label: "did you mean `expect`?") == [
        "error[S021]: t", "  --> x.call:1:1", "1 | recieve it", "  | ^^^^^^^ did you mean `expect`?",
      ])
  }

  /// The marker has the columns of a terminal.
  @Test(arguments: [
    ("漢字 x", 4, 1, "     ^"), ("漢字 x", 1, 2, "^^^^"), ("🎉x", 2, 1, "  ^"), ("e\u{301}x", 3, 1, " ^"),
    ("\t\tx", 3, 1, "  ^"), ("ｘx", 2, 1, "  ^"), ("한x", 2, 1, "  ^"), ("éx", 2, 1, " ^"), ("x", 2, 1, " ^"),
    ("xy", 1, 9, "^^"), ("", 1, 1, "^"),
  ])
  func theMarkerStandsUnderTheRange(line: String, column: Int, length: Int, marker: String) throws {
    #expect(try text(line, column: column, length: length).last == "  | " + marker)
  }

  @Test func controlCharactersAreShownAsBlanks() throws {
    #expect(try text("a\tb\u{1B}[31mc\u{202E}d", column: 1, length: 1)[2] == "1 | a b [31mc d")
  }

  @Test func notesHelpAndReproductionFollow() throws {
    let source = try SourceFile(Array("a\nb".utf8), named: "x.call")
    let range = SourceRange(line: 2, column: 1, length: 1)
    let diagnostic = Diagnostic(
      code: "L012", severity: .warning, title: "t", range: nil, notes: [.init("why", range: range), .init("more")],
      help: "h", reproduction: "r")
    #expect(
      DiagnosticFormatter().text(diagnostic, in: source)
        == "warning[L012]: t\n  --> x.call\n   = why\n  --> x.call:2:1\n2 | b\n  | ^\n   = more\nhelp: h\nrepro: r\n")
    #expect(DiagnosticFormatter(usesColour: true).text(diagnostic, in: source).hasPrefix("\u{1B}[1;33mwarning"))
  }

  @Test func codesAreStableAndExplained() {
    #expect(Set(DiagnosticCode.allCases.map(\.meaning)).count == DiagnosticCode.allCases.count)
    for code in DiagnosticCode.allCases {
      #expect(code.rawValue.wholeMatch(of: /[SL][0-9]{3}/) != nil)
    }
  }

  /// Whatever a message quotes, the terminal is told nothing by it; colours are the formatter's own.
  @Test func quotedTextIsMadePrintable() throws {
    let odd = "a\u{202E}b\u{9B}31mc\u{1B}[0m"
    let source = try SourceFile(Array("callsim \(odd)\n".utf8), named: "\(odd).call")
    let range = SourceRange(line: 1, column: 9, length: 3)
    let diagnostic = Diagnostic(
      code: "S021", title: "unknown `\(odd)`", range: range, label: odd, notes: [.init(odd, range: range)], help: odd,
      reproduction: odd)
    let text = DiagnosticFormatter().text(diagnostic, in: source)
    #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || !DisplayWidth.isControl($0) })
    #expect(text.contains("unknown `a\\u{202E}b\\u{9B}31mc\\u{1B}[0m`"))
    #expect(text.contains("help: a\\u{202E}b"))
  }
}
