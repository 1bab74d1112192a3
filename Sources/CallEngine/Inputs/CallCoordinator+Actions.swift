import Instant

/// The actions that CallKit has the app perform.
extension CallCoordinator {
  mutating func perform(_ action: CallAction, _ turn: inout Turn) {
    if calls.contains(where: { $0.actions.contains { $0.id == action.id } }) {
      turn.ignored = "the action is open already"
      return
    }
    let isRequested = requests.takeDelivery(of: action.id)
    switch action.kind {
    case .start(let target): performStart(action, target, isRequested: isRequested, &turn)
    case .answer: performAnswer(action, &turn)
    case .end: performEnd(action, &turn)
    case .setHeld(let isHeld): performSetHeld(action, isHeld, &turn)
    case .setMuted(let isMuted): performSetMuted(action, isMuted, isRequested: isRequested, &turn)
    case .playDTMF(let digits): performPlayDTMF(action, digits, &turn)
    }
  }

  private mutating func performStart(
    _ action: CallAction, _ target: Party, isRequested: Bool, _ turn: inout Turn
  ) {
    if index(of: action.call) == nil, !tombstones.isRetired(action.call), !isRequested {
      // The system starts a call by itself from Recents or by voice.
      calls.append(Call(uuid: action.call, isOutgoing: true, presentation: .requested, causes: turn.causes))
    }
    guard let index = index(of: action.call), calls[index].isLive, calls[index].presentation == .requested else {
      turn.failures.append(action.id)
      return
    }
    calls[index].presentation = .starting
    calls[index].target = target
    calls[index].learn(target)
    open(.start, action, in: index, deadline: turn.now + settings.actionWatchdog, turn)
    if calls[index].intent.end == nil { audio.setup = .due }
  }

  private mutating func performAnswer(_ action: CallAction, _ turn: inout Turn) {
    guard let index = index(of: action.call), calls[index].isLive, !calls[index].isOutgoing else {
      turn.failures.append(action.id)
      return
    }
    // The decision stands before any of its effects (the End that an effect provokes must find it). A second Answer
    // gets its own completion (invariant 14).
    calls[index].intent.answer = calls[index].intent.answer ?? turn.causes
    // Without its invitation the Answer stays open until that comes or the placeholder expires (CK-11).
    let deadline = calls[index].legs.isEmpty ? nil : turn.now + settings.actionWatchdog
    open(.answer, action, in: index, deadline: deadline, turn)
    if calls[index].intent.end == nil { audio.setup = .due }
  }

  private mutating func performEnd(_ action: CallAction, _ turn: inout Turn) {
    // At once and always: failing it would leave a stale call on the screen (CK-10).
    turn.fulfilments.append(action.id)
    guard let index = index(of: action.call) else { return }
    if calls[index].isLive {
      let isAnswered = calls[index].leg?.isAccepted == true
      end(index, .local, rejection: isAnswered ? .unavailable : .declined, causes: turn.causes, at: turn.now)
    } else if calls[index].presentation.end == nil {
      // The call was only waiting for CallKit to be told, and this tells it.
      calls[index].ending?.isReported = false
    }
  }

  mutating func open(
    _ kind: OpenAction.Kind, _ action: CallAction, in index: Int, deadline: Instant?, _ turn: Turn
  ) {
    calls[index].actions.append(OpenAction(id: action.id, kind: kind, causes: turn.causes, deadline: deadline))
  }

  /// The system gave up on an action: it is forgotten and never completed (CK-6). The End that the system sends then
  /// does the rest.
  mutating func actionTimedOut(_ id: ActionID, _ turn: inout Turn) {
    guard let (index, action) = openAction(id) else {
      turn.ignored = "no such action is open"
      return
    }
    calls[index].actions.removeAll { $0.id == id }
    switch action.kind {
    case .start, .answer:
      // An answer that the system has failed must not have a later invitation accepted.
      if !calls[index].hasOpenDecision, calls[index].leg.map(\.awaitsDecision) ?? true {
        calls[index].intent.answer = nil
      }
    case .resume: giveUpResumption(of: index, causes: turn.causes, &turn)
    case .digits: haltDigits(action, of: index, &turn)
    }
  }

  /// The call and the action of this id, if it is open.
  func openAction(_ id: ActionID) -> (index: Int, action: OpenAction)? {
    for index in calls.indices {
      if let action = calls[index].actions.first(where: { $0.id == id }) { return (index, action) }
    }
    return nil
  }
}

extension Call {
  /// Whether an action is open that decides about the call as a whole.
  var hasOpenDecision: Bool { actions.contains { $0.kind == .start || $0.kind == .answer } }
}
