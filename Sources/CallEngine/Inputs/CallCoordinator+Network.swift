import Instant

/// The network goes and comes back. No call ends for it: what was sent meanwhile is lost, and each leg is put right when
/// messages can go again (LP-24, invariant 39).
extension CallCoordinator {
  mutating func networkLost(_ turn: inout Turn) {
    if isNetworkLost { turn.ignored = "the network is lost already" }
    isNetworkLost = true
  }

  mutating func networkRestored(_ turn: inout Turn) {
    guard isNetworkLost else {
      turn.ignored = "the network was not lost"
      return
    }
    isNetworkLost = false
    for index in calls.indices where calls[index].isLive && calls[index].intent.end == nil {
      repair(index, &turn)
    }
  }

  /// A complete dialog is offered anew; an invitation of ours that is not answered is made anew. The INVITE of an
  /// incoming call is the caller's to repeat, and the target of a transfer has its own time (``Leg/answerDeadline``).
  private mutating func repair(_ index: Int, _ turn: inout Turn) {
    guard let leg = calls[index].leg else { return }
    switch leg.state {
    case .confirmed:
      turn.renewals.append(leg.id)
      calls[index].updateLeg { $0.isBeingRenewed = true }
    // What nothing has come back to is repeated by its transaction (RFC 3261 17.1.1.2), and cannot be cancelled (9.1).
    case .invited where leg.succession == nil && leg.hasProgress: inviteAnew(index, &turn)
    case .early where leg.succession == nil:
      if settings.repair == .replaces { inviteInPlace(of: leg, index, &turn) } else { inviteAnew(index, &turn) }
    case .invited, .early, .offered, .ringing, .accepting, .accepted, .inviting, .closing: break
    }
  }

  /// A new leg takes the place of the one before it at once; reconciliation closes that.
  private mutating func inviteAnew(_ index: Int, _ turn: inout Turn) {
    guard let target = calls[index].target else { return }
    // Whoever was to take over is not needed any more.
    for leg in calls[index].legs.dropFirst() { calls[index].updateLeg(leg.id) { $0.succession = nil } }
    let leg = newLeg(causes: turn.causes)
    calls[index].legs.insert(leg, at: 0)
    turn.invitations.append((leg.id, target, nil, calls[index].causes))
  }

  /// A new leg takes over when it is answered: the callee knows from Replaces that it is the same call (RFC 3891).
  private mutating func inviteInPlace(of old: Leg, _ index: Int, _ turn: inout Turn) {
    guard let target = calls[index].target, !calls[index].legs.contains(where: { $0.succession != nil }) else { return }
    var leg = newLeg(causes: turn.causes)
    leg.succession = Leg.Succession(remote: target)
    leg.isRepair = true
    calls[index].legs.append(leg)
    turn.invitations.append((leg.id, target, old.id, calls[index].causes))
  }

  /// The old invitation has got through after all, and the callee is alerted by the new one: they have not seen that it
  /// is for the same call, and must not be rung while we talk. One that they have seen is accepted without that.
  mutating func giveUpRingingRepair(_ index: Int) {
    guard calls[index].leg?.isAccepted == true else { return }
    for leg in calls[index].legs where leg.isRepair && leg.state == .early {
      calls[index].updateLeg(leg.id) { $0.succession = nil }
    }
  }

  /// Whether what has become of a leg decides about the call, which it was to repair. A callee that keeps to RFC 3891 3
  /// does not let an early dialog be replaced that it has not begun: the call is made anew then. Any other refusal is
  /// the callee's word on the call.
  mutating func repairDecides(_ id: LegID, _ end: LegEnd, _ index: Int, _ turn: inout Turn) -> Bool {
    guard let leg = calls[index].leg(id), leg.isRepair, leg.succession != nil, calls[index].isLive,
      calls[index].intent.end == nil, calls[index].leg?.isAccepted == false
    else { return false }
    switch end {
    case .rejected(status: 420), .rejected(status: 481):
      inviteAnew(index, &turn)
      return false
    case .rejected, .transactionTimeout, .failure: return true
    case .local, .remoteHangUp, .cancelled, .noAcknowledgement: return false
    }
  }

  /// Our invitation has left again, perhaps under another name (LP-15).
  mutating func invitedAgain(_ leg: LegID, _ reference: CallReference, _ turn: inout Turn) {
    guard let index = index(of: leg), let state = calls[index].leg(leg)?.state else {
      turn.ignored = "no call has this leg"
      return
    }
    guard state == .inviting || state == .invited || state == .early else {
      turn.ignored = "the leg is past that"
      return
    }
    calls[index].updateLeg(leg) { leg in
      leg.state = .invited
      leg.hasProgress = false
    }
    carry(reference, by: leg, index, &turn)
  }

  /// The invitation of a leg has this name. A leg that does not carry the call yet brings it when it does.
  mutating func carry(_ reference: CallReference, by leg: LegID, _ index: Int, _ turn: inout Turn) {
    if calls[index].leg(leg)?.succession != nil {
      calls[index].updateLeg(leg) { $0.succession?.reference = reference }
    } else if calls[index].leg?.id == leg, calls[index].rename(reference) {
      turn.rebindings.append(calls[index].uuid)
    }
  }
}

extension LegEnd {
  /// Whether the callee does not want the call. 487 says only that this invitation was given up for another one.
  var refusesTheCall: Bool {
    if case .rejected(let status) = self { status != 487 } else { false }
  }
}
