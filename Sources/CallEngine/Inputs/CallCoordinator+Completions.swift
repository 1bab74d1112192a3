import Instant

/// What the system answers to the app's own calls into CallKit.
extension CallCoordinator {
  mutating func reportCompleted(_ uuid: CallUUID, _ result: ReportResult, _ turn: inout Turn) {
    guard let index = index(of: uuid), calls[index].reportsPending > 0 else {
      turn.ignored = "no report of this call is waiting for an answer"
      return
    }
    calls[index].reportsPending -= 1
    switch (result, calls[index].presentation) {
    case (.accepted, .reporting):
      calls[index].presentation = .alerting
    case (.refused(let error), .reporting):
      end(
        index, .reported(error.endedReason), rejection: error.rejection, isReported: false, causes: turn.causes,
        at: turn.now)
      // A call whose end was only to be reported has its decision already; nothing is owed for it now.
      calls[index].ending?.isReported = false
      calls[index].presentation = .refused(calls[index].ending?.how ?? .reported(error.endedReason))
    case (.accepted, .refused(let end)):
      // The repetition of a refused report was accepted: the call is on the screen and must go.
      calls[index].presentation = .alerting
      calls[index].ending?.how = end
      calls[index].ending?.isReported = true
    case (.accepted, .closed), (.refused, .refused), (.refused, .closed):
      turn.ignored = "the call is over"
    case (_, .alerting), (_, .requested), (_, .starting), (_, .startedConnecting), (_, .connected):
      turn.ignored = "the call is on the screen already; the repeated report changes nothing"
    }
  }

  mutating func requestCompleted(_ id: RequestID, _ result: RequestResult, _ turn: inout Turn) {
    guard let request = requests.complete(id, isAccepted: result == .accepted) else {
      turn.ignored = "no such request is outstanding"
      return
    }
    guard case .refused(let error) = result else { return }
    let causes = turn.causes.union(request.causes)
    switch request.kind {
    case .start:
      refuse(request, "CallKit refused to start the call: \(error)", &turn)
      endUnstarted(request, causes: causes, at: turn.now)
      // What was held for it goes on.
      for index in calls.indices where calls[index].madeWayFor == request.call && calls[index].intent.isHeld {
        calls[index].madeWayFor = nil
        requests.add(.setHeld(false), for: calls[index].uuid, causes: causes)
      }
    case .end:
      // The system has lost the call: finish it here and on the wire, and do not ask again.
      guard let index = index(of: request.call), calls[index].isLive else {
        turn.ignored = "the call is over"
        return
      }
      end(index, .reported(.remoteEnded), rejection: .declined, causes: causes, at: turn.now)
    case .setHeld(true):
      refuse(request, "CallKit refused to hold the call: \(error)", &turn)
      // What was to take its place does not come about.
      for waiting in requests.dropWaitingForTheFloor() {
        refuse(waiting, "the other call cannot be held", &turn)
        endUnstarted(waiting, causes: causes.union(waiting.causes), at: turn.now)
      }
    case .answer, .setHeld(false), .setMuted, .playDTMF:
      refuse(request, "CallKit refused the \(request.kind.word): \(error)", &turn)
    }
  }

  /// A call whose Start does not come about is over, and CallKit does not know it.
  private mutating func endUnstarted(_ request: RequestQueue.Request, causes: Causes, at now: Instant) {
    guard case .start = request.kind, let index = index(of: request.call) else { return }
    end(index, .reported(.failed), isReported: false, causes: causes, at: now)
  }

  func refuse(_ request: RequestQueue.Request, _ why: String, _ turn: inout Turn) {
    turn.refusedIntents.append((request.intent, why, request.causes))
  }
}

extension IncomingCallError {
  /// How the invitation of a call that the system did not show is refused (CK-15).
  fileprivate var rejection: Rejection {
    switch self {
    case .filteredByDoNotDisturb: .busy
    case .filteredByBlockList: .declined
    case .unknown, .unentitled, .callUUIDAlreadyExists: .unavailable
    }
  }

  /// What became of the call for the user.
  fileprivate var endedReason: EndedReason {
    switch self {
    case .filteredByDoNotDisturb, .filteredByBlockList: .unanswered
    case .unknown, .unentitled, .callUUIDAlreadyExists: .failed
    }
  }
}
