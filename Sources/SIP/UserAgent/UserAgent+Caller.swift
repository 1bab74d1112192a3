import Instant

/// The user agent as caller, and the owner's commands (RFC 3261 8.1, 9.1, 13.2, 15.1.1).
extension UserAgent {
  /// Does what the owner decided. A command that means nothing now is dropped with the reason.
  public mutating func perform(_ command: UserAgentCommand, causes: [Int]) -> [UserAgentOutput] {
    switch command {
    case .ring(let id): ring(id, causes: causes)
    case .accept(let id): accept(id, causes: causes)
    case .reject(let id, let status): reject(id, status: status, causes: causes)
    case .hangUp(let id): hangUp(id, causes: causes)
    case .invite(let id, let target, let callID): invite(id, target: target, callID: callID, causes: causes)
    case .setHold, .sendDigit: [notNow(causes)]
    }
  }

  // MARK: INVITE

  private mutating func invite(
    _ id: SessionID, target: String, callID: String?, causes: [Int]
  ) -> [UserAgentOutput] {
    guard id.origin == .local, sessions[id] == nil else { return [notNow(causes)] }
    let number = identifiers.session()
    let tag = identifiers.tag()
    let callID = callID ?? identifiers.callID()
    guard let destination = writer.endpoint(of: target),
      let offer = SessionDescription.offer(
        address: identity.mediaAddress, port: SessionDescription.mediaPort(ofSession: number), direction: .sendrecv,
        user: mediaUser, sessionID: number, version: 1),
      let invite = try? writer.invite(
        target: target, callID: callID, tag: tag, branch: identifiers.branch(), transport: destination.transport,
        offer: offer)
    else {
      return [.event(.ended(id, .failed), causes: causes)]
    }
    let (transaction, outputs) = transactions.send(request: invite, to: destination, causes: causes)
    sessions[id] = Session(
      invite: invite, causes: causes, role: .caller(Session.Sent(transaction: transaction, destination: destination)),
      state: .calling, localTag: tag, number: number)
    requested[transaction] = id
    return handle(outputs, causes: causes) + [.event(.inviteSent(id, callID: callID), causes: causes)]
  }

  mutating func receive(
    response: SIPMessage, in transaction: ClientTransactionID, causes: [Int]
  ) -> [UserAgentOutput] {
    guard case .response(let status, _) = response.startLine, let id = requested[transaction],
      let session = sessions[id]
    else { return [] }
    guard case .caller(let sent) = session.role, sent.transaction == transaction else {
      return receive(byeResponse: status, of: id, causes: causes)
    }
    switch status {
    case ..<200: return receive(provisional: response, status: status, of: id, session, causes: causes)
    case ..<300: return receive(success: response, of: id, session, sent: sent, causes: causes)
    default:
      guard session.state != .closed else { return [] }
      let end: SessionEnd = session.hangUpCauses == nil ? .rejected(status: status) : .local
      return tellEnd(id, end, causes: causes) + close(id)
    }
  }

  private mutating func receive(
    provisional response: SIPMessage, status: Int, of id: SessionID, _ session: Session, causes: [Int]
  ) -> [UserAgentOutput] {
    switch session.state {
    case .calling:
      sessions[id]?.state = .proceeding
      // CANCEL had to wait for this (RFC 3261 9.1).
      if let wanted = session.hangUpCauses { return sendCancel(id, causes: wanted + causes) }
    case .proceeding:
      break
    case .invited, .accepting, .cancelling, .confirmed, .closing, .closed:
      return []
    }
    let hasSession = response.sessionDescription != nil
    return [.event(.provisional(id, status: status, hasSession: hasSession), causes: causes)]
  }

  /// Every 2xx is acknowledged (RFC 3261 13.2.2.4): the first makes the call, those of other forks are ended at once.
  private mutating func receive(
    success response: SIPMessage, of id: SessionID, _ session: Session, sent: Session.Sent, causes: [Int]
  ) -> [UserAgentOutput] {
    guard let dialog = Dialog(with: response, to: session.invite) else {
      return [.dropped(why: "a 2xx without a To tag makes no dialog", causes: causes)]
    }
    if var repeated = session.acknowledgements[dialog.id.remoteTag] {
      repeated.origin = .retransmission
      return [.send(repeated)]
    }
    var outputs = acknowledge(dialog, of: id, session, fallback: sent.destination, causes: causes)
    switch session.state {
    case .calling, .proceeding, .cancelling:
      sessions[id]?.dialog = dialog
      sessions[id]?.state = .confirmed
      dialogs[dialog.id] = id
      outputs.append(.cancelTimer(.awaitCancelled(id)))
      if let wanted = session.hangUpCauses {
        return outputs + sendBye(id, origin: .decision, causes: wanted + causes)
      }
      if response.sessionDescription?.audio.map({ $0.port != 0 }) == true {
        return outputs + [.event(.answered(id), causes: causes)]
      }
      return outputs + sendBye(id, origin: .decision, causes: causes) + tellEnd(id, .failed, causes: causes)
    case .invited, .accepting, .confirmed, .closing, .closed:
      return outputs + endFork(dialog, fallback: sent.destination, causes: causes)
    }
  }

  private mutating func acknowledge(
    _ dialog: Dialog, of id: SessionID, _ session: Session, fallback: Endpoint, causes: [Int]
  ) -> [UserAgentOutput] {
    let destination = writer.endpoint(of: dialog.routing.nextHop) ?? fallback
    guard
      let ack = try? writer.request(
        .ack, sequence: dialog.localSequence, in: dialog, branch: identifiers.branch(),
        transport: destination.transport)
    else { return [] }
    let transmission = Transmission(message: ack, destination: destination, origin: .rule, causes: causes)
    sessions[id]?.acknowledgements[dialog.id.remoteTag] = transmission
    return [.send(transmission)]
  }

  /// BYE to a fork that answered after another one had.
  private mutating func endFork(_ dialog: Dialog, fallback: Endpoint, causes: [Int]) -> [UserAgentOutput] {
    var dialog = dialog
    let destination = writer.endpoint(of: dialog.routing.nextHop) ?? fallback
    guard
      let bye = try? writer.request(
        .bye, sequence: dialog.nextSequence(), in: dialog, branch: identifiers.branch(),
        transport: destination.transport)
    else { return [] }
    let (_, outputs) = transactions.send(request: bye, to: destination, origin: .rule, causes: causes)
    return handle(outputs, causes: causes)
  }

  // MARK: The end

  /// Ends a session in whatever state it is.
  private mutating func hangUp(_ id: SessionID, causes: [Int]) -> [UserAgentOutput] {
    guard let session = sessions[id], session.hangUpCauses == nil, !session.endIsTold else { return [notNow(causes)] }
    sessions[id]?.hangUpCauses = causes
    switch session.state {
    case .invited: return reject(id, status: 480, causes: causes)
    // The callee's BYE waits for the ACK (RFC 3261 15), the caller's CANCEL for a provisional response (9.1).
    case .accepting, .calling: return []
    case .proceeding: return sendCancel(id, causes: causes)
    case .confirmed: return sendBye(id, origin: .decision, causes: causes)
    case .cancelling, .closing, .closed: return [notNow(causes)]
    }
  }

  private mutating func sendCancel(_ id: SessionID, causes: [Int]) -> [UserAgentOutput] {
    guard let session = sessions[id], case .caller(let sent) = session.role,
      let cancel = try? writer.cancel(session.invite)
    else { return [] }
    sessions[id]?.state = .cancelling
    let (_, outputs) = transactions.send(request: cancel, to: sent.destination, causes: causes)
    return handle(outputs, causes: causes)
      + [.setTimer(.awaitCancelled(id), after: TransactionTiming.timeout, isPeriodic: false)]
  }

  /// No final response came for 64*T1 after CANCEL: the transaction counts as cancelled (RFC 3261 9.1).
  mutating func giveUpCancelled(_ id: SessionID) -> [UserAgentOutput] {
    guard let session = sessions[id], session.state == .cancelling, case .caller(let sent) = session.role else {
      return []
    }
    let causes = session.hangUpCauses ?? []
    return tellEnd(id, .local, causes: causes) + close(id)
      + handle(transactions.abandon(sent.transaction), causes: causes)
  }

  private mutating func receive(byeResponse status: Int, of id: SessionID, causes: [Int]) -> [UserAgentOutput] {
    // Whatever the response says, the dialog is over (RFC 3261 15.1.1).
    guard status >= 200, sessions[id]?.state == .closing else { return [] }
    return tellEnd(id, .local, causes: causes) + close(id)
  }

  /// No response came in time.
  mutating func timeOut(_ transaction: ClientTransactionID) -> [UserAgentOutput] {
    guard let id = requested[transaction], let session = sessions[id], session.state != .closed else { return [] }
    let isInvite = session.role == .caller(Session.Sent(transaction: transaction, destination: destination(session)))
    let end: SessionEnd = isInvite && session.hangUpCauses == nil ? .timedOut : .local
    return tellEnd(id, end, causes: session.hangUpCauses ?? []) + close(id)
  }

  /// Where the other side is reached if its Contact is no place that we can send to.
  func destination(_ session: Session) -> Endpoint {
    switch session.role {
    case .callee(let received): received.source
    case .caller(let sent): sent.destination
    }
  }
}
