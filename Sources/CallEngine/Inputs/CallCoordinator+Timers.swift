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
      // The decision that the action asked for cannot be carried out in time; without it there is no call (CK-6).
      guard let index = calls.firstIndex(where: { $0.actions.contains { $0.id == id } }) else { return }
      let causes = calls[index].actions.reduce(turn.causes) { $0.union($1.causes) }
      end(index, .reported(.failed), causes: causes, at: turn.now)
    }
  }
}
