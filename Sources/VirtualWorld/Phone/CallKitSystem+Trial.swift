import CallEngine
import Timeline

/// What the system accepts, and what it adds by itself.
extension CallKitSystem {
  /// Takes an action for fulfilled; why the system would not accept it (CK-8).
  ///
  /// Hold and digits need a connected call; a call can be muted as soon as it is under way.
  mutating func tryOut(_ kind: ActionKind, for uuid: CallUUID, limit: Int) -> RequestError? {
    switch kind {
    case .start:
      if calls[uuid] != nil { return .callUUIDAlreadyExists }
      if groupCount >= limit { return .maximumCallGroupsReached }
      add(uuid, Call(phase: .starting, isOutgoing: true))
    case .answer:
      if !shows(uuid) { return .unknownCallUUID }
      if calls[uuid]?.phase != .ringing { return .invalidAction }
    case .end:
      if !shows(uuid) { return .unknownCallUUID }
      _ = close(uuid)
    case .setHeld:
      if !shows(uuid) { return .unknownCallUUID }
      if calls[uuid]?.phase != .connected { return .invalidAction }
    case .setMuted:
      if !shows(uuid) { return .unknownCallUUID }
      if calls[uuid]?.isUnderWay != true { return .invalidAction }
    case .playDTMF(let digits):
      if !shows(uuid) { return .unknownCallUUID }
      if calls[uuid]?.phase != .connected || !ActionKind.areDigits(digits) { return .invalidAction }
    }
    apply(kind, to: uuid)
    return nil
  }

  /// What the call screen does with the other calls before it answers this one: Hold & Accept; End & Accept where there
  /// is no room for one more group or a call cannot be held yet; of several calls a held one ends first (CK-31, CK-32).
  func stepsBeforeAnswering(_ uuid: CallUUID, limit: Int) -> [(call: CallUUID, kind: ActionKind)] {
    let rest = withoutEnding
    var excess = rest.groupCount + 1 - limit
    var steps: [(call: CallUUID, kind: ActionKind)] = []
    for held in rest.heldCalls where excess > 0 {
      steps.append((held, .end))
      excess -= 1
    }
    for busy in rest.busyCalls(beside: uuid) {
      let mustEnd = excess > 0 || rest.calls[busy]?.isTalking == false
      if mustEnd, rest.calls[busy]?.phase != .ringing { excess -= 1 }
      steps.append((busy, mustEnd ? .end : .setHeld(true)))
    }
    return steps
  }

  /// What the call screen does with the other calls before it resumes this one: a swap (CK-32).
  func stepsBeforeResuming(_ uuid: CallUUID) -> [(call: CallUUID, kind: ActionKind)] {
    let rest = withoutEnding
    return rest.busyCalls(beside: uuid).map { busy in
      (busy, rest.calls[busy]?.isTalking == true ? .setHeld(true) : .end)
    }
  }

  /// The calls without those that an open End is for.
  private var withoutEnding: CallKitSystem {
    var rest = self
    for uuid in calls.keys where isOpen(.end, for: uuid) { _ = rest.close(uuid) }
    return rest
  }

  /// The un-held calls that are talked on, being answered or being started, the oldest first; not those whose hold the
  /// app is handling.
  private func busyCalls(beside uuid: CallUUID) -> [CallUUID] {
    let busy = calls(where: { $0.needsAudio }) + calls.keys.filter { isOpen(.answer, for: $0) }
    return Set(busy).filter { $0 != uuid && !isOpen(.setHeld(true), for: $0) }
      .sorted { (calls[$0]?.turn ?? 0, $0) < (calls[$1]?.turn ?? 0, $1) }
  }
}
