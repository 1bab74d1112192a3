/// Finds labels that a case lacks: a line that it keeps needs them, and the line that sets them is left out.
///
/// One pass over the trunk serves all cases: a label is lacking where a case branches between a line that uses it and
/// the line that sets it.
struct CaseLabels {
  private struct Gap {
    var name: String
    var use: SourceRange
    /// Where the first line that uses it stands, and the line that sets it.
    var from: Int
    var to: Int
  }

  private var gaps: [Gap] = []
  private let cases: [Outline.Case]

  init(_ outline: Outline, _ names: Names) {
    cases = outline.cases
    var seen: Set<String> = []
    for (place, line) in outline.trunk.enumerated() {
      for use in line.uses {
        guard let name = Self.label(use, names), let label = names.label(name), label.place > place,
          seen.insert(name).inserted
        else { continue }
        gaps.append(Gap(name: name, use: use.name.range, from: place, to: label.place))
      }
    }
  }

  /// The label that must be set wherever the line stands.
  private static func label(_ use: NameUse, _ names: Names) -> String? {
    switch use.kind {
    case .label(mayBeMissing: false), .message: use.name.text
    case .callOrLabel: names.calls.contains(use.name.text) ? nil : use.name.text
    case .reference: use.name.text.contains(".") ? String(use.name.text.prefix { $0 != "." }) : nil
    default: nil
    }
  }

  func check(_ problems: inout Problems) {
    guard !gaps.isEmpty else { return }
    let order = cases.indices.sorted { (cases[$0].fork, $0) < (cases[$1].fork, $1) }
    var next = 0
    var open: [Gap] = []
    for index in order {
      let branch = cases[index]
      while next < gaps.count, gaps[next].from < branch.fork {
        open.append(gaps[next])
        next += 1
      }
      open.removeAll { $0.to <= branch.fork }
      guard !open.isEmpty else { continue }
      let own = Set((branch.inserted + branch.lines).compactMap { $0.label?.name.text })
      for gap in open where !own.contains(gap.name) {
        problems.add(
          Diagnostic(
            .labelNotInCase, "the case leaves out the line that sets the label `\(gap.name)`", at: branch.range,
            notes: [.init("a line that it keeps needs the label", range: gap.use)],
            help: "let the case set `\(gap.name)`, or branch further down"))
        if problems.isFull {
          problems.isIncomplete = true
          return
        }
      }
    }
  }
}
