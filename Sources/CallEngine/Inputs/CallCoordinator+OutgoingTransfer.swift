import Instant

/// We ask the other side of a call to call somebody in our place (RFC 3515, RFC 5589). The call is held before that, and
/// the hold agreed on, so that nobody is talked to in the middle of it.
extension CallCoordinator {
  // MARK: The wish

  mutating func transfer(
    _ uuid: CallUUID, to target: OutgoingTransfer.Target, _ intent: UserIntent, _ turn: inout Turn
  ) {
    guard let index = isUsable(uuid, intent, &turn) else { return }
    guard calls[index].leg?.isAccepted == true else { return refuse(intent, "the call is not up", &turn) }
    if case .call(let other) = target {
      guard other != uuid else { return refuse(intent, "a call cannot be transferred to itself", &turn) }
      guard let otherIndex = isUsable(other, intent, &turn) else { return }
      // One that is still ringing at the other side is waited for (RFC 5589 7.6); an INVITE that would replace an early
      // dialog of ours would be refused there (RFC 3891 3).
      guard calls[otherIndex].isOutgoing || calls[otherIndex].leg?.isAccepted == true else {
        return refuse(intent, "the other call is not up", &turn)
      }
      guard !isInTransfer(other) else { return refuse(intent, "the other call is being transferred", &turn) }
    }
    guard !isInTransfer(uuid) else { return refuse(intent, "the call is being transferred", &turn) }
    let needsHold = !calls[index].intent.isHeld && !requests.isToCome(.setHeld(true), for: uuid)
    if needsHold { requests.add(.setHeld(true), for: uuid, causes: turn.causes) }
    lastTransfer += 1
    transfers.append(
      OutgoingTransfer(
        id: TransferID(.local, lastTransfer), call: uuid, target: target, causes: turn.causes, isHeldForIt: needsHold))
  }

  /// Whether the call is part of a transfer that is under way, be it that we were asked for it or ask for it.
  func isInTransfer(_ uuid: CallUUID) -> Bool {
    transfers.contains { $0.concerns(uuid) }
      || calls.contains { $0.uuid == uuid && $0.legs.contains { $0.transfer != nil } }
  }

  /// The user resumes the call: it is not the transfer any more that it is held for.
  mutating func forgetHoldForTransfer(of uuid: CallUUID) {
    for place in transfers.indices where transfers[place].call == uuid { transfers[place].isHeldForIt = false }
  }

  // MARK: Its course

  /// Asks for the transfers that nothing stands against any more, and gives up those that cannot come about.
  mutating func advanceTransfers(_ turn: inout Turn) {
    var kept: [OutgoingTransfer] = []
    var abandoned: [OutgoingTransfer] = []
    for var transfer in transfers {
      if transfer.phase == .preparing {
        if let why = obstacle(to: transfer) {
          turn.refusedIntents.append((transfer.intent, why, transfer.causes))
          abandoned.append(transfer)
          continue
        }
        if let (leg, target) = readyLegs(of: transfer) {
          transfer.phase = .asked(leg, replacing: target.leg)
          turn.emit(.transfer(leg, transfer.id, to: target), realising: transfer.causes)
        }
      }
      kept.append(transfer)
    }
    transfers = kept
    for transfer in abandoned {
      turn.transferNews.append((transfer.call, .refused(status: nil), transfer.causes))
      failed(transfer, turn)
    }
  }

  /// What makes a transfer impossible that was not asked for yet.
  private func obstacle(to transfer: OutgoingTransfer) -> String? {
    func goesOn(_ uuid: CallUUID) -> Bool {
      index(of: uuid).map { calls[$0].isLive && calls[$0].intent.end == nil } ?? false
    }
    guard goesOn(transfer.call), let index = index(of: transfer.call) else { return "the call is over" }
    if case .call(let other) = transfer.target, !goesOn(other) { return "the other call is over" }
    guard calls[index].intent.isHeld || requests.isToCome(.setHeld(true), for: transfer.call) else {
      return "the call is not held"
    }
    return nil
  }

  /// The leg on which the other side can be asked now, and for what. A refused hold does not stand against it: no offer
  /// of ours is outstanding, and nobody is heard all the same.
  private func readyLegs(of transfer: OutgoingTransfer) -> (LegID, TransferTarget)? {
    guard let index = index(of: transfer.call), calls[index].intent.isHeld, let leg = calls[index].leg,
      leg.state == .confirmed, leg.isToldToHold, leg.holdRequest != .pending
    else { return nil }
    switch transfer.target {
    case .party(let party): return (leg.id, .party(party))
    case .call(let other):
      guard let otherLeg = self.index(of: other).flatMap({ calls[$0].leg }), otherLeg.state == .confirmed else {
        return nil
      }
      return (leg.id, .leg(otherLeg.id))
    }
  }

  mutating func transferAdvanced(_ id: TransferID, _ state: TransferState, _ turn: inout Turn) {
    guard let place = transfers.firstIndex(where: { $0.id == id }),
      case .asked(let leg, let replaced) = transfers[place].phase
    else {
      turn.ignored = "no such transfer was asked for"
      return
    }
    if case .progress(let status) = state {
      guard status != transfers[place].status else {
        turn.ignored = "it says nothing new about the transfer"
        return
      }
      transfers[place].status = status
    }
    let transfer = transfers[place]
    turn.transferNews.append((transfer.call, state, transfer.causes))
    guard state.isFinal else { return }
    transfers.remove(at: place)
    switch state {
    case .succeeded: endTransferred(transfer, leg, replaced, &turn)
    case .failed, .refused: failed(transfer, turn)
    // Whether the other side has gone on to the target is not known: the call is left as it is.
    case .unknown, .accepted, .progress: break
    }
  }

  /// Nothing has come of a transfer, which is not under way any more: what was put off for it is done.
  private mutating func failed(_ transfer: OutgoingTransfer, _ turn: Turn) {
    let causes = turn.causes.union(transfer.causes)
    resumeAfter(transfer, causes: causes)
    if transfer.hasPutOffResumption { resumeRemainingCall(causes) }
  }

  /// The other side talks to the target now. Our call with it is over (LP-22); the target ends the one that it has with
  /// us, as RFC 3891 3 has it, and we do if it does not.
  private mutating func endTransferred(
    _ transfer: OutgoingTransfer, _ leg: LegID, _ replaced: LegID?, _ turn: inout Turn
  ) {
    if let index = index(of: leg), calls[index].leg?.id == leg {
      wantEnd(of: index, turn.causes, &turn)
    } else {
      // Somebody else has taken the call over meanwhile, who is not to be kept waiting.
      resumeAfter(transfer, causes: turn.causes.union(transfer.causes))
    }
    guard let replaced, let index = index(of: replaced), calls[index].leg?.id == replaced, calls[index].isLive else {
      return
    }
    calls[index].updateLeg { $0.retirement = turn.now + Self.retirementDelay }
  }

  /// The call with the other side goes on as before, unless the user talks to somebody else meanwhile. The hold may be
  /// yet to come.
  private mutating func resumeAfter(_ transfer: OutgoingTransfer, causes: Causes) {
    guard transfer.isHeldForIt, let index = index(of: transfer.call), calls[index].isLive,
      calls[index].intent.end == nil, calls[index].leg?.isAccepted == true,
      calls[index].intent.isHeld || requests.isToCome(.setHeld(true), for: transfer.call),
      floorIsFree(for: transfer.call), !requests.isToCome(.setHeld(false), for: transfer.call)
    else { return }
    requests.add(.setHeld(false), for: transfer.call, causes: causes)
  }
}

extension TransferTarget {
  /// The leg that is to be replaced.
  fileprivate var leg: LegID? {
    if case .leg(let leg) = self { leg } else { nil }
  }
}
