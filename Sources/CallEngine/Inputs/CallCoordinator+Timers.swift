import Instant

extension CallCoordinator {
  mutating func timerFired(_ timer: TimerID, _ turn: inout Turn) {
    guard timers.fire(timer) else {
      turn.ignored = "the timer is not set any more"
      return
    }
    switch timer {
    case .placeholder(let uuid):
      guard let index = index(of: uuid) else { return }
      let reason = calls[index].intent.answer == nil ? EndedReason.unanswered : .failed
      end(index, .reported(reason), causes: turn.causes.union(calls[index].causes), at: turn.now)
    case .ring(let uuid):
      guard let index = index(of: uuid) else { return }
      end(index, .reported(.unanswered), causes: turn.causes.union(calls[index].causes), at: turn.now)
    case .watchdog(let id):
      guard let (index, action) = openAction(id) else { return }
      giveUp(action, of: index, &turn)
    case .audioRetry: retryUnit()
    case .transfer(let leg): giveUpTransfer(leg, &turn)
    case .retire(let leg):
      // Reconciliation closes a leg that carries nothing and waits for nothing; one that carries a call ends with it.
      guard let index = index(of: leg) else { return }
      calls[index].updateLeg(leg) { $0.retirement = nil }
      if calls[index].leg?.id == leg { wantEnd(of: index, turn.causes, &turn) }
    }
  }

  /// An action cannot be carried out in time.
  private mutating func giveUp(_ action: OpenAction, of index: Int, _ turn: inout Turn) {
    switch action.kind {
    case .start, .answer:
      // Without the decision that the action asked for there is no call (CK-6).
      let causes = calls[index].actions.reduce(turn.causes) { $0.union($1.causes) }
      end(index, .reported(.failed), causes: causes, at: turn.now)
    case .resume: giveUpResumption(of: index, causes: turn.causes.union(action.causes), &turn)
    case .digits: failActions(of: index, &turn) { $0 == action.kind }
    }
  }
}
