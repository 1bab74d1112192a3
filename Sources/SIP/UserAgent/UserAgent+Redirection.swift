/// What the user agent does when a target of its INVITE refuses (RFC 3261 8.1.3.4): it tries the targets that a 3xx has
/// named, one after the other.
extension UserAgent {
  /// A final response of 300 or more to the INVITE that is out.
  mutating func receive(
    refusal response: SIPMessage, status: Int, of id: SessionID, _ session: Session, causes: [Int]
  ) -> [UserAgentOutput] {
    guard session.state != .closed else { return [] }
    if policy.followsRedirects { sessions[id]?.targets?.take(response, status: status) }
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
      let ended = endEarlyDialogs(of: id)
      let (transaction, outputs) = transactions.send(request: invite, to: destination, origin: .rule, causes: causes)
      if session.invites.contains(sent.transaction) {
        sessions[id]?.earlier[sent.transaction] = Session.Earlier(
          invite: session.invite, destination: sent.destination)
      }
      sessions[id]?.invite = invite
      sessions[id]?.role = .caller(Session.Sent(transaction: transaction, destination: destination))
      sessions[id]?.state = .calling
      sessions[id]?.invites.insert(transaction)
      requested[transaction] = Request(session: id, purpose: .invite)
      return ended + [.event(.redirected(id, target: target), causes: causes)] + handle(outputs, causes: causes)
    }
    return nil
  }

  /// The early dialogs of our INVITE are over, but for the one that has been confirmed.
  mutating func endEarlyDialogs(of id: SessionID, but confirmed: String? = nil) -> [UserAgentOutput] {
    guard let session = sessions[id] else { return [] }
    sessions[id]?.earlyTags = []
    return remember(session.dialogIDs.filter { $0.remoteTag != confirmed }, of: id)
  }
}
