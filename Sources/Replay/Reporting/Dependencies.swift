import Scenario

/// Finds out which failures only follow from others: a check whose label never came, a line that waits for it, the
/// checks under that line.
struct Dependencies {
  /// A check (its place among all checks) or a line (its place among the blocks).
  enum Item: Hashable {
    case check(Int)
    case line(Int)
  }

  private let judge: Judge
  private let script: Script
  /// The line or check that bears each label; of several the first.
  private var owners: [String: Item] = [:]
  /// What was found out already.
  private var roots: [Item: Item] = [:]

  init(judge: Judge, script: Script) {
    self.judge = judge
    self.script = script
    for (line, block) in script.blocks.enumerated() {
      if let label = block.label, owners[label] == nil { owners[label] = .line(line) }
    }
    for (index, check) in judge.checks.enumerated() {
      if let label = check.planned.label, owners[label] == nil { owners[label] = .check(index) }
    }
  }

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

  /// The failure that the item follows from in the end; itself if from none. Of failures that wait for each other in a
  /// ring the one that is asked about last before the ring closes is the root of all.
  mutating func root(of item: Item) -> Item {
    var way: [Item] = []
    var seen: Set<Item> = []
    var end = item
    while roots[end] == nil, seen.insert(end).inserted {
      way.append(end)
      guard let next = causes(of: end).first(where: isFailing) else { break }
      end = next
    }
    let root = roots[end] ?? end
    for passed in way { roots[passed] = root }
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
      case .refused: return labels(in: script.blocks[line].stimulus).compactMap { owners[$0] }
      case .waiting:
        let dependency = script.dependency(of: line)
        return [dependency.line.map(Item.line), dependency.label.flatMap { owners[$0] }].compactMap { $0 }
      }
    case .check(let index):
      let check = judge.checks[index]
      // A scope whose end never came is longer than it was meant to be.
      if check.failure?.code == .violated { return [check.planned.closing.flatMap { owners[$0] }].compactMap { $0 } }
      guard case .ran = script.lines[check.block] else { return [.line(check.block)] }
      var causes = check.predecessor.map { [Item.check($0)] } ?? []
      if check.isQuestion, let window = judge.unmetWindow(above: index) { causes.append(.check(window)) }
      for label in [check.planned.opening, check.planned.observation.label] {
        if let owner = label.flatMap({ owners[$0] }) { causes.append(owner) }
      }
      return causes
    }
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
