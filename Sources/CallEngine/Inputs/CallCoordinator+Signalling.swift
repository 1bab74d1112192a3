import Instant

/// The facts that signalling tells.
extension CallCoordinator {
  mutating func invitationArrived(_ invitation: Invitation, _ turn: inout Turn) {
    let reference = invitation.reference
    guard index(of: invitation.leg) == nil else {
      turn.ignored = "the leg is known already"
      return
    }
    var leg = Leg(id: invitation.leg, state: .offered, causes: turn.causes)
    if let replaced = invitation.replaces {
      // Signalling has matched it: it belongs to that call or to none, and never rings (RFC 3891 3).
      // Only the leg that carries the call can be taken over.
      guard let index = index(of: replaced), calls[index].isLive, calls[index].intent.end == nil,
        calls[index].leg?.id == replaced, calls[index].leg?.succession == nil
      else {
        turn.refusals.append((leg.id, .declined, []))
        return
      }
      // A push that came before has made a call of its own of it, which it is not.
      if let placeholder = placeholderIndex(of: reference) {
        calls[placeholder].reference = nil
        end(placeholder, .reported(.answeredElsewhere), causes: turn.causes, at: turn.now)
      }
      leg.succession = Leg.Succession(remote: invitation.remote, reference: reference)
      calls[index].legs.append(leg)
      return
    }
    if let index = placeholderIndex(of: reference) {
      bind(leg, from: invitation.remote, to: index, turn)
      return
    }
    // A live call that has its invitation stays as it is: this is another fork and becomes a call of its own
    // (invariant 6).
    if liveIndex(of: reference) == nil, let stone = tombstones.stone(of: reference) {
      let rejection = tombstones.consumeRejection(of: reference) ?? .unavailable
      turn.refusals.append((leg.id, rejection, stone.causes))
      return
    }
    guard index(of: invitation.freshUUID) == nil, !tombstones.isRetired(invitation.freshUUID) else {
      turn.refusals.append((leg.id, .unavailable, []))
      return
    }
    var call = Call(uuid: invitation.freshUUID, isOutgoing: false, presentation: .reporting, causes: turn.causes)
    call.reference = reference
    call.legs = [leg]
    call.learn(invitation.remote)
    calls.append(call)
    report(calls.count - 1, &turn)
  }

  /// The invitation that a push announced is here.
  private mutating func bind(_ leg: Leg, from remote: Party, to index: Int, _ turn: Turn) {
    calls[index].legs = [leg]
    calls[index].placeholderDeadline = nil
    calls[index].learn(remote)
    // From now on the watchdog bounds the actions that waited for the invitation (invariant 13).
    for position in calls[index].actions.indices where calls[index].actions[position].deadline == nil {
      calls[index].actions[position].deadline = turn.now + settings.actionWatchdog
    }
  }

  mutating func acceptSent(_ leg: LegID, _ turn: inout Turn) {
    guard let index = advance(leg, from: [.accepting], to: .accepted, &turn) else { return }
    if calls[index].leg(leg)?.succession != nil { takeOver(leg, index, &turn) }
  }

  /// The leg carries the call from now on, and the one before it is closed.
  mutating func takeOver(_ leg: LegID, _ index: Int, _ turn: inout Turn) {
    failActions(of: index, &turn) { if case .digits = $0 { true } else { false } }
    // Whom another transfer has us call is not called any more.
    for other in calls[index].legs where other.id != leg && other.transfer != nil {
      report(LegEnd.local.status, of: other.id, in: index, &turn)
      calls[index].updateLeg(other.id) { $0.succession = nil }
    }
    calls[index].promote(leg)
    turn.rebindings.append(calls[index].uuid)
  }

  mutating func acknowledged(_ leg: LegID, _ turn: inout Turn) {
    advance(leg, from: [.accepting, .accepted], to: .confirmed, &turn)
  }

  mutating func invitationSent(_ leg: LegID, _ reference: CallReference, _ turn: inout Turn) {
    guard let index = advance(leg, from: [.inviting], to: .invited, &turn) else { return }
    carry(reference, by: leg, index, &turn)
  }

  mutating func progressMade(_ leg: LegID, _ progress: Progress, _ turn: inout Turn) {
    let isFirst = index(of: leg).map { calls[$0].leg(leg)?.hasProgress == false } ?? false
    if isFirst, let index = index(of: leg) { calls[index].updateLeg(leg) { $0.hasProgress = true } }
    switch progress {
    case .trying: advance(leg, from: isFirst ? [.inviting, .invited] : [.inviting], to: .invited, &turn)
    case .ringing, .earlyMedia:
      guard let index = advance(leg, from: [.inviting, .invited], to: .early, &turn) else { return }
      report(progress == .ringing ? 180 : 183, of: leg, in: index, &turn)
    }
  }

  mutating func answered(_ leg: LegID, _ turn: inout Turn) {
    guard let index = advance(leg, from: [.inviting, .invited, .early], to: .confirmed, &turn) else { return }
    if calls[index].leg(leg)?.succession != nil { return completeSuccession(leg, index, &turn) }
    // The invitation has got through after all: nothing need take its place.
    for other in calls[index].legs where other.isRepair { calls[index].updateLeg(other.id) { $0.succession = nil } }
  }

  /// Moves a leg on. Facts may come late or twice; a leg never goes back.
  @discardableResult
  private mutating func advance(
    _ leg: LegID, from states: [Leg.State], to state: Leg.State, _ turn: inout Turn
  ) -> Int? {
    guard let index = index(of: leg), let current = calls[index].leg(leg)?.state else {
      turn.ignored = "no call has this leg"
      return nil
    }
    guard states.contains(current) else {
      turn.ignored =
        switch current {
        case .closing: "the leg is being closed"
        case state: "it says nothing new about the leg"
        default: "the leg is past that"
        }
      return nil
    }
    calls[index].updateLeg(leg) { $0.state = state }
    guard let primary = calls[index].leg, primary.id == leg else { return index }
    if primary.isAccepted, calls[index].connectionOrder == nil { takeFloor(index) }
    if state == .confirmed { calls[index].wasConnected = true }
    return index
  }

  /// Offer and answer agree. What was asked for last is settled once it is what was agreed on; else signalling goes on.
  mutating func negotiated(_ leg: LegID, _ media: MediaState, _ turn: inout Turn) {
    guard let index = index(of: leg), let current = calls[index].leg(leg), current.state != .closing else {
      turn.ignored = "no call has this leg"
      return
    }
    calls[index].updateLeg(leg) { leg in
      leg.agreement = media
      if leg.isToldToHold == media.isHeldHere { leg.holdRequest = .settled }
    }
    guard calls[index].leg?.id == leg else { return }
    if calls[index].leg == current, !current.isBeingRenewed { turn.ignored = "it says nothing new about the leg" }
    calls[index].updateLeg { $0.isBeingRenewed = false }
    if !current.isResumed, calls[index].leg?.isResumed == true { takeFloor(index) }
  }

  /// The session is as it was. Without the other side's consent a call is not resumed; a call that it does not agree to
  /// have held is not fed all the same.
  mutating func localHoldRefused(_ leg: LegID, _ turn: inout Turn) {
    guard let index = index(of: leg), let current = calls[index].leg, current.id == leg, current.holdRequest == .pending
    else {
      turn.ignored = "nothing was asked for"
      return
    }
    calls[index].updateLeg { leg in
      leg.holdRequest = .refused
      leg.isBeingRenewed = false
    }
    if !calls[index].intent.isHeld { giveUpResumption(of: index, causes: turn.causes, &turn) }
  }

  /// The call is the one that was connected or resumed last.
  private mutating func takeFloor(_ index: Int) {
    lastConnection += 1
    calls[index].connectionOrder = lastConnection
  }

  /// The call goes on if another leg carries it, or is about to.
  mutating func legEnded(_ leg: LegID, _ end: LegEnd, _ turn: inout Turn) {
    guard let index = index(of: leg) else {
      turn.ignored = end == .local ? "the leg was refused and belongs to no call" : "no call has this leg"
      return
    }
    let isPrimary = calls[index].leg?.id == leg
    report(end.status, of: leg, in: index, &turn)
    let decides = !isPrimary && repairDecides(leg, end, index, &turn)
    calls[index].legs.removeAll { $0.id == leg }
    let next = calls[index].legs.first { $0.succession != nil || !isPrimary }
    if let next, !decides, !(isPrimary && next.isRepair && end.refusesTheCall) {
      // Whom a transfer names has not answered yet; any other successor takes over now.
      if isPrimary, next.transfer == nil, calls[index].isLive { takeOver(next.id, index, &turn) }
    } else {
      // Once both sides have talked nobody is busy or away any more: what fails then is the call.
      let reason = end.reason(isOutgoing: calls[index].isOutgoing, wasConnected: calls[index].wasConnected)
      self.end(index, .reported(reason), causes: turn.causes, at: turn.now)
    }
  }
}

extension LegEnd {
  /// What CallKit is told of it (CK-20).
  func reason(isOutgoing: Bool, wasConnected: Bool) -> EndedReason {
    switch self {
    case .remoteHangUp, .cancelled(nil): .remoteEnded
    case .cancelled(.answered): .answeredElsewhere
    case .cancelled(.declined): .declinedElsewhere
    case .rejected(let status): isOutgoing && !wasConnected ? Self.reason(ofStatus: status) : .failed
    // No response at all counts as 408 (RFC 3261 8.1.3.1).
    case .transactionTimeout: wasConnected ? .failed : .unanswered
    case .local, .noAcknowledgement, .failure: .failed
    }
  }

  private static func reason(ofStatus status: Int) -> EndedReason {
    switch status {
    case 486, 600, 603: .remoteEnded
    case 408, 480: .unanswered
    default: .failed
    }
  }
}
