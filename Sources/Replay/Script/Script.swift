import Instant
import Scenario

/// Which line of the script is due, and which lines can still run.
struct Script: Sendable {
  /// How far a line has come.
  enum Line: Hashable, Sendable {
    case waiting
    case ran(Instant)
    /// The line's turn came, and it could not be carried out.
    case refused(Instant, why: String)

    /// When its turn came.
    var instant: Instant? {
      switch self {
      case .waiting: nil
      case .ran(let instant), .refused(let instant, _): instant
      }
    }
  }

  let blocks: [Block]
  private(set) var lines: [Line]
  /// What ``next(_:)`` found, and how much of the labels was known then.
  private var cache: (due: Due?, version: Int)?

  /// The next line and when it is due.
  struct Due: Hashable, Sendable {
    var line: Int
    var instant: Instant
  }

  init(_ blocks: [Block]) {
    self.blocks = blocks
    lines = Array(repeating: .waiting, count: blocks.count)
  }

  /// The line that is due first, of several the first in the file; `nil` if none is known to become due.
  mutating func next(_ labels: LabelTable) -> Due? {
    if let cache, cache.version == labels.version { return cache.due }
    var first: Due?
    for line in lines.indices where lines[line] == .waiting {
      guard let instant = due(line, labels) else { continue }
      if first.map({ instant < $0.instant }) ?? true { first = Due(line: line, instant: instant) }
    }
    cache = (first, labels.version)
    return first
  }

  /// The line's turn has come.
  mutating func finish(_ line: Int, _ outcome: Line) {
    lines[line] = outcome
    cache = nil
  }

  /// The line that this one waits for, and the label.
  func dependency(of line: Int) -> (line: Int?, label: String?) {
    switch blocks[line].when {
    case .at: (nil, nil)
    case .after: (anchor(of: line), nil)
    case .on(let label, _): (nil, label)
    case .next: (line > 0 ? line - 1 : nil, nil)
    }
  }

  private func due(_ line: Int, _ labels: LabelTable) -> Instant? {
    switch blocks[line].when {
    case .at(let span): return Instant.zero + span
    case .after(let span):
      guard let anchor = anchor(of: line) else { return Instant.zero + span }
      return lines[anchor].instant.map { $0 + span }
    case .on(let label, let span):
      return labels.instant(of: label, for: blocks[line].stimulus.actor).map { $0 + span }
    case .next:
      guard line > 0 else { return .zero }
      return lines[line - 1].instant
    }
  }

  /// The nearest line above that has a time.
  private func anchor(of line: Int) -> Int? {
    blocks[..<line].lastIndex { block in
      if case .next = block.when { false } else { true }
    }
  }
}

extension PlannedStimulus {
  /// The peer that acts; `nil` for what happens at the phone.
  var actor: String? {
    switch self {
    case .message(let arrow): arrow.from
    case .vanishes(let peer), .returns(let peer): peer
    case .start, .push, .user, .system: nil
    }
  }
}
