import Scenario

extension Plan {
  /// For each label the calls of which something asks what identified them then.
  var rememberedCalls: [String: Set<String>] {
    var result: [String: Set<String>] = [:]
    func note(_ observation: Observation) {
      switch observation {
      case .uuidUnchanged(let call, let label): result[label, default: []].insert(call)
      case .message(let arrow): note(arrow)
      default: break
      }
    }
    func note(_ arrow: Arrow) {
      if case .callAt(let label, let call) = arrow.subject { result[label, default: []].insert(call) }
    }
    for block in blocks {
      if case .message(let arrow) = block.stimulus { note(arrow) }
      for check in block.checks { note(check.observation) }
    }
    for invariant in invariants {
      if let observation = invariant.invariant.observation { note(observation) }
    }
    for arrow in ignored { note(arrow) }
    return result
  }
}
