import Instant

/// The actions about a call that goes on: hold, mute, digits.
extension CallCoordinator {
  // MARK: Hold (CK-12)

  /// A hold is complete when the call is not fed any more, which is in this very turn; an un-hold when the other side
  /// has agreed, be the audio session active or not: that comes only after the completion (CK-25).
  mutating func performSetHeld(_ action: CallAction, _ isHeld: Bool, _ turn: inout Turn) {
    guard let index = index(of: action.call), calls[index].isLive, let leg = calls[index].leg, calls[index].isUp else {
      turn.failures.append(action.id)
      return
    }
    if isHeld {
      // An un-hold that is not complete is overtaken.
      failActions(of: index, &turn) { $0 == .resume }
      if !calls[index].intent.isHeld { calls[index].intent.setHeld(true, causes: turn.causes) }
      turn.fulfilments.append(action.id)
      return
    }
    forgetHoldForTransfer(of: action.call)
    if !calls[index].intent.isHeld, leg.isResumed {
      turn.fulfilments.append(action.id)
    } else {
      if calls[index].intent.isHeld { calls[index].intent.setHeld(false, causes: turn.causes) }
      open(.resume, action, in: index, deadline: turn.now + settings.actionWatchdog, turn)
    }
  }

  /// A resumption does not come about: the call stays held, and should the other side agree yet, it is asked to hold
  /// again.
  mutating func giveUpResumption(of index: Int, causes: Causes, _ turn: inout Turn) {
    failActions(of: index, &turn) { $0 == .resume }
    calls[index].intent.setHeld(true, causes: causes)
  }

  // MARK: Mute (CK-13)

  /// `isRequested`: the app has asked the system for this very action.
  mutating func performSetMuted(_ action: CallAction, _ isMuted: Bool, isRequested: Bool, _ turn: inout Turn) {
    guard let index = index(of: action.call), calls[index].isLive else {
      turn.failures.append(action.id)
      return
    }
    turn.fulfilments.append(action.id)
    let isOfSystem = !isRequested && calls[index].ignoresUnmuteUntil.map { turn.now <= $0 } ?? false
    if !isMuted, calls[index].intent.isMuted, isOfSystem {
      // The system un-mutes by itself when a call connects. The user has not asked for it: the microphone stays closed,
      // and the system is told so once.
      calls[index].ignoresUnmuteUntil = nil
      requests.add(.setMuted(true), for: action.call, causes: turn.causes)
      return
    }
    calls[index].intent.isMuted = isMuted
  }

  // MARK: Digits

  mutating func performPlayDTMF(_ action: CallAction, _ digits: String, _ turn: inout Turn) {
    guard let index = index(of: action.call), calls[index].takesDigits, ActionKind.areDigits(digits) else {
      turn.failures.append(action.id)
      return
    }
    // Those before them take their time as well.
    let count = calls[index].actions.reduce(digits.count) { $0 + $1.digitCount }
    let deadline =
      turn.now + min(settings.actionWatchdog + settings.digitSpacing * Int64(count), settings.longestAction)
    open(.digits(digits, on: nil), action, in: index, deadline: deadline, turn)
  }

  mutating func digitsFinished(_ leg: LegID, _ id: ActionID, areSent: Bool, _ turn: inout Turn) {
    guard let (index, action) = openAction(id), calls[index].leg?.id == leg, action.isSendingDigits else {
      turn.ignored = "no such digits are being sent"
      return
    }
    calls[index].actions.removeAll { $0.id == id }
    turn.completions.append((id, areSent, action.causes))
  }

  // MARK: Completions

  /// Fails the open actions of these kinds.
  mutating func failActions(of index: Int, _ turn: inout Turn, where isMeant: (OpenAction.Kind) -> Bool) {
    for action in calls[index].actions where isMeant(action.kind) {
      turn.completions.append((action.id, false, action.causes))
      haltDigits(action, &turn)
    }
    calls[index].actions.removeAll { isMeant($0.kind) }
  }

  /// Has signalling stop what it is sending for an action.
  func haltDigits(_ action: OpenAction, _ turn: inout Turn) {
    if case .digits(_, on: let leg?) = action.kind { turn.haltedDigits.append(leg) }
  }
}

extension OpenAction {
  /// Whether these are digits that signalling is sending.
  var isSendingDigits: Bool {
    if case .digits(_, on: .some) = kind { true } else { false }
  }

  /// How many digits the action has to send.
  var digitCount: Int {
    if case .digits(let digits, on: _) = kind { digits.count } else { 0 }
  }
}
