import Instant

/// What the system answers to the app's own calls into CallKit, and the audio session.
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
    guard let request = requests.complete(id) else {
      turn.ignored = "no such request is outstanding"
      return
    }
    guard case .refused(let error) = result else { return }
    let index = index(of: request.call)
    switch request.purpose {
    case .start:
      refuse(request, "CallKit refused to start the call: \(error)", &turn)
      if let index {
        end(index, .reported(.failed), isReported: false, causes: turn.causes.union(request.causes), at: turn.now)
      }
    case .answer:
      refuse(request, "CallKit refused to answer the call: \(error)", &turn)
    case .end:
      // The system has lost the call: finish it here and on the wire, and do not ask again.
      guard let index, calls[index].isLive else {
        turn.ignored = "the call is over"
        return
      }
      end(index, .reported(.remoteEnded), rejection: .declined, causes: turn.causes.union(request.causes), at: turn.now)
    }
  }

  func refuse(_ request: RequestQueue.Request, _ why: String, _ turn: inout Turn) {
    turn.refusedIntents.append((request.intent, why, request.causes))
  }

  mutating func audioActivated(_ turn: inout Turn) {
    // A second activation changes nothing (invariant 33).
    if audio.sessionIsActive { turn.ignored = "the audio session is active already" }
    audio.sessionIsActive = true
  }

  mutating func audioDeactivated(_ turn: inout Turn) {
    if !audio.sessionIsActive { turn.ignored = "the audio session is not active" }
    audio.sessionIsActive = false
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
