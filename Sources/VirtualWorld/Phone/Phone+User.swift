import CallEngine
import Timeline

/// What the user does, in the system's call screen and in the app.
extension Phone {
  /// Carries out the user's acts; several are one CallKit transaction, in their order.
  mutating func perform(_ acts: [UserAct], inApp: Bool, line: Int?, on stage: inout Stage) {
    var numbers: [Int] = []
    for act in acts {
      numbers.append(
        stage.record(
          from: "user", to: name, call: stage.calls.label(named: act.call),
          .user(UserEvent(verb: act.verb.rawValue, argument: act.argument, inApp: inApp || act.verb == .calls)),
          causes: [], line: line))
    }
    if inApp || acts.contains(where: { $0.verb == .calls }) {
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
    guard let uuid = stage.calls.uuid(named: act.call) else {
      stage.record(from: name, to: "user", .ignored("the app knows no call \(act.call)"), causes: causes)
      return
    }
    let intent: UserIntent
    switch act.verb {
    case .answers: intent = .answer(uuid)
    case .holds: intent = .setHeld(uuid, true)
    case .resumes: intent = .setHeld(uuid, false)
    case .mutes: intent = .setMuted(uuid, true)
    case .unmutes: intent = .setMuted(uuid, false)
    case .presses: intent = .sendDigits(uuid, act.argument ?? "")
    case .swaps:
      guard let other = act.argument.flatMap({ stage.calls.uuid(named: $0) }) else {
        stage.record(from: name, to: "user", .ignored("the app knows no call \(act.argument ?? "")"), causes: causes)
        return
      }
      intent = .swap(hold: uuid, resume: other)
    case .declines, .ends, .calls: intent = .end(uuid)
    }
    tell(.user(intent), causes: causes, on: &stage)
  }

  /// The system turns taps on its call screen into actions. A tap on a call that the screen does not show hits nothing.
  mutating func deliver(_ acts: [UserAct], causes: [Int], on stage: inout Stage) {
    guard process == .running else {
      stage.record(from: "system", .ignored("the app does not run"), causes: causes)
      return
    }
    var actions: [(id: ActionID, call: CallUUID, kind: ActionKind)] = []
    for act in acts {
      guard let uuid = stage.calls.uuid(named: act.call), system.shows(uuid), offers(act.verb, for: uuid) else {
        stage.record(
          from: "system", call: stage.calls.label(named: act.call),
          .ignored("the call screen has nothing there that \(act.verb.rawValue) \(act.call)"), causes: causes)
        continue
      }
      actions.append((system.nextActionID(), uuid, act.verb == .answers ? .answer : .end))
    }
    if !actions.isEmpty { deliver(actions, origin: .user, causes: causes, on: &stage) }
  }

  /// Whether the call screen has a button for it now.
  private func offers(_ verb: UserAct.Verb, for uuid: CallUUID) -> Bool {
    switch verb {
    case .answers, .declines: system.calls[uuid]?.phase == .ringing
    case .ends: true
    case .calls, .holds, .resumes, .mutes, .unmutes, .presses, .swaps: false
    }
  }
}
