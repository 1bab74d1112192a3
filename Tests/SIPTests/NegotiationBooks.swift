import Testing

@testable import SIP

/// Keeps account, for two user agents, of the wishes, renewals and digits that are to be answered and of what may be
/// offered when.
struct NegotiationBooks {
  private struct Key: Hashable {
    var owner: Int
    var session: SessionID
  }

  private struct Sender: Hashable {
    var owner: Int
    var callID: String
  }

  private(set) var counts: [String: Int] = [:]
  private var problems: [String] = []
  /// The last wish of each session that is not answered.
  private var owed: [Key: Bool] = [:]
  /// The last wish of each session that was refused and has not come true since.
  private var refused: [Key: Bool] = [:]
  /// The sessions that are to be offered again, by an INVITE after the one of this number.
  private var renewals: [Key: (sender: Sender, number: Int)] = [:]
  private var digits: [Key: Int] = [:]
  private var descriptions: [Sender: SessionDescription] = [:]
  /// The number of the last INVITE, and of the last to which a final response came.
  private var offered: [Sender: Int] = [:]
  private var answered: [Sender: Int] = [:]

  func isRefused(_ session: SessionID, of owner: Int) -> Bool { refused[Key(owner: owner, session: session)] != nil }

  /// Takes a command of an owner to its agent, which is as the command has left it.
  mutating func note(
    _ command: UserAgentCommand, of owner: Int, _ agent: UserAgent, _ outputs: [UserAgentOutput]
  ) {
    switch command {
    case .setHold(let id, let isHeld):
      if outputs.contains(where: { if case .dropped = $0 { true } else { false } }) { return }
      counts[isHeld ? "holds" : "resumes", default: 0] += 1
      owed[Key(owner: owner, session: id)] = isHeld
      refused[Key(owner: owner, session: id)] = nil
    case .sendDigit(let id, _, _):
      counts["digits", default: 0] += 1
      digits[Key(owner: owner, session: id), default: 0] += 1
    case .renew(let id):
      if outputs.contains(where: { if case .dropped = $0 { true } else { false } }) { return }
      counts["renewals", default: 0] += 1
      guard let callID = agent.sessions[id]?.invite.callID else { return problems.append("\(id) cannot be renewed") }
      let sender = Sender(owner: owner, callID: callID)
      renewals[Key(owner: owner, session: id)] = (sender, offered[sender] ?? 0)
    case .ring, .accept, .reject, .hangUp, .invite, .answerReferral, .inviteReferred, .reportReferral, .refer: break
    }
  }

  mutating func note(_ event: UserAgentEvent, of owner: Int, hasEnded: [SessionID: Int]) {
    switch event {
    case .negotiated(let id, let media):
      let key = Key(owner: owner, session: id)
      if hasEnded[id] != nil { problems.append("\(id) is negotiated after its end") }
      if owed[key] == media.isHeldHere { owed[key] = nil }
      noteAnswer(in: key)
      if refused[key] == media.isHeldHere { refused[key] = nil }
    case .holdRefused(let id):
      counts["refusals", default: 0] += 1
      let wish = owed.removeValue(forKey: Key(owner: owner, session: id))
      if wish == nil { problems.append("nobody waits for the refusal in \(id)") }
      noteAnswer(in: Key(owner: owner, session: id))
      refused[Key(owner: owner, session: id)] = wish
    case .infoAnswered(let id, _): digits[Key(owner: owner, session: id), default: 0] -= 1
    case .ended(let id, _):
      owed[Key(owner: owner, session: id)] = nil
      renewals[Key(owner: owner, session: id)] = nil
      if digits[Key(owner: owner, session: id), default: 0] != 0 { problems.append("\(id) ends and owes a digit") }
    case .invited, .acceptSent, .acknowledged, .inviteSent, .provisional, .redirected, .answered, .referred,
      .referral, .callIDChanged:
      break
    }
  }

  private mutating func noteAnswer(in key: Key) {
    guard let (sender, number) = renewals[key], offered[sender, default: 0] > number else { return }
    renewals[key] = nil
  }

  /// RFC 3261 14.1: one INVITE at a time; RFC 3264 8: a version for each description.
  mutating func note(sent message: SIPMessage, by owner: Int) {
    let sender = Sender(owner: owner, callID: message.callID)
    if case .request(.invite, _) = message.startLine, let number = message.sequence?.number {
      if let last = offered[sender], last < number, answered[sender] != last {
        problems.append("an INVITE before the last one is answered")
      }
      offered[sender] = number
    }
    guard let description = message.sessionDescription else { return }
    defer { descriptions[sender] = description }
    guard let last = descriptions[sender], last != description else { return }
    let versions = [last, description].map { $0.origin.flatMap { Int($0.version) } ?? 0 }
    if versions[1] != versions[0] + 1 { problems.append("version \(versions[1]) after \(versions[0])") }
  }

  mutating func note(arrived message: SIPMessage, at owner: Int) {
    guard case .response(200..., _) = message.startLine, message.method == .invite else { return }
    let sender = Sender(owner: owner, callID: message.callID)
    answered[sender] = max(answered[sender] ?? 0, message.sequence?.number ?? 0)
  }

  /// What is wrong, and what is owed at the end.
  func close() -> [String] {
    var problems = problems
    if !owed.isEmpty { problems.append("\(owed.count) wishes are not answered") }
    if !renewals.isEmpty { problems.append("\(renewals.count) renewals are not answered") }
    if digits.values.contains(where: { $0 != 0 }) { problems.append("a digit is not answered once") }
    return problems
  }
}
