import Instant

/// The reports on a referral: the implicit subscription of a REFER from the notifier's side (RFC 3515 2.4.4 to 2.4.7,
/// RFC 6665 4.2).
extension UserAgent {
  /// Sends a report, or has it wait for the response to the last one; of those that wait only the newest is worth it.
  mutating func notify(_ id: ReferralID, _ report: Referrals.Report) -> [UserAgentOutput] {
    referrals[id]?.waiting = report
    referrals[id]?.status = report.status
    guard report.end != nil else { return sendNotification(of: id) }
    referrals[id]?.isReported = true
    return [.cancelTimer(.referralSecond(id))] + sendNotification(of: id)
  }

  /// Sends the report that waits, if nothing stands against it. A referral whose last report has been answered, or needs
  /// not be sent, is forgotten.
  private mutating func sendNotification(of id: ReferralID) -> [UserAgentOutput] {
    guard let entry = referrals[id], entry.outstanding == nil else { return [] }
    guard entry.notifies, let report = entry.waiting else {
      if entry.isReported { referrals[id] = nil } else { referrals[id]?.waiting = nil }
      return []
    }
    referrals[id]?.waiting = nil
    guard let (transaction, outputs) = request(report, on: entry) else {
      referrals[id]?.notifies = false
      return sendNotification(of: id)
    }
    referrals[id]?.outstanding = transaction
    referrals.notifications[transaction] = id
    return outputs
  }

  /// NOTIFY in the dialog of the REFER, which the end of its session does not end (RFC 5057 5.1). `nil` if it cannot be
  /// written.
  private mutating func request(
    _ report: Referrals.Report, on entry: Referrals.Entry
  ) -> (transaction: ClientTransactionID, outputs: [UserAgentOutput])? {
    guard let (sequence, kept) = nextRequest(in: entry.session) else { return nil }
    let destination = writer.endpoint(of: kept.dialog.routing.nextHop) ?? kept.fallback
    let state = report.end.map { "terminated;reason=\($0.rawValue)" } ?? "active;expires=\(entry.secondsLeft)"
    let event = entry.eventID.map { "refer;id=\($0)" } ?? "refer"
    guard
      let notify = try? writer.request(
        .notify, sequence: sequence, in: kept.dialog, branch: identifiers.branch(), transport: destination.transport,
        headers: [("Event", event), ("Subscription-State", state)], body: MessageWriter.Body(fragmentOf: report.status))
    else { return nil }
    let (transaction, outputs) = transactions.send(
      request: notify, to: destination, origin: report.origin, causes: report.causes)
    return (transaction, handle(outputs, causes: report.causes))
  }

  /// The number of the next request in a session's dialog, and the dialog, whether the session is over or not.
  mutating func nextRequest(in id: SessionID) -> (sequence: Int, kept: Referrals.Kept)? {
    if let next = referrals.nextRequest(of: id) { return next }
    guard let session = sessions[id], var dialog = session.dialog else { return nil }
    let sequence = dialog.nextSequence()
    sessions[id]?.dialog = dialog
    return (sequence, Referrals.Kept(dialog: dialog, fallback: destination(session)))
  }

  /// A session is over; its dialog lives on for the reports.
  mutating func keepDialog(of id: SessionID, _ session: Session) {
    guard let dialog = session.dialog else { return }
    referrals.keep(Referrals.Kept(dialog: dialog, fallback: destination(session)), of: id)
  }

  // MARK: What comes of a report

  mutating func receive(
    notifyResponse response: SIPMessage, status: Int, in transaction: ClientTransactionID, of id: ReferralID,
    causes: [Int]
  ) -> [UserAgentOutput] {
    guard status >= 200 else { return [] }
    return endNotification(transaction, of: id, failed: Self.endsSubscription(status))
  }

  /// Which responses end a subscription (RFC 6665 4.2.2, RFC 5057 5.1); others only leave their NOTIFY without effect.
  /// The session goes on whatever comes: it was not what the NOTIFY was about.
  private static func endsSubscription(_ status: Int) -> Bool {
    switch status {
    case 404, 405, 408, 410, 416, 480...485, 489, 501, 502, 604: true
    default: false
    }
  }

  /// A NOTIFY has its final response, or none in time. If it failed, no further one is sent.
  mutating func endNotification(
    _ transaction: ClientTransactionID, of id: ReferralID, failed: Bool
  ) -> [UserAgentOutput] {
    referrals.notifications[transaction] = nil
    referrals[id]?.outstanding = nil
    if failed { referrals[id]?.notifies = false }
    return sendNotification(of: id)
  }

  /// Another second has passed without an outcome. When the time is over, so is the subscription, and the report says
  /// what was known last.
  mutating func passSecond(of id: ReferralID) -> [UserAgentOutput] {
    guard let entry = referrals[id], entry.isAccepted, !entry.isReported else { return [] }
    referrals[id]?.secondsLeft -= 1
    if entry.secondsLeft > 1 { return [.setTimer(.referralSecond(id), after: .seconds(1), isPeriodic: false)] }
    return notify(
      id, Referrals.Report(status: entry.status, end: .timeout, origin: .rule, causes: entry.request.causes))
  }
}
