import Instant

/// Hold, resume and renewal: offers and answers within a session (RFC 3261 12.2, 14; RFC 3264 8; RFC 6337 5.3).
extension UserAgent {
  /// A description of ours and what comes of it.
  struct Proposal {
    var description: SessionDescription
    /// What is agreed on with it; `nil` if it is an offer.
    var media: SessionMedia?
    /// Whether we hold by it, if it is an offer.
    var offersHold: Bool?
  }

  /// Our next description in a session: the answer to an offer, or an offer of ours. `nil` if the offer has nothing
  /// that we can take, or if our address cannot stand in a description.
  func proposal(for session: Session, answering offer: SessionDescription?) -> Proposal? {
    let isHeld = session.negotiation.wantsHold
    guard let offer else { return self.offer(of: session, isHeld: isHeld) }
    let answer = offer.answer(
      address: identity.mediaAddress, port: SessionDescription.mediaPort(ofSession: session.number),
      direction: Negotiation.direction(isHeld: isHeld), user: mediaUser, sessionID: session.number, version: 1,
      key: session.key)
    guard let answer = answer?.following(session.negotiation.sent),
      let media = SessionMedia(ours: answer, theirs: offer, isHeldHere: isHeld)
    else { return nil }
    return Proposal(description: answer, media: media)
  }

  /// Our next offer in a session, with the streams of the last description and carried like them.
  private func offer(of session: Session, isHeld: Bool) -> Proposal? {
    let sent = session.negotiation.sent
    let offer =
      sent?.offering(Negotiation.direction(isHeld: isHeld))
      ?? firstOffer(
        ofSession: session.number, direction: Negotiation.direction(isHeld: isHeld), key: session.key)
    return offer.map { Proposal(description: $0.following(sent), offersHold: isHeld) }
  }

  /// Our first offer in a session; with a key it asks for SRTP.
  func firstOffer(
    ofSession number: Int, direction: SessionDescription.Direction = .sendrecv, key: MediaKey?
  ) -> SessionDescription? {
    SessionDescription.offer(
      address: identity.mediaAddress, port: SessionDescription.mediaPort(ofSession: number), direction: direction,
      user: mediaUser, sessionID: number, version: 1, key: key)
  }

  /// What an answer to our last description agrees on; `nil` if it cannot be used.
  func media(in session: Session, by answer: SessionDescription?, isHeldHere: Bool) -> SessionMedia? {
    guard let ours = session.negotiation.sent, let answer else { return nil }
    return SessionMedia(ours: ours, theirs: answer, isHeldHere: isHeldHere)
  }

  /// An exchange is complete, unless `media` is still to come. A wait for our next offer that is wanted no more ends
  /// with it.
  mutating func agree(_ id: SessionID, _ media: SessionMedia?, causes: [Int]) -> [UserAgentOutput] {
    guard let media, let endsWait = sessions[id]?.negotiation.agree(on: media) else { return [] }
    return (endsWait ? [.cancelTimer(.glare(id))] : []) + [.event(.negotiated(id, media), causes: causes)]
  }

  // MARK: Our offers

  /// Takes the owner's wish.
  mutating func setHold(_ id: SessionID, _ isHeld: Bool, causes: [Int]) -> [UserAgentOutput] {
    guard let session = sessions[id], session.hangUpCauses == nil, !session.endIsTold else { return [notNow(causes)] }
    sessions[id]?.negotiation.wish(isHeld, causes: causes)
    let isAnswerDue = session.negotiation.offer != nil || session.success?.offersHold != nil
    if !isAnswerDue, session.negotiation.agreed?.isHeldHere == isHeld {
      return agree(id, session.negotiation.agreed, causes: causes)
    }
    return renegotiate(id, causes: causes)
  }

  /// Takes the owner's wish to offer the session again.
  mutating func renew(_ id: SessionID, causes: [Int]) -> [UserAgentOutput] {
    guard let session = sessions[id], session.state == .confirmed, !session.isOver else { return [notNow(causes)] }
    sessions[id]?.negotiation.wishRenewal(causes: causes)
    return renegotiate(id, causes: causes)
  }

  /// Offers what the owner wants, if it is not so and nothing stands against an offer now: the session is confirmed on
  /// both sides and no INVITE is under way in either direction (RFC 3261 14.1). To be called whenever one of these may
  /// have changed.
  mutating func renegotiate(_ id: SessionID, causes: [Int]) -> [UserAgentOutput] {
    guard let session = sessions[id], session.state == .confirmed, session.success == nil,
      let due = session.negotiation.dueOffer
    else { return [] }
    if let refusal = session.negotiation.refusal, transactions.isUnacknowledged(refusal) { return [] }
    let causes = due.causes + causes.filter { !due.causes.contains($0) }
    guard let proposal = offer(of: session, isHeld: due.isHeld),
      let (transaction, outputs) = request(
        .invite, for: .reInvite, in: id, body: MessageWriter.Body(proposal.description), causes: causes)
    else { return fail(id, causes: causes) }
    sessions[id]?.invites.insert(transaction)
    sessions[id]?.negotiation.sent = proposal.description
    sessions[id]?.negotiation.begin(
      Negotiation.Offer(
        transaction: transaction, isHeld: due.isHeld, isRenewal: due.isRenewal, causes: due.causes))
    return outputs
  }

  /// The glare timer is due.
  mutating func endWait(_ id: SessionID) -> [UserAgentOutput] {
    guard sessions[id]?.negotiation.state == .waiting else { return [] }
    sessions[id]?.negotiation.settle()
    return renegotiate(id, causes: [])
  }

  mutating func receive(
    reInviteResponse response: SIPMessage, status: Int, in transaction: ClientTransactionID, of id: SessionID,
    _ session: Session, causes: [Int]
  ) -> [UserAgentOutput] {
    guard status >= 200 else { return [] }
    var outputs: [UserAgentOutput] = []
    if status < 300 {
      // Whatever has become of the session, a 2xx is acknowledged, every time that it comes.
      guard var dialog = session.dialog, let sequence = response.sequence?.number else { return [] }
      let key = Session.Acknowledged(transaction: transaction, tag: response.toTag ?? "")
      if let again = repeatAcknowledgement(key, of: session) { return again }
      dialog.refreshTarget(from: response)
      sessions[id]?.dialog = dialog
      outputs = acknowledge(
        key, sequence: sequence, in: dialog, of: id, fallback: destination(session), causes: causes)
    }
    guard let offer = session.negotiation.offer, offer.transaction == transaction else { return outputs }
    sessions[id]?.negotiation.settle()
    guard session.state == .confirmed else {
      // The answer comes after the end and nothing else is waited for.
      return session.state == .closed ? outputs + [.cancelTimer(.awaitCancelled(id))] : outputs
    }
    if status < 300 {
      guard let media = media(in: session, by: response.sessionDescription, isHeldHere: offer.isHeld) else {
        return outputs + fail(id, because: "the answer is missing or cannot be used", causes: causes)
      }
      return outputs + agree(id, media, causes: causes) + renegotiate(id, causes: causes)
    }
    return fail(offer, of: id, session, Negotiation.Failure(status: status), causes: causes)
  }

  /// Our offer was not accepted.
  private mutating func fail(
    _ offer: Negotiation.Offer, of id: SessionID, _ session: Session, _ failure: Negotiation.Failure, causes: [Int]
  ) -> [UserAgentOutput] {
    switch failure {
    case .end: return fail(id, causes: causes)
    case .glare:
      if sessions[id]?.negotiation.cross(offer) == true {
        return [
          .setRandomTimer(
            .glare(id), in: Negotiation.glareWait(ownsCallID: session.ownsCallID), step: .milliseconds(10))
        ]
      }
    case .refusal:
      if sessions[id]?.negotiation.refuse(offer) == true {
        return [.event(.holdRefused(id), causes: causes)] + renegotiate(id, causes: causes)
      }
    }
    // It was a renewal, or the owner has come back to what is agreed meanwhile.
    return agree(id, session.negotiation.agreed, causes: causes) + renegotiate(id, causes: causes)
  }

  /// No response to our re-INVITE came in time: the dialog is ended (RFC 3261 12.2.1.2, 14.1).
  mutating func missReInviteResponse(of id: SessionID, _ session: Session) -> [UserAgentOutput] {
    sessions[id]?.negotiation.settle()
    if session.state == .closed { return [.cancelTimer(.awaitCancelled(id))] }
    return fail(id, causes: session.negotiation.offer?.causes ?? [])
  }

  /// Nothing acknowledged our refusal of an INVITE: its transaction is over all the same.
  mutating func giveUpRefusal(_ transaction: ServerTransactionID) -> [UserAgentOutput] {
    guard let id = sessions.first(where: { $0.value.negotiation.refusal == transaction })?.key else { return [] }
    return renegotiate(id, causes: [])
  }

  // MARK: The other side's offers

  mutating func receive(reInvite: IncomingRequest) -> [UserAgentOutput] {
    guard let id = session(of: reInvite.message), let dialog = sessions[id]?.dialog else {
      return answer(reInvite, 481)
    }
    guard accept(reInvite.message, in: dialog, of: id) else { return refuse(reInvite, in: id, 500) }
    guard let session = sessions[id] else { return answer(reInvite, 481) }
    // What takes the place of a dialog is a new one (RFC 3891 3).
    if reInvite.message.replacement != .none { return refuse(reInvite, in: id, 400) }
    switch session.state {
    case .confirmed: break
    case .closing: return answer(reInvite, 481)
    // The first INVITE has no final response yet (RFC 3261 14.2); the time is any from 0 to 10 s.
    case .invited: return refuse(reInvite, in: id, 500, [("Retry-After", "5")])
    // The first INVITE's ACK, and with it perhaps the answer to our offer, is on its way (RFC 5407 3.1.5).
    case .accepting, .calling, .proceeding, .cancelling, .closed: return refuse(reInvite, in: id, 491)
    }
    // Our offer is out, in a re-INVITE (RFC 3261 14.2) or in a 2xx whose ACK is to bring the answer (RFC 5407 3.1.5).
    if session.negotiation.offer != nil || session.success?.offersHold != nil {
      return refuse(reInvite, in: id, 491)
    }
    if let refusal = Self.refusal(ofBodyOf: reInvite.message) {
      return refuse(reInvite, in: id, refusal.status, refusal.headers)
    }
    guard let proposal = proposal(for: session, answering: reInvite.message.sessionDescription) else {
      return refuse(reInvite, in: id, 488)
    }
    return succeed(reInvite, in: id, with: proposal)
  }

  /// Refuses a re-INVITE and leaves the session as it is.
  private mutating func refuse(
    _ reInvite: IncomingRequest, in id: SessionID, _ status: Int, _ headers: [(name: String, value: String)] = []
  ) -> [UserAgentOutput] {
    sessions[id]?.negotiation.refusal = reInvite.transaction
    return answer(reInvite, status, headers)
  }

  /// Answers a re-INVITE. One that comes while our 2xx to the last one waits for its ACK shows that the 2xx has arrived
  /// and takes its place (RFC 5407 3.1.4).
  private mutating func succeed(
    _ reInvite: IncomingRequest, in id: SessionID, with proposal: Proposal
  ) -> [UserAgentOutput] {
    let causes = reInvite.causes
    let extras = MessageWriter.Extras(makesDialog: true, description: proposal.description)
    guard let response = try? writer.response(200, to: reInvite.message, from: reInvite.source, extras) else {
      transactions.abandon(reInvite.transaction)
      return [.dropped(why: "a request that cannot be answered", causes: causes)]
    }
    sessions[id]?.dialog?.refreshTarget(from: reInvite.message)
    let sent = transactions.send(response: response, in: reInvite.transaction, causes: causes)
    var outputs = handle(sent, causes: causes)
    for case .send(let transmission) in sent {
      outputs += awaitAcknowledgement(of: transmission, with: proposal, in: id)
    }
    return outputs + agree(id, proposal.media, causes: causes)
  }
}
