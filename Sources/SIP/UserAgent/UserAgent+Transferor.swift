import Instant

/// The user agent as transferor: it sends REFERs within its sessions (RFC 3515, RFC 5589 6 and 7.3).
extension UserAgent {
  /// What a REFER of ours is to say.
  private struct ReferralContent: Hashable, Sendable {
    /// The value of Refer-To.
    var referTo: String
    /// What the INVITE that it asks for is to replace.
    var replaces: Replaces?
  }

  /// Sends a REFER. What cannot be sent counts as refused at once, without a status.
  mutating func refer(
    _ id: SessionID, _ referral: ReferralID, to target: ReferralTarget, causes: [Int]
  ) -> [UserAgentOutput] {
    guard referral.origin == .local, !referrals.isInUse(referral) else { return [notNow(causes)] }
    guard isConfirmed(id), let content = content(for: target, in: id),
      let (transaction, sequence, outputs) = sendRefer(content, in: id, causes: causes)
    else { return [notNow(causes), .event(.referral(referral, .refused(status: nil)), causes: causes)] }
    referrals[subscription: referral] = Subscription(
      session: id, sequence: sequence, isFirst: sessions[id]?.hasReferred == false, causes: causes)
    sessions[id]?.hasReferred = true
    referrals.requests[transaction] = Referrals.Asked(referral: referral, session: id)
    return outputs + [.setTimer(.awaitNotification(referral), after: TransactionTiming.timeout, isBackground: false)]
  }

  private func isConfirmed(_ id: SessionID) -> Bool {
    sessions[id].map { $0.state == .confirmed && !$0.isOver } ?? false
  }

  /// `nil` for what is no SIP URI, or a session that has nobody to replace us with.
  private func content(for target: ReferralTarget, in id: SessionID) -> ReferralContent? {
    switch target {
    case .uri(let uri, let name):
      let value = NameAddress(displayName: name, uri: uri).headerValue
      return NameAddress(value)?.uri == uri ? ReferralContent(referTo: value) : nil
    case .session(let other):
      guard other != id, isConfirmed(other), let dialog = sessions[other]?.dialog,
        var uri = SIPURI(dialog.remoteTarget)?.forRequest
      else { return nil }
      // `to-tag` is the tag of the side that gets the INVITE (RFC 3891 3); 0 stands for one that is missing (6.1).
      let tag = dialog.id.remoteTag.isEmpty ? "0" : dialog.id.remoteTag
      let replaces = Replaces(callID: dialog.id.callID, toTag: tag, fromTag: dialog.id.localTag)
      guard let value = replaces.headerValue else { return nil }
      uri.headers = [SIPURI.Parameter("Replaces", SIPURI.headerValue(value))]
      return ReferralContent(referTo: NameAddress(uri: uri.description).headerValue, replaces: replaces)
    }
  }

  /// REFER with Referred-By (RFC 3892 2.1). `nil` if it cannot be written so that its reader finds in it what is meant.
  private mutating func sendRefer(
    _ content: ReferralContent, in id: SessionID, causes: [Int]
  ) -> (transaction: ClientTransactionID, sequence: Int, outputs: [UserAgentOutput])? {
    guard let session = sessions[id], var dialog = session.dialog else { return nil }
    let sequence = dialog.nextSequence()
    let destination = writer.endpoint(of: dialog.routing.nextHop) ?? destination(session)
    guard
      let refer = try? writer.request(
        .refer, sequence: sequence, in: dialog, branch: identifiers.branch(), transport: destination.transport,
        headers: [("Refer-To", content.referTo), ("Referred-By", writer.from.headerValue)]),
      !refer.findings.contains(where: \.isFatal), let referTo = try? ReferTo(of: refer),
      referTo.replaces.flatMap({ Replaces($0) }) == content.replaces
    else { return nil }
    sessions[id]?.dialog = dialog
    let (transaction, outputs) = transactions.send(request: refer, to: destination, causes: causes)
    return (transaction, sequence, handle(outputs, causes: causes))
  }

  // MARK: The response

  mutating func receive(
    referResponse response: SIPMessage, status: Int, in transaction: ClientTransactionID, to asked: Referrals.Asked,
    causes: [Int]
  ) -> [UserAgentOutput] {
    guard status >= 200 else { return [] }
    referrals.requests[transaction] = nil
    // It says that no response came in time.
    if status == 408 { return missReferResponse(status, to: asked, causes: causes) }
    if status >= 300 { return refuse(asked, status: status, causes: causes) }
    refreshTarget(of: asked.session, from: response)
    let accepted = accept(asked.referral, causes: causes)
    // The other side reports nothing (RFC 4488 4).
    return response.wantsNoSubscription ? accepted + end(asked.referral, .unknown, causes: causes) : accepted
  }

  mutating func missReferResponse(in transaction: ClientTransactionID, to asked: Referrals.Asked) -> [UserAgentOutput] {
    referrals.requests[transaction] = nil
    return missReferResponse(nil, to: asked, causes: referrals[subscription: asked.referral]?.causes ?? [])
  }

  /// No response came in time, so that the dialog is over (RFC 3261 12.2.1.2), unless a NOTIFY has shown that the other
  /// side took the REFER (RFC 6665 4.1.2.4).
  private mutating func missReferResponse(
    _ status: Int?, to asked: Referrals.Asked, causes: [Int]
  ) -> [UserAgentOutput] {
    guard referrals[subscription: asked.referral]?.isAccepted == false else { return [] }
    return refuse(asked, status: status, causes: causes)
  }

  /// Where the refusal ends the session too, the owner learns that first: a call that is over needs nothing done for it.
  private mutating func refuse(_ asked: Referrals.Asked, status: Int?, causes: [Int]) -> [UserAgentOutput] {
    let isFirst = referrals[subscription: asked.referral]?.isFirst
    let refused = end(asked.referral, .refused(status: status), causes: causes)
    if isFirst == true, !referrals.passOnFirst(of: asked.session) { sessions[asked.session]?.hasReferred = false }
    return end(asked.session, FailureScope(status, to: .refer), causes: causes) + (isFirst == nil ? [] : refused)
  }
}
