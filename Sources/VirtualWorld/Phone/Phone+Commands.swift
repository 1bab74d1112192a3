import CallEngine
import SIP
import Timeline

/// What the phone does for its app: one command of the coordinator at a time.
extension Phone {
  mutating func carryOut(_ command: CoordinatorCommand, causes: [Int], on stage: inout Stage) {
    switch command {
    case .reportIncoming(let uuid, let update): reportIncoming(uuid, update, causes: causes, on: &stage)
    case .reportUpdated(let uuid, let update):
      report(.updated(caller: update.caller, handle: update.handle), of: uuid, causes: causes, on: &stage)
    case .reportStartedConnecting(let uuid): report(.startedConnecting, of: uuid, causes: causes, on: &stage)
    case .reportConnected(let uuid): reportConnected(uuid, causes: causes, on: &stage)
    case .reportEnded(let uuid, let reason): reportEnded(uuid, reason, causes: causes, on: &stage)
    case .fulfil(let id): complete(id, .fulfilled, causes: causes, on: &stage)
    case .fail(let id): complete(id, .failed, causes: causes, on: &stage)
    case .request(let id, let actions): request(id, actions, causes: causes, on: &stage)
    case .setAudioPlan(let plan): setAudioPlan(plan, causes: causes, on: &stage)
    case .ring(let leg): signal(.ring(SessionID(leg)), causes: causes, on: &stage)
    case .accept(let leg): signal(.accept(SessionID(leg)), causes: causes, on: &stage)
    case .reject(let leg, let why):
      signal(.reject(SessionID(leg), status: status(of: why)), causes: causes, on: &stage)
    case .hangUp(let leg):
      noteLeg(leg, causes: causes) { $0.isClosing = true }
      signal(.hangUp(SessionID(leg)), causes: causes, on: &stage)
    case .invite(let leg, let party, let replaced):
      invite(leg, party, replacing: replaced, causes: causes, on: &stage)
    case .setLocalHold(let leg, let isHeld):
      noteLeg(leg, causes: causes) { $0.wantsHold = isHeld }
      signal(.setHold(SessionID(leg), isHeld), causes: causes, on: &stage)
    case .sendDigits(let leg, let action, let digits):
      sendDigits(digits, for: action, on: leg, causes: causes, on: &stage)
    case .stopDigits(let leg): stopDigits(on: leg, causes: causes, on: &stage)
    case .setTimer(let id, let instant):
      stage.record(
        from: name, call: label(of: id, on: stage),
        .timer(TimerEvent(name: id.word, phase: .set, due: instant)), causes: causes)
      stage.setTimer(.coordinator(id), at: instant, causes: causes)
    case .cancelTimer(let id):
      if stage.cancelTimer(.coordinator(id)) {
        stage.record(
          from: name, call: label(of: id, on: stage), .timer(TimerEvent(name: id.word, phase: .cancelled)),
          causes: causes)
      }
    case .changeState(let uuid, let old, let new, let end):
      stage.record(
        from: name, call: stage.calls.label(of: uuid, causes: causes),
        .state(old: old?.rawValue, new: new.rawValue, reason: end?.word), causes: causes)
    case .answerTransfer(let id, let accepts):
      signal(.answerReferral(ReferralID(id), accepts: accepts), causes: causes, on: &stage)
    case .inviteTransferred(let leg, let id): invite(leg, for: id, causes: causes, on: &stage)
    case .reportTransfer(let id, let status):
      signal(.reportReferral(ReferralID(id), status: status), causes: causes, on: &stage)
    case .rebind(let uuid, let leg, let reference): rebind(uuid, leg, reference, causes: causes, on: &stage)
    case .transfer(let leg, let id, let target):
      signal(.refer(SessionID(leg), ReferralID(id), to: ReferralTarget(target)), causes: causes, on: &stage)
    case .showTransfer(let uuid, let state):
      // Not one that is new from now on: the call may be over and forgotten.
      stage.record(from: name, call: stage.calls.label(of: uuid), .transfer(TransferEvent(state)), causes: causes)
    case .renew(let leg): signal(.renew(SessionID(leg)), causes: causes, on: &stage)
    case .refuseIntent(_, let why):
      stage.record(from: name, to: "user", .ignored(why), causes: causes)
    case .ignore(let why):
      stage.record(from: name, .ignored(why), causes: causes)
    }
  }

  private func status(of rejection: Rejection) -> Int {
    switch rejection {
    case .declined: settings.declineStatus
    case .busy: 486
    case .unavailable: 480
    }
  }

  private func label(of timer: TimerID, on stage: Stage) -> CallLabel? {
    switch timer {
    case .placeholder(let uuid), .ring(let uuid): stage.calls.label(of: uuid)
    case .watchdog(let action):
      system.openActions[action].flatMap { stage.calls.label(of: $0.action.call) }
    case .audioRetry: nil
    case .retire(let leg), .transfer(let leg): legs[leg].flatMap { stage.calls.label(ofKnownCallID: $0.callID) }
    }
  }

  /// A timer of the coordinator is due.
  mutating func fire(_ timer: TimerID, causes: [Int], on stage: inout Stage) {
    let number = stage.record(
      from: name, call: label(of: timer, on: stage), .timer(TimerEvent(name: timer.word, phase: .fired)),
      causes: causes)
    tell(.timerFired(timer), causes: [number], on: &stage)
  }
}

extension TimerID {
  /// What the timer is called in a timeline.
  var word: String {
    switch self {
    case .placeholder: "placeholder"
    case .ring: "ring"
    case .watchdog: "watchdog"
    case .audioRetry: "audio retry"
    case .retire: "retire"
    case .transfer: "transfer"
    }
  }
}
