/// Warns of requests that lack what they are for, where no template brings it and the line does not say that this is
/// meant.
struct RequestCheck {
  let outline: Outline

  func check(_ problems: inout Problems) {
    for line in outline.trunk { look(line, &problems) }
    for branch in outline.cases {
      for line in branch.inserted + branch.lines { look(line, &problems) }
    }
  }

  private func look(_ line: Outline.Line, _ problems: inout Problems) {
    guard case .timed(let timed) = line.statement, case .message(let arrow) = timed.stimulus else { return }
    switch arrow.what {
    // RFC 3515 2.4.1.
    case .request("REFER") where !arrow.mentions("refer-to", "r"):
      problems.warn(
        Diagnostic(
          .requestEmpty, "the REFER names nobody to call", at: arrow.range,
          help: "add `with \"Refer-To: <sip:carol@10.0.0.3>\"`, or `without Refer-To` if that is what the line is about"
        ))
    // RFC 3515 2.4.5.
    case .request("NOTIFY") where arrow.fragment == nil && !arrow.mentions("event", "o"):
      problems.warn(
        Diagnostic(
          .requestEmpty, "the NOTIFY reports nothing", at: arrow.range,
          help: "add `reporting 180`, or `with \"Event: refer\"` if that is what the line is about"))
    default: break
    }
  }
}

extension Arrow {
  /// Whether the line gives a field of one of these names or leaves it out on purpose. What a `${…}` stands for in
  /// front of the colon is not known, and may be it.
  fileprivate func mentions(_ names: String...) -> Bool {
    let given = with.map { line -> String? in
      guard case .literal(let text)? = line.pieces.first, text.contains(":") else { return nil }
      return text.prefix { $0 != ":" && $0 != " " }.lowercased()
    }
    return given.contains { $0.map(names.contains) ?? true } || without.contains { names.contains($0.lowercased()) }
  }
}
