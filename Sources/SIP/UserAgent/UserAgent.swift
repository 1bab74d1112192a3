import Instant

/// The SIP user agent of a phone: transactions, dialogs and sessions as one value without clock or sockets. It tells
/// its owner facts about sessions and takes commands about them; which message that is, is its own business.
///
/// A session is put on hold and resumed by re-INVITE, from either side (RFC 3261 14, RFC 3264 8.4): the owner says what
/// it wants, and the agent offers whenever that differs from what was agreed and no other exchange is under way.
public struct UserAgent: Hashable, Sendable {
  public let identity: UserAgentIdentity
  public let policy: UserAgentPolicy
  var transactions = TransactionLayer()
  var identifiers: IdentifierSource
  let writer: MessageWriter
  var sessions: [SessionID: Session] = [:]
  /// The sessions of confirmed and early dialogs.
  var dialogs: [Dialog.ID: SessionID] = [:]
  /// What a server transaction of an INVITE belongs to, until its session is over.
  var invited: [ServerTransactionID: SessionID] = [:]
  /// What a client transaction belongs to.
  var requested: [ClientTransactionID: Request] = [:]
  /// The dialogs that have ended not long ago.
  var endedDialogs = EndedDialogs()
  var referrals = Referrals()
  private var lastSession = 0

  /// The session of a client transaction, and what for.
  struct Request: Hashable, Sendable {
    var session: SessionID
    var purpose: Session.Purpose
  }

  public init(_ identity: UserAgentIdentity, policy: UserAgentPolicy = UserAgentPolicy()) {
    self.identity = identity
    self.policy = policy
    identifiers = IdentifierSource(
      name: identity.name, host: identity.contact.host, runPrefix: identity.runPrefix)
    writer = MessageWriter(identity)
  }

  /// Forgets everything but the identifiers that were used: the process that ran the agent is gone. The owner cancels
  /// the agent's timers.
  public mutating func restart() {
    transactions = TransactionLayer()
    sessions = [:]
    dialogs = [:]
    invited = [:]
    requested = [:]
    endedDialogs = EndedDialogs()
    referrals.removeAll()
  }

  /// How many sessions have not come to their end.
  public var sessionCount: Int { sessions.count }

  /// How many REFERs, of either side, wait for their answer or are being reported on.
  public var referralCount: Int { referrals.entries.count + referrals.subscriptions.count }

  /// Takes a message that arrived.
  public mutating func receive(
    _ message: SIPMessage, from source: Endpoint, causes: [Int]
  ) -> [UserAgentOutput] {
    if case .response = message.startLine {
      if let flaw = message.findings.first(where: \.isFatal) {
        return [.dropped(why: "\(flaw.field): \(flaw.text)", causes: causes)]
      }
      if message.values(of: "Via").count > 1 {
        return [.dropped(why: "a response with several Via is for someone else (RFC 3261 8.1.3.3)", causes: causes)]
      }
    }
    var outputs = handle(transactions.receive(message, from: source, causes: causes), causes: causes)
    outputs += declineCutOff(causes: causes)
    // It may be the ACK to a refusal of ours, which only the transaction layer has seen, and an offer waits for it.
    guard case .request(.ack, _) = message.startLine, let id = session(of: message) else { return outputs }
    return outputs + renegotiate(id, causes: causes)
  }

  /// A timer is due.
  public mutating func fire(_ timer: UserAgentTimer) -> [UserAgentOutput] {
    let outputs = take(timer)
    return outputs + declineCutOff(causes: [])
  }

  private mutating func take(_ timer: UserAgentTimer) -> [UserAgentOutput] {
    switch timer {
    case .transaction(let timer): handle(transactions.fire(timer), causes: [])
    case .trying(let id): sendTrying(id)
    case .refreshProvisional(let id): refreshProvisional(id)
    case .repeatSuccess(let id): repeatSuccess(id)
    case .awaitAcknowledgement(let id): missAcknowledgement(id)
    case .awaitCancelled(let id): giveUpCancelled(id)
    case .glare(let id): endWait(id)
    case .forgetDialogs(let id): forgetDialogs(of: id)
    case .awaitReferralAnswer(let id): answerReferral(id, accepts: false, origin: .rule, causes: [])
    case .referralSecond(let id): passSecond(of: id)
    case .awaitNotification(let id): missNotification(of: id)
    }
  }

  // MARK: The transaction layer's outputs

  mutating func handle(_ outputs: [TransactionOutput], causes: [Int]) -> [UserAgentOutput] {
    var result: [UserAgentOutput] = []
    for output in outputs { result += handle(output, causes: causes) }
    return result
  }

  private mutating func handle(_ output: TransactionOutput, causes: [Int]) -> [UserAgentOutput] {
    switch output {
    case .send(let transmission): [.send(transmission)]
    case .setTimer(let timer, let span): [.setTimer(.transaction(timer), after: span, isPeriodic: false)]
    case .cancelTimer(let timer): [.cancelTimer(.transaction(timer))]
    case .request(let id, let request, let source): receive(request, in: id, from: source, causes: causes)
    case .acknowledgement(let ack): receive(acknowledgement: ack, causes: causes)
    case .response(let id, let response, _):
      receive(response: response, in: id, causes: causes)
    case .strayResponse: [.dropped(why: "a response that belongs to no transaction", causes: causes)]
    case .timedOut(let id): timeOut(id)
    case .ended(let id): forget(id)
    case .unacknowledged(let id):
      [.dropped(why: "the refusal was never acknowledged", causes: causes)] + giveUpRefusal(id)
    case .absorbed(let why): [.dropped(why: why, causes: causes)]
    }
  }

  // MARK: Sessions

  mutating func nextRemoteSession() -> SessionID {
    lastSession += 1
    return SessionID(.remote, lastSession)
  }

  /// The user part of `o=`.
  var mediaUser: String { SIPURI(identity.addressOfRecord)?.user ?? "-" }

  /// Tells the owner once that a session is over, and before that, that no answer comes to the INFOs that are out.
  mutating func tellEnd(_ id: SessionID, _ end: SessionEnd, causes: [Int]) -> [UserAgentOutput] {
    guard let session = sessions[id], !session.endIsTold else { return [] }
    sessions[id]?.endIsTold = true
    sessions[id]?.infos = []
    return session.infos.map { _ in .event(.infoAnswered(id, status: nil), causes: causes) }
      + [.event(.ended(id, end), causes: causes)]
  }

  /// Nothing more is to be done for a session. It is kept until the transactions of its INVITEs have ended.
  mutating func close(_ id: SessionID) -> [UserAgentOutput] {
    guard let session = sessions[id] else { return [] }
    let remembered = remember(session.dialogIDs, of: id)
    keepDialog(of: id, session)
    if let dialog = session.dialog, dialogs[dialog.id] == id { dialogs[dialog.id] = nil }
    if case .callee(let received) = session.role { invited[received.transaction] = nil }
    sessions[id]?.state = .closed
    sessions[id]?.success = nil
    if session.invites.isEmpty { sessions[id] = nil }
    let timers: [UserAgentOutput] =
      remembered + [
        .cancelTimer(.trying(id)), .cancelTimer(.refreshProvisional(id)),
        .cancelTimer(.repeatSuccess(id)), .cancelTimer(.awaitAcknowledgement(id)),
        .cancelTimer(.awaitCancelled(id)), .cancelTimer(.glare(id)),
      ]
    // The answer to our re-INVITE may never come, now that the dialog is over.
    guard session.negotiation.offer != nil else { return timers }
    return timers + [.setTimer(.awaitCancelled(id), after: TransactionTiming.timeout, isPeriodic: false)]
  }

  /// A client transaction is over.
  private mutating func forget(_ transaction: ClientTransactionID) -> [UserAgentOutput] {
    guard let id = requested.removeValue(forKey: transaction)?.session, let session = sessions[id] else { return [] }
    sessions[id]?.invites.remove(transaction)
    sessions[id]?.earlier[transaction] = nil
    // No 2xx comes to an INVITE whose transaction is over: the layer takes it for a stray response.
    sessions[id]?.acknowledgements = session.acknowledgements.filter { $0.key.transaction != transaction }
    if session.state == .closed, sessions[id]?.invites.isEmpty == true { sessions[id] = nil }
    return []
  }

  /// Ends a confirmed dialog: BYE (RFC 3261 15.1.1). It does not wait for the ACK to a 2xx of ours to a re-INVITE:
  /// RFC 3261 15 has the callee wait for the ACK that confirms the dialog to the caller, and a re-INVITE meets a dialog
  /// that both sides have confirmed. The repetition of that 2xx ends with the dialog.
  mutating func sendBye(_ id: SessionID, origin: Transmission.Origin, causes: [Int]) -> [UserAgentOutput] {
    guard let session = sessions[id] else { return [] }
    var outputs: [UserAgentOutput] = []
    if session.success != nil {
      sessions[id]?.success = nil
      outputs += [.cancelTimer(.repeatSuccess(id)), .cancelTimer(.awaitAcknowledgement(id))]
    }
    if session.negotiation.state == .waiting { outputs.append(.cancelTimer(.glare(id))) }
    sessions[id]?.state = .closing
    guard let (_, sent) = request(.bye, for: .bye, in: id, origin: origin, causes: causes) else {
      let end: SessionEnd = session.hangUpCauses == nil ? .failed : .local
      return outputs + tellEnd(id, end, causes: causes) + close(id)
    }
    return outputs + sent
  }

  /// Ends a session that has failed: the owner learns it at once, and the other side by BYE, which as callee waits for
  /// the ACK (RFC 3261 15).
  mutating func fail(_ id: SessionID, because why: String? = nil, causes: [Int]) -> [UserAgentOutput] {
    guard let session = sessions[id] else { return [] }
    if let why { return [.dropped(why: why, causes: causes)] + fail(id, causes: causes) }
    switch session.state {
    case .accepting:
      if session.hangUpCauses == nil { sessions[id]?.hangUpCauses = causes }
      return tellEnd(id, .failed, causes: causes)
    case .confirmed:
      return sendBye(id, origin: .decision, causes: causes) + tellEnd(id, .failed, causes: causes)
    case .invited, .calling, .proceeding, .cancelling, .closing, .closed:
      return []
    }
  }

  /// Sends a request within a session's dialog. `nil` if it cannot be written.
  mutating func request(
    _ method: Method, for purpose: Session.Purpose, in id: SessionID, body: MessageWriter.Body? = nil,
    origin: Transmission.Origin = .decision, causes: [Int]
  ) -> (transaction: ClientTransactionID, outputs: [UserAgentOutput])? {
    guard let session = sessions[id], var dialog = session.dialog else { return nil }
    let sequence = dialog.nextSequence()
    sessions[id]?.dialog = dialog
    let destination = writer.endpoint(of: dialog.routing.nextHop) ?? destination(session)
    guard
      let request = try? writer.request(
        method, sequence: sequence, in: dialog, branch: identifiers.branch(), transport: destination.transport,
        body: body)
    else { return nil }
    let (transaction, outputs) = transactions.send(request: request, to: destination, origin: origin, causes: causes)
    requested[transaction] = Request(session: id, purpose: purpose)
    return (transaction, handle(outputs, causes: causes))
  }
}
