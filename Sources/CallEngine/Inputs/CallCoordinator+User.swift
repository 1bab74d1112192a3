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
    case .answer(let uuid):
      answer(uuid, intent, &turn)
    case .end(let uuid):
      guard let index = index(of: uuid), calls[index].isLive else { return refuse(intent, "the call is over", &turn) }
      guard calls[index].intent.end == nil else {
        turn.ignored = "the end is under way"
        return
      }
      calls[index].intent.end = turn.causes
      for request in requests.dropWaiting(for: uuid) { refuse(request, "the user ends the call", &turn) }
      requests.add(.end, for: uuid, causes: turn.causes)
    case .setHeld, .setMuted, .sendDigits, .swap: refuse(intent, "not possible", &turn)
    }
  }

  private mutating func answer(_ uuid: CallUUID, _ intent: UserIntent, _ turn: inout Turn) {
    guard let index = index(of: uuid), calls[index].isLive else { return refuse(intent, "the call is over", &turn) }
    guard !calls[index].isOutgoing else { return refuse(intent, "the call is outgoing", &turn) }
    guard calls[index].intent.end == nil else { return refuse(intent, "the user ends the call", &turn) }
    // Asking again for what is decided would go round in a circle.
    guard calls[index].intent.answer == nil, !requests.contains(.answer, for: uuid) else {
      turn.ignored = "the call is being answered"
      return
    }
    requests.add(.answer, for: uuid, causes: turn.causes)
  }

  private func refuse(_ intent: UserIntent, _ why: String, _ turn: inout Turn) {
    turn.refusedIntents.append((intent, why, []))
  }
}
