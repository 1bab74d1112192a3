import Scenario

extension Plan {
  /// Whether some check, or what exhaustive mode passes over, asks for header fields.
  var looksAtHeaders: Bool {
    let observed = blocks.flatMap(\.checks).map(\.observation) + invariants.compactMap(\.invariant.observation)
    let arrows = observed.compactMap { if case .message(let arrow) = $0 { arrow } else { nil } }
    return (arrows + ignored).contains { !$0.with.isEmpty || !$0.without.isEmpty }
  }
}

extension InvariantCheck.Invariant {
  /// The observation that it begins with.
  var observation: Observation? {
    switch self {
    case .implies(let observation, _, _): observation
    case .atMost, .eachActionCompletedOnce: nil
    }
  }
}
