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
  /// Open expectations of events.
  private var expected = OpenChecks()
  /// Open windows in which a question is to be answered with yes.
  private var asked = OpenChecks()
  /// Open scopes of what must not be.
  private var forbidden = OpenChecks()
  /// Expectations that failed, to see whether what they looked for comes too late.
  private var missed = OpenChecks()
  /// The checks whose window or scope begins or ends at a label that has not happened.
  private var awaiting: [String: [Int]] = [:]
  /// When windows that have been set begin and end.
  private var openings = Agenda()
  private var closings = Agenda()
  /// For each block that has begun the record behind which its checks look.
  private(set) var beginnings: [Int: Int] = [:]
  /// The first check of each block that is not known to be met or asked.
  private var firstUnmet: [Int]
  /// The blocks in which something was met or begun since questions were asked last.
  private var stirred: Set<Int> = []
  /// The calls of which something was recorded or is asked since the last instant was over.
  private var touched: Set<String> = []
  /// Which expectation took a record.
  private var takers: [Int: Int] = [:]
  /// The bytes of every message by its number, kept only if a check looks at header fields.
  private var messages: [Int: [UInt8]] = [:]
  private let looksAtHeaders: Bool
  /// The records of this instant.
  private var instantRecords: [Seen] = []

  /// How many records a failure is explained from at most, so that many failures cost no more than so much each.
  private static let lookBack = 256

  /// A record, and whether a check has consumed it.
  private struct Seen: Hashable, Sendable {
    var record: Record
    var isConsumed: Bool
  }

  init(_ plan: Plan) {
    self.plan = plan
    book = CallBook(phone: plan.device.name)
    labels = LabelTable(phone: plan.device.name, remembering: plan.rememberedCalls)
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
    firstUnmet = ranges.map(\.lowerBound)
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
  mutating func nextClose() -> Instant? {
    while let first = closings.first {
      if checks[first.item].isOpen { return first.instant }
      closings.removeFirst()
    }
    return nil
  }

  // MARK: What the caller says

  /// A block's stimulus is carried out now; its records follow. The first of them is the stimulus's own.
  mutating func begin(block: Int, stimulus: Record?) {
    let after = stimulus?.number ?? lastRecord
    beginnings[block] = after
    for index in ranges[block] where checks[index].progress == .idle {
      checks[index].after = after
      open(index)
    }
    stirred.insert(block)
    guard let label = plan.blocks[block].label else { return }
    if let stimulus {
      labels.name(stimulus, label, book: book)
    } else {
      labels.name(momentAt: LabelTable.Place(number: lastRecord, instant: now), label, book: book)
    }
    if labels.place(label) != nil { happened(label) }
  }

  /// Takes the next record.
  mutating func take(_ record: Record) {
    lastRecord = max(lastRecord, record.number)
    openDueWindows()
    if looksAtHeaders, case .sip(let event) = record.event, case .sent(let bytes) = event.phase {
      messages[event.message.id] = bytes
    }
    book.take(record)
    recent.take(record)
    touch(record)
    instantRecords.append(Seen(record: record.withoutBytes, isConsumed: false))
    for label in labels.follow(record) { happened(label) }
    if instantRecords.last?.isConsumed == false { consume(record) }
    exhaustive.take(
      record, of: recent.root(of: record)?.line, isConsumed: instantRecords.last?.isConsumed ?? false, matcher: matcher)
    watchScopes(record)
    noteMisses(record)
  }

  /// Everything that is due at this instant has happened.
  mutating func endInstant() {
    openDueWindows()
    askQuestions()
    watchStates()
    invariants.check(matcher, records: instantRecords.map(\.record), of: touched, at: now)
    instantRecords.removeAll(keepingCapacity: true)
    touched.removeAll(keepingCapacity: true)
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
    for index in checks.indices where checks[index].isNever {
      switch checks[index].progress {
      case .open: decide(index, .held(now, record: nil))
      case .waiting: fail(index, .scopeNeverBegan)
      case .idle, .held, .failed: break
      }
    }
  }

  // MARK: Opening

  private mutating func open(_ index: Int) {
    switch checks[index].planned.kind {
    case .expect(nil): openNow(index)
    case .expect(.within(let span, of: nil)): openWindow(index, from: now, to: now + span)
    case .expect(.within(let span, of: .some(let label))):
      onPlace(label, index) { judge, place in judge.openWindow(index, from: place.instant, to: place.instant + span) }
    case .expect(.at(let label, let from, let to)):
      onPlace(label, index) { judge, place in
        judge.openWindow(index, from: place.instant + from, to: place.instant + to)
      }
    case .never(.within(let span)): openWindow(index, from: now, to: now + span)
    case .never(.until(let label)): openScope(index, until: label)
    case .never(.between(let start, let end)):
      onPlace(start, index) { judge, place in
        judge.checks[index].after = max(judge.checks[index].after, place.number)
        judge.openScope(index, until: end)
      }
    }
  }

  private mutating func onPlace(
    _ label: String, _ index: Int, _ begin: (inout Judge, LabelTable.Place) -> Void
  ) {
    if let place = labels.place(label) {
      begin(&self, place)
    } else {
      checks[index].progress = .waiting(label: label)
      awaiting[label, default: []].append(index)
    }
  }

  private mutating func openWindow(_ index: Int, from: Instant, to: Instant) {
    checks[index].opens = from
    checks[index].closes = to
    closings.add(index, at: to)
    if from > now {
      checks[index].progress = .open
      openings.add(index, at: from)
    } else {
      openNow(index)
      takeBack(index)
    }
  }

  private mutating func openDueWindows() {
    for index in openings.removeAll(through: now) where checks[index].isOpen { openNow(index) }
  }

  private mutating func openNow(_ index: Int) {
    checks[index].progress = .open
    if let list = list(of: index) { self[keyPath: list].add(index, checks[index]) }
    if case .call(let call) = checks[index].subject { touched.insert(call) }
  }

  /// The window may include what has happened already at this instant.
  private mutating func takeBack(_ index: Int) {
    guard !checks[index].isNever, checks[index].planned.observation.isEvent else { return }
    let after = checks[index].after
    let behind = instantRecords.lastIndex { $0.record.number <= after }
    let place = instantRecords.indices.dropFirst(behind.map { $0 + 1 } ?? 0).first { place in
      !instantRecords[place].isConsumed && takes(index, instantRecords[place].record)
        && matcher.matches(instantRecords[place].record, checks[index].planned.observation)
    }
    guard let place else { return }
    exhaustive.forgive(instantRecords[place].record.number)
    meet(index, instantRecords[place].record)
  }

  /// A scope that a label has ended already ends before it begins.
  private mutating func openScope(_ index: Int, until end: String) {
    guard labels.place(end) == nil else { return decide(index, .held(now, record: nil)) }
    openNow(index)
    awaiting[end, default: []].append(index)
  }

  /// A label has happened where checks see it.
  private mutating func happened(_ label: String) {
    for index in (awaiting.removeValue(forKey: label) ?? []).sorted() {
      switch checks[index].progress {
      case .open: decide(index, .held(now, record: nil))
      case .waiting: open(index)
      case .idle, .held, .failed: break
      }
    }
  }

  /// Where an open check is looked for; `nil` for a question that is asked once.
  private func list(of index: Int) -> WritableKeyPath<Judge, OpenChecks>? {
    if checks[index].isNever { return \.forbidden }
    if checks[index].planned.observation.isEvent { return \.expected }
    return checks[index].isQuestion ? nil : \.asked
  }

  /// The check is decided: nothing looks at it any more.
  private mutating func decide(_ index: Int, _ progress: CheckState.Progress) {
    checks[index].progress = progress
    if let list = list(of: index) { self[keyPath: list].remove(index, checks[index]) }
    if checks[index].met != nil { stirred.insert(checks[index].block) }
  }

  private mutating func touch(_ record: Record) {
    if let call = record.call { touched.insert(call.name) }
    // The end of the app is the end of its calls, whatever is said of them one by one.
    if case .lifecycle = record.event { touched.formUnion(book.calls.map(\.name)) }
  }

  // MARK: Windows

  private func subjects(of record: Record) -> [CheckState.Subject] {
    var subjects = record.call.map { [CheckState.Subject.call($0.name)] } ?? []
    if case .sip(let event) = record.event {
      subjects += labels.names(inTransactionOf: event.message).map(CheckState.Subject.transaction)
    }
    return subjects
  }

  /// The checks of a list that look for the record.
  private func checks(in list: OpenChecks, for record: Record) -> [Int] {
    let matcher = matcher
    return list.about(subjects(of: record)) { matcher.matches(record, $0) }
  }

  /// The first open expectation that the record meets takes it.
  private mutating func consume(_ record: Record) {
    for index in checks(in: expected, for: record) {
      if checks[index].isQuestion {
        guard record.number > checks[index].after else { continue }
        checks[index].lastMatch = LabelTable.Place(number: record.number, instant: record.instant)
      } else if takes(index, record) {
        return meet(index, record)
      }
    }
  }

  /// Whether the window takes the record, if it is what is looked for.
  private func takes(_ index: Int, _ record: Record) -> Bool {
    guard record.number > checks[index].after, record.instant >= checks[index].opens else { return false }
    if let closes = checks[index].closes, record.instant > closes { return false }
    guard let predecessor = checks[index].predecessor else { return true }
    guard let met = checks[predecessor].met else { return false }
    return met.record.map { $0 < record.number } ?? true
  }

  private mutating func meet(_ index: Int, _ record: Record) {
    decide(index, .held(record.instant, record: record.number))
    takers[record.number] = index
    if let place = instantRecords.lastIndex(where: { $0.record.number == record.number }) {
      instantRecords[place].isConsumed = true
    }
    guard let label = checks[index].planned.label else { return }
    labels.name(record, label, book: book)
    if labels.place(label) != nil { happened(label) }
  }

  private mutating func closeWindows(through instant: Instant) {
    for index in closings.removeAll(through: instant) where checks[index].isOpen {
      let closes = checks[index].closes ?? instant
      if checks[index].isNever {
        decide(index, .held(closes, record: nil))
      } else if !checks[index].planned.observation.isEvent, answersYes(index) {
        hold(index, at: closes)
      } else {
        fail(index, .notMet, at: closes)
      }
    }
  }

  // MARK: Questions

  private mutating func askQuestions() {
    for index in checks(in: asked, with: true) where answersYes(index) { hold(index, at: now) }
    let blocks = stirred.sorted()
    stirred.removeAll()
    for block in blocks { askQuestions(of: block) }
  }

  /// Asks the questions above which every window has been met.
  private mutating func askQuestions(of block: Int) {
    while firstUnmet[block] < ranges[block].upperBound {
      let index = firstUnmet[block]
      if checks[index].isQuestion {
        if answersYes(index) { hold(index, at: now) } else { fail(index, .answeredNo) }
      } else if checks[index].window != nil, checks[index].met == nil {
        return
      }
      firstUnmet[block] += 1
    }
  }

  /// The windowed expectation of the same block above this question that keeps it from being asked.
  func unmetWindow(above index: Int) -> Int? {
    let first = firstUnmet[checks[index].block]
    return first < index && checks[first].window != nil ? first : nil
  }

  /// The checks of a list whose question has this answer now, as far as it may have changed.
  private func checks(in list: OpenChecks, with answer: Bool) -> [Int] {
    let matcher = matcher
    return list.about(touched.map(CheckState.Subject.call)) { matcher.holds($0) == answer }
  }

  private func answersYes(_ index: Int) -> Bool {
    if let predecessor = checks[index].predecessor, checks[predecessor].met == nil { return false }
    // An event without a window must have happened at this very instant.
    return matcher.holds(checks[index].planned.observation) ?? (checks[index].lastMatch?.instant == now)
  }

  private mutating func hold(_ index: Int, at instant: Instant) {
    let match = checks[index].lastMatch
    decide(index, .held(instant, record: match?.number))
    guard let label = checks[index].planned.label else { return }
    labels.name(momentAt: LabelTable.Place(number: match?.number ?? lastRecord, instant: instant), label, book: book)
    happened(label)
  }

  // MARK: Scopes

  private mutating func watchScopes(_ record: Record) {
    for index in violated(by: record) {
      guard record.number > checks[index].after, checks[index].closes.map({ record.instant <= $0 }) ?? true else {
        continue
      }
      fail(index, .violated, record: record.withoutBytes)
    }
  }

  private func violated(by record: Record) -> [Int] {
    let matcher = matcher
    return forbidden.about(subjects(of: record)) { matcher.holds($0) ?? matcher.matches(record, $0) }
  }

  /// What must never be so can be so for a whole scope without a record in it.
  private mutating func watchStates() {
    for index in checks(in: forbidden, with: true) where checks[index].closes.map({ now <= $0 }) ?? true {
      fail(index, .violated)
    }
  }

  // MARK: Failing

  private mutating func fail(_ index: Int, _ code: RunCode, at instant: Instant? = nil, record: Record? = nil) {
    var failure = CheckState.Failure(code: code, instant: instant ?? now, record: record)
    failure.facts = book.situation(of: checks[index].planned.observation.call)
    if code == .answeredNo || code == .notMet {
      failure.facts += matcher.facts(about: checks[index].planned.observation)
    }
    if code == .notMet {
      explain(&failure, of: index)
      missed.add(index, checks[index])
    }
    decide(index, .failed(failure))
  }

  /// Finds what came instead: the same too early, the same in another order, nearly the same, or what another
  /// expectation has taken.
  private func explain(_ failure: inout CheckState.Failure, of index: Int) {
    let check = checks[index]
    let observation = check.planned.observation
    let matcher = matcher
    let early = exhaustive.leftOvers.suffix(Self.lookBack).last {
      $0.record.instant < check.opens && matcher.matches($0.record, observation)
    }
    failure.miss = early?.record
    guard failure.miss == nil, observation.isEvent else { return }
    let window = recent.last(Self.lookBack) { $0.number > check.after && $0.instant >= check.opens }
    let free = window.filter { takers[$0.number] == nil }
    failure.miss = free.first { matcher.matches($0, observation) }
    guard failure.miss == nil else { return }
    failure.instead = free.lazy.compactMap { matcher.nearMiss($0, observation) }.first
    guard failure.instead == nil, let taken = window.first(where: { matcher.matches($0, observation) }) else { return }
    failure.miss = taken
    failure.taker = takers[taken.number]
  }

  /// What an expectation looked for may come after its window.
  private mutating func noteMisses(_ record: Record) {
    for index in checks(in: missed, for: record) {
      guard var failure = checks[index].failure, record.number > checks[index].after else { continue }
      failure.miss = record.withoutBytes
      failure.taker = nil
      failure.instead = nil
      checks[index].progress = .failed(failure)
      missed.remove(index, checks[index])
    }
  }
}
