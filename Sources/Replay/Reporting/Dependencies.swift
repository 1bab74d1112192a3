import Scenario

/// Finds out which failures only follow from others: a check whose label never came, a line that waits for it, the
/// checks under that line.
struct Dependencies {
  /// A check (its place among all checks) or a line (its place among the blocks).
  enum Item: Hashable {
    case check(Int)
    case line(Int)
  }

  let judge: Judge
  let script: Script

  /// Whether the item is not as the scenario wants it. A line that may stay away, and the checks under it, are.
  func isFailing(_ item: Item) -> Bool {
    switch item {
    case .line(let line):
      switch script.lines[line] {
      case .ran: false
      case .refused: true
      case .waiting: !script.blocks[line].isOptional
      }
    case .check(let index):
      if judge.checks[index].failure != nil {
        !isExcused(line: judge.checks[index].block)
      } else if judge.checks[index].met != nil {
        false
      } else {
        !isExcused(line: judge.checks[index].block)
      }
    }
  }

  /// The failure that the item follows from in the end; itself if from none.
  func root(of item: Item) -> Item {
    var seen: Set<Item> = [item]
    var root = item
    while let next = causes(of: root).first(where: isFailing), seen.insert(next).inserted { root = next }
    return root
  }

  private func isExcused(line: Int) -> Bool {
    script.lines[line] == .waiting && script.blocks[line].isOptional
  }

  private func causes(of item: Item) -> [Item] {
    switch item {
    case .line(let line):
      switch script.lines[line] {
      case .ran: return []
      case .refused: return labels(in: script.blocks[line].stimulus).compactMap(owner)
      case .waiting:
        let dependency = script.dependency(of: line)
        return [dependency.line.map(Item.line), dependency.label.flatMap(owner)].compactMap { $0 }
      }
    case .check(let index):
      let check = judge.checks[index]
      // A scope whose end never came is longer than it was meant to be.
      if check.failure?.code == .violated { return check.planned.closing.flatMap(owner).map { [$0] } ?? [] }
      guard case .ran = script.lines[check.block] else { return [.line(check.block)] }
      var causes = check.predecessor.map { [Item.check($0)] } ?? []
      if check.isQuestion, !check.isDecided { causes += judge.windowsAbove(index).map(Item.check) }
      if let label = check.planned.opening { causes += owner(label).map { [$0] } ?? [] }
      if let label = check.planned.observation.label { causes += owner(label).map { [$0] } ?? [] }
      return causes
    }
  }

  /// The line or check that bears the label.
  private func owner(_ label: String) -> Item? {
    if let line = script.blocks.firstIndex(where: { $0.label == label }) { return .line(line) }
    return judge.checks.firstIndex { $0.planned.label == label }.map(Item.check)
  }

  private func labels(in stimulus: PlannedStimulus) -> [String] {
    guard case .message(let arrow) = stimulus, case .label(let label) = arrow.subject else { return [] }
    return [label]
  }
}

extension PlannedCheck {
  /// The label at which the window or scope begins.
  var opening: String? {
    switch kind {
    case .expect(.within(_, let label)): label
    case .expect(.at(let label, _, _)): label
    case .never(.between(let label, _)): label
    case .expect(nil), .never: nil
    }
  }
}

extension PlannedCheck {
  /// The label at which the scope ends.
  var closing: String? {
    switch kind {
    case .never(.until(let label)), .never(.between(_, let label)): label
    case .never(.within), .expect: nil
    }
  }
}

extension Observation {
  /// The label of the message or moment that the observation refers to.
  fileprivate var label: String? {
    switch self {
    case .message(let arrow):
      if case .label(let label) = arrow.subject { label } else { nil }
    case .uuidUnchanged(_, let label): label
    default: nil
    }
  }
}
