import CallEngine
import Timeline

/// What the user does, in the system's call screen and in the app.
extension Phone {
  /// Carries out the user's acts; several are one CallKit transaction, in their order.
  mutating func perform(_ acts: [UserAct], inApp: Bool, line: Int?, on stage: inout Stage) {
    let inApp = inApp || acts.contains { $0.verb.isOfTheAppAlone }
    var numbers: [Int] = []
    for act in acts {
      numbers.append(
        stage.record(
          from: "user", to: name, call: stage.calls.label(named: act.call),
          .user(UserEvent(verb: act.verb.word, argument: act.argument, inApp: inApp)), causes: [], line: line))
    }
    if inApp {
      for (act, number) in zip(acts, numbers) { wish(act, causes: [number], on: &stage) }
    } else {
      stage.schedule(.system(.deliver(acts), causes: numbers), after: settings.actionDelay)
    }
  }

  /// The user acts in the app itself: the app decides what becomes of it (CK-1).
  private mutating func wish(_ act: UserAct, causes: [Int], on stage: inout Stage) {
    guard process == .running else {
      stage.record(from: "system", .ignored("the app does not run"), causes: causes)
      return
    }
    if act.verb == .calls {
      let uuid = stage.calls.freshUUID(for: stage.calls.label(named: act.call))
      tell(.user(.dial(Party(uri: act.argument ?? ""), freshUUID: uuid)), causes: causes, on: &stage)
      return
    }
    guard let uuid = knownCall(named: act.call, causes: causes, on: &stage) else { return }
    let intent: UserIntent
    switch act.verb {
    case .answers: intent = .answer(uuid)
    case .holds: intent = .setHeld(uuid, true)
    case .resumes: intent = .setHeld(uuid, false)
    case .mutes: intent = .setMuted(uuid, true)
    case .unmutes: intent = .setMuted(uuid, false)
    case .presses: intent = .sendDigits(uuid, act.argument ?? "")
    case .swaps:
      guard let other = knownCall(named: act.argument ?? "", causes: causes, on: &stage) else { return }
      intent = .swap(hold: uuid, resume: other)
    case .transfers: intent = .transfer(uuid, to: Party(uri: act.argument ?? ""))
    case .transfersAttended:
      guard let other = knownCall(named: act.argument ?? "", causes: causes, on: &stage) else { return }
      intent = .transferAttended(uuid, to: other)
    case .declines, .ends, .calls: intent = .end(uuid)
    }
    tell(.user(intent), causes: causes, on: &stage)
  }

  /// The call of this name, if the app knows one; else the user hears that it does not.
  private func knownCall(named call: String, causes: [Int], on stage: inout Stage) -> CallUUID? {
    if let uuid = stage.calls.uuid(named: call) { return uuid }
    stage.record(from: name, to: "user", .ignored("the app knows no call \(call)"), causes: causes)
    return nil
  }

  /// The system turns taps on its call screen into actions. A tap on a call that the screen does not show hits nothing.
  mutating func deliver(_ acts: [UserAct], causes: [Int], on stage: inout Stage) {
    guard process == .running else {
      stage.record(from: "system", .ignored("the app does not run"), causes: causes)
      return
    }
    // What one act of the line leads to decides what the next finds.
    var trial = system
    let decidesAboutOthers = acts.contains { $0.verb.makesRoom }
    var actions: [ActionToDeliver] = []
    for act in acts {
      guard let steps = steps(of: act, in: trial, alone: !decidesAboutOthers, on: stage) else {
        stage.record(
          from: "system", call: stage.calls.label(named: act.call),
          .ignored("the call screen has nothing there that \(act.verb.rawValue) \(act.call)"), causes: causes)
        continue
      }
      for step in steps {
        _ = trial.tryOut(step.kind, for: step.call, limit: settings.maximumCallGroups)
        actions.append(
          ActionToDeliver(id: system.nextActionID(), call: step.call, kind: step.kind, origin: step.origin))
      }
    }
    if !actions.isEmpty { deliver(actions, causes: causes, on: &stage) }
  }

  private typealias Step = (call: CallUUID, kind: ActionKind, origin: ActionEvent.Origin)

  /// The actions that a tap on the call screen is, with what the system does to other calls before; `nil` if the screen
  /// has no such button now.
  private func steps(
    of act: UserAct, in system: CallKitSystem, alone: Bool, on stage: Stage
  ) -> [Step]? {
    guard let uuid = stage.calls.uuid(named: act.call), system.shows(uuid), let call = system.calls[uuid] else {
      return nil
    }
    func taps(_ kind: ActionKind, if isOffered: Bool) -> [Step]? { isOffered ? [(uuid, kind, .user)] : nil }
    let isConnected = call.phase == .connected
    switch act.verb {
    case .answers:
      guard let tap = taps(.answer, if: call.phase == .ringing) else { return nil }
      let others = alone ? system.stepsBeforeAnswering(uuid, limit: settings.maximumCallGroups) : []
      return others.map { ($0.call, $0.kind, .system) } + tap
    case .resumes:
      guard let tap = taps(.setHeld(false), if: isConnected && call.isHeld) else { return nil }
      let others = alone ? system.stepsBeforeResuming(uuid) : []
      return others.map { ($0.call, $0.kind, .system) } + tap
    case .swaps:
      guard let tap = taps(.setHeld(true), if: isConnected && !call.isHeld),
        let other = act.argument.flatMap({ stage.calls.uuid(named: $0) }), let waiting = system.calls[other],
        waiting.phase == .connected, waiting.isHeld
      else { return nil }
      return tap + [(other, .setHeld(false), .user)]
    case .declines: return taps(.end, if: call.phase == .ringing)
    case .ends: return taps(.end, if: true)
    case .holds: return taps(.setHeld(true), if: isConnected && !call.isHeld)
    case .mutes: return taps(.setMuted(true), if: call.isUnderWay && !call.isMuted)
    case .unmutes: return taps(.setMuted(false), if: call.isUnderWay && call.isMuted)
    case .presses:
      let digits = act.argument ?? ""
      return taps(.playDTMF(digits), if: isConnected && ActionKind.areDigits(digits))
    case .calls, .transfers, .transfersAttended: return nil
    }
  }
}

extension UserAct.Verb {
  /// What it is called in a timeline: both kinds of transfer are one act with different arguments.
  fileprivate var word: String { self == .transfersAttended ? Self.transfers.rawValue : rawValue }

  /// Whether the call screen has nothing for it: a call is begun and transferred in the app (LP-22).
  fileprivate var isOfTheAppAlone: Bool {
    switch self {
    case .calls, .transfers, .transfersAttended: true
    case .answers, .declines, .ends, .holds, .resumes, .swaps, .mutes, .unmutes, .presses: false
    }
  }

  /// Whether the act itself says what becomes of a call that is in the way of another.
  fileprivate var makesRoom: Bool {
    switch self {
    case .ends, .holds, .swaps: true
    case .answers, .declines, .calls, .resumes, .mutes, .unmutes, .presses, .transfers, .transfersAttended: false
    }
  }
}
