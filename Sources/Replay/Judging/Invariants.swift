import Instant
import Scenario
import Timeline

/// Checks the scenario's invariants after every instant. Each is reported once, at its first violation.
struct Invariants: Hashable, Sendable {
  /// The first violation of one invariant.
  struct Violation: Hashable, Sendable {
    var invariant: InvariantCheck
    var instant: Instant
    /// What was the case.
    var facts: [String]
  }

  /// An invariant that has held so far.
  private struct Intact: Hashable, Sendable {
    var check: InvariantCheck
    /// The calls that it counts.
    var counted: Set<String> = []
  }

  private var intact: [Intact]
  private(set) var violations: [Violation] = []
  /// The actions that the app has completed. An app that was launched again numbers its own from the beginning.
  private var completed: Set<Int> = []

  init(_ invariants: [InvariantCheck]) {
    intact = invariants.map { Intact(check: $0) }
  }

  /// Looks at the state after an instant, at the records of that instant, and at the calls that they are about.
  mutating func check(_ matcher: Matcher, records: [Record], of calls: Set<String>, at instant: Instant) {
    let repeated = repeatedCompletions(records)
    intact = intact.compactMap { invariant in
      var invariant = invariant
      for name in calls {
        if let call = matcher.book[name], invariant.check.invariant.counts(call) {
          invariant.counted.insert(name)
        } else {
          invariant.counted.remove(name)
        }
      }
      guard let facts = violation(of: invariant, matcher, records, repeated) else { return invariant }
      violations.append(Violation(invariant: invariant.check, instant: instant, facts: facts))
      return nil
    }
  }

  /// What violates the invariant; `nil` if it holds.
  private func violation(
    of intact: Intact, _ matcher: Matcher, _ records: [Record], _ repeated: [Record]
  ) -> [String]? {
    switch intact.check.invariant {
    case .atMost(let limit, let state):
      guard intact.counted.count > limit else { return nil }
      let names = matcher.book.calls.map(\.name).filter(intact.counted.contains)
      return ["\(names.joined(separator: ", ")) \(names.count == 1 ? "was" : "were") \(state)"]
    case .implies(let observation, let quantifier, _):
      guard matcher.holds(observation) ?? records.contains(where: { matcher.matches($0, observation) }) else {
        return nil
      }
      let isMet =
        switch quantifier {
        case .some: !intact.counted.isEmpty
        case .each: intact.counted.isEmpty
        }
      return isMet ? nil : matcher.book.calls.map { "state of \($0.name) was \($0.state ?? "not known")" }
    case .eachActionCompletedOnce:
      let facts = repeated.compactMap { record -> String? in
        guard case .action(let action) = record.event else { return nil }
        let call = record.call.map { " of \($0.name)" } ?? ""
        return "action \(action.kind)\(call) was completed again (event \(record.number))"
      }
      return facts.isEmpty ? nil : facts
    }
  }

  private mutating func repeatedCompletions(_ records: [Record]) -> [Record] {
    var repeated: [Record] = []
    for record in records {
      guard case .action(let action) = record.event else { continue }
      switch action.status {
      case .pending: completed.remove(action.id)
      case .fulfilled, .failed: if !completed.insert(action.id).inserted { repeated.append(record) }
      case .timedOut: break
      }
    }
    return repeated
  }
}

extension InvariantCheck.Invariant {
  /// Whether the number of the calls that are like this one decides the invariant.
  fileprivate func counts(_ call: CallBook.Call) -> Bool {
    switch self {
    case .atMost(_, let state): call.isIn(state)
    case .implies(_, .some, let states): states.contains(where: call.isIn)
    // A call that is over takes part only where the invariant speaks of ended calls.
    case .implies(_, .each, let states):
      (call.state != "ended" || states.contains("ended")) && !states.contains(where: call.isIn)
    case .eachActionCompletedOnce: false
    }
  }
}

extension CallBook {
  /// The state of a call and its open actions, as a note to a failure.
  func situation(of name: String?) -> [String] {
    guard let name else { return [] }
    guard let call = self[name] else { return ["nothing was known of \(name)"] }
    let actions = call.open.map(\.kind).joined(separator: ", ")
    let state = "state of \(name) was \(call.state ?? "not known")"
    return [state + (actions.isEmpty ? "" : ", open action\(call.open.count == 1 ? "" : "s"): \(actions)")]
  }
}
