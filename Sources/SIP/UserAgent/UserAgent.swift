import Instant

/// The SIP user agent of a phone: transactions, dialogs and sessions as one value without clock or sockets. It tells
/// its owner facts about sessions and takes commands about them; which message that is, is its own business.
///
/// A session renegotiates nothing yet: an INVITE within a dialog is refused with 488, which leaves the session as it is
/// (RFC 3261 14.2).
public struct UserAgent: Hashable, Sendable {
  public let identity: UserAgentIdentity
  var transactions = TransactionLayer()
  var identifiers: IdentifierSource
  let writer: MessageWriter
  var sessions: [SessionID: Session] = [:]
  /// The sessions of confirmed and early dialogs.
  var dialogs: [Dialog.ID: SessionID] = [:]
  /// What a server transaction of an INVITE belongs to, until its session is over.
  var invited: [ServerTransactionID: SessionID] = [:]
  /// What a client transaction of an INVITE or a BYE belongs to.
  var requested: [ClientTransactionID: SessionID] = [:]
  private var lastSession = 0

  public init(_ identity: UserAgentIdentity) {
    self.identity = identity
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
  }

  /// How many sessions have not come to their end.
  public var sessionCount: Int { sessions.count }

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
    return handle(transactions.receive(message, from: source, causes: causes), causes: causes)
  }

  /// A timer is due.
  public mutating func fire(_ timer: UserAgentTimer) -> [UserAgentOutput] {
    switch timer {
    case .transaction(let timer): handle(transactions.fire(timer), causes: [])
    case .trying(let id): sendTrying(id)
    case .refreshProvisional(let id): refreshProvisional(id)
    case .repeatSuccess(let id): repeatSuccess(id)
    case .awaitAcknowledgement(let id): missAcknowledgement(id)
    case .awaitCancelled(let id): giveUpCancelled(id)
    case .glare: []
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
    case .unacknowledged: [.dropped(why: "the refusal was never acknowledged", causes: causes)]
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

  /// Tells the owner once that a session is over.
  mutating func tellEnd(_ id: SessionID, _ end: SessionEnd, causes: [Int]) -> [UserAgentOutput] {
    guard sessions[id]?.endIsTold == false else { return [] }
    sessions[id]?.endIsTold = true
    return [.event(.ended(id, end), causes: causes)]
  }

  /// Nothing more is to be done for a session. As caller it is kept until its INVITE transaction ends.
  mutating func close(_ id: SessionID) -> [UserAgentOutput] {
    guard let session = sessions[id] else { return [] }
    if let dialog = session.dialog, dialogs[dialog.id] == id { dialogs[dialog.id] = nil }
    let timers: [UserAgentOutput] = [
      .cancelTimer(.trying(id)), .cancelTimer(.refreshProvisional(id)),
      .cancelTimer(.repeatSuccess(id)), .cancelTimer(.awaitAcknowledgement(id)),
      .cancelTimer(.awaitCancelled(id)),
    ]
    switch session.role {
    case .callee(let received):
      invited[received.transaction] = nil
      sessions[id] = nil
    case .caller(let sent):
      sessions[id]?.state = .closed
      if requested[sent.transaction] == nil { sessions[id] = nil }
    }
    return timers
  }

  /// A client transaction is over.
  private mutating func forget(_ transaction: ClientTransactionID) -> [UserAgentOutput] {
    guard let id = requested.removeValue(forKey: transaction), let session = sessions[id] else { return [] }
    if case .caller(let sent) = session.role, sent.transaction == transaction, session.state == .closed {
      sessions[id] = nil
    }
    return []
  }

  /// Ends a confirmed dialog: BYE (RFC 3261 15.1.1).
  mutating func sendBye(_ id: SessionID, origin: Transmission.Origin, causes: [Int]) -> [UserAgentOutput] {
    guard let session = sessions[id], var dialog = session.dialog else { return close(id) }
    let sequence = dialog.nextSequence()
    sessions[id]?.dialog = dialog
    sessions[id]?.state = .closing
    let destination = writer.endpoint(of: dialog.routing.nextHop) ?? destination(session)
    guard
      let bye = try? writer.request(
        .bye, sequence: sequence, in: dialog, branch: identifiers.branch(), transport: destination.transport)
    else { return tellEnd(id, .local, causes: causes) + close(id) }
    let (transaction, outputs) = transactions.send(request: bye, to: destination, origin: origin, causes: causes)
    requested[transaction] = id
    return handle(outputs, causes: causes)
  }
}
