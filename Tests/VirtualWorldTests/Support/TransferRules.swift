import Timeline

/// Reads the finished timeline of a transfer: CallKit's calls keep their UUIDs, each ends once, and the user is told once
/// how the transfer went.
struct TransferRules {
  private(set) var violations: [String] = []

  init(_ run: TransferRun) {
    var uuids: [String: String] = [:]
    var ends: [String: Int] = [:]
    var begun = 0
    var outcomes = 0
    var asked: Set<Int> = []
    for record in run.records {
      func note(_ what: String) { violations.append("\(record.number) at \(record.instant): \(what)") }
      if let call = record.call {
        if !run.names.contains(call.name) { note("a call of its own: \(call.name)") }
        if let uuid = call.uuid, uuids.updateValue(uuid, forKey: call.name) ?? uuid != uuid { note("another UUID") }
      }
      switch record.event {
      case .state(_, "ended", _): ends[record.call?.uuid ?? "", default: 0] += 1
      case .report(.incoming): begun += 1
      case .action(let action) where action.kind == "start" && action.status == .pending: begun += 1
      case .sip(let sip)
      where sip.message.from == "phone" && sip.message.method == "REFER" && sip.message.status == nil:
        asked.insert(sip.message.id)
      case .transfer(let news):
        if outcomes > 0 { note("\(news.words) after the outcome") }
        if news.phase.isFinal { outcomes += 1 }
      default: break
      }
    }
    if begun != run.names.count { violations.append("CallKit was told of \(begun) calls") }
    if Set(uuids.keys) != Set(run.names) { violations.append("no UUID for \(run.names)") }
    for name in run.names where ends[uuids[name] ?? ""] != 1 {
      violations.append("\(name) ended \(ends[uuids[name] ?? ""] ?? 0) times")
    }
    if outcomes != (asked.isEmpty ? 0 : 1) || asked.count > 1 {
      violations.append("\(outcomes) outcomes of \(asked.count) transfers")
    }
  }
}
