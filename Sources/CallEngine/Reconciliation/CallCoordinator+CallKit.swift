import Instant

/// What CallKit is told, and asked for.
extension CallCoordinator {
  /// Who calls: reports of new calls and what has become known since (CK-19).
  mutating func announce(_ turn: inout Turn) {
    for uuid in turn.reports {
      guard let index = index(of: uuid) else { continue }
      let call = calls[index]
      if call.presentation == .reporting, call.reportsPending == 1 { calls[index].reported = call.known }
      turn.emit(.reportIncoming(uuid, call.known), realising: call.ending?.causes ?? [])
    }
    for index in calls.indices where calls[index].isLive && calls[index].presentation.takesUpdates {
      let update = calls[index].unreported
      guard !update.isEmpty else { continue }
      calls[index].reported = calls[index].known
      turn.emit(.reportUpdated(calls[index].uuid, update), realising: calls[index].leg?.causes ?? [])
    }
  }

  /// Completes what can be completed, failures first.
  mutating func completeActions(_ turn: inout Turn) {
    for id in turn.failures { turn.emit(.fail(id)) }
    for item in turn.completions where !item.isFulfilled { turn.emit(.fail(item.action), realising: item.causes) }
    for index in calls.indices {
      guard let ending = calls[index].ending else { continue }
      // A failed Start closes the call on the system's side.
      if calls[index].actions.contains(where: { $0.kind == .start }) { calls[index].ending?.isReported = false }
      for action in calls[index].actions {
        turn.emit(.fail(action.id), realising: action.causes.union(ending.causes))
      }
      calls[index].actions = []
    }
    for id in turn.fulfilments { turn.emit(.fulfil(id)) }
    for item in turn.completions where item.isFulfilled { turn.emit(.fulfil(item.action), realising: item.causes) }
    for index in calls.indices where calls[index].isLive {
      fulfil(index, &turn)
    }
  }

  /// Start is fulfilled when the invitation has left, Answer when the acceptance has (invariants 17, 18), an un-hold
  /// when the other side has agreed (invariant 19).
  private mutating func fulfil(_ index: Int, _ turn: inout Turn) {
    guard let leg = calls[index].leg else { return }
    let isDecided = calls[index].isOutgoing ? leg.wasSent : leg.isAccepted
    func isDone(_ action: OpenAction) -> Bool {
      switch action.kind {
      case .start, .answer: isDecided
      case .resume: leg.isResumed
      case .digits: false
      }
    }
    for action in calls[index].actions where isDone(action) {
      turn.emit(.fulfil(action.id), realising: action.causes.union(leg.causes))
    }
    calls[index].actions.removeAll(where: isDone)
    if isDecided, !calls[index].isOutgoing, calls[index].presentation == .alerting {
      calls[index].presentation = .connected
    }
  }

  /// Reports how far outgoing calls have come, and every end that is not the user's.
  mutating func reportAdvances(_ turn: inout Turn) {
    for index in calls.indices where calls[index].isLive && calls[index].isOutgoing {
      guard let leg = calls[index].leg, leg.wasSent else { continue }
      if calls[index].presentation == .starting {
        calls[index].presentation = .startedConnecting
        turn.emit(.reportStartedConnecting(calls[index].uuid), realising: leg.causes)
      }
      if leg.state == .confirmed, calls[index].presentation == .startedConnecting {
        calls[index].presentation = .connected
        if calls[index].intent.isMuted { calls[index].ignoresUnmuteUntil = turn.now + settings.connectUnmuteWindow }
        turn.emit(.reportConnected(calls[index].uuid), realising: leg.causes)
      }
    }
    for index in calls.indices where calls[index].presentation.end == nil {
      guard let ending = calls[index].ending else { continue }
      if ending.isReported, case .reported(let reason) = ending.how {
        // An end that is told before the call's report was answered is lost (CK-17).
        if calls[index].presentation == .reporting { continue }
        turn.emit(.reportEnded(calls[index].uuid, reason), realising: ending.causes)
      }
      calls[index].presentation = .closed(ending.how)
    }
  }

  /// Tells the user how transfers go.
  func tellTransfers(_ turn: inout Turn) {
    for item in turn.transferNews { turn.emit(.showTransfer(item.call, item.state), realising: item.causes) }
  }

  /// Sends what may be sent; while a call's report is unanswered the system knows no such call (CK-17).
  mutating func sendRequests(_ turn: inout Turn) {
    for refused in turn.refusedIntents {
      turn.emit(.refuseIntent(refused.intent, why: refused.why), realising: refused.causes)
    }
    clearTheFloor()
    for call in calls where call.presentation != .reporting {
      if !call.isLive {
        for request in requests.dropWaiting(for: call.uuid) where request.kind != .end {
          turn.emit(.refuseIntent(request.intent, why: "the call is over"), realising: request.causes)
        }
      } else if let sent = requests.send(for: call.uuid, floorIsFree: floorIsFree(for: call.uuid)) {
        let action = RequestedAction(id: sent.action, call: call.uuid, kind: sent.request.kind)
        turn.emit(.request(sent.id, [action]), realising: sent.request.causes)
      }
    }
  }

  /// Has the calls held that are talked on while a request waits to put another one in their place (CK-33). It is
  /// looked at whenever something has changed, for a call may get the floor while the request waits.
  private mutating func clearTheFloor() {
    for call in calls where call.isLive && call.presentation != .reporting {
      guard let waiting = requests.waitingForTheFloor(for: call.uuid) else { continue }
      for other in calls.indices {
        let uuid = calls[other].uuid
        guard uuid != call.uuid, calls[other].hasTheFloor, !requests.isToCome(.setHeld(true), for: uuid) else {
          continue
        }
        calls[other].madeWayFor = call.uuid
        requests.add(.setHeld(true), for: uuid, causes: waiting.causes)
      }
    }
  }

  /// Whether no other call is talked on: only then may a call be begun, answered or resumed (CK-33).
  func floorIsFree(for uuid: CallUUID) -> Bool {
    !calls.contains { $0.uuid != uuid && $0.hasTheFloor }
  }
}
