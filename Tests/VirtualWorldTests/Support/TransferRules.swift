import Timeline

/// Reads the finished timeline of a transfer: CallKit's calls keep their UUIDs and each ends once (LP-20), whoever asked
/// for the transfer is told once how it went (RFC 3515 2.4.7), and so is the user.
struct TransferRules {
  private(set) var violations: [String] = []
  private var uuids: [String: String] = [:]
  /// How often each call has ended, by its name.
  private var ends: [String: Int] = [:]
  private var begun = 0
  /// The REFERs of the phone and those that it has accepted, by the numbers of the messages.
  private var asked: Set<Int> = []
  private var accepted: Set<Int> = []
  /// The reports of the phone in their order, and what it has told the user to be the outcome.
  private var reports: [Int] = []
  private var outcomes = 0

  init(_ run: TransferRun) {
    for record in run.records { read(record, run) }
    if begun != run.names.count { violations.append("CallKit was told of \(begun) calls") }
    if Set(uuids.keys) != Set(run.names) { violations.append("only \(uuids.keys.sorted()) have UUIDs") }
    for name in run.names where ends[name] != 1 { violations.append("\(name) ended \(ends[name] ?? 0) times") }
    if asked.count > 1 { violations.append("\(asked.count) REFERs") }
    if outcomes != (run.order.form.isTransferor ? 1 : 0) { violations.append("\(outcomes) outcomes") }
    let finals = reports.filter { $0 >= 200 }.count
    let isLost = run.order.happenings.contains(.notifyLost)
    if finals > accepted.count || finals < accepted.count && !isLost {
      violations.append("\(finals) last reports on \(accepted.count) REFERs")
    }
    if finals > 0, reports.last.map({ $0 < 200 }) ?? true { violations.append("a report after the last one") }
  }

  private mutating func read(_ record: Record, _ run: TransferRun) {
    func note(_ what: String) -> String { "\(record.number) at \(record.instant): \(what)" }
    if let call = record.call {
      if !run.names.contains(call.name) { violations.append(note("a call of its own: \(call.name)")) }
      if let uuid = call.uuid, uuids.updateValue(uuid, forKey: call.name) ?? uuid != uuid {
        violations.append(note("another UUID"))
      }
    }
    switch record.event {
    case .state(_, "ended", _): ends[record.call?.name ?? "", default: 0] += 1
    case .report(.incoming): begun += 1
    case .action(let action) where action.kind == "start" && action.status == .pending: begun += 1
    case .sip(let sip) where sip.message.from == "phone" && sip.message.origin != .retransmission:
      if case .sent = sip.phase { read(sip.message) }
    case .transfer(let news):
      if outcomes > 0 { violations.append(note("\(news.words) after the outcome")) }
      if news.phase.isFinal { outcomes += 1 }
    default: break
    }
  }

  private mutating func read(_ message: MessageFacts) {
    switch (message.method, message.status) {
    case ("REFER", nil): asked.insert(message.id)
    case ("REFER", 200): accepted.insert(message.id)
    case ("NOTIFY", nil): reports.append(message.fragment ?? 0)
    default: break
    }
  }
}
