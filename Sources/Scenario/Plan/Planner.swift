import Instant

/// Makes the plan of one case with chosen values.
struct Planner {
  let tree: SyntaxTree
  let outline: Outline

  func plan(_ branch: Outline.Case?, _ params: [ParamValue], title: String) -> Plan? {
    guard let device = tree.devices.first else { return nil }
    var lines = outline.trunk
    if let branch {
      lines = Array(outline.trunk.prefix(branch.fork + 1))
      if let place = branch.insertion, place <= lines.count {
        lines.insert(contentsOf: branch.inserted, at: place)
      }
      lines += branch.lines
    }
    let calls = Set(tree.calls.map(\.name))
    let values = Dictionary(params.map { ($0.name, $0.value) }) { first, _ in first }
    let start = Block(
      when: .at(.zero), stimulus: .start, label: nil, isOptional: false, checks: [],
      range: SourceRange(line: 1, column: 1, length: 1))
    var blocks: [Block] = []
    for line in lines {
      switch line.statement {
      case .timed(let timed):
        var stimulus = timed.stimulus
        switch stimulus {
        case .message(let arrow): stimulus = .message(resolved(arrow, calls))
        case .user(let acts, let inApp): stimulus = .user(acts.map { resolved($0, calls) }, inApp: inApp)
        default: break
        }
        blocks.append(
          Block(
            when: when(timed.when, values), stimulus: stimulus, label: timed.label?.text, isOptional: line.isOptional,
            checks: [], range: timed.range))
      case .check(let found):
        var check = found.check
        if case .message(let arrow) = check.observation { check.observation = .message(resolved(arrow, calls)) }
        if case .expect(.some) = check.kind { check.order = line.order }
        if blocks.isEmpty { blocks.append(start) }
        blocks[blocks.count - 1].checks.append(check)
      default: break
      }
    }
    return Plan(
      title: title, seed: tree.seed ?? 1, mode: tree.mode ?? .exhaustive, caseName: branch?.name, params: params,
      device: device, peers: tree.peers, links: tree.links, calls: tree.calls,
      faults: tree.faults.map { fault in
        var fault = fault
        fault.arrow = resolved(fault.arrow, calls)
        return fault
      },
      texts: outline.texts.merging(branch?.texts ?? [:]) { $1 }, ignored: tree.ignored.map { resolved($0, calls) },
      invariants: outline.invariants + (branch?.invariants ?? []), blocks: blocks)
  }

  /// `200 inv` without `to`: a name that is no call's is a label's.
  private func resolved(_ arrow: Arrow, _ calls: Set<String>) -> Arrow {
    guard case .call(let name) = arrow.subject, !calls.contains(name) else { return arrow }
    var arrow = arrow
    arrow.subject = .label(name)
    return arrow
  }

  /// Peers and calls have names of their own: whose name it is decides what kind of transfer is meant.
  private func resolved(_ act: UserAct, _ calls: Set<String>) -> UserAct {
    guard case .transfers(let call, let target) = act, calls.contains(target) else { return act }
    return .connects(call: call, with: target)
  }

  private func when(_ when: TimedLine.When, _ values: [String: String]) -> When {
    switch when {
    case .at(let span): return .at(span)
    case .after(let span): return .after(span)
    case .on(let label, let span): return .on(label: label, span)
    case .next: return .next
    case .afterParam(let name):
      guard let value = values[name], case .span(let span) = Duration.read(value)
      else { return .after(.zero) }
      return .after(span)
    }
  }
}
