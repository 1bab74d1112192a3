import Instant

/// Finding calls and deciding their end.
extension CallCoordinator {
  func index(of uuid: CallUUID) -> Int? {
    calls.firstIndex { $0.uuid == uuid }
  }

  /// The call that a leg belongs to: every leg resolves to one call at most.
  func index(of leg: LegID) -> Int? {
    calls.firstIndex { $0.legs.contains { $0.id == leg } }
  }

  /// The incoming call that goes on under this reference. Our own outgoing calls do not count: a call to oneself has
  /// the same reference at both ends.
  func liveIndex(of reference: CallReference) -> Int? {
    calls.firstIndex { $0.invitations.contains(reference) && $0.isLive }
  }

  func placeholderIndex(of reference: CallReference) -> Int? {
    calls.firstIndex { $0.reference == reference && $0.isPlaceholder }
  }

  /// A leg of ours, whose invitation is about to be commanded.
  mutating func newLeg(causes: Causes) -> Leg {
    lastLeg += 1
    return Leg(id: LegID(.local, lastLeg), state: .inviting, causes: causes)
  }

  /// Decides that a call is over. The first decision stands.
  mutating func end(
    _ index: Int, _ how: CallEnd, rejection: Rejection = .unavailable, isReported: Bool? = nil,
    causes: Causes, at now: Instant
  ) {
    guard calls[index].isLive else { return }
    let call = calls[index]
    calls[index].ending = Ending(
      how: how, rejection: rejection, isReported: isReported ?? (how != .local),
      causes: causes.union(call.intent.end ?? []))
    tombstones.retire(call.uuid, until: now + settings.tombstoneLife, limit: settings.tombstoneLimit)
    for reference in call.invitations {
      // A time-out is not a decline: only what the user or the system decided is told to a late invitation.
      let isOwed = call.legs.isEmpty && rejection != .unavailable
      tombstones.add(
        Tombstone(
          reference: reference, reason: call.reasonForLatePush(how), rejection: isOwed ? rejection : nil,
          causes: causes.union(call.causes), expiry: now + settings.tombstoneLife),
        limit: settings.tombstoneLimit)
    }
    if settings.resumesRemainingCall { resumeRemainingCall(causes) }
  }

  /// Asks for the resumption of a held call that is the only one left. While it is being transferred that is put off.
  mutating func resumeRemainingCall(_ causes: Causes) {
    let remaining = calls.filter { $0.isLive && $0.intent.end == nil }
    guard remaining.count == 1, let call = remaining.first, call.intent.isHeld, call.isUp,
      !requests.contains(.setHeld(false), for: call.uuid)
    else { return }
    if let place = transfers.firstIndex(where: { $0.concerns(call.uuid) }) {
      transfers[place].hasPutOffResumption = true
      return
    }
    requests.add(.setHeld(false), for: call.uuid, causes: causes)
  }
}

extension Call {
  /// What another call that a late push for the same invitation brings about ends with. CallKit has no reason for a
  /// local end, so that a call handled here counts as handled elsewhere.
  fileprivate func reasonForLatePush(_ how: CallEnd) -> EndedReason {
    switch how {
    case .reported(let reason): reason
    case .local: leg?.isAccepted == true ? .answeredElsewhere : .declinedElsewhere
    }
  }
}
