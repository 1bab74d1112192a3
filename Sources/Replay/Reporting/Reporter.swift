import Instant
import Scenario
import Timeline

/// Makes a verdict of what a judge and a script have found: the first failure first, what only follows from it folded.
struct Reporter {
  let judge: Judge
  let script: Script
  /// Whether the run was stopped before its end; what was not decided by then is not held against it.
  let wasStopped: Bool
  /// What was found before the run.
  let before: [Diagnostic]

  private typealias Item = Dependencies.Item

  /// A diagnostic and its place among the others.
  private struct Finding {
    var instant: Instant
    var line: Int
    var diagnostic: Diagnostic
  }

  var verdict: Verdict {
    let diagnostics = before + findings
    let isUndecided =
      wasStopped && (judge.checks.contains { !$0.isDecided } || script.lines.contains(.waiting))
    return Verdict(
      outcome: diagnostics.isEmpty ? (isUndecided ? .undecided : .held) : .failed,
      diagnostics: diagnostics,
      checks: judge.checks.map(\.outcome),
      recordCount: judge.lastRecord,
      end: judge.now,
      firedFaults: judge.book.firedFaults,
      openCalls: judge.book.calls.filter { $0.state != nil && $0.state != "ended" }.map(\.name),
      calls: judge.book.calls.compactMap { call in
        call.uuid.map { CallIdentity(name: call.name, uuid: $0, callIDs: call.history.periods) }
      })
  }

  private var findings: [Diagnostic] {
    var findings = itemFindings
    for violation in judge.invariants.violations {
      findings.append(
        Finding(
          instant: violation.instant, line: violation.invariant.range.line,
          diagnostic: Diagnostic(
            code: RunCode.invariant.rawValue,
            title: "`\(violation.invariant.text)` does not hold at \(violation.instant)",
            range: violation.invariant.range, notes: violation.facts.map { Diagnostic.Note($0) })))
    }
    findings.sort { ($0.instant, $0.line) < ($1.instant, $1.line) }
    return findings.map(\.diagnostic) + faultsThatDidNotFire + leftOvers
  }

  // MARK: Lines and checks

  private var itemFindings: [Finding] {
    var dependencies = Dependencies(judge: judge, script: script)
    let items = script.lines.indices.map(Item.line) + judge.checks.indices.map(Item.check)
    var roots: [Item] = []
    var followers: [Item: [Item]] = [:]
    for item in items where dependencies.isFailing(item) && isDecided(item) {
      let root = dependencies.root(of: item)
      if root == item { roots.append(item) } else { followers[root, default: []].append(item) }
    }
    return roots.map { root in
      var finding = finding(root)
      finding.diagnostic.notes += folded(followers[root] ?? [])
      return finding
    }
  }

  /// Whether the failure is final; a run that was stopped leaves undecided what had not failed by then.
  private func isDecided(_ item: Item) -> Bool {
    guard wasStopped else { return true }
    switch item {
    case .line(let line): return script.lines[line] != .waiting
    case .check(let index): return judge.checks[index].failure != nil
    }
  }

  private func folded(_ followers: [Item]) -> [Diagnostic.Note] {
    var lines = 0
    var checks = 0
    for item in followers {
      switch item {
      case .line: lines += 1
      case .check: checks += 1
      }
    }
    var notes: [Diagnostic.Note] = []
    if lines > 0 { notes.append(.init("\(lines) later line\(lines == 1 ? "" : "s") could not run")) }
    if checks > 0 { notes.append(.init("\(checks) later check\(checks == 1 ? "" : "s") not evaluated")) }
    return notes
  }

  private func finding(_ item: Item) -> Finding {
    switch item {
    case .line(let line): lineFinding(line)
    case .check(let index): checkFinding(judge.checks[index])
    }
  }

  private func lineFinding(_ line: Int) -> Finding {
    let range = script.blocks[line].range
    if case .refused(let instant, let why) = script.lines[line] {
      let diagnostic = Diagnostic(
        code: RunCode.lineRefused.rawValue, title: "the line could not be carried out at \(instant): \(why)",
        range: range)
      return Finding(instant: instant, line: range.line, diagnostic: diagnostic)
    }
    var diagnostic = Diagnostic(code: RunCode.lineNeverRan.rawValue, title: "the line never ran", range: range)
    let dependency = script.dependency(of: line)
    if let label = dependency.label {
      diagnostic.notes.append(.init(whyNot(label, for: script.blocks[line].stimulus.actor)))
    } else if let above = dependency.line {
      diagnostic.notes.append(.init("it waits for this line, which never ran", range: script.blocks[above].range))
    }
    diagnostic.help = "put the line under `optional` if the run may pass without it"
    return Finding(instant: judge.now, line: range.line, diagnostic: diagnostic)
  }

  /// Why a label has not happened where somebody stands.
  private func whyNot(_ label: String, for actor: String?) -> String {
    guard let entry = judge.labels[label] else { return "`\(label)` never happened" }
    let place = actor ?? judge.book.phone
    return entry.message.map { "`\(label)`, \($0.summary), never arrived at \(place)" }
      ?? "`\(label)` never happened at \(place)"
  }

  private func checkFinding(_ check: CheckState) -> Finding {
    let planned = check.planned
    let code = check.failure?.code ?? .notMet
    var diagnostic = Diagnostic(code: code.rawValue, title: "", range: planned.range)
    switch code {
    case .violated:
      diagnostic.title = "`\(planned.text)` was violated at \(check.failure?.instant ?? judge.now)"
    case .scopeNeverBegan:
      diagnostic.title = "`\(planned.text)` covers nothing"
      if let label = planned.opening { diagnostic.notes.append(.init(whyNot(label, for: nil))) }
    case .answeredNo:
      diagnostic.title = "`\(planned.text)` does not hold at \(check.failure?.instant ?? judge.now)"
    default:
      diagnostic.title = "`\(planned.text)` was not met: \(lateness(of: check))"
      if let closes = check.closes, check.failure != nil { diagnostic.label = "window \(check.opens)..\(closes)" }
    }
    if check.failure == nil, let label = planned.opening { diagnostic.notes.append(.init(whyNot(label, for: nil))) }
    if let record = check.failure?.told {
      diagnostic.notes.append(.init("\(record.phrase) at \(record.instant) (event \(record.number))"))
    }
    for fact in check.failure?.facts ?? [] { diagnostic.notes.append(.init(fact)) }
    if let record = check.failure?.told, let chain = judge.recent.chain(to: record) {
      diagnostic.notes.append(.init(chain))
    }
    return Finding(instant: check.begin ?? judge.now, line: planned.range.line, diagnostic: diagnostic)
  }

  private func lateness(of check: CheckState) -> String {
    guard let failure = check.failure else { return "its window never opened" }
    if let taker = failure.taker.map({ judge.checks[$0].planned }) {
      return "it was taken by `\(taker.text)` in line \(taker.range.line)"
    }
    if let instead = failure.instead { return instead.how }
    guard let miss = failure.miss, let closes = check.closes else { return "it did not happen" }
    if miss.instant > closes { return "it came \(miss.instant - closes) too late" }
    if miss.instant < check.opens { return "it came \(check.opens - miss.instant) too early" }
    return "it came out of order"
  }

  // MARK: Faults

  private var faultsThatDidNotFire: [Diagnostic] {
    guard !wasStopped else { return [] }
    return judge.plan.faults.filter { !$0.isOptional && !judge.book.firedFaults.contains($0.name) }.map { fault in
      Diagnostic(
        code: RunCode.faultNeverFired.rawValue, title: "fault `\(fault.name)` never fired", range: fault.range,
        notes: [.init("no message that it is about came to it while it was in force")],
        help: "write `\(fault.name): maybe …` if the run may pass without it")
    }
  }
}

extension CheckState.Failure {
  /// The record that the failure is about.
  var told: Record? { record ?? miss ?? instead?.record }
}

extension CheckState {
  /// The check's outcome as the verdict states it.
  fileprivate var outcome: CheckOutcome {
    CheckOutcome(
      line: planned.range.line, text: planned.text, held: isDecided ? met != nil : nil,
      instant: met?.instant ?? failure?.instant, code: failure?.code.rawValue,
      record: met?.record ?? failure?.record?.number)
  }
}
