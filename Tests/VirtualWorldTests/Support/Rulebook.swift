import CallEngine
import Instant
import Timeline

/// Reads a finished timeline and notes what contradicts a rule.
struct Rulebook {
  private(set) var violations: [String] = []

  private struct Shown {
    var isAccepted = false
    var isRefused = false
    /// The actions that began or answered the call have been failed, which closes it on the system's side.
    var isFailed = false
    var ends = 0
  }

  /// What the phone has sent for one INVITE that it received.
  private struct Received {
    var finals: Set<Int> = []
    var acceptedAt: Instant?
    var isAcknowledged = false
  }

  private var shown: [String: Shown] = [:]
  private var deliveries: [Int: Int] = [:]
  private var completions: [Int: Int] = [:]
  private var received: [String: Received] = [:]
  private var answered: Set<String> = []
  private var acknowledged: Set<String> = []
  private var succeeded: Set<String> = []
  private var hungUp: Set<String> = []
  private var unitRuns = false
  private var sessionIsActive = false
  /// Whether the script was the last to change the session.
  private var sessionIsTheScripts = false
  private var talk = TalkRules()

  init(_ records: [Record]) {
    for (index, record) in records.enumerated() {
      if record.number != index + 1 { note("the number is not \(index + 1)", record) }
      if record.causes.contains(where: { $0 >= record.number }) { note("a cause is not earlier", record) }
      if record.causes.isEmpty, !isStimulus(record) { note("nothing brought it about", record) }
      read(record)
      violations += talk.read(record)
    }
    finish()
    violations += talk.finish()
  }

  private mutating func note(_ what: String, _ record: Record) {
    violations.append("\(record.number) at \(record.instant): \(what): \(record.event.words)")
  }

  /// Whether only the script can have done it.
  private func isStimulus(_ record: Record) -> Bool {
    switch record.event {
    case .push, .user, .lifecycle(.vanishes), .lifecycle(.returns), .lifecycle(.networkLost),
      .lifecycle(.networkRestored):
      true
    case .audio, .fault: record.from == "system"
    case .ignored: record.from != "phone"
    case .sip(let sip): record.from != "phone" && sip.message.origin == .decision
    default: false
    }
  }

  private mutating func read(_ record: Record) {
    switch record.event {
    case .action(let action): read(action, record)
    case .report(let report): if let uuid = record.call?.uuid { read(report, uuid, record) }
    case .audio(let audio): read(audio, record)
    case .sip(let sip): read(sip, record)
    default: break
    }
  }

  private mutating func read(_ action: ActionEvent, _ record: Record) {
    switch action.status {
    case .pending: deliveries[action.id, default: 0] += 1
    case .fulfilled, .failed, .timedOut: completions[action.id, default: 0] += 1
    }
    if deliveries[action.id] != 1 { note("delivered \(deliveries[action.id] ?? 0) times", record) }
    if completions[action.id, default: 0] > 1 { note("completed twice", record) }
    guard let uuid = record.call?.uuid else { return note("an action of no call", record) }
    switch (action.kind, action.status) {
    case ("start", .pending): shown[uuid, default: Shown()].isAccepted = true
    case ("end", .fulfilled): shown[uuid]?.ends += 1
    case ("answer", .failed), ("start", .failed): shown[uuid]?.isFailed = true
    default: break
    }
  }

  private mutating func read(_ report: ReportEvent, _ uuid: String, _ record: Record) {
    if let call = shown[uuid], call.ends > 0 || call.isRefused, record.from == "phone" {
      if case .incoming = report {} else { note("reported after its end", record) }
    }
    switch report {
    case .incoming: shown[uuid] = shown[uuid] ?? Shown()
    case .accepted: shown[uuid]?.isAccepted = true
    case .refused(let error): if error != "callUUIDAlreadyExists" { shown[uuid]?.isRefused = true }
    case .ended:
      if shown[uuid]?.isAccepted != true { note("the end of a call that the system does not show", record) }
      shown[uuid]?.ends += 1
    case .updated, .connected, .startedConnecting:
      if shown[uuid]?.isAccepted != true { note("a report of a call that the system does not show", record) }
    }
  }

  private mutating func read(_ audio: AudioEvent, _ record: Record) {
    switch audio {
    case .activates, .deactivates, .interrupted: sessionIsTheScripts = record.causes.isEmpty
    default: break
    }
    switch audio {
    case .unitStarts:
      if unitRuns || !sessionIsActive { note("the unit may not start", record) }
      unitRuns = true
    case .unitStops: unitRuns = false
    case .activates: sessionIsActive = true
    case .deactivates: sessionIsActive = false
    case .interrupted: sessionIsActive = false
    case .microphoneOpens, .microphoneCloses:
      if !unitRuns { note("the microphone of a unit that does not run", record) }
    case .interruptionEnds, .unitFails, .silent, .heard: break
    case .configures: if unitRuns { note("configured under a running unit", record) }
    }
  }

  private mutating func read(_ sip: SIPEvent, _ record: Record) {
    let message = sip.message
    let dialog = "\(message.callID) \([message.fromTag ?? "", message.toTag ?? ""].sorted())"
    switch (sip.phase, message.status, message.method) {
    case (.sent, let status?, "INVITE") where message.from == "phone" && status >= 200:
      let key = "\(message.callID) \(message.sequence) \(message.fromTag ?? "") \(message.branch ?? "")"
      received[key, default: Received()].finals.insert(status)
      // An INVITE that comes again after its transaction is over is a new one, which may be refused otherwise.
      if let finals = received[key]?.finals, finals.contains(where: { $0 < 300 }), finals.count != 1 {
        note("accepted and refused", record)
      }
      if status < 300 {
        // Only the first INVITE of the other side: BYE does not wait for the ACK to a later 2xx.
        if received[dialog] == nil, !acknowledged.contains(dialog) {
          received[dialog] = Received(acceptedAt: record.instant)
        }
        answered.insert(dialog)
      }
    case (.sent, nil, "ACK") where message.from == "phone": acknowledged.insert(dialog)
    case (.arrived, let status?, "INVITE") where message.to == "phone" && 200..<300 ~= status:
      succeeded.insert(dialog)
    case (.arrived, nil, "ACK") where message.to == "phone": received[dialog]?.isAcknowledged = true
    case (.arrived, nil, "BYE") where message.to == "phone": hungUp.insert(dialog)
    case (.sent, nil, "BYE") where message.from == "phone":
      hungUp.insert(dialog)
      if let callee = received[dialog], let start = callee.acceptedAt, !callee.isAcknowledged,
        record.instant < start + .seconds(32)
      {
        note("BYE before the ACK", record)
      }
    default: break
    }
  }

  private mutating func finish() {
    for (id, count) in deliveries.sorted(by: { $0.key < $1.key }) where completions[id] != count {
      violations.append("action \(id) was never completed")
    }
    for (uuid, call) in shown.sorted(by: { $0.key < $1.key }) {
      if call.isAccepted, !call.isRefused, call.ends != 1, !(call.isFailed && call.ends == 0) {
        violations.append("\(uuid) was closed \(call.ends) times")
      }
      if !call.isAccepted, !call.isRefused { violations.append("\(uuid) was never answered by the system") }
    }
    // A 2xx that comes after its transaction has timed out is not acknowledged: its sender ends that dialog.
    answered.formUnion(acknowledged.intersection(succeeded))
    for dialog in answered.subtracting(hungUp).sorted() { violations.append("\(dialog) was never ended") }
    if unitRuns { violations.append("the unit runs at the end") }
    if sessionIsActive, !sessionIsTheScripts { violations.append("the session is active at the end") }
  }
}
