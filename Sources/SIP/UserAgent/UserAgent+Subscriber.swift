import Instant

/// The reports on a REFER of ours: its implicit subscription from the subscriber's side (RFC 3515 2.4.4 to 2.4.7,
/// RFC 6665 4.1.3).
extension UserAgent {
  mutating func receive(notify: IncomingRequest) -> [UserAgentOutput] {
    let message = notify.message
    guard let id = subscribedSession(of: message) else { return answer(notify, 481) }
    guard accept(notify: message, in: id) else { return answer(notify, 500) }
    guard let event = message.event, event.package == "refer" else {
      return answer(notify, 489, [("Allow-Events", "refer")])
    }
    guard let referral = referrals.subscription(in: id, eventID: event.id) else { return answer(notify, 481) }
    guard let state = message.subscriptionState else { return answer(notify, 400) }
    if let refusal = Self.refusal(ofCodingOf: message) { return answer(notify, refusal.status, refusal.headers) }
    if message.mediaType != "message/sipfrag", message.mediaType != nil || !message.body.isEmpty {
      return answer(notify, 415, [("Accept", "message/sipfrag")])
    }
    guard let status = message.sipFragmentStatus else { return answer(notify, 400) }
    refreshTarget(of: id, from: message)
    return answer(notify, 200) + take(status, state, on: referral, causes: notify.causes)
  }

  /// The session of a NOTIFY: its dialog lives on for the reports when the session is over (RFC 5057 5.1).
  private func subscribedSession(of notify: SIPMessage) -> SessionID? {
    guard let localTag = notify.toTag else { return nil }
    let dialog = Dialog.ID(callID: notify.callID, localTag: localTag, remoteTag: notify.fromTag ?? "")
    return dialogs[dialog] ?? referrals.session(of: dialog)
  }

  private mutating func accept(notify: SIPMessage, in id: SessionID) -> Bool {
    guard let sequence = notify.sequence else { return false }
    if let isInOrder = referrals.accepts(sequence, in: id) { return isInOrder }
    guard let dialog = sessions[id]?.dialog else { return false }
    return accept(notify, in: dialog, of: id)
  }

  /// Takes the Contact of a NOTIFY, or of a 2xx to REFER, as the new target (RFC 5057 5.4).
  mutating func refreshTarget(of id: SessionID, from message: SIPMessage) {
    sessions[id]?.dialog?.refreshTarget(from: message)
    referrals.refreshTarget(of: id, from: message)
  }

  /// Takes what a NOTIFY says. A final status is the outcome whatever else the NOTIFY says of the subscription
  /// (RFC 3515 2.4.5, 2.4.7).
  private mutating func take(
    _ status: Int, _ state: SubscriptionState, on referral: ReferralID, causes: [Int]
  ) -> [UserAgentOutput] {
    let accepted = accept(referral, causes: causes)
    guard let subscription = referrals[subscription: referral] else { return accepted }
    if state.isTerminated {
      return accepted + end(referral, status < 200 ? .unknown : .ended(status: status), causes: causes)
    }
    if status >= 200 { return accepted + tell(referral, .ended(status: status), causes: causes) }
    if subscription.isTold { return accepted }
    referrals[subscription: referral]?.isNotified = true
    referrals[subscription: referral]?.causes = causes
    let outputs = accepted + [.event(.referral(referral, .progress(status: status)), causes: causes)]
    // Without a word on it the time is as it was.
    guard let seconds = state.expires ?? (subscription.isNotified ? nil : Subscription.defaultSeconds) else {
      return outputs
    }
    return outputs + [.setTimer(.awaitNotification(referral), after: .seconds(Int64(seconds)), isPeriodic: false)]
  }

  /// The reports have stopped. Where they had begun, the one that says that the time is over may be on its way
  /// (RFC 6665 4.4.1).
  mutating func missNotification(of referral: ReferralID) -> [UserAgentOutput] {
    guard let subscription = referrals[subscription: referral] else { return [] }
    // The response is due by now as well, and says more.
    guard subscription.isAccepted else {
      return [.setTimer(.awaitNotification(referral), after: TransactionTiming.timeout, isPeriodic: false)]
    }
    return subscription.isNotified && !subscription.isTold
      ? tell(referral, .unknown, causes: subscription.causes)
      : end(referral, .unknown, causes: subscription.causes)
  }

  // MARK: How far it is

  /// The owner learns, once, that the REFER was accepted.
  mutating func accept(_ referral: ReferralID, causes: [Int]) -> [UserAgentOutput] {
    guard referrals[subscription: referral]?.isAccepted == false else { return [] }
    referrals[subscription: referral]?.isAccepted = true
    return [.event(.referral(referral, .accepted), causes: causes)]
  }

  /// The owner learns, once, how the REFER went. The subscription is kept for as long as a NOTIFY may still be on its
  /// way, and keeps no run alive.
  private mutating func tell(_ referral: ReferralID, _ state: ReferralState, causes: [Int]) -> [UserAgentOutput] {
    guard referrals[subscription: referral]?.isTold == false else { return [] }
    referrals[subscription: referral]?.isTold = true
    return [
      .setTimer(.awaitNotification(referral), after: TransactionTiming.timeout, isPeriodic: true),
      .event(.referral(referral, state), causes: causes),
    ]
  }

  /// The owner learns how the REFER went, unless it knows, and the subscription is forgotten.
  mutating func end(_ referral: ReferralID, _ state: ReferralState, causes: [Int]) -> [UserAgentOutput] {
    let isTold = referrals[subscription: referral]?.isTold ?? true
    referrals[subscription: referral] = nil
    return [.cancelTimer(.awaitNotification(referral))]
      + (isTold ? [] : [.event(.referral(referral, state), causes: causes)])
  }
}
