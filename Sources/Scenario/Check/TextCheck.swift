/// Checks texts that name other texts: no circle, and no text that becomes too long once all are put in.
struct TextCheck {
  /// How deep texts may name each other.
  static let depthLimit = 31
  /// How many octets a text may have once all others are put in.
  static let sizeLimit = 64 * 1024
  /// How many texts are looked at for the sake of cases before nothing more is taken.
  private static let stepLimit = 1_000_000

  private enum Outcome {
    case fits(size: Int, depth: Int)
    case refused
  }

  private let texts: [String: TemplateText]
  private var steps = 0

  init(_ outline: Outline) {
    texts = outline.texts
  }

  func checkTrunk(_ problems: inout Problems) {
    var walk = Walk(own: [:], texts: texts)
    for name in texts.keys.sorted() { walk.visit(name, &problems) }
  }

  /// What a case restates can close a circle through texts of the trunk.
  mutating func check(_ branch: Outline.Case, _ problems: inout Problems) {
    guard !branch.texts.isEmpty else { return }
    guard steps <= Self.stepLimit else {
      problems.add(
        Diagnostic(.textTooLong, "the texts of the cases name too many others to be checked", at: branch.range))
      return
    }
    var walk = Walk(own: branch.texts, texts: texts)
    for name in branch.texts.keys.sorted() { walk.visit(name, &problems) }
    steps += walk.outcomes.count
  }

  /// One pass over the texts that are reachable, without recursion: texts can be many.
  private struct Walk {
    let own: [String: TemplateText]
    let texts: [String: TemplateText]
    var outcomes: [String: Outcome] = [:]

    private func text(_ name: String) -> TemplateText? { own[name] ?? texts[name] }

    private func inner(_ text: TemplateText) -> [String] {
      text.pieces.compactMap { piece in
        if case .reference(let name) = piece, self.text(name) != nil { name } else { nil }
      }
    }

    mutating func visit(_ start: String, _ problems: inout Problems) {
      guard outcomes[start] == nil, let first = text(start) else { return }
      var path = [(name: start, inner: inner(first), next: 0)]
      var open: Set<String> = [start]
      while let current = path.last {
        guard current.next < current.inner.count else {
          path.removeLast()
          open.remove(current.name)
          if outcomes[current.name] == nil { outcomes[current.name] = outcome(of: current.name, &problems) }
          continue
        }
        path[path.count - 1].next += 1
        let next = current.inner[current.next]
        guard outcomes[next] == nil, let text = text(next) else { continue }
        if open.contains(next) {
          problems.add(
            Diagnostic(.textCycle, "the text `\(next)` is put into itself", at: text.range))
          outcomes[next] = .refused
        } else {
          open.insert(next)
          path.append((next, inner(text), 0))
        }
      }
    }

    private func outcome(of name: String, _ problems: inout Problems) -> Outcome {
      guard let text = text(name) else { return .refused }
      var size = 0
      var depth = 0
      for piece in text.pieces {
        switch piece {
        case .literal(let literal): size += literal.utf8.count
        case .reference(let other):
          guard let outcome = outcomes[other] else { continue }
          // What is wrong with the other text is told once.
          guard case .fits(let innerSize, let innerDepth) = outcome else { return .refused }
          size += innerSize
          depth = max(depth, innerDepth + 1)
        }
        if size > TextCheck.sizeLimit || depth > TextCheck.depthLimit {
          problems.add(
            Diagnostic(
              .textTooLong,
              depth > TextCheck.depthLimit
                ? "more than \(TextCheck.depthLimit) texts are put into each other in `\(name)`"
                : "`\(name)` has more than \(TextCheck.sizeLimit) octets once every text is put in", at: text.range))
          return .refused
        }
      }
      return .fits(size: size, depth: depth)
    }
  }
}
