/// Warns of header fields that a request lacks: those without which nobody can do anything with it.
struct FieldCheck {
  let outline: Outline

  func check(_ problems: inout Problems) {
    for line in outline.trunk { look(line, &problems) }
    for branch in outline.cases {
      for line in branch.inserted + branch.lines { look(line, &problems) }
    }
  }

  private func look(_ line: Outline.Line, _ problems: inout Problems) {
    guard case .timed(let timed) = line.statement, case .message(let arrow) = timed.stimulus else { return }
    let missing = arrow.missingFields
    guard let first = missing.first else { return }
    let names = missing.map { "`\($0)`" }.joined(separator: " and ")
    let way =
      arrow.what == .request(method: "NOTIFY")
      ? "write `reporting 180`" : "add `with \"\(first): <sip:carol@10.0.0.3>\"`"
    problems.warn(
      Diagnostic(
        .fieldMissing, "the \(arrow.method) has no \(names)", at: arrow.range,
        help: way + ", or `without \(first)` if that is what the line is about"))
  }
}

extension Arrow {
  fileprivate var method: String {
    if case .request(let method) = what { method } else { "message" }
  }

  /// What the method demands (RFC 3515 2.4.1, RFC 6665 8.2.1), no template brings, and the line neither gives nor
  /// leaves out on purpose.
  fileprivate var missingFields: [String] {
    let needed: [(name: String, short: String)]
    switch what {
    case .request("REFER"): needed = [("Refer-To", "r")]
    case .request("NOTIFY") where fragment == nil: needed = [("Event", "o"), ("Subscription-State", "")]
    default: return []
    }
    var known = without.map { $0.lowercased() }
    for line in with {
      // What a `${…}` stands for in front of the colon is not known yet.
      guard case .literal(let text)? = line.pieces.first, text.contains(":") else { return [] }
      known.append(text.prefix { $0 != ":" && $0 != " " }.lowercased())
    }
    return needed.filter { !known.contains($0.name.lowercased()) && !known.contains($0.short) }.map(\.name)
  }
}
