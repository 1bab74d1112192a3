import Instant

/// The user agent as callee: what it does with requests that arrive (RFC 3261 8.2, 9.2, 13.3, 15.1.2).
extension UserAgent {
  /// Methods that we know and do not serve: 405. What nobody has heard of is 501 (RFC 3261 21.4.6, 21.5.2).
  static let knownMethods: Set<String> = [
    "MESSAGE", "PRACK", "PUBLISH", "REGISTER", "SUBSCRIBE", "UPDATE",
  ]

  mutating func receive(
    _ request: SIPMessage, in transaction: ServerTransactionID, from source: Endpoint, causes: [Int]
  ) -> [UserAgentOutput] {
    guard case .request(let method, _) = request.startLine else { return [] }
    let incoming = IncomingRequest(message: request, transaction: transaction, source: source, causes: causes)
    if let flaw = request.findings.first(where: \.isFatal) {
      return answer(incoming, flaw.status ?? 400)
        + [.dropped(why: "\(flaw.field): \(flaw.text)", causes: causes)]
    }
    if method == .cancel {
      return request.replacement == .none ? receive(cancel: incoming) : answer(incoming, 400)
    }
    // The method is looked at first (RFC 3261 8.2.1).
    if ![.invite, .bye, .options, .info, .refer, .notify].contains(method) {
      let status = Self.knownMethods.contains(method.name) ? 405 : 501
      return answer(incoming, status, [("Allow", MessageWriter.allowed)])
    }
    if transactions.isMerged(transaction) { return answer(incoming, 482) }
    let unsupported = request.values(of: "Require").filter { $0.lowercased() != MessageWriter.supported }
    if !unsupported.isEmpty { return answer(incoming, 420, unsupported.map { ("Unsupported", $0) }) }
    if method != .invite, request.replacement != .none { return answer(incoming, 400) }
    switch method {
    case .invite: return request.toTag == nil ? receive(invite: incoming) : receive(reInvite: incoming)
    case .bye: return receive(bye: incoming)
    case .info: return receive(info: incoming)
    case .refer: return receive(refer: incoming)
    case .notify: return receive(notify: incoming)
    default: return receive(options: incoming)
    }
  }

  /// A request that waits for its response.
  struct IncomingRequest: Hashable, Sendable {
    var message: SIPMessage
    var transaction: ServerTransactionID
    var source: Endpoint
    var causes: [Int]
  }

  /// Answers a request as a rule of SIP demands it.
  mutating func answer(
    _ request: IncomingRequest, _ status: Int, _ headers: [(name: String, value: String)] = [], tag: String? = nil,
    origin: Transmission.Origin = .rule
  ) -> [UserAgentOutput] {
    let extras = MessageWriter.Extras(toTag: tag ?? identifiers.tag(), headers: headers)
    guard let response = try? writer.response(status, to: request.message, from: request.source, extras) else {
      transactions.abandon(request.transaction)
      return [.dropped(why: "a request that cannot be answered", causes: request.causes)]
    }
    return handle(
      transactions.send(response: response, in: request.transaction, origin: origin, causes: request.causes),
      causes: request.causes)
  }

  // MARK: INVITE

  private mutating func receive(invite: IncomingRequest) -> [UserAgentOutput] {
    let message = invite.message
    let replaces: SessionID?
    switch verdict(onReplacementBy: message) {
    case .serve(let session): replaces = session
    case .refuse(let status): return answer(invite, status)
    }
    if let refusal = Self.refusal(ofBodyOf: message) { return answer(invite, refusal.status, refusal.headers) }
    let description = message.sessionDescription
    let tag = identifiers.tag()
    let session = Session(
      invite: message, causes: invite.causes,
      role: .callee(Session.Received(transaction: invite.transaction, source: invite.source)), state: .invited,
      localTag: tag, number: identifiers.session(), dialog: Dialog(answering: message, localTag: tag))
    guard proposal(for: session, answering: description) != nil else { return answer(invite, 488, tag: tag) }
    let id = nextRemoteSession()
    sessions[id] = session
    invited[invite.transaction] = id
    if let dialog = session.dialog { dialogs[dialog.id] = id }
    let from = message.from
    return [
      .setTimer(.trying(id), after: .milliseconds(200), isBackground: false),
      .event(
        .invited(
          id,
          SessionInvitation(
            callID: message.callID, remoteURI: from?.uri ?? "", remoteName: from?.displayName,
            hasOffer: description != nil, replaces: replaces, referredBy: message.referredBy)), causes: invite.causes),
    ]
  }

  /// How an INVITE is refused whose body we do not understand (RFC 3261 8.2.3).
  static func refusal(ofBodyOf invite: SIPMessage) -> (status: Int, headers: [(name: String, value: String)])? {
    if let refusal = refusal(ofCodingOf: invite) { return refusal }
    if !invite.acceptsSessionDescription { return (406, []) }
    guard !invite.body.isEmpty, !invite.isBodyOptional, invite.sessionDescription == nil else { return nil }
    return invite.mediaType == "application/sdp" ? (488, []) : (415, [("Accept", "application/sdp")])
  }

  /// How a request is refused whose body is coded: no coding is understood.
  static func refusal(ofCodingOf request: SIPMessage) -> (status: Int, headers: [(name: String, value: String)])? {
    let isCoded = request.values(of: "Content-Encoding").contains { $0.lowercased() != "identity" }
    return isCoded ? (415, [("Accept-Encoding", "identity")]) : nil
  }

  private mutating func receive(options: IncomingRequest) -> [UserAgentOutput] {
    if options.message.toTag != nil {
      guard let id = session(of: options.message), let dialog = sessions[id]?.dialog else {
        return answer(options, 481)
      }
      guard accept(options.message, in: dialog, of: id) else { return answer(options, 500) }
    }
    return answer(
      options, 200,
      [
        ("Allow", MessageWriter.allowed), ("Supported", MessageWriter.supported), ("Accept", "application/sdp"),
        ("Accept-Encoding", "identity"), ("Accept-Language", "en"),
      ])
  }

  // MARK: The owner's decisions

  /// Sends 180 and repeats it every minute (13.3.1.1).
  mutating func ring(_ id: SessionID, causes: [Int]) -> [UserAgentOutput] {
    guard let session = sessions[id], session.state == .invited else { return [notNow(causes)] }
    return respond(180, in: id, session, origin: .decision, causes: causes)
      + [.setTimer(.refreshProvisional(id), after: .seconds(60), isBackground: true)]
  }

  mutating func refreshProvisional(_ id: SessionID) -> [UserAgentOutput] {
    guard let session = sessions[id], session.state == .invited, let repeated = session.repeated else { return [] }
    return respond(180, in: id, session, origin: .rule, causes: repeated.causes)
      + [.setTimer(.refreshProvisional(id), after: .seconds(60), isBackground: true)]
  }

  mutating func sendTrying(_ id: SessionID) -> [UserAgentOutput] {
    guard let session = sessions[id], session.state == .invited, session.repeated == nil,
      case .callee(let received) = session.role,
      let response = try? writer.response(100, to: session.invite, from: received.source, timestamp(of: session))
    else { return [] }
    return handle(
      transactions.send(response: response, in: received.transaction, origin: .rule, causes: session.causes),
      causes: session.causes)
  }

  /// 100 repeats the Timestamp of the request (8.2.6.1).
  private func timestamp(of session: Session) -> MessageWriter.Extras {
    MessageWriter.Extras(headers: session.invite.values(of: "Timestamp").prefix(1).map { ("Timestamp", $0) })
  }

  /// Sends 200 with our session description, and again until the ACK comes (13.3.1.4).
  mutating func accept(_ id: SessionID, causes: [Int]) -> [UserAgentOutput] {
    guard let session = sessions[id], session.state == .invited else { return [notNow(causes)] }
    guard let proposal = proposal(for: session, answering: session.invite.sessionDescription) else {
      return [notNow(causes)]
    }
    let outputs = respond(
      200, in: id, session, description: proposal.description, origin: .decision, causes: causes)
    guard let success = sessions[id]?.repeated else { return outputs }
    sessions[id]?.state = .accepting
    return outputs + [.cancelTimer(.refreshProvisional(id))]
      + awaitAcknowledgement(of: success, with: proposal, in: id)
      + [.event(.acceptSent(id), causes: causes)] + agree(id, proposal.media, causes: causes)
  }

  mutating func reject(_ id: SessionID, status: Int, causes: [Int]) -> [UserAgentOutput] {
    guard let session = sessions[id], session.state == .invited, (300...699).contains(status) else {
      return [notNow(causes)]
    }
    return respond(status, in: id, session, origin: .decision, causes: causes)
      + tellEnd(id, .local, causes: causes) + close(id)
  }

  func notNow(_ causes: [Int]) -> UserAgentOutput {
    .dropped(why: "the session is not in a state in which this can be done", causes: causes)
  }

  /// Sends a response to the session's INVITE.
  private mutating func respond(
    _ status: Int, in id: SessionID, _ session: Session, description: SessionDescription? = nil,
    origin: Transmission.Origin, causes: [Int]
  ) -> [UserAgentOutput] {
    guard case .callee(let received) = session.role else { return [] }
    let extras = MessageWriter.Extras(
      toTag: session.localTag, makesDialog: status < 300, description: description)
    guard let response = try? writer.response(status, to: session.invite, from: received.source, extras) else {
      transactions.abandon(received.transaction)
      return [.dropped(why: "an INVITE that cannot be answered", causes: causes)]
        + tellEnd(id, .failed, causes: causes) + close(id)
    }
    let outputs = transactions.send(
      response: response, in: received.transaction, origin: origin, causes: causes)
    for case .send(let transmission) in outputs { sessions[id]?.repeated = transmission }
    return [.cancelTimer(.trying(id))] + handle(outputs, causes: causes)
  }

  // MARK: CANCEL, BYE

  private mutating func receive(cancel: IncomingRequest) -> [UserAgentOutput] {
    guard let transaction = transactions.inviteTransaction(cancelledBy: cancel.message) else {
      return answer(cancel, 481)
    }
    guard let id = invited[transaction], let session = sessions[id] else {
      return answer(cancel, 200, tag: transactions.toTag(sentIn: transaction))
    }
    let accepted = answer(cancel, 200, tag: session.localTag)
    // After the final response a CANCEL changes nothing (RFC 3261 9.2).
    guard session.state == .invited else { return accepted }
    return accepted + respond(487, in: id, session, origin: .rule, causes: cancel.causes)
      + tellEnd(id, .cancelled(reasonCause: cancel.message.reasonCause), causes: cancel.causes) + close(id)
  }

  private mutating func receive(bye: IncomingRequest) -> [UserAgentOutput] {
    guard let id = session(of: bye.message), let session = sessions[id], let dialog = session.dialog else {
      return answer(bye, 481)
    }
    guard accept(bye.message, in: dialog, of: id) else { return answer(bye, 500) }
    let accepted = answer(bye, 200, origin: .decision)
    switch session.state {
    // Two BYEs have crossed: ours still waits for its response (RFC 5407 3.2.1).
    case .closing: return accepted
    case .invited:
      return accepted + respond(487, in: id, session, origin: .rule, causes: bye.causes)
        + tellEnd(id, .remoteBye, causes: bye.causes) + close(id)
    case .accepting, .confirmed, .calling, .proceeding, .cancelling, .closed:
      let end: SessionEnd = session.hangUpCauses == nil ? .remoteBye : .local
      return accepted + tellEnd(id, end, causes: bye.causes) + close(id)
    }
  }

  // MARK: Dialogs

  /// The session of a request within a dialog (12.2.2).
  func session(of request: SIPMessage) -> SessionID? {
    guard let localTag = request.toTag else { return nil }
    return dialogs[Dialog.ID(callID: request.callID, localTag: localTag, remoteTag: request.fromTag ?? "")]
  }

  /// Whether the request's number is in order.
  mutating func accept(_ request: SIPMessage, in dialog: Dialog, of id: SessionID) -> Bool {
    guard let sequence = request.sequence else { return false }
    var dialog = dialog
    defer { sessions[id]?.dialog = dialog }
    return dialog.accepts(sequence)
  }
}
