import Instant

/// Checks the lines of the trunk and of each case as a script: times that go back, and checks that cannot fail.
///
/// A case is looked at in the light of the trunk above its branch; what it keeps of the trunk is judged in the trunk.
struct ScriptCheck {
  private struct Stimulus {
    var time: ScriptTimes.Time
    /// Its place among the lines of the trunk; -1 for one of a case.
    var place: Int
    /// Whether its record is made as soon as it is carried out: a message needs its time on the network.
    var isImmediate: Bool
    /// How many timed lines stand above it.
    var number: Int
  }

  let tree: SyntaxTree
  let outline: Outline
  private let calls: Set<String>
  private let scriptedPeers: Set<String>
  private var times = ScriptTimes()
  /// The time of the last timed line at or above each place of the trunk, and how many there are.
  private var trunkTimes: [(time: ScriptTimes.Time, number: Int)] = []
  private var trunkLabels: [String: Stimulus] = [:]
  /// The first place of the trunk where each thing is done.
  private var firstDoings: [Doing: Int] = [:]

  init(_ tree: SyntaxTree, _ outline: Outline) {
    self.tree = tree
    self.outline = outline
    calls = Set(tree.calls.map(\.name))
    scriptedPeers = Set(tree.peers.filter { !$0.isAutomatic }.map(\.name))
    for (place, line) in outline.trunk.enumerated() {
      guard case .timed(let timed) = line.statement else { continue }
      for doing in Doing.all(of: timed.stimulus) where firstDoings[doing] == nil { firstDoings[doing] = place }
    }
  }

  mutating func checkTrunk(_ problems: inout Problems) {
    var view = View(fork: -1, last: nil, number: 0)
    walk(outline.trunk, &view, isTrunk: true, &problems)
    trunkLabels = view.labels
    let firsts = firstDoings
    nevers(outline.trunk, view, &problems) { firsts[$0] != nil }
  }

  mutating func check(_ branch: Outline.Case, _ problems: inout Problems) {
    guard trunkTimes.indices.contains(branch.fork) else { return }
    // What is to be inserted nowhere was reported, and is not looked at.
    let inserted = branch.insertion == nil ? [] : branch.inserted
    let lines = inserted + branch.lines
    var own: Set<Doing> = []
    for line in lines {
      if case .timed(let timed) = line.statement { own.formUnion(Doing.all(of: timed.stimulus)) }
    }
    let fork = trunkTimes[branch.fork]
    var view = View(fork: branch.fork, last: nil, number: fork.number)
    if let insertion = branch.insertion, !inserted.isEmpty {
      // What the trunk has below the inserted lines may run at another time.
      view.fork = insertion - 1
      if insertion > 0 { view.last = trunkTimes[insertion - 1].time }
      times.resume(at: insertion > 0 ? trunkTimes[insertion - 1].time : ScriptTimes.Time())
      walk(inserted, &view, isTrunk: false, &problems)
      view.last = nil
      times.resume(at: nil)
    } else {
      view.last = fork.time
      times.resume(at: fork.time)
    }
    walk(branch.lines, &view, isTrunk: false, &problems)
    let firsts = firstDoings
    nevers(lines, view, &problems) { own.contains($0) || (firsts[$0] ?? .max) <= branch.fork }
  }

  /// What is known where a line stands.
  private struct View {
    var fork: Int
    var last: ScriptTimes.Time?
    var number: Int
    var labels: [String: Stimulus] = [:]
    /// The block of each `never`, in order.
    var blocks: [Stimulus] = []
  }

  private func stimulus(_ name: String, _ view: View) -> Stimulus? {
    if let own = view.labels[name] { return own }
    guard let base = trunkLabels[name], base.place <= view.fork else { return nil }
    return base
  }

  // MARK: Times

  private mutating func walk(
    _ lines: [Outline.Line], _ view: inout View, isTrunk: Bool, _ problems: inout Problems
  ) {
    var block = Stimulus(time: view.last ?? .init(), place: -1, isImmediate: true, number: view.number)
    for (place, line) in lines.enumerated() {
      if case .timed(let timed) = line.statement {
        var awaited: ScriptTimes.Time?
        if case .on(let name, _) = timed.when { awaited = stimulus(name, view)?.time }
        let time = times.next(timed.when, label: awaited)
        if case .at(let span) = timed.when, let last = view.last, last.base == 0, span < last.offset {
          problems.warn(
            Diagnostic(
              .timeGoesBack, "the line runs at \(span), before the line above it, which runs at \(last.offset)",
              at: timed.range, help: "put lines in the order of their times"))
        }
        view.last = time
        view.number += 1
        block = Stimulus(
          time: time, place: isTrunk ? place : -1, isImmediate: timed.stimulus.isImmediate, number: view.number)
        if let label = timed.label, view.labels[label.text] == nil { view.labels[label.text] = block }
      } else if case .check(let check) = line.statement, case .never = check.check.kind {
        view.blocks.append(block)
      }
      if isTrunk { trunkTimes.append((view.last ?? .init(), view.number)) }
    }
  }

  // MARK: Checks that cannot fail

  private func nevers(
    _ lines: [Outline.Line], _ view: View, _ problems: inout Problems, has: @escaping (Doing) -> Bool
  ) {
    let impossibility = Impossibility(scriptedPeers: scriptedPeers, has: has)
    var next = 0
    for line in lines {
      guard case .check(let found) = line.statement, case .never(let scope) = found.check.kind else { continue }
      let block = view.blocks[next]
      next += 1
      var observation = found.check.observation
      // `200 inv` without `to` names a label, which is no call.
      if case .message(var arrow) = observation, case .call(let name) = arrow.subject, !calls.contains(name) {
        arrow.subject = .label(name)
        observation = .message(arrow)
      }
      if let title = emptiness(of: scope, under: block, view) {
        problems.add(Diagnostic(.scopeEndsBeforeStart, title, at: found.check.range))
      } else if let why = impossibility.reason(observation) {
        problems.add(
          Diagnostic(.neverCannotFail, "this `never` cannot be violated: \(why)", at: found.check.range))
      }
    }
  }

  /// Why a scope covers nothing.
  private func emptiness(of scope: Scope, under block: Stimulus, _ view: View) -> String? {
    switch scope {
    case .within: return nil
    case .until(let label):
      guard let end = stimulus(label, view) else { return nil }
      if end.number == block.number {
        return isImmediate(end) ? "the scope ends at `\(label)`, where it starts" : nil
      }
      return isPlain(end, before: block) ? "the scope ends before it starts: `\(label)` is over by then" : nil
    case .between(let first, let second):
      if first == "end" { return "nothing comes after the end of the run" }
      if first == second { return "the scope ends at `\(first)`, where it starts" }
      guard let start = stimulus(first, view), let end = stimulus(second, view), isPlain(end, before: start)
      else { return nil }
      return "the scope ends before it starts: `\(second)` comes before `\(first)`"
    }
  }

  private func isImmediate(_ stimulus: Stimulus) -> Bool {
    stimulus.isImmediate || tree.links.isEmpty && tree.faults.isEmpty
  }

  private func isPlain(_ early: Stimulus, before late: Stimulus) -> Bool {
    guard early.number < late.number, isImmediate(early) else { return false }
    return times.isPlain(early.time, before: late.time, strictly: !early.isImmediate)
  }
}

extension PlannedStimulus {
  fileprivate var isImmediate: Bool {
    if case .message = self { false } else { true }
  }
}
