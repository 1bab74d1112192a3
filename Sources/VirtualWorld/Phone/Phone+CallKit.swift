import CallEngine
import Instant
import Timeline

/// The system's side of CallKit: what it makes of reports, completions and requests.
extension Phone {
  // MARK: Reports (CK-15 to CK-22)

  mutating func reportIncoming(_ uuid: CallUUID, _ update: CallUpdate, causes: [Int], on stage: inout Stage) {
    let number = report(
      .incoming(caller: update.caller, handle: update.handle), of: uuid, causes: causes, on: &stage)
    // A second report of a live call leaves the call alone and is refused (CK-18); only the first is pending.
    if system.calls[uuid] == nil, system.hasRoom(limit: settings.maximumCallGroups + 1) {
      system.add(uuid, CallKitSystem.Call(phase: .reporting, isOutgoing: false))
      stage.schedule(
        .system(.completeReport(uuid, refusal(of: uuid)), causes: [number]), after: settings.reportDelay)
    } else {
      let error = system.calls[uuid] == nil ? IncomingCallError.unknown : .callUUIDAlreadyExists
      stage.schedule(.system(.completeReport(uuid, error), causes: [number]), after: settings.reportDelay)
    }
  }

  private func refusal(of uuid: CallUUID) -> IncomingCallError? {
    settings.doNotDisturb ? .filteredByDoNotDisturb : nil
  }

  /// The system answers a report of an incoming call.
  mutating func completeReport(
    _ uuid: CallUUID, _ error: IncomingCallError?, causes: [Int], on stage: inout Stage
  ) {
    guard process == .running, isOfThisProcess(causes) else { return }
    let call = stage.calls.label(of: uuid, causes: causes)
    guard let error else {
      system.update(uuid) { $0.phase = .ringing }
      let number = stage.record(from: "system", to: name, call: call, .report(.accepted), causes: causes)
      tell(.reportCompleted(uuid, .accepted), causes: [number], on: &stage)
      return
    }
    if error != .callUUIDAlreadyExists { close(uuid, causes: causes, on: &stage) }
    let number = stage.record(
      from: "system", to: name, call: call, .report(.refused(error: "\(error)")), causes: causes)
    tell(.reportCompleted(uuid, .refused(error)), causes: [number], on: &stage)
  }

  mutating func reportConnected(_ uuid: CallUUID, causes: [Int], on stage: inout Stage) {
    let number = report(.connected, of: uuid, causes: causes, on: &stage)
    let old = system.calls[uuid]
    system.update(uuid) { $0.phase = .connected }
    if let old, old.isOutgoing, old.isMuted, old.phase != .connected {
      plan(.unmute(uuid), causes: [number], on: &stage)
    }
    keepOneCall(causes: [number], on: &stage)
  }

  mutating func reportEnded(_ uuid: CallUUID, _ reason: EndedReason, causes: [Int], on stage: inout Stage) {
    let isPending = system.calls[uuid]?.phase == .reporting
    let number = report(.ended(reason: reason.rawValue), of: uuid, causes: causes, on: &stage)
    if isPending {
      let call = stage.calls.label(of: uuid)
      stage.record(
        from: "system", call: call, .ignored("the end is lost: the call's report has not been answered yet (CK-17)"),
        causes: [number])
    } else {
      close(uuid, causes: [number], on: &stage)
    }
  }

  /// Records a report; one about a call that the system does not know is recorded and has no effect (CK-22).
  @discardableResult
  mutating func report(_ event: ReportEvent, of uuid: CallUUID, causes: [Int], on stage: inout Stage) -> Int {
    let call = stage.calls.label(of: uuid, causes: causes)
    return stage.record(from: name, to: "system", call: call, .report(event), causes: causes)
  }

  // MARK: Actions (CK-5, CK-6)

  /// Delivers the actions of one transaction to the app, one after the other (CK-7).
  mutating func deliver(_ actions: [ActionToDeliver], causes: [Int], on stage: inout Stage) {
    let transaction = system.nextTransaction()
    let answersToo = actions.contains { $0.kind == .answer }
    for (index, item) in actions.enumerated() {
      guard process == .running else { return }
      let action = CallAction(
        id: item.id, call: item.call, kind: item.kind, transaction: transaction, index: index, count: actions.count)
      system.open(action, origin: item.origin, answersToo: answersToo)
      system.undelivered = actions.dropFirst(index + 1).map(\.kind)
      let number = stage.record(
        from: "system", to: name, call: stage.calls.label(of: item.call, causes: causes),
        .action(ActionEvent(id: item.id.number, kind: item.kind.word, status: .pending, origin: item.origin)),
        causes: causes)
      stage.setTimer(.actionLimit(item.id), after: settings.systemActionLimit, causes: [number])
      letAudioGo(causes: [number], on: &stage)
      tell(.perform(action), causes: [number], on: &stage)
    }
  }

  /// The app completes an action. A second completion has no effect on the system; the record shows it (CK-5).
  mutating func complete(
    _ id: ActionID, _ status: ActionEvent.Status, causes: [Int], on stage: inout Stage
  ) {
    let open = system.complete(id)
    let known = open?.action ?? system.completedAction(id)
    let kind = known?.kind.word ?? "unknown"
    let call = known.map { stage.calls.label(of: $0.call, causes: causes) }
    let number = stage.record(
      from: name, to: "system", call: call,
      .action(ActionEvent(id: id.number, kind: kind, status: status, origin: open?.origin ?? .system)),
      causes: causes)
    stage.cancelTimer(.actionLimit(id))
    guard let open else {
      stage.record(
        from: "system", call: call, .ignored("the action is not open: it was completed or has timed out (CK-5)"),
        causes: [number])
      return
    }
    switch (open.action.kind, status) {
    case (.end, .fulfilled): endLocally(open, causes: [number], on: &stage)
    case (_, .fulfilled): apply(open.action, causes: [number], on: &stage)
    case (.answer, _), (.start, _):
      // A failed Answer or Start closes the call on the system's side.
      close(open.action.call, causes: [number], on: &stage)
    case (.end, _), (.setHeld, _), (.setMuted, _), (.playDTMF, _):
      letAudioGo(causes: [number], on: &stage)
    }
    keepOneCall(causes: [number], on: &stage)
  }

  /// A fulfilled action changes its call, and with it who has the audio session.
  private mutating func apply(_ action: CallAction, causes: [Int], on stage: inout Stage) {
    let hadAudio = system.calls[action.call]?.needsAudio ?? false
    system.apply(action.kind, to: action.call)
    switch (hadAudio, system.calls[action.call]?.needsAudio ?? false) {
    case (false, true): takeAudio(for: action.call, causes: causes, on: &stage)
    case (true, false): releaseAudio(of: action.call, causes: causes, on: &stage)
    case (false, false), (true, true): letAudioGo(causes: causes, on: &stage)
    }
  }

  /// An End was fulfilled. If the user, or the app for him, has ended the call that had the audio session, the system
  /// resumes the held one, unless the same decision answers another (CK-34).
  private mutating func endLocally(_ end: CallKitSystem.OpenAction, causes: [Int], on stage: inout Stage) {
    let hadAudio = system.calls[end.action.call]?.needsAudio ?? false
    close(end.action.call, causes: causes, on: &stage)
    if hadAudio, end.origin != .system, !end.answersToo, settings.resumesAfterLocalEnd, !system.heldCalls.isEmpty {
      plan(.resumeHeldCall, causes: causes, on: &stage)
    }
  }

  /// An action has been open for too long: the system fails it, and for what decides about the call ends the call
  /// (CK-6).
  mutating func timeOut(_ id: ActionID, causes: [Int], on stage: inout Stage) {
    guard let open = system.complete(id) else { return }
    let call = open.action.call
    let number = stage.record(
      from: "system", to: name, call: stage.calls.label(of: call, causes: causes),
      .action(
        ActionEvent(id: id.number, kind: open.action.kind.word, status: .timedOut, origin: open.origin)),
      causes: causes)
    tell(.actionTimedOut(id), causes: [number], on: &stage)
    letAudioGo(causes: [number], on: &stage)
    switch open.action.kind {
    case .answer, .start, .setHeld:
      guard system.calls[call] != nil, !system.isOpen(.end, for: call) else { return }
      let end = ActionToDeliver(id: system.nextActionID(), call: call, kind: .end, origin: .system)
      deliver([end], causes: [number], on: &stage)
    case .end:
      close(call, causes: [number], on: &stage)
    case .setMuted, .playDTMF:
      break
    }
  }

  // MARK: Requests (CK-7, CK-8)

  mutating func request(
    _ id: RequestID, _ actions: [RequestedAction], causes: [Int], on stage: inout Stage
  ) {
    let call = actions.first.map { stage.calls.label(of: $0.call, causes: causes) }
    let number = stage.record(
      from: name, to: "system", call: call,
      .request(.asked(id: id.number, kinds: actions.map(\.kind.word))), causes: causes)
    stage.schedule(.system(.completeRequest(id, actions), causes: [number]), after: settings.requestDelay)
  }

  /// The system answers a request and, if it accepts, delivers the actions.
  mutating func completeRequest(
    _ id: RequestID, _ actions: [RequestedAction], causes: [Int], on stage: inout Stage
  ) {
    guard process == .running, isOfThisProcess(causes) else { return }
    let call = actions.first.map { stage.calls.label(of: $0.call, causes: causes) }
    if let error = requestError(actions) {
      let number = stage.record(
        from: "system", to: name, call: call, .request(.refused(id: id.number, error: "\(error)")), causes: causes)
      tell(.requestCompleted(id, .refused(error)), causes: [number], on: &stage)
      return
    }
    for action in actions {
      if case .start = action.kind {
        system.add(action.call, CallKitSystem.Call(phase: .starting, isOutgoing: true))
      }
    }
    let number = stage.record(
      from: "system", to: name, call: call, .request(.accepted(id: id.number)), causes: causes)
    tell(.requestCompleted(id, .accepted), causes: [number], on: &stage)
    let items = actions.map { ActionToDeliver(id: $0.id, call: $0.call, kind: $0.kind, origin: .app) }
    deliver(items, causes: [number], on: &stage)
  }

  /// Why the system would not accept the actions one after the other. Negative ids are the system's own.
  private func requestError(_ actions: [RequestedAction]) -> RequestError? {
    if actions.isEmpty { return .emptyTransaction }
    var trial = system
    var ids: Set<ActionID> = []
    for action in actions {
      guard action.id.number >= 0, trial.openActions[action.id] == nil, ids.insert(action.id).inserted else {
        return .invalidAction
      }
      if let error = trial.tryOut(action.kind, for: action.call, limit: settings.maximumCallGroups) { return error }
    }
    return nil
  }

  /// Whether what is due was asked for by the process that runs now.
  func isOfThisProcess(_ causes: [Int]) -> Bool { causes.allSatisfy { $0 > lastKill } }

  // MARK: The end of a call

  /// The call is over on the system's side. A muted one is unmuted all the same (CK-13).
  mutating func close(_ uuid: CallUUID, causes: [Int], on stage: inout Stage) {
    let call = system.calls[uuid]
    for id in system.close(uuid) { stage.cancelTimer(.actionLimit(id)) }
    stage.calls.retire(uuid, at: stage.now)
    if call?.needsAudio == true {
      releaseAudio(of: uuid, causes: causes, on: &stage)
    } else {
      letAudioGo(causes: causes, on: &stage)
    }
    if call?.isMuted == true { plan(.unmute(uuid), causes: causes, on: &stage) }
  }
}

/// An action of a transaction that the app is to perform.
struct ActionToDeliver {
  var id: ActionID
  var call: CallUUID
  var kind: ActionKind
  var origin: ActionEvent.Origin
}
