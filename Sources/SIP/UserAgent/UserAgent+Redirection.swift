/// What the user agent does when a target of its INVITE refuses: it tries the same one without SRTP, once in the life of
/// a session, and then the targets that a 3xx has named, one after the other (RFC 3261 8.1.3.4). Whatever order these
/// come in, a further target is tried under the Call-ID and with the offer of the one before.
extension UserAgent {
  /// A final response of 300 or more to the INVITE that is out.
  mutating func receive(
    refusal response: SIPMessage, status: Int, of id: SessionID, _ session: Session, causes: [Int]
  ) -> [UserAgentOutput] {
    guard session.state != .closed else { return [] }
    if policy.followsRedirects { sessions[id]?.targets?.take(response, status: status) }
    if [415, 488, 606].contains(status), let outputs = tryWithoutSRTP(id, causes: causes) { return outputs }
    // 6xx speaks for the callee wherever it is (21.6), and who has hung up wants no further target.
    if status < 600, let outputs = tryNextTarget(of: id, causes: causes) { return outputs }
    let end: SessionEnd = session.hangUpCauses == nil ? .rejected(status: status) : .local
    return tellEnd(id, end, causes: causes) + close(id)
  }

  /// Sends the INVITE to the next target, as a new request within the same call: Call-ID, From, To and session
  /// description stay, and CSeq is one more. `nil` if no target is left, or none is wanted.
  mutating func tryNextTarget(of id: SessionID, causes: [Int]) -> [UserAgentOutput]? {
    guard let session = sessions[id], session.state == .calling || session.state == .proceeding,
      session.hangUpCauses == nil, case .caller(let sent) = session.role, var targets = session.targets,
      let to = session.invite.to, let sequence = session.invite.sequence, let offer = session.negotiation.sent
    else { return nil }
    defer { sessions[id]?.targets = targets }
    while let target = targets.next() {
      guard let destination = writer.endpoint(of: target),
        let invite = try? writer.invite(
          target: target, to: to, callID: session.invite.callID, tag: session.localTag, sequence: sequence.number + 1,
          branch: identifiers.branch(), transport: destination.transport, offer: offer,
          headers: session.invite.occasion)
      else { continue }
      return send(
        again: invite, of: id, session, after: sent, to: destination, telling: .redirected(id, target: target),
        causes: causes)
    }
    return nil
  }

  /// Sends the INVITE again to the target that has refused it for its media (RFC 3261 21.4.13, 21.4.26, 21.6.4), as a
  /// call of its own: with a new Call-ID, From tag and CSeq, and an offer of plain RTP. `nil` if that is not wanted, or
  /// not any more.
  private mutating func tryWithoutSRTP(_ id: SessionID, causes: [Int]) -> [UserAgentOutput]? {
    guard let session = sessions[id], session.state == .calling || session.state == .proceeding,
      session.hangUpCauses == nil, case .caller(let sent) = session.role, let callID = session.fallbackCallID,
      case .request(_, let target) = session.invite.startLine, let to = session.invite.to,
      let offer = firstOffer(ofSession: session.number, key: nil)?.following(session.negotiation.sent)
    else { return nil }
    let tag = identifiers.tag()
    guard
      let invite = try? writer.invite(
        target: target, to: to, callID: callID, tag: tag, sequence: 1, branch: identifiers.branch(),
        transport: sent.destination.transport, offer: offer, headers: session.invite.occasion)
    else { return nil }
    let outputs = send(
      again: invite, of: id, session, after: sent, to: sent.destination, telling: .callIDChanged(id, to: callID),
      causes: causes)
    sessions[id]?.localTag = tag
    sessions[id]?.key = nil
    sessions[id]?.fallbackCallID = nil
    sessions[id]?.negotiation.sent = offer
    return outputs
  }

  /// Sends a further INVITE of a session in the place of the last one.
  private mutating func send(
    again invite: SIPMessage, of id: SessionID, _ session: Session, after last: Session.Sent,
    to destination: Endpoint, telling event: UserAgentEvent, causes: [Int]
  ) -> [UserAgentOutput] {
    let ended = endEarlyDialogs(of: id)
    let (transaction, outputs) = transactions.send(request: invite, to: destination, origin: .rule, causes: causes)
    if session.invites.contains(last.transaction) {
      sessions[id]?.earlier[last.transaction] = Session.Earlier(
        invite: session.invite, destination: last.destination)
    }
    sessions[id]?.invite = invite
    sessions[id]?.role = .caller(Session.Sent(transaction: transaction, destination: destination))
    sessions[id]?.state = .calling
    sessions[id]?.invites.insert(transaction)
    requested[transaction] = Request(session: id, purpose: .invite)
    return ended + [.event(event, causes: causes)] + handle(outputs, causes: causes)
  }

  /// The early dialogs of our INVITE are over, but for the one that has been confirmed.
  mutating func endEarlyDialogs(of id: SessionID, but confirmed: String? = nil) -> [UserAgentOutput] {
    guard let session = sessions[id] else { return [] }
    sessions[id]?.earlyTags = []
    return remember(session.dialogIDs.filter { $0.remoteTag != confirmed }, of: id)
  }
}
