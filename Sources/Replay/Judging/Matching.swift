import SIP
import Scenario
import Timeline

/// Decides whether a record is what an observation looks for, and whether a question is answered with yes.
struct Matcher {
  let book: CallBook
  let labels: LabelTable
  let values: Substitution
  /// The bytes of messages by their numbers, where header fields are looked at.
  let messages: [Int: [UInt8]]

  /// Whether the record is an event that the observation means. Questions about a state never match a record.
  func matches(_ record: Record, _ observation: Observation) -> Bool {
    switch (observation, record.event) {
    case (.message(let arrow), .sip(let event)):
      return event.isMeantByChecks(phone: book.phone) && matches(event, of: record.call?.name, arrow)
    case (.reports(let call, let word), .report(let report)):
      return (call == nil || call == record.call?.name) && word.matches(report)
    case (.updates(let call, let caller, let handle), .report(.updated(let newCaller, let newHandle))):
      guard call == nil || call == record.call?.name else { return false }
      return agrees(caller, newCaller) && agrees(handle, newHandle)
    case (.requests(let call, let action), .request(.asked(_, let kinds))):
      return call == record.call?.name && kinds.contains(action)
    case (.becomes(let call, let state, let reason), .state(let old, let new, let newReason)):
      return call == record.call?.name && state == new && old != new && (reason == nil || reason == newReason)
    case (.action(let call, let kind, _, let status), .action(let action)):
      return call == record.call?.name && kind == action.kind && status == action.status.rawValue
    case (.transfer(let call, let phase, let status), .transfer(let transfer)):
      guard call == record.call?.name, phase == transfer.phase.rawValue else { return false }
      return status == nil || status == transfer.status
    case (.audio(let word), .audio(let event)):
      return word == event.word
    case (.audioUnit(let starts), .audio(let event)):
      return event == (starts ? .unitStarts : .unitStops)
    case (.deviceCrashes, .lifecycle(.killed)):
      // What the script kills does not crash.
      return record.line == nil
    default:
      return false
    }
  }

  /// Whether a question about a state is answered with yes now; `nil` for what is an event.
  func holds(_ observation: Observation) -> Bool? {
    switch observation {
    case .isInState(let call, let states):
      return states.contains { book[call]?.isIn($0) ?? false }
    case .action(let call, let kind, becomes: false, let status):
      guard let outcome = book[call]?.outcomes[kind] else { return false }
      return outcome.rawValue == status
    case .audioIs(let word):
      switch word {
      case "active": return book.audioIsActive
      case "inactive": return !book.audioIsActive
      case "configured": return book.audioIsConfigured
      case "interrupted": return book.audioIsInterrupted
      default: return false
      }
    case .audioIsSilent(let cause):
      return book.silences.contains { cause == nil || cause == $0.cause.rawValue }
    case .audioUnitIs(let running):
      return book.unitRuns == running
    case .has(let call, let property, let value):
      guard let facts = book[call] else { return false }
      // A Call-ID that the call has had still leads to it.
      if property == "call-id" { return facts.callIDs.contains { agrees(value, $0) } }
      return agrees(value, facts.property(property))
    case .uuidUnchanged(let call, let label):
      guard let then = labels[label]?.calls[call]?.uuid else { return false }
      return book[call]?.uuid == then
    case .deviceIs(let word, let reason):
      switch word {
      case "running": return book.killed == nil
      case "killed": return book.killed.map { why in reason.map { why.contains($0) } ?? true } ?? false
      default: return false
      }
    case .faultsFired(let names):
      return names.allSatisfy(book.firedFaults.contains)
    case .message, .reports, .updates, .requests, .transfer, .becomes, .action, .audio, .audioUnit, .deviceCrashes:
      return nil
    }
  }

  /// Whether the arrow means the message; also for `ignore`.
  func matches(_ event: SIPEvent, of call: String?, _ arrow: Arrow) -> Bool {
    let message = event.message
    guard let pattern = pattern(for: arrow), pattern.matches(message, call: call) else { return false }
    guard (message.origin == .retransmission) == arrow.isRetransmission else { return false }
    if let role = arrow.role, role.rawValue != message.session?.role.rawValue { return false }
    if let direction = arrow.direction, direction != message.session?.direction { return false }
    if let fragment = arrow.fragment, fragment != message.fragment { return false }
    if let callID = arrow.callID, !agrees(callID, message.callID) { return false }
    if case .callAt(let label, let name) = arrow.subject, labels[label]?.calls[name]?.callID != message.callID {
      return false
    }
    return arrow.with.isEmpty && arrow.without.isEmpty || headersAgree(event, arrow)
  }

  /// The pattern of an arrow; `nil` while a label that it names has not happened, or if it is raw text.
  private func pattern(for arrow: Arrow) -> MessagePattern? {
    var method: String?
    var pattern = MessagePattern(from: arrow.from, to: arrow.to, what: .any)
    switch arrow.subject {
    case .none, .anyCall: break
    case .method(let name): method = name
    case .call(let name), .callAt(_, let name): pattern.call = name
    case .label(let label):
      guard let message = labels[label]?.message else { return nil }
      pattern.transaction = MessagePattern.Transaction(
        callID: message.callID, sequence: message.sequence,
        requester: message.status == nil ? message.from : message.to)
      // A CANCEL has the number of its INVITE: the method tells their responses apart.
      method = message.method
    }
    guard let what = MessagePattern.What(arrow.what, ofMethod: method) else { return nil }
    pattern.what = what
    return pattern
  }

  /// Whether the header fields are there, and those left out are not.
  private func headersAgree(_ event: SIPEvent, _ arrow: Arrow) -> Bool {
    guard let bytes = messages[event.message.id], let message = try? SIPMessage(reading: bytes) else { return false }
    if arrow.without.contains(where: { message.value(of: $0) != nil }) { return false }
    return arrow.with.allSatisfy { line in
      guard let text = try? values.text(line), let (name, value) = headerField(text) else { return false }
      return message.values(of: name).contains(value)
    }
  }

  private func agrees(_ wanted: TemplateText?, _ value: String?) -> Bool {
    guard let wanted else { return true }
    guard let text = try? values.text(wanted) else { return false }
    return text == value
  }
}

extension Observation {
  /// Whether a record can be what is looked for; else it is a question about a state.
  var isEvent: Bool {
    switch self {
    case .message, .reports, .updates, .requests, .transfer, .becomes, .audio, .audioUnit, .deviceCrashes: true
    case .action(_, _, let becomes, let status): becomes || status != ActionEvent.Status.pending.rawValue
    case .isInState, .audioIs, .audioIsSilent, .audioUnitIs, .has, .uuidUnchanged, .deviceIs, .faultsFired: false
    }
  }

  /// The call that the observation names.
  var call: String? {
    switch self {
    case .message(let arrow):
      switch arrow.subject {
      case .call(let name), .callAt(_, let name): name
      case .none, .label, .method, .anyCall: nil
      }
    case .reports(let call, _), .updates(let call, _, _): call
    case .requests(let call, _), .transfer(let call, _, _), .becomes(let call, _, _), .isInState(let call, _),
      .action(let call, _, _, _), .has(let call, _, _), .uuidUnchanged(let call, _):
      call
    case .audio, .audioIs, .audioIsSilent, .audioUnit, .audioUnitIs, .deviceIs, .deviceCrashes, .faultsFired: nil
    }
  }
}

extension Observation.ReportWord {
  fileprivate func matches(_ report: ReportEvent) -> Bool {
    switch (self, report) {
    case (.incoming, .incoming), (.connecting, .startedConnecting), (.connected, .connected): true
    case (.ended(let reason), .ended(let given)): reason == nil || reason == given
    default: false
    }
  }
}

extension CallBook.Call {
  /// Whether the call is in this state; `connected` means that CallKit knows it as connected.
  func isIn(_ word: String) -> Bool {
    word == "connected" ? isConnected : state == word
  }

  /// What `c1 has …` asks for.
  func property(_ name: String) -> String? {
    switch name {
    case "dialog call-id": callID
    case "caller": caller
    case "handle": handle
    case "mute": isMuted ? "on" : "off"
    case "media": dialog.media.direction
    case "dtmf": digits.sent
    default: nil
    }
  }
}
