import Instant

/// What signalling is told.
extension CallCoordinator {
  mutating func commandLegs(_ turn: inout Turn) {
    for refusal in turn.refusals {
      turn.emit(.reject(refusal.leg, refusal.rejection), realising: refusal.causes)
    }
    answerTransfers(&turn)
    for index in calls.indices {
      failDigitsInVain(index, &turn)
      for leg in calls[index].legs where turn.haltedDigits.contains(leg.id) { turn.emit(.stopDigits(leg.id)) }
      if let ending = calls[index].ending {
        close(index, ending, &turn)
      } else if calls[index].isOutgoing {
        invite(index, &turn)
      } else if calls[index].presentation == .alerting {
        decide(index, &turn)
      }
      if calls[index].isLive {
        replace(index, &turn)
        hold(index, &turn)
        sendDigits(index, &turn)
      }
    }
    for item in turn.invitations {
      turn.emit(.invite(item.leg, item.party, replacing: item.replacing), realising: item.causes)
    }
    for leg in turn.renewals { turn.emit(.renew(leg)) }
    advanceTransfers(&turn)
  }

  /// Takes transfers on, or declines them, and tells how they go.
  private func answerTransfers(_ turn: inout Turn) {
    for answer in turn.transferAnswers {
      turn.emit(.answerTransfer(answer.transfer, accepts: answer.leg != nil), realising: answer.causes)
      if let leg = answer.leg { turn.emit(.inviteTransferred(leg, answer.transfer), realising: answer.causes) }
    }
    for report in turn.transferReports {
      turn.emit(.reportTransfer(report.transfer, status: report.status), realising: report.causes)
    }
  }

  /// Accepts the leg that is to take over, held as the call is, and closes what has been replaced. Signalling sends the
  /// BYE at our 2xx, as RFC 3891 3 has it.
  private mutating func replace(_ index: Int, _ turn: inout Turn) {
    let isHeld = calls[index].intent.isHeld
    for leg in calls[index].legs.dropFirst() {
      if leg.succession == nil, leg.retirement == nil, leg.state != .closing {
        calls[index].updateLeg(leg.id) { $0.state = .closing }
        turn.emit(.hangUp(leg.id), realising: leg.causes)
      } else if leg.succession != nil, leg.state == .offered {
        calls[index].updateLeg(leg.id) { leg in
          leg.state = .accepting
          leg.isToldToHold = isHeld
          if isHeld { leg.agreement = MediaState(isHeldHere: true) }
        }
        if isHeld { turn.emit(.setLocalHold(leg.id, true), realising: leg.causes) }
        turn.emit(.accept(leg.id), realising: leg.causes)
      }
    }
    if turn.rebindings.contains(calls[index].uuid), let leg = calls[index].leg, let reference = calls[index].reference {
      turn.emit(.rebind(calls[index].uuid, leg.id, reference), realising: leg.causes)
    }
  }

  /// Tells signalling what the user wants of the session; it is never asked twice for the same.
  private mutating func hold(_ index: Int, _ turn: inout Turn) {
    let intent = calls[index].intent
    guard let leg = calls[index].leg, leg.isAccepted, leg.isToldToHold != intent.isHeld else { return }
    calls[index].updateLeg { leg in
      leg.isToldToHold = intent.isHeld
      leg.holdRequest = .pending
    }
    turn.emit(.setLocalHold(leg.id, intent.isHeld), realising: intent.holdCauses)
  }

  /// Digits go out one action at a time.
  private mutating func sendDigits(_ index: Int, _ turn: inout Turn) {
    guard let leg = calls[index].leg, !calls[index].actions.contains(where: \.isSendingDigits) else { return }
    for position in calls[index].actions.indices {
      guard case .digits(let digits, on: nil) = calls[index].actions[position].kind else { continue }
      let action = calls[index].actions[position]
      calls[index].actions[position].kind = .digits(digits, on: leg.id)
      turn.emit(.sendDigits(leg.id, action.id, digits), realising: action.causes)
      return
    }
  }

  /// On a call that is held or over there is nobody to hear digits.
  private mutating func failDigitsInVain(_ index: Int, _ turn: inout Turn) {
    guard !calls[index].takesDigits else { return }
    failActions(of: index, &turn) { if case .digits = $0 { true } else { false } }
  }

  private mutating func close(_ index: Int, _ ending: Ending, _ turn: inout Turn) {
    for position in calls[index].legs.indices where calls[index].legs[position].state != .closing {
      let leg = calls[index].legs[position]
      calls[index].legs[position].state = .closing
      if let transfer = leg.transfer {
        calls[index].legs[position].transfer = nil
        turn.emit(.reportTransfer(transfer, status: LegEnd.local.status), realising: ending.causes.union(leg.causes))
      }
      turn.emit(
        leg.awaitsDecision ? .reject(leg.id, ending.rejection) : .hangUp(leg.id),
        realising: ending.causes.union(leg.causes))
    }
  }

  /// An outgoing call is begun when its Start is performed, unless the user has thought better of it meanwhile.
  private mutating func invite(_ index: Int, _ turn: inout Turn) {
    let call = calls[index]
    guard call.legs.isEmpty, call.presentation == .starting, call.intent.end == nil, let target = call.target,
      let start = call.actions.first(where: { $0.kind == .start })
    else { return }
    let leg = newLeg(causes: turn.causes.union(start.causes))
    calls[index].legs = [leg]
    turn.emit(.invite(leg.id, target), realising: call.causes.union(start.causes))
  }

  /// An incoming call that the system shows: the caller hears that the user is alerted, or that the user has answered.
  /// An early answer is accepted without ringing first.
  private mutating func decide(_ index: Int, _ turn: inout Turn) {
    guard let leg = calls[index].leg, leg.awaitsDecision else { return }
    if calls[index].wantsAcceptance {
      calls[index].updateLeg { $0.state = .accepting }
      turn.emit(.accept(leg.id), realising: leg.causes.union(calls[index].intent.answer ?? []))
    } else if leg.state == .offered, calls[index].intent.answer == nil, calls[index].intent.end == nil {
      calls[index].updateLeg { $0.state = .ringing }
      calls[index].ringDeadline = turn.now + settings.ringTimeout
      turn.emit(.ring(leg.id), realising: leg.causes)
    }
  }
}
