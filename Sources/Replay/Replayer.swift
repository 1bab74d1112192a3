import Instant
import Scenario
import Timeline
import VirtualWorld

/// Drives a script through a world and hands every record to a judge.
///
/// At one instant the lines of the script come first, then the world's events; when nothing more is due, the instant
/// is over and its questions are asked.
struct Replayer<World: SimulatedWorld>: Sendable {
  private enum Phase: Hashable, Sendable {
    case running
    /// Every line has run and every window has closed; since when.
    case settling(since: Instant)
    case ended
    /// The run was stopped before its end.
    case stopped
  }

  /// How long a world may take to settle: 3·64·T1. A 2xx is repeated for 64·T1, the BYE that ends its dialog for as
  /// long again, and what is left waits at most once more (RFC 3261 13.3.1.4, 17.1.2.2).
  private static var settlingTime: Span { .milliseconds(3 * 64 * 500) }
  /// More events than this at one instant mean that the run would never end.
  private static var eventsAtOneInstant: Int { 1_000_000 }

  private var world: World
  private(set) var judge: Judge
  private(set) var script: Script
  private let until: Instant?
  private var phase = Phase.running
  private var instantIsOver = false
  private var eventsNow = 0
  private(set) var diagnostics: [Diagnostic]
  private var vainActs = VainActs()
  private var takenNames: TakenNames

  init(_ plan: Plan, world: World, until: Instant? = nil, diagnostics: [Diagnostic] = []) {
    self.world = world
    self.until = until
    self.diagnostics = diagnostics
    judge = Judge(plan)
    takenNames = TakenNames(plan)
    script = Script(plan.blocks)
  }

  var now: Instant { judge.now }

  var wasStopped: Bool { phase == .stopped }

  mutating func execute(_ sink: (Record) -> Void) -> Verdict {
    while step(sink) {}
    return verdict
  }

  var verdict: Verdict {
    var verdict = Reporter(judge: judge, script: script, wasStopped: wasStopped, before: diagnostics).verdict
    verdict.warnings = vainActs.warnings(in: script.blocks, wasStopped: wasStopped) + takenNames.warnings
    if judge.lastRecord == 0, !wasStopped {
      verdict.warnings.append(
        Diagnostic(
          code: RunCode.nothingHappens.rawValue, severity: .warning, title: "nothing happens in this scenario",
          range: nil, help: "say what does: `@0s push c1 to phone`"))
    }
    return verdict
  }

  /// Does the next thing. Returns whether there is more to do.
  mutating func step(_ sink: (Record) -> Void) -> Bool {
    if phase == .ended || phase == .stopped { return false }
    let line = script.next(judge.labels)
    let lineInstant = line.map { max($0.instant, now) }
    let eventInstant = world.nextInstant.map { max($0, now) }
    let due = [lineInstant, eventInstant].compactMap { $0 }.min()
    if let line, let lineInstant, lineInstant == due, isNow(lineInstant) {
      perform(line.line, sink)
      return true
    }
    if let due, due == eventInstant, isNow(due) {
      take(world.step(), sink)
      return countEvent()
    }
    if !instantIsOver {
      // An answer can make a line due at this very instant: look again.
      instantIsOver = true
      judge.endInstant()
      return true
    }
    return moveOn(to: due, hasLine: line != nil)
  }

  /// Whether the instant is the present one; at the very start nothing else is.
  private func isNow(_ instant: Instant) -> Bool {
    instant == now && until.map { instant <= $0 } ?? true
  }

  /// Nothing more is due now: closes the windows that end before the next thing, and moves time.
  private mutating func moveOn(to due: Instant?, hasLine: Bool) -> Bool {
    let close = judge.nextClose()
    if let until, [due, close].compactMap({ $0 }).min().map({ $0 > until }) ?? false {
      if !hasLine, close == nil, isSettled(before: due) { return end(.ended) }
      judge.close(through: until)
      return end(.stopped)
    }
    if let close, due.map({ close < $0 }) ?? true {
      judge.close(through: close)
      // A question may have waited for what was decided by this.
      instantIsOver = false
      return true
    }
    if hasLine || close != nil {
      phase = .running
    } else if isSettled(before: due) {
      return end(.ended)
    }
    guard let due else { return end(.ended) }
    judge.advance(to: due)
    instantIsOver = false
    eventsNow = 0
    return true
  }

  /// Whether nothing is left to wait for; begins to count when it is asked first.
  private mutating func isSettled(before due: Instant?) -> Bool {
    if phase == .running { phase = .settling(since: now) }
    guard case .settling(let since) = phase, let due, !world.isSettled else { return true }
    return due > since + Self.settlingTime
  }

  private mutating func end(_ last: Phase) -> Bool {
    phase = last
    judge.finish(wasStopped: last == .stopped)
    return false
  }

  private mutating func countEvent() -> Bool {
    eventsNow += 1
    guard eventsNow > Self.eventsAtOneInstant else { return true }
    diagnostics.append(
      Diagnostic(
        code: RunCode.internalError.rawValue,
        title: "more than \(Self.eventsAtOneInstant) events happen at \(now): time does not go on", range: nil))
    return end(.stopped)
  }

  /// Carries out a line of the script now.
  private mutating func perform(_ line: Int, _ sink: (Record) -> Void) {
    let block = script.blocks[line]
    instantIsOver = false
    if world.now < now { world.moveClock(to: now) }
    let stimulus: Stimulus?
    do {
      stimulus = try StimulusWriter(plan: judge.plan, labels: judge.labels, values: judge.values).write(block.stimulus)
    } catch {
      return script.finish(line, .refused(now, why: error.why))
    }
    guard let stimulus else {
      judge.begin(block: line, stimulus: nil)
      return script.finish(line, .ran(now))
    }
    do {
      let records = try world.perform(stimulus, line: block.range.line)
      judge.begin(block: line, stimulus: records.first)
      take(records, sink)
      script.finish(line, .ran(now))
    } catch {
      script.finish(line, .refused(now, why: error.why))
    }
  }

  private mutating func take(_ records: [Record], _ sink: (Record) -> Void) {
    instantIsOver = false
    for record in records {
      sink(record)
      let root = judge.recent.root(of: record)
      vainActs.take(record, of: root?.number, after: judge.book)
      takenNames.take(record, of: root?.line)
      judge.take(record)
    }
  }
}
