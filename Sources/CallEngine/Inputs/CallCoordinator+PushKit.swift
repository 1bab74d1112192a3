import Instant

extension CallCoordinator {
  /// Every push is reported before the handler returns (PK-1, PK-5), whatever is known of its call.
  mutating func pushArrived(_ push: PushNotification, _ turn: inout Turn) {
    if let reference = push.reference, let index = liveIndex(of: reference) {
      // The same call again: CallKit refuses the second report of a live UUID, and no ghost is shown (CK-18).
      report(index, &turn)
      return
    }
    if let index = index(of: push.freshUUID) {
      report(index, &turn)
      return
    }
    var call = Call(uuid: push.freshUUID, isOutgoing: false, presentation: .reporting, causes: turn.causes)
    call.known.caller = push.caller
    if let reference = push.reference, let stone = tombstones.stone(of: reference) {
      // The call is over: its end is reported as soon as the system has accepted the call (CK-17). No reference, so
      // that nothing binds to it.
      call.ending = Ending(
        how: .reported(stone.reason), rejection: .unavailable, isReported: true,
        causes: turn.causes.union(stone.causes))
    } else if tombstones.isRetired(push.freshUUID) {
      call.ending = Ending(how: .reported(.failed), rejection: .unavailable, isReported: true, causes: turn.causes)
    } else {
      call.reference = push.reference
      call.placeholderDeadline = turn.now + settings.placeholderDeadline
    }
    calls.append(call)
    report(calls.count - 1, &turn)
  }

  /// Has a call reported as incoming in this turn.
  mutating func report(_ index: Int, _ turn: inout Turn) {
    calls[index].reportsPending += 1
    turn.reports.append(calls[index].uuid)
  }
}
