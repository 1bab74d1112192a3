import Instant

/// What became of an invitation, for a push or an invitation that comes after its call (invariant 22).
struct Tombstone: Hashable, Sendable {
  let reference: CallReference
  /// What a call that only a late push brings about ends with.
  let reason: EndedReason
  /// A refusal that the caller has not heard yet; consumed by the first invitation (invariant 23).
  var rejection: Rejection?
  /// The inputs that ended the call.
  let causes: Causes
  let expiry: Instant
}

/// The ended calls that are remembered: few, and not for long. Expiry is lazy, so that no timer outlives the calls
/// (invariant 40).
struct Tombstones: Hashable, Sendable {
  private var stones: [Tombstone] = []
  private var retired: [Retired] = []

  private struct Retired: Hashable, Sendable {
    let uuid: CallUUID
    let expiry: Instant
  }

  /// Remembers an ended invitation; a newer one of the same reference takes the place of the older.
  mutating func add(_ stone: Tombstone, limit: Int) {
    stones.removeAll { $0.reference == stone.reference }
    stones.append(stone)
    if stones.count > max(limit, 0) { stones.removeFirst(stones.count - max(limit, 0)) }
  }

  /// Remembers the UUID of a call that is over, so that a late action cannot revive it (invariant 3).
  mutating func retire(_ uuid: CallUUID, until expiry: Instant, limit: Int) {
    retired.append(Retired(uuid: uuid, expiry: expiry))
    if retired.count > max(limit, 0) { retired.removeFirst(retired.count - max(limit, 0)) }
  }

  /// Drops what is too old.
  mutating func expire(at now: Instant) {
    // Both lists are in the order of their expiry.
    while let first = stones.first, first.expiry <= now { stones.removeFirst() }
    while let first = retired.first, first.expiry <= now { retired.removeFirst() }
  }

  func stone(of reference: CallReference) -> Tombstone? {
    stones.first { $0.reference == reference }
  }

  /// Takes the refusal that is still owed to the caller.
  mutating func consumeRejection(of reference: CallReference) -> Rejection? {
    guard let index = stones.firstIndex(where: { $0.reference == reference }) else { return nil }
    defer { stones[index].rejection = nil }
    return stones[index].rejection
  }

  func isRetired(_ uuid: CallUUID) -> Bool {
    retired.contains { $0.uuid == uuid }
  }
}
