import Instant

/// The user agent as target of Replaces (RFC 3891 3): it finds the session that an INVITE is to take the place of, or
/// refuses the INVITE. Either way the session stays as it is until the owner ends it.
extension UserAgent {
  /// What becomes of an INVITE that may replace a session of ours.
  enum ReplacesVerdict: Hashable, Sendable {
    /// The INVITE can be served; the session that it replaces, if there is one.
    case serve(SessionID?)
    case refuse(status: Int)
  }

  func verdict(onReplacementBy invite: SIPMessage) -> ReplacesVerdict {
    switch invite.replacement {
    case .none: .serve(nil)
    case .malformed: .refuse(status: 400)
    case .one(let replaces): verdict(on: replaces, by: invite)
    }
  }

  private func verdict(on replaces: Replaces, by invite: SIPMessage) -> ReplacesVerdict {
    let matches = dialogs(matching: replaces)
    // Several matches are none.
    guard let dialog = matches.first, matches.count == 1 else { return .refuse(status: 481) }
    guard let id = liveSession(of: dialog), let session = sessions[id], !session.isOver else {
      return .refuse(status: 603)
    }
    // An early dialog that the other side began.
    if session.state == .invited { return .refuse(status: 481) }
    guard isAuthorised(invite, toReplace: session) else { return .refuse(status: 403) }
    let isEarly = session.dialog == nil
    return replaces.isEarlyOnly && !isEarly ? .refuse(status: 486) : .serve(id)
  }

  /// The dialogs that a Replaces means. `to-tag` is our tag; 0 also means a tag that is missing, which ours never is
  /// (RFC 3891 3).
  private func dialogs(matching replaces: Replaces) -> [Dialog.ID] {
    let tags = replaces.fromTag == "0" ? ["0", ""] : [replaces.fromTag]
    return tags.map { Dialog.ID(callID: replaces.callID, localTag: replaces.toTag, remoteTag: $0) }
      .filter { liveSession(of: $0) != nil || endedDialogs.contains($0) }
  }

  /// The session of a dialog, confirmed or early. A tag of ours belongs to one session.
  private func liveSession(of dialog: Dialog.ID) -> SessionID? {
    if let id = dialogs[dialog] { return id }
    return sessions.first {
      $0.value.dialog == nil && $0.value.localTag == dialog.localTag && $0.value.invite.callID == dialog.callID
        && $0.value.earlyTags.contains(dialog.remoteTag)
    }?.key
  }

  // MARK: Replacing

  /// What an INVITE says that is to take the place of a session of ours at its other side (RFC 3891 4): nothing unless
  /// that one is confirmed, or began here and its other side has a tag, and it is not over.
  func occasion(toReplace id: SessionID) -> [(name: String, value: String)] {
    guard let session = sessions[id], !session.isOver, let dialog = session.dialogIDs.last else { return [] }
    if session.state == .invited || session.dialog == nil && dialog.remoteTag.isEmpty { return [] }
    // What the other side calls its own tag is the first one here; 0 also means none (RFC 3891 3).
    let replaces = Replaces(
      callID: dialog.callID, toTag: dialog.remoteTag.isEmpty ? "0" : dialog.remoteTag, fromTag: dialog.localTag)
    return replaces.headerValue.map { [("Require", "replaces"), ("Replaces", $0)] } ?? []
  }

  private func isAuthorised(_ invite: SIPMessage, toReplace session: Session) -> Bool {
    switch policy.replacesAuthorisation {
    case .anyone: return true
    case .referredBy:
      let remote = session.dialog?.remoteAddress.uri ?? session.invite.to?.uri
      guard let remote, let referrer = invite.referredBy else { return false }
      guard let remote = SIPURI(remote), let referrer = SIPURI(referrer) else { return remote == referrer }
      return remote.isEquivalent(to: referrer)
    }
  }

  // MARK: Dialogs that have ended

  /// Remembers dialogs that have ended for as long as an INVITE may be on its way that means them.
  mutating func remember(_ dialogs: [Dialog.ID], of id: SessionID) -> [UserAgentOutput] {
    guard !dialogs.isEmpty else { return [] }
    for dialog in dialogs { endedDialogs.insert(dialog, of: id) }
    return [.setTimer(.forgetDialogs(id), after: TransactionTiming.timeout, isPeriodic: true)]
  }

  mutating func forgetDialogs(of id: SessionID) -> [UserAgentOutput] {
    endedDialogs.removeAll(of: id)
    return []
  }
}
