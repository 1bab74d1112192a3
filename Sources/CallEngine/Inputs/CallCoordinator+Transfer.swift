import Instant

/// We are asked to call somebody else in the other side's place (RFC 3515, RFC 5589 6). CallKit knows nothing of it: the
/// call keeps its UUID, and is told the new name when the new leg carries it (LP-20).
extension CallCoordinator {
  /// How long the other side may take to hang up what a transfer that has succeeded has made superfluous.
  static let retirementDelay = Span.seconds(32)

  /// A transfer is taken on if the call is up, and one at a time.
  mutating func referred(_ leg: LegID, _ transfer: TransferID, to target: Party, _ turn: inout Turn) {
    guard let index = index(of: leg), calls[index].isLive, calls[index].intent.end == nil,
      let primary = calls[index].leg, primary.id == leg, primary.isAccepted,
      !isInTransfer(calls[index].uuid), !calls[index].legs.contains(where: { $0.succession != nil })
    else {
      turn.transferAnswers.append((transfer, nil, []))
      return
    }
    var new = newLeg(causes: turn.causes)
    new.succession = Leg.Succession(remote: target)
    new.transfer = transfer
    new.answerDeadline = turn.now + settings.transferTimeout
    calls[index].legs.append(new)
    turn.transferAnswers.append((transfer, new.id, turn.causes))
  }

  /// Notes what is to be told of a leg that was begun for a transfer; a final status is the last.
  mutating func report(_ status: Int, of leg: LegID, in index: Int, _ turn: inout Turn) {
    guard let transfer = calls[index].leg(leg)?.transfer else { return }
    turn.transferReports.append((transfer, status, calls[index].leg(leg)?.causes ?? []))
    if status >= 200 { calls[index].updateLeg(leg) { $0.transfer = nil } }
  }

  /// The target takes too long: whoever asked hears so before the subscription ends, and is left with the call.
  mutating func giveUpTransfer(_ leg: LegID, _ turn: inout Turn) {
    guard let index = index(of: leg), calls[index].leg(leg)?.succession != nil else { return }
    report(LegEnd.transactionTimeout.status, of: leg, in: index, &turn)
    if calls[index].leg?.id == leg {
      end(index, .reported(.failed), causes: turn.causes, at: turn.now)
    } else {
      calls[index].updateLeg(leg) { $0.succession = nil }
    }
  }

  /// The target has answered and carries the call. The leg that was transferred is the other side's to end.
  mutating func completeSuccession(_ leg: LegID, _ index: Int, _ turn: inout Turn) {
    let isTransfer = calls[index].leg(leg)?.transfer != nil
    report(200, of: leg, in: index, &turn)
    let old = calls[index].leg?.id
    takeOver(leg, index, &turn)
    guard isTransfer, let old, old != leg else { return }
    calls[index].updateLeg(old) { $0.retirement = turn.now + Self.retirementDelay }
  }
}

extension LegEnd {
  /// What whoever asked for a transfer is told when its target's leg ends so.
  var status: Int {
    switch self {
    case .rejected(let status): status
    case .transactionTimeout: 408
    case .local, .cancelled: 487
    case .remoteHangUp, .noAcknowledgement, .failure: 503
    }
  }
}
