import Instant

/// Our 2xx to an INVITE, the first of a session or a later one, until its ACK (RFC 3261 13.3.1.4).
extension UserAgent {
  /// Repeats a 2xx that has left until its ACK comes.
  mutating func awaitAcknowledgement(
    of success: Transmission, with proposal: Proposal, in id: SessionID
  ) -> [UserAgentOutput] {
    sessions[id]?.negotiation.sent = proposal.description
    sessions[id]?.success = Session.Success(
      transmission: success, sequence: success.message.sequence?.number, offersHold: proposal.offersHold)
    return [
      .setTimer(.repeatSuccess(id), after: TransactionTiming.t1, isBackground: false),
      .setTimer(.awaitAcknowledgement(id), after: TransactionTiming.timeout, isBackground: false),
    ]
  }

  mutating func repeatSuccess(_ id: SessionID) -> [UserAgentOutput] {
    guard var success = sessions[id]?.success else { return [] }
    success.interval = min(success.interval * 2, TransactionTiming.t2)
    sessions[id]?.success = success
    var transmission = success.transmission
    transmission.origin = .retransmission
    return [.send(transmission), .setTimer(.repeatSuccess(id), after: success.interval, isBackground: false)]
  }

  /// No ACK came for 64*T1: the dialog counts as confirmed and is ended.
  mutating func missAcknowledgement(_ id: SessionID) -> [UserAgentOutput] {
    guard let session = sessions[id], let success = session.success else { return [] }
    let causes = success.transmission.causes + (session.hangUpCauses ?? [])
    return sendBye(id, origin: .decision, causes: causes)
      + tellEnd(id, session.hangUpCauses == nil ? .unacknowledged : .local, causes: causes)
  }

  mutating func receive(acknowledgement ack: SIPMessage, causes: [Int]) -> [UserAgentOutput] {
    if let flaw = ack.findings.first(where: \.isFatal) {
      return [.dropped(why: "\(flaw.field): \(flaw.text)", causes: causes)]
    }
    guard let id = session(of: ack), let session = sessions[id], let success = session.success,
      ack.sequence?.number == success.sequence
    else { return [.dropped(why: "an ACK that nothing waits for", causes: causes)] }
    sessions[id]?.success = nil
    sessions[id]?.state = .confirmed
    var outputs: [UserAgentOutput] = [.cancelTimer(.repeatSuccess(id)), .cancelTimer(.awaitAcknowledgement(id))]
    let acknowledged: [UserAgentOutput] =
      session.state == .accepting && !session.endIsTold ? [.event(.acknowledged(id), causes: causes)] : []
    // BYE had to wait for this (RFC 3261 15).
    if let wanted = session.hangUpCauses {
      return outputs + acknowledged + sendBye(id, origin: .decision, causes: wanted + causes)
    }
    if let offersHold = success.offersHold {
      guard let media = media(in: session, by: ack.sessionDescription, isHeldHere: offersHold) else {
        return outputs + fail(id, because: "the answer is missing or cannot be used", causes: causes)
      }
      outputs += agree(id, media, causes: causes)
    }
    return outputs + acknowledged + renegotiate(id, causes: causes)
  }
}
