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

  private var intact: [InvariantCheck]
  private(set) var violations: [Violation] = []
  /// The actions that the app has completed.
  private var completed: Set<Int> = []

  init(_ invariants: [InvariantCheck]) {
    intact = invariants
  }

  /// Looks at the state after an instant and at the records of that instant.
  mutating func check(_ matcher: Matcher, records: [Record], at instant: Instant) {
    let repeated = repeatedCompletions(records)
    var remaining: [InvariantCheck] = []
    for invariant in intact {
      if let facts = violation(of: invariant.invariant, matcher, records, repeated) {
        violations.append(Violation(invariant: invariant, instant: instant, facts: facts))
      } else {
        remaining.append(invariant)
      }
    }
    intact = remaining
  }

  /// What violates the invariant; `nil` if it holds.
  private func violation(
    of invariant: InvariantCheck.Invariant, _ matcher: Matcher, _ records: [Record], _ repeated: [Record]
  ) -> [String]? {
    switch invariant {
    case .atMost(let limit, let state):
      let calls = matcher.book.calls.filter { $0.isIn(state) }.map(\.name)
      guard calls.count > limit else { return nil }
      return ["\(calls.joined(separator: ", ")) \(calls.count == 1 ? "was" : "were") \(state)"]
    case .implies(let observation, let quantifier, let states):
      guard matcher.holds(observation) ?? records.contains(where: { matcher.matches($0, observation) }) else {
        return nil
      }
      func fits(_ call: CallBook.Call) -> Bool { states.contains(where: call.isIn) }
      let calls = matcher.book.calls
      let isMet =
        switch quantifier {
        case .some: calls.contains(where: fits)
        // A call that is over takes part only where the invariant speaks of ended calls.
        case .each: calls.filter { $0.state != "ended" || states.contains("ended") }.allSatisfy(fits)
        }
      return isMet ? nil : calls.map { "state of \($0.name) was \($0.state ?? "not known")" }
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
      guard action.status == .fulfilled || action.status == .failed else { continue }
      if !completed.insert(action.id).inserted { repeated.append(record) }
    }
    return repeated
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
