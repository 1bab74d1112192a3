import Instant

/// What the user does in the app itself: requests to CallKit, whose actions then follow (CK-1, CK-7).
extension CallCoordinator {
  mutating func userWants(_ intent: UserIntent, _ turn: inout Turn) {
    switch intent {
    case .dial(let party, let uuid):
      guard index(of: uuid) == nil, !tombstones.isRetired(uuid) else {
        return refuse(intent, "the UUID is taken", &turn)
      }
      var call = Call(uuid: uuid, isOutgoing: true, presentation: .requested, causes: turn.causes)
      call.target = party
      calls.append(call)
      requests.add(.start(party), for: uuid, causes: turn.causes)
    case .answer(let uuid): answer(uuid, intent, &turn)
    case .end(let uuid): end(uuid, intent, &turn)
    case .setHeld(let uuid, let isHeld): setHeld(uuid, isHeld, intent, &turn)
    case .swap(let held, let resumed):
      guard held != resumed else { return refuse(intent, "a call cannot be swapped with itself", &turn) }
      guard isConnected(held), isConnected(resumed) else { return refuse(intent, "both calls must be up", &turn) }
      setHeld(held, true, .setHeld(held, true), &turn)
      setHeld(resumed, false, .setHeld(resumed, false), &turn)
    case .transfer(let uuid, let party): transfer(uuid, to: .party(party), intent, &turn)
    case .connect(let uuid, let other): transfer(uuid, to: .call(other), intent, &turn)
    case .setMuted(let uuid, let isMuted): setMuted(uuid, isMuted, intent, &turn)
    case .sendDigits(let uuid, let digits):
      guard isUsable(uuid, intent, &turn) != nil else { return }
      requests.add(.playDTMF(digits), for: uuid, causes: turn.causes)
    }
  }

  private mutating func answer(_ uuid: CallUUID, _ intent: UserIntent, _ turn: inout Turn) {
    guard let index = isUsable(uuid, intent, &turn) else { return }
    guard !calls[index].isOutgoing else { return refuse(intent, "the call is outgoing", &turn) }
    // Asking again for what is decided would go round in a circle.
    guard calls[index].intent.answer == nil, !requests.contains(.answer, for: uuid) else {
      turn.ignored = "the call is being answered"
      return
    }
    requests.add(.answer, for: uuid, causes: turn.causes)
  }

  private mutating func end(_ uuid: CallUUID, _ intent: UserIntent, _ turn: inout Turn) {
    guard let index = index(of: uuid), calls[index].isLive else { return refuse(intent, "the call is over", &turn) }
    guard calls[index].intent.end == nil else {
      turn.ignored = "the end is under way"
      return
    }
    wantEnd(of: index, turn.causes, &turn)
  }

  /// The call is to end: what waits for it is dropped, and the system is asked.
  mutating func wantEnd(of index: Int, _ causes: Causes, _ turn: inout Turn) {
    guard calls[index].isLive, calls[index].intent.end == nil else { return }
    let uuid = calls[index].uuid
    calls[index].intent.end = causes
    var isUnknownToTheSystem = false
    for request in requests.dropWaiting(for: uuid) {
      refuse(request, "the user ends the call", &turn)
      if case .start = request.kind { isUnknownToTheSystem = true }
    }
    // A call whose Start has not even been asked for is over without CallKit.
    if isUnknownToTheSystem {
      self.end(index, .local, causes: causes, at: turn.now)
    } else {
      requests.add(.end, for: uuid, causes: causes)
    }
  }

  private mutating func setHeld(_ uuid: CallUUID, _ isHeld: Bool, _ intent: UserIntent, _ turn: inout Turn) {
    guard let index = isUsable(uuid, intent, &turn) else { return }
    guard isConnected(uuid) else { return refuse(intent, "the call is not up", &turn) }
    let asked = requests.last(for: uuid) { if case .setHeld = $0 { true } else { false } }
    guard (asked ?? .setHeld(calls[index].intent.isHeld)) != .setHeld(isHeld) else {
      turn.ignored = isHeld ? "the call is held already" : "the call is not held"
      return
    }
    requests.add(.setHeld(isHeld), for: uuid, causes: turn.causes)
  }

  private mutating func setMuted(_ uuid: CallUUID, _ isMuted: Bool, _ intent: UserIntent, _ turn: inout Turn) {
    guard let index = isUsable(uuid, intent, &turn) else { return }
    // What CallKit has had us do is not asked for again (CK-13).
    let asked = requests.last(for: uuid) { if case .setMuted = $0 { true } else { false } }
    guard (asked ?? .setMuted(calls[index].intent.isMuted)) != .setMuted(isMuted) else {
      turn.ignored = isMuted ? "the call is muted already" : "the call is not muted"
      return
    }
    requests.add(.setMuted(isMuted), for: uuid, causes: turn.causes)
  }

  private func isConnected(_ uuid: CallUUID) -> Bool {
    index(of: uuid).map { calls[$0].isLive && calls[$0].isUp } ?? false
  }

  /// The call, if it goes on and the user does not end it; else the wish is refused.
  func isUsable(_ uuid: CallUUID, _ intent: UserIntent, _ turn: inout Turn) -> Int? {
    guard let index = index(of: uuid), calls[index].isLive else {
      refuse(intent, "the call is over", &turn)
      return nil
    }
    guard calls[index].intent.end == nil else {
      refuse(intent, "the user ends the call", &turn)
      return nil
    }
    return index
  }

  func refuse(_ intent: UserIntent, _ why: String, _ turn: inout Turn) {
    turn.refusedIntents.append((intent, why, []))
  }
}
