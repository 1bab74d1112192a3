import Testing

@testable import Scenario

/// What most tests put above their lines.
let preamble = """
  callsim 1
  device phone sip:bob@10.0.0.2
  peer pbx sip:alice@10.0.0.1
  call c1

  """

/// A scenario with its diagnostics written under the lines. Every line has one character in front that is not of it: `~`
/// for a marker line, else a blank. Carets stand under the range, and code and a part of the title follow:
/// `~   ^^^^ S021 unknown word`. Without carets no place is meant.
struct MarkedText {
  struct Mark: Hashable, CustomStringConvertible {
    var range: SourceRange?
    var code: String
    var title: String

    var description: String {
      "\(range.map { "\($0.line):\($0.column)+\($0.length)" } ?? "-") \(code) \(title)"
    }
  }

  private(set) var text = ""
  private(set) var marks: [Mark] = []

  init(_ marked: String, above: String = preamble) {
    var line = above.split(separator: "\n", omittingEmptySubsequences: false).count - 1
    text = above
    for content in marked.split(separator: "\n", omittingEmptySubsequences: false) {
      guard content.hasPrefix("~") else {
        text += content.dropFirst() + "\n"
        line += 1
        continue
      }
      let scalars = Array(content.unicodeScalars)
      var range: SourceRange?
      var rest = scalars.dropFirst()
      if let first = scalars.firstIndex(of: "^") {
        let length = scalars[first...].prefix { $0 == "^" }.count
        range = SourceRange(line: line, column: first, length: length)
        rest = scalars[(first + length)...]
      }
      let words = String(String.UnicodeScalarView(rest)).drop { $0 == " " }
      marks.append(
        Mark(
          range: range, code: String(words.prefix { $0 != " " }), title: String(words.drop { $0 != " " }.dropFirst())))
    }
  }
}

/// Expects exactly the diagnostics that are marked, in any order of one line.
@discardableResult
func expectDiagnostics(
  _ marked: String, above: String = preamble, lineEnd: String = "\n", sourceLocation: SourceLocation = #_sourceLocation
) -> ScenarioFile? {
  let marked = MarkedText(marked, above: above)
  let text = marked.text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: lineEnd)
  let (file, diagnostics) = ScenarioFile.parse(Array(text.utf8), named: "x.call")
  var left = marked.marks
  for diagnostic in diagnostics {
    let place = left.firstIndex {
      $0.code == diagnostic.code && $0.range == diagnostic.range && diagnostic.title.contains($0.title)
    }
    if let place {
      left.remove(at: place)
    } else {
      let found = MarkedText.Mark(range: diagnostic.range, code: diagnostic.code, title: diagnostic.title)
      Issue.record("not marked: \(found)", sourceLocation: sourceLocation)
    }
  }
  for mark in left { Issue.record("not found: \(mark)", sourceLocation: sourceLocation) }
  #expect((file == nil) == diagnostics.contains { $0.severity == .error }, sourceLocation: sourceLocation)
  return file
}

/// The codes of a text under the preamble, in the order of the file.
func codes(_ lines: String, above: String = preamble) -> [String] {
  ScenarioFile.parse(Array((above + lines).utf8), named: "x.call").diagnostics.map(\.code)
}

/// The plan of the trunk or a case of lines under the preamble.
func plan(
  _ lines: String, case name: String? = nil, params: [String: String] = [:], above: String = preamble,
  sourceLocation: SourceLocation = #_sourceLocation
) throws -> Plan {
  let (file, diagnostics) = ScenarioFile.parse(Array((above + lines).utf8), named: "x.call")
  #expect(diagnostics == [], sourceLocation: sourceLocation)
  return try #require(file?.plan(case: name, params: params).plan, sourceLocation: sourceLocation)
}
