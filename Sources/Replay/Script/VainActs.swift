import Scenario
import Timeline

/// Notices what the user did in vain: a tap on what the call screen does not show, or a wish that the app refuses. That
/// may be the point of a scenario, or a wrong time in it that makes its checks say less than they seem to.
struct VainActs: Hashable, Sendable {
  /// The lines of the user's records, by their numbers.
  private var lines: [Int: Int] = [:]
  /// The lines that had no effect, with why, in order.
  private(set) var vain: [Vain] = []

  struct Vain: Hashable, Sendable {
    var line: Int
    var why: String
    var record: Record
  }

  mutating func take(_ record: Record) {
    switch record.event {
    case .user:
      if let line = record.line { lines[record.number] = line }
    case .ignored(let why) where record.from == "system" || record.to == "user":
      guard let line = record.causes.compactMap({ lines[$0] }).first else { return }
      vain.append(Vain(line: line, why: why, record: record.withoutBytes))
    default: break
    }
  }

  /// A warning for each.
  func warnings(in blocks: [Block]) -> [Diagnostic] {
    let ranges = Dictionary(blocks.map { ($0.range.line, $0.range) }) { first, _ in first }
    return vain.map { act in
      Diagnostic(
        code: RunCode.actInVain.rawValue, severity: .warning,
        title: "what the user does at \(act.record.instant) has no effect: \(act.why)",
        range: ranges[act.line],
        help: "move the line to where it has one, unless this is what the scenario is about")
    }
  }
}
