import Instant

/// What signalling is told.
extension CallCoordinator {
  mutating func commandLegs(_ turn: inout Turn) {
    for refusal in turn.refusals {
      turn.emit(.reject(refusal.leg, refusal.rejection), realising: refusal.causes)
    }
    for index in calls.indices {
      if let ending = calls[index].ending {
        close(index, ending, &turn)
      } else if calls[index].isOutgoing {
        invite(index, &turn)
      } else if calls[index].presentation == .alerting {
        decide(index, &turn)
      }
    }
  }

  private mutating func close(_ index: Int, _ ending: Ending, _ turn: inout Turn) {
    for position in calls[index].legs.indices where calls[index].legs[position].state != .closing {
      let leg = calls[index].legs[position]
      calls[index].legs[position].state = .closing
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
    lastLeg += 1
    let leg = Leg(id: LegID(.local, lastLeg), state: .inviting, causes: turn.causes.union(start.causes))
    calls[index].legs = [leg]
    turn.emit(.invite(leg.id, target), realising: call.causes.union(start.causes))
  }

  /// An incoming call that the system shows: the caller hears that the user is alerted, or that the user has answered.
  /// An early answer is accepted without ringing first.
  private mutating func decide(_ index: Int, _ turn: inout Turn) {
    guard let leg = calls[index].leg, leg.awaitsDecision else { return }
    if calls[index].wantsAcceptance {
      calls[index].setLegState(.accepting)
      turn.emit(.accept(leg.id), realising: leg.causes.union(calls[index].intent.answer ?? []))
    } else if leg.state == .offered, calls[index].intent.answer == nil, calls[index].intent.end == nil {
      calls[index].setLegState(.ringing)
      calls[index].ringDeadline = turn.now + settings.ringTimeout
      turn.emit(.ring(leg.id), realising: leg.causes)
    }
  }
}
