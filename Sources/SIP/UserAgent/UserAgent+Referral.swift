import Instant

/// The user agent as transferee: it takes REFERs within its sessions and calls whom they name (RFC 3515, RFC 7647,
/// RFC 5589 6).
extension UserAgent {
  /// How long the owner has to answer a REFER: less than the other side waits before it sends it again.
  private static let answerTime = Span.milliseconds(200)

  mutating func receive(refer: IncomingRequest) -> [UserAgentOutput] {
    let message = refer.message
    // We call for those whom we are talking with, not for strangers.
    guard message.toTag != nil else { return answer(refer, 403) }
    guard let id = session(of: message), let session = sessions[id], let dialog = session.dialog, !session.isOver else {
      return answer(refer, 481)
    }
    guard accept(message, in: dialog, of: id) else { return answer(refer, 500) }
    guard session.state != .invited else { return answer(refer, 403) }
    sessions[id]?.wasReferred = true
    if let refusal = Self.refusal(ofCodingOf: message) { return answer(refer, refusal.status, refusal.headers) }
    // No body means anything to us here, and none is needed.
    if !message.body.isEmpty, !message.isBodyOptional { return answer(refer, 415, [("Accept", "")]) }
    guard message.values(of: "Referred-By").isEmpty || message.referredBy != nil else { return answer(refer, 400) }
    let referTo: ReferTo
    do { referTo = try ReferTo(of: message) } catch { return answer(refer, error.status) }
    let referral = referrals.insert(
      Referrals.Entry(
        session: id, request: refer, referTo: referTo, eventID: session.wasReferred ? message.sequence?.number : nil,
        notifies: !message.wantsNoSubscription))
    return [
      .setTimer(.awaitReferralAnswer(referral), after: Self.answerTime, isBackground: false),
      .event(
        .referred(id, referral, Referral(target: referTo.target, targetName: referTo.displayName)),
        causes: refer.causes),
    ]
  }

  /// Declines every REFER that waits for its answer while its session is over, or is about to be: whoever sent it is no
  /// more somebody whom we are talking with (RFC 5407 3.3.3).
  mutating func declineCutOff(causes: [Int]) -> [UserAgentOutput] {
    if referrals.entries.isEmpty { return [] }
    let cutOff = referrals.entries.filter { !$0.value.isAccepted && sessions[$0.value.session]?.isOver ?? true }
    return cutOff.keys.sorted().flatMap { answerReferral($0, accepts: false, origin: .rule, causes: causes) }
  }

  // MARK: The owner's decisions

  mutating func answerReferral(
    _ id: ReferralID, accepts: Bool, origin: Transmission.Origin = .decision, causes: [Int]
  ) -> [UserAgentOutput] {
    guard let entry = referrals[id], !entry.isAccepted else { return [notNow(causes)] }
    let cancelled: [UserAgentOutput] = [.cancelTimer(.awaitReferralAnswer(id))]
    let headers = accepts && !entry.notifies ? [(name: "Refer-Sub", value: "false")] : []
    let extras = MessageWriter.Extras(makesDialog: accepts, headers: headers)
    guard
      let response = try? writer.response(
        accepts ? 200 : 603, to: entry.request.message, from: entry.request.source, extras)
    else {
      referrals[id] = nil
      transactions.abandon(entry.request.transaction)
      return cancelled + [.dropped(why: "a request that cannot be answered", causes: causes)]
    }
    let causes = entry.request.causes + causes.filter { !entry.request.causes.contains($0) }
    let sent = transactions.send(
      response: response, in: entry.request.transaction, origin: origin, causes: causes)
    let outputs = cancelled + handle(sent, causes: causes)
    guard accepts else {
      referrals[id] = nil
      return outputs
    }
    referrals[id]?.isAccepted = true
    sessions[entry.session]?.dialog?.refreshTarget(from: entry.request.message)
    return outputs + [.setTimer(.referralSecond(id), after: .seconds(1), isBackground: false)]
      + notify(id, Referrals.Report(status: 100, origin: .rule, causes: causes))
  }

  /// INVITEs whom an accepted REFER names. An owner that wants it when it is too late learns that nothing comes of it.
  mutating func inviteReferred(
    _ id: SessionID, by referral: ReferralID, callID: String, fallbackCallID: String?, causes: [Int]
  ) -> [UserAgentOutput] {
    guard id.origin == .local, sessions[id] == nil else { return [notNow(causes)] }
    guard let entry = referrals[referral], entry.isAccepted else {
      return [.event(.ended(id, .failed), causes: causes)]
    }
    var occasion: [(name: String, value: String)] = []
    if let replaces = entry.referTo.replaces { occasion += [("Require", "replaces"), ("Replaces", replaces)] }
    occasion += entry.request.message.values(of: "Referred-By").map { ("Referred-By", $0) }
    return invite(
      id, target: entry.referTo.target, callID: callID, fallbackCallID: fallbackCallID, occasion: occasion,
      causes: causes)
  }

  mutating func reportReferral(_ id: ReferralID, status: Int, causes: [Int]) -> [UserAgentOutput] {
    guard let entry = referrals[id], entry.isAccepted, !entry.isReported, (100...699).contains(status) else {
      return [notNow(causes)]
    }
    return notify(id, Referrals.Report(status: status, end: status < 200 ? nil : .noresource, causes: causes))
  }
}

extension SIPMessage {
  /// What the occasion of an INVITE of ours has added to it: a referral.
  var occasion: [(name: String, value: String)] {
    ["Require", "Replaces", "Referred-By"].flatMap { name in values(of: name).map { (name, $0) } }
  }

  /// Whether a REFER asks for no reports (RFC 4488 4).
  var wantsNoSubscription: Bool {
    let values = values(of: "Refer-Sub")
    return values.count == 1 && values[0].prefix { $0 != ";" && $0 != " " && $0 != "\t" }.lowercased() == "false"
  }

  /// Whether the body may be passed over (RFC 3261 20.11).
  var isBodyOptional: Bool {
    value(of: "Content-Disposition")?.split(separator: ";").dropFirst().contains {
      $0.filter { $0 != " " && $0 != "\t" }.lowercased() == "handling=optional"
    } ?? false
  }
}
