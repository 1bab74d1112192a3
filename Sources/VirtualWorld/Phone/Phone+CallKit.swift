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
    report(.connected, of: uuid, causes: causes, on: &stage)
    system.update(uuid) { $0.phase = .connected }
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

  /// Delivers actions to the app, one after the other (CK-7).
  mutating func deliver(
    _ actions: [(id: ActionID, call: CallUUID, kind: ActionKind)], origin: ActionEvent.Origin, causes: [Int],
    on stage: inout Stage
  ) {
    let transaction = system.nextTransaction()
    for (index, item) in actions.enumerated() {
      guard process == .running else { return }
      let action = CallAction(
        id: item.id, call: item.call, kind: item.kind, transaction: transaction, index: index, count: actions.count)
      system.open(action, origin: origin)
      let number = stage.record(
        from: "system", to: name, call: stage.calls.label(of: item.call, causes: causes),
        .action(ActionEvent(id: item.id.number, kind: item.kind.word, status: .pending, origin: origin)),
        causes: causes)
      stage.setTimer(.actionLimit(item.id), after: settings.systemActionLimit, causes: [number])
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
    guard let action = open?.action else {
      stage.record(
        from: "system", call: call, .ignored("the action is not open: it was completed or has timed out (CK-5)"),
        causes: [number])
      return
    }
    switch (action.kind, status) {
    case (.answer, .fulfilled):
      system.update(action.call) { $0.phase = .connected }
      takeAudio(for: action.call, causes: [number], on: &stage)
    case (.start, .fulfilled):
      takeAudio(for: action.call, causes: [number], on: &stage)
    case (.end, .fulfilled), (.answer, _), (.start, _):
      // A failed Answer or Start closes the call on the system's side.
      close(action.call, causes: [number], on: &stage)
    case (.end, _), (.setHeld, _), (.setMuted, _), (.playDTMF, _):
      break
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
    switch open.action.kind {
    case .answer, .start:
      guard system.calls[call] != nil else { return }
      deliver([(system.nextActionID(), call, .end)], origin: .system, causes: [number], on: &stage)
    case .end:
      close(call, causes: [number], on: &stage)
    case .setHeld, .setMuted, .playDTMF:
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
    deliver(actions.map { ($0.id, $0.call, $0.kind) }, origin: .app, causes: [number], on: &stage)
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
      switch action.kind {
      case .start:
        if trial.calls[action.call] != nil { return .callUUIDAlreadyExists }
        if trial.groupCount >= settings.maximumCallGroups { return .maximumCallGroupsReached }
        trial.add(action.call, CallKitSystem.Call(phase: .starting, isOutgoing: true))
      case .answer:
        if !trial.shows(action.call) { return .unknownCallUUID }
        if trial.calls[action.call]?.phase != .ringing { return .invalidAction }
        trial.update(action.call) { $0.phase = .connected }
      case .end:
        if !trial.shows(action.call) { return .unknownCallUUID }
        _ = trial.close(action.call)
      case .setHeld, .setMuted, .playDTMF:
        if !trial.shows(action.call) { return .unknownCallUUID }
      }
    }
    return nil
  }

  /// Whether what is due was asked for by the process that runs now.
  private func isOfThisProcess(_ causes: [Int]) -> Bool { causes.allSatisfy { $0 > lastKill } }

  // MARK: The end of a call

  /// The call is over on the system's side.
  mutating func close(_ uuid: CallUUID, causes: [Int], on stage: inout Stage) {
    for id in system.close(uuid) { stage.cancelTimer(.actionLimit(id)) }
    stage.calls.retire(uuid, at: stage.now)
    releaseAudio(causes: causes, on: &stage)
  }
}
