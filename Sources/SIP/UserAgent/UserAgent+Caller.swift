import Instant

/// The user agent as caller, and the owner's commands (RFC 3261 8.1, 9.1, 13.2, 15.1.1).
extension UserAgent {
  /// Does what the owner decided. A command that means nothing now is dropped with the reason.
  public mutating func perform(_ command: UserAgentCommand, causes: [Int]) -> [UserAgentOutput] {
    let outputs = take(command, causes: causes)
    return outputs + declineCutOff(causes: causes)
  }

  private mutating func take(_ command: UserAgentCommand, causes: [Int]) -> [UserAgentOutput] {
    switch command {
    case .ring(let id): ring(id, causes: causes)
    case .accept(let id): accept(id, causes: causes)
    case .reject(let id, let status): reject(id, status: status, causes: causes)
    case .hangUp(let id): hangUp(id, causes: causes)
    case .invite(let id, let target, let callID, let fallbackCallID, let replaced):
      invite(
        id, target: target, callID: callID, fallbackCallID: fallbackCallID,
        occasion: replaced.map(occasion(toReplace:)) ?? [], causes: causes)
    case .answerReferral(let id, let accepts): answerReferral(id, accepts: accepts, causes: causes)
    case .inviteReferred(let id, let referral, let callID):
      inviteReferred(id, by: referral, callID: callID, causes: causes)
    case .reportReferral(let id, let status): reportReferral(id, status: status, causes: causes)
    case .refer(let id, let referral, let target): refer(id, referral, to: target, causes: causes)
    case .renew(let id): renew(id, causes: causes)
    case .setHold(let id, let isHeld): setHold(id, isHeld, causes: causes)
    case .sendDigit(let id, let digit, let span): sendDigit(id, digit, lasting: span, causes: causes)
    }
  }

  // MARK: INVITE

  /// Begins a session; `occasion` is what a referral, or the session to be replaced, adds to the INVITE. With a fallback
  /// Call-ID it asks for SRTP.
  mutating func invite(
    _ id: SessionID, target: String, callID: String?, fallbackCallID: String? = nil,
    occasion: [(name: String, value: String)] = [], causes: [Int]
  ) -> [UserAgentOutput] {
    guard id.origin == .local, sessions[id] == nil else { return [notNow(causes)] }
    let number = identifiers.session()
    let tag = identifiers.tag()
    let callID = callID ?? identifiers.callID()
    let key = fallbackCallID == nil ? nil : identifiers.mediaKey(ofSession: number)
    guard let targets = TargetSet(first: target), let destination = writer.endpoint(of: target),
      let offer = firstOffer(ofSession: number, key: key),
      let invite = try? writer.invite(
        target: target, to: .party(target), callID: callID, tag: tag, sequence: 1, branch: identifiers.branch(),
        transport: destination.transport, offer: offer, headers: occasion)
    else {
      return [
        .dropped(why: "the INVITE leads nowhere or cannot be written", causes: causes),
        .event(.ended(id, .failed), causes: causes),
      ]
    }
    let (transaction, outputs) = transactions.send(request: invite, to: destination, causes: causes)
    var session = Session(
      invite: invite, causes: causes, role: .caller(Session.Sent(transaction: transaction, destination: destination)),
      state: .calling, localTag: tag, number: number, key: key)
    session.negotiation.sent = offer
    session.invites = [transaction]
    session.targets = targets
    session.fallbackCallID = fallbackCallID
    sessions[id] = session
    requested[transaction] = Request(session: id, purpose: .invite)
    return handle(outputs, causes: causes) + [.event(.inviteSent(id, callID: callID), causes: causes)]
  }

  mutating func receive(
    response: SIPMessage, in transaction: ClientTransactionID, causes: [Int]
  ) -> [UserAgentOutput] {
    guard case .response(let status, _) = response.startLine else { return [] }
    if let referral = referrals.notifications[transaction] {
      return receive(notifyResponse: response, status: status, in: transaction, of: referral, causes: causes)
    }
    if let asked = referrals.requests[transaction] {
      return receive(referResponse: response, status: status, in: transaction, to: asked, causes: causes)
    }
    guard let request = requested[transaction],
      let session = sessions[request.session]
    else { return [] }
    let id = request.session
    switch request.purpose {
    case .bye: return receive(byeResponse: status, of: id, causes: causes)
    case .info: return receive(infoResponse: status, in: transaction, of: id, causes: causes)
    case .reInvite:
      return receive(reInviteResponse: response, status: status, in: transaction, of: id, session, causes: causes)
    case .invite: break
    }
    switch status {
    case ..<200: return receive(provisional: response, status: status, of: id, session, causes: causes)
    case ..<300: return receive(success: response, in: transaction, of: id, session, causes: causes)
    default: return receive(refusal: response, status: status, of: id, session, causes: causes)
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
    // All but 100 make an early dialog (RFC 3261 12.1); without a tag its tag is empty.
    if status > 100 {
      let tag = response.toTag ?? ""
      sessions[id]?.earlyTags.removeAll { $0 == tag }
      sessions[id]?.earlyTags.append(tag)
    }
    let hasSession = response.sessionDescription != nil
    return [.event(.provisional(id, status: status, hasSession: hasSession), causes: causes)]
  }

  /// Every 2xx is acknowledged (RFC 3261 13.2.2.4): the first makes the call, those of other forks are ended at once.
  private mutating func receive(
    success response: SIPMessage, in transaction: ClientTransactionID, of id: SessionID, _ session: Session,
    causes: [Int]
  ) -> [UserAgentOutput] {
    let earlier = session.earlier[transaction]
    guard let dialog = Dialog(with: response, to: earlier?.invite ?? session.invite) else {
      return [.dropped(why: "a 2xx without a To tag makes no dialog", causes: causes)]
    }
    let key = Session.Acknowledged(transaction: transaction, tag: dialog.id.remoteTag)
    if let again = repeatAcknowledgement(key, of: session) { return again }
    let fallback = earlier?.destination ?? destination(session)
    var outputs = acknowledge(
      key, sequence: dialog.localSequence, in: dialog, of: id, fallback: fallback, causes: causes)
    // A target that has refused is no more what the call is about.
    if earlier != nil { return outputs + endFork(dialog, of: id, fallback: fallback, causes: causes) }
    switch session.state {
    case .calling, .proceeding, .cancelling:
      outputs += endEarlyDialogs(of: id, but: dialog.id.remoteTag)
      sessions[id]?.dialog = dialog
      sessions[id]?.state = .confirmed
      dialogs[dialog.id] = id
      outputs.append(.cancelTimer(.awaitCancelled(id)))
      if let wanted = session.hangUpCauses {
        return outputs + sendBye(id, origin: .decision, causes: wanted + causes)
      }
      guard
        let media = media(in: session, by: response.sessionDescription, isHeldHere: false)
      else { return outputs + fail(id, because: "the answer is missing or cannot be used", causes: causes) }
      return outputs + [.event(.answered(id), causes: causes)] + agree(id, media, causes: causes)
        + renegotiate(id, causes: causes)
    case .invited, .accepting, .confirmed, .closing, .closed:
      return outputs + endFork(dialog, of: id, fallback: fallback, causes: causes)
    }
  }

  /// The ACK that a 2xx has drawn before, for one that comes again (RFC 3261 13.2.2.4).
  func repeatAcknowledgement(_ key: Session.Acknowledged, of session: Session) -> [UserAgentOutput]? {
    guard var repeated = session.acknowledgements[key] else { return nil }
    repeated.origin = .retransmission
    return [.send(repeated)]
  }

  mutating func acknowledge(
    _ key: Session.Acknowledged, sequence: Int, in dialog: Dialog, of id: SessionID, fallback: Endpoint,
    causes: [Int]
  ) -> [UserAgentOutput] {
    let destination = writer.endpoint(of: dialog.routing.nextHop) ?? fallback
    guard
      let ack = try? writer.request(
        .ack, sequence: sequence, in: dialog, branch: identifiers.branch(), transport: destination.transport)
    else { return [] }
    let transmission = Transmission(message: ack, destination: destination, origin: .rule, causes: causes)
    sessions[id]?.acknowledgements[key] = transmission
    return [.send(transmission)]
  }

  /// BYE to a fork that answered after another one had, or after its target had refused.
  private mutating func endFork(
    _ dialog: Dialog, of id: SessionID, fallback: Endpoint, causes: [Int]
  ) -> [UserAgentOutput] {
    var dialog = dialog
    let destination = writer.endpoint(of: dialog.routing.nextHop) ?? fallback
    guard
      let bye = try? writer.request(
        .bye, sequence: dialog.nextSequence(), in: dialog, branch: identifiers.branch(),
        transport: destination.transport)
    else { return [] }
    let (_, outputs) = transactions.send(request: bye, to: destination, origin: .rule, causes: causes)
    return handle(outputs, causes: causes) + remember([dialog.id], of: id)
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

  /// No final response came for 64*T1 after CANCEL: the transaction counts as cancelled (RFC 3261 9.1). Nor did one
  /// come to a re-INVITE whose dialog is over: nothing more is to be expected of it.
  mutating func giveUpCancelled(_ id: SessionID) -> [UserAgentOutput] {
    guard let session = sessions[id] else { return [] }
    if let offer = session.negotiation.offer, session.state == .closed {
      return handle(transactions.abandon(offer.transaction), causes: [])
    }
    guard session.state == .cancelling, case .caller(let sent) = session.role else { return [] }
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
    if let referral = referrals.notifications[transaction] {
      return endNotification(transaction, of: referral, failed: true)
    }
    if let asked = referrals.requests[transaction] { return missReferResponse(in: transaction, to: asked) }
    guard let request = requested[transaction], let session = sessions[request.session] else { return [] }
    let id = request.session
    let causes = session.hangUpCauses ?? []
    switch request.purpose {
    case .info: return receive(infoResponse: nil, in: transaction, of: id, causes: causes)
    case .reInvite: return missReInviteResponse(of: id, session)
    case .invite, .bye:
      guard session.state != .closed else { return [] }
      let isUnanswered = request.purpose == .invite && session.hangUpCauses == nil
      // It counts as 408 (RFC 3261 8.1.3.1).
      if isUnanswered, let outputs = tryNextTarget(of: id, causes: session.causes) { return outputs }
      return tellEnd(id, isUnanswered ? .timedOut : .local, causes: causes) + close(id)
    }
  }

  /// Where the other side is reached if its Contact is no place that we can send to.
  func destination(_ session: Session) -> Endpoint {
    switch session.role {
    case .callee(let received): received.source
    case .caller(let sent): sent.destination
    }
  }
}
