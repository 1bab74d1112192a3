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

  /// The next line and when it is due.
  struct Due: Hashable, Sendable {
    var line: Int
    var instant: Instant
  }

  let blocks: [Block]
  private(set) var lines: [Line]
  /// For each line the nearest one above that has a time.
  private let anchors: [Int?]
  /// The lines that wait for a line.
  private var followers: [Int: [Int]] = [:]
  /// The lines that wait for a label.
  private var reactions: [String: [Int]] = [:]
  /// The lines of which it is known when they are due.
  private var agenda = Agenda()
  /// How much of the labels' news has been looked at.
  private var newsRead = 0

  init(_ blocks: [Block]) {
    self.blocks = blocks
    lines = Array(repeating: .waiting, count: blocks.count)
    var anchors: [Int?] = []
    var anchor: Int?
    for (line, block) in blocks.enumerated() {
      anchors.append(anchor)
      if case .next = block.when { continue }
      anchor = line
    }
    self.anchors = anchors
    for line in blocks.indices {
      let dependency = dependency(of: line)
      if let above = dependency.line {
        followers[above, default: []].append(line)
      } else if let label = dependency.label {
        reactions[label, default: []].append(line)
      } else {
        agenda.add(line, at: .zero + delay(of: line))
      }
    }
  }

  /// The line that is due first, of several the first in the file; `nil` if none is known to become due.
  mutating func next(_ labels: LabelTable) -> Due? {
    for label in labels.news.dropFirst(newsRead) { react(to: label, labels) }
    newsRead = labels.news.count
    while let first = agenda.first {
      if lines[first.item] == .waiting { return Due(line: first.item, instant: first.instant) }
      agenda.removeFirst()
    }
    return nil
  }

  /// The line's turn has come.
  mutating func finish(_ line: Int, _ outcome: Line) {
    lines[line] = outcome
    guard let instant = outcome.instant else { return }
    for follower in followers.removeValue(forKey: line) ?? [] {
      agenda.add(follower, at: instant + delay(of: follower))
    }
  }

  /// The line that this one waits for, and the label.
  func dependency(of line: Int) -> (line: Int?, label: String?) {
    switch blocks[line].when {
    case .at: (nil, nil)
    case .after: (anchors[line], nil)
    case .on(let label, _): (nil, label)
    case .next: (line > 0 ? line - 1 : nil, nil)
    }
  }

  /// Something was learnt about the label: the lines that stand where it has happened are due.
  private mutating func react(to label: String, _ labels: LabelTable) {
    guard let waiting = reactions.removeValue(forKey: label) else { return }
    for line in waiting {
      if let instant = labels.instant(of: label, for: blocks[line].stimulus.actor) {
        agenda.add(line, at: instant + delay(of: line))
      } else {
        reactions[label, default: []].append(line)
      }
    }
  }

  /// How long after what it waits for the line is due.
  private func delay(of line: Int) -> Span {
    switch blocks[line].when {
    case .at(let span), .after(let span), .on(_, let span): span
    case .next: .zero
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
