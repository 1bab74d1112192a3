/// Warns of Call-IDs that no well-formed message can have (RFC 3261 25.1: a word, or two around an `@`). They can be sent
/// all the same: a scenario may be about them.
struct CallIDCheck {
  let tree: SyntaxTree
  let outline: Outline

  func check(_ problems: inout Problems) {
    for call in tree.calls {
      if let callID = call.callID { look([.literal(callID)], call.range, &problems) }
    }
    for line in outline.trunk { look(line, &problems) }
    for branch in outline.cases {
      for line in branch.inserted + branch.lines { look(line, &problems) }
    }
  }

  private func look(_ line: Outline.Line, _ problems: inout Problems) {
    guard case .timed(let timed) = line.statement else { return }
    let text: TemplateText? =
      switch timed.stimulus {
      case .message(let arrow): arrow.callID
      case .push(_, _, let callID): callID
      default: nil
      }
    if let text { look(text.pieces, text.range, &problems) }
  }

  private func look(_ pieces: [TemplateText.Piece], _ range: SourceRange, _ problems: inout Problems) {
    let literals = pieces.compactMap { piece in if case .literal(let text) = piece { text } else { nil } }
    let text = literals.joined()
    let words = text.split(separator: "@", omittingEmptySubsequences: false)
    // What a `${…}` stands for is not known; what stands beside it is.
    let isWhole = literals.count == pieces.count
    guard words.count > 2 || !text.utf8.allSatisfy(Self.isLegal) || isWhole && words.contains("") else { return }
    problems.warn(
      Diagnostic(
        .callIDMalformed, isWhole ? "`\(text)` is no Call-ID" : "this can be no Call-ID", at: range,
        help: "a Call-ID is a word, or two around an `@`, without blanks and without `,`, `;`, `=` and the like"
          + (isWhole ? ": `\(Self.mended(words))`" : "")))
  }

  /// The text with what cannot stand in it left out or replaced.
  private static func mended(_ words: [Substring]) -> String {
    let parts = words.filter { !$0.isEmpty }.map { word in
      String(decoding: word.utf8.map { isLegal($0) ? $0 : 0x2D }, as: UTF8.self)
    }
    guard let first = parts.first else { return "call-1" }
    return parts.count == 1 ? first : first + "@" + parts.dropFirst().joined(separator: "-")
  }

  /// The characters of a word, and the `@`.
  private static func isLegal(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x40...0x5A, 0x61...0x7A: true
    default: "-.!%*_+`'~()<>:\\\"/[]?{}".utf8.contains(byte)
    }
  }
}
