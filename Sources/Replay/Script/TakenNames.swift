import Scenario
import Timeline

/// Notices calls that were to have a name which belongs to another call already, so that they got one of their own.
struct TakenNames: Hashable, Sendable {
  private let declared: Set<String>
  private var seen: Set<String> = []
  private(set) var warnings: [Diagnostic] = []
  private let ranges: [Int: SourceRange]

  init(_ plan: Plan) {
    declared = Set(plan.calls.map(\.name))
    ranges = Dictionary(plan.blocks.map { ($0.range.line, $0.range) }) { first, _ in first }
  }

  /// Takes the next record and the line that brought it about.
  mutating func take(_ record: Record, of line: Int?) {
    guard let name = record.call?.name, !declared.contains(name), seen.insert(name).inserted else { return }
    guard let dash = name.lastIndex(of: "-"), Int(name[name.index(after: dash)...]) != nil else { return }
    let wanted = String(name[..<dash])
    guard declared.contains(wanted) else { return }
    warnings.append(
      Diagnostic(
        code: RunCode.nameTaken.rawValue, severity: .warning,
        title: "the name `\(wanted)` belongs to another call already; this one is called `\(name)`",
        range: line.flatMap { ranges[$0] }, help: "declare a call for it: `call …`"))
  }
}
