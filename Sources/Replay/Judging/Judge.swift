import Instant
import Scenario
import Timeline

/// Judges a run from its records alone: windows, scopes, questions, invariants and what nothing expected.
///
/// It keeps what open windows and labels need and no timeline. The caller hands in every record in order, says when an
/// instant is over, and moves time forward between instants.
struct Judge: Hashable, Sendable {
  let plan: Plan
  private(set) var book: CallBook
  private(set) var labels: LabelTable
  private(set) var recent = RecentRecords()
  /// Every check in the order of the file.
  private(set) var checks: [CheckState] = []
  /// The checks of each block.
  private var ranges: [Range<Int>] = []
  private(set) var exhaustive: Exhaustiveness
  private(set) var invariants: Invariants
  private(set) var now: Instant = .zero
  private(set) var lastRecord = 0
  /// The checks whose block has run and that are not decided, in the order of the file.
  private var live: [Int] = []
  /// Expectations that failed, to see whether what they looked for comes too late.
  private var missed: [Int] = []
  /// The bytes of every message by its number, kept only if a check looks at header fields.
  private var messages: [Int: [UInt8]] = [:]
  private let looksAtHeaders: Bool
  /// The records of this instant.
  private var instantRecords: [Seen] = []

  /// A record, and whether a check has consumed it.
  private struct Seen: Hashable, Sendable {
    var record: Record
    var isConsumed: Bool
  }

  init(_ plan: Plan) {
    self.plan = plan
    book = CallBook(phone: plan.device.name)
    labels = LabelTable(phone: plan.device.name)
    exhaustive = Exhaustiveness(plan)
    invariants = Invariants(plan.invariants)
    looksAtHeaders = plan.looksAtHeaders
    var lastOfOrder: [Int: Int] = [:]
    for (place, block) in plan.blocks.enumerated() {
      ranges.append(checks.count..<checks.count + block.checks.count)
      for check in block.checks {
        var predecessor: Int?
        if let order = check.order, case .expect(.some) = check.kind {
          predecessor = lastOfOrder.updateValue(checks.count, forKey: order)
        }
        checks.append(CheckState(block: place, planned: check, predecessor: predecessor))
      }
    }
    // Two labels say where such a scope lies, wherever its check stands: mostly behind it, where it is read best.
    for index in checks.indices {
      if case .never(.between) = checks[index].planned.kind { open(index) }
    }
  }

  /// Answers questions about what is known now.
  var matcher: Matcher { Matcher(book: book, labels: labels, values: values, messages: messages) }

  /// Puts values into texts as they are now.
  var values: Substitution { Substitution(plan: plan, book: book, labels: labels) }

  /// The next instant at which a window closes.
  var nextClose: Instant? {
    live.compactMap { checks[$0].isOpen ? checks[$0].closes : nil }.min()
  }

  // MARK: What the caller says

  /// A block's stimulus is carried out now; its records follow. The first of them is the stimulus's own.
  mutating func begin(block: Int, stimulus: Record?) {
    let after = stimulus?.number ?? lastRecord
    for index in ranges[block] where checks[index].progress == .idle {
      checks[index].after = after
      open(index)
    }
    live.sort()
    if let stimulus, let label = plan.blocks[block].label {
      labels.name(stimulus, label, book: book)
      if labels.place(label) != nil { happened(label) }
    }
  }

  /// Takes the next record.
  mutating func take(_ record: Record) {
    lastRecord = max(lastRecord, record.number)
    if looksAtHeaders, case .sip(let event) = record.event, case .sent(let bytes) = event.phase {
      messages[event.message.id] = bytes
    }
    book.take(record)
    recent.take(record)
    instantRecords.append(Seen(record: record.withoutBytes, isConsumed: false))
    for label in labels.follow(record) { happened(label) }
    if instantRecords.last?.isConsumed == false { consume(record) }
    exhaustive.take(record, isConsumed: instantRecords.last?.isConsumed ?? false, matcher: matcher)
    watchScopes(record)
    noteMisses(record)
  }

  /// Everything that is due at this instant has happened.
  mutating func endInstant() {
    askQuestions()
    watchStates()
    invariants.check(matcher, records: instantRecords.map(\.record), at: now)
    instantRecords.removeAll(keepingCapacity: true)
  }

  /// Closes the windows that end at this instant or before; everything that is due until then has happened.
  mutating func close(through instant: Instant) {
    now = max(now, instant)
    closeWindows(through: instant)
  }

  /// Moves time forward to an instant behind which no window is to close.
  mutating func advance(to instant: Instant) {
    now = max(now, instant)
  }

  /// The run is over: scopes end. What is open stays open if the run was stopped before its end.
  mutating func finish(wasStopped: Bool) {
    guard !wasStopped else { return }
    for index in live where checks[index].isNever {
      switch checks[index].progress {
      case .open: checks[index].progress = .held(now, record: nil)
      case .waiting: fail(index, .scopeNeverBegan)
      case .idle, .held, .failed: break
      }
    }
    live.removeAll { checks[$0].isDecided }
  }

  // MARK: Opening

  private mutating func open(_ index: Int) {
    live.append(index)
    switch checks[index].planned.kind {
    case .expect(nil): checks[index].progress = .open
    case .expect(.within(let span, of: nil)): openWindow(index, from: now, to: now + span)
    case .expect(.within(let span, of: .some(let label))):
      onPlace(label, index) { judge, place in judge.openWindow(index, from: place.instant, to: place.instant + span) }
    case .expect(.at(let label, let from, let to)):
      onPlace(label, index) { judge, place in
        judge.openWindow(index, from: place.instant + from, to: place.instant + to)
      }
    case .never(.within(let span)): openWindow(index, from: now, to: now + span)
    case .never(.until(let label)):
      // A label that has happened before ends the scope before it begins.
      checks[index].progress = labels.place(label) == nil ? .open : .held(now, record: nil)
    case .never(.between(let start, let end)):
      onPlace(start, index) { judge, place in judge.openScope(index, after: place, until: end) }
    }
  }

  private mutating func onPlace(
    _ label: String, _ index: Int, _ begin: (inout Judge, LabelTable.Place) -> Void
  ) {
    if let place = labels.place(label) {
      begin(&self, place)
    } else {
      checks[index].progress = .waiting(label: label)
    }
  }

  private mutating func openWindow(_ index: Int, from: Instant, to: Instant) {
    checks[index].opens = from
    checks[index].closes = to
    checks[index].progress = .open
    // The window may include what has happened already at this instant.
    guard !checks[index].isNever, checks[index].planned.observation.isEvent else { return }
    for place in instantRecords.indices where !instantRecords[place].isConsumed {
      guard checks[index].isOpen, takes(index, instantRecords[place].record, matcher) else { continue }
      exhaustive.forgive(instantRecords[place].record.number)
      meet(index, instantRecords[place].record)
    }
  }

  private mutating func openScope(_ index: Int, after place: LabelTable.Place, until end: String) {
    checks[index].after = max(checks[index].after, place.number)
    checks[index].progress = labels.place(end) == nil ? .open : .held(now, record: nil)
  }

  /// A label has happened where checks see it.
  private mutating func happened(_ label: String) {
    for index in live {
      switch (checks[index].planned.kind, checks[index].progress) {
      case (.never(.until(label: label)), .open), (.never(.between(_, and: label)), .open):
        checks[index].progress = .held(now, record: nil)
      case (_, .waiting(label: label)):
        live.removeAll { $0 == index }
        open(index)
      default: break
      }
    }
    live.sort()
  }

  // MARK: Windows

  /// The first open expectation that the record meets takes it.
  private mutating func consume(_ record: Record) {
    let matcher = matcher
    for index in live where checks[index].isOpen && !checks[index].isNever {
      if checks[index].isQuestion {
        if record.number > checks[index].after, matcher.matches(record, checks[index].planned.observation) {
          checks[index].lastMatch = LabelTable.Place(number: record.number, instant: record.instant)
        }
      } else if takes(index, record, matcher) {
        meet(index, record)
        return
      }
    }
  }

  private func takes(_ index: Int, _ record: Record, _ matcher: Matcher) -> Bool {
    let check = checks[index]
    guard record.number > check.after, record.instant >= check.opens,
      check.closes.map({ record.instant <= $0 }) ?? true, check.planned.observation.isEvent
    else { return false }
    if let predecessor = check.predecessor {
      guard let met = checks[predecessor].met, met.record.map({ $0 < record.number }) ?? true else { return false }
    }
    return matcher.matches(record, check.planned.observation)
  }

  private mutating func meet(_ index: Int, _ record: Record) {
    checks[index].progress = .held(record.instant, record: record.number)
    if let place = instantRecords.lastIndex(where: { $0.record.number == record.number }) {
      instantRecords[place].isConsumed = true
    }
    guard let label = checks[index].planned.label else { return }
    labels.name(record, label, book: book)
    if labels.place(label) != nil { happened(label) }
  }

  private mutating func closeWindows(through instant: Instant) {
    for index in live where checks[index].isOpen {
      guard let closes = checks[index].closes, closes <= instant else { continue }
      if checks[index].isNever {
        checks[index].progress = .held(closes, record: nil)
      } else if !checks[index].planned.observation.isEvent, answersYes(index) {
        hold(index, at: closes)
      } else {
        fail(index, .notMet, at: closes)
      }
    }
    live.removeAll { checks[$0].isDecided }
  }

  // MARK: Questions

  private mutating func askQuestions() {
    for index in live where checks[index].isOpen && !checks[index].isNever {
      let check = checks[index]
      if check.isQuestion {
        guard windowsAbove(index).allSatisfy({ checks[$0].met != nil }) else { continue }
        if answersYes(index) { hold(index, at: now) } else { fail(index, .answeredNo) }
      } else if !check.planned.observation.isEvent, check.opens <= now, answersYes(index) {
        hold(index, at: now)
      }
    }
    live.removeAll { checks[$0].isDecided }
  }

  /// The windowed expectations of the same block above this one.
  func windowsAbove(_ index: Int) -> [Int] {
    (ranges[checks[index].block].lowerBound..<index).filter { checks[$0].window != nil }
  }

  private func answersYes(_ index: Int) -> Bool {
    if let predecessor = checks[index].predecessor, checks[predecessor].met == nil { return false }
    // An event without a window must have happened at this very instant.
    return matcher.holds(checks[index].planned.observation) ?? (checks[index].lastMatch?.instant == now)
  }

  private mutating func hold(_ index: Int, at instant: Instant) {
    let match = checks[index].lastMatch
    checks[index].progress = .held(instant, record: match?.number)
    guard let label = checks[index].planned.label else { return }
    labels.name(momentAt: LabelTable.Place(number: match?.number ?? lastRecord, instant: instant), label, book: book)
    happened(label)
  }

  // MARK: Scopes

  private mutating func watchScopes(_ record: Record) {
    let matcher = matcher
    for index in live where checks[index].isNever && checks[index].isOpen {
      let check = checks[index]
      guard record.number > check.after, check.closes.map({ record.instant <= $0 }) ?? true else { continue }
      let observation = check.planned.observation
      guard matcher.holds(observation) ?? matcher.matches(record, observation) else { continue }
      fail(index, .violated, record: record.withoutBytes)
    }
    live.removeAll { checks[$0].isDecided }
  }

  /// What must never be so can be so for a whole scope without a record in it.
  private mutating func watchStates() {
    let matcher = matcher
    for index in live where checks[index].isNever && checks[index].isOpen {
      let check = checks[index]
      guard check.closes.map({ now <= $0 }) ?? true, matcher.holds(check.planned.observation) == true else { continue }
      fail(index, .violated)
    }
    live.removeAll { checks[$0].isDecided }
  }

  // MARK: Failing

  private mutating func fail(_ index: Int, _ code: RunCode, at instant: Instant? = nil, record: Record? = nil) {
    var failure = CheckState.Failure(code: code, instant: instant ?? now, record: record)
    failure.facts = book.situation(of: checks[index].planned.observation.call)
    if code == .notMet {
      failure.miss = exhaustive.leftOvers.last {
        $0.instant < checks[index].opens && matcher.matches($0, checks[index].planned.observation)
      }
      missed.append(index)
    }
    checks[index].progress = .failed(failure)
  }

  /// What an expectation looked for may come after its window.
  private mutating func noteMisses(_ record: Record) {
    for index in missed {
      guard var failure = checks[index].failure, record.number > checks[index].after,
        matcher.matches(record, checks[index].planned.observation)
      else { continue }
      failure.miss = record.withoutBytes
      checks[index].progress = .failed(failure)
      missed.removeAll { $0 == index }
    }
  }
}
