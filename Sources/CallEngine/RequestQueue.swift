/// The transactions that the app asks CallKit for: at most one outstanding per call, the others wait in order
/// (invariant 45).
struct RequestQueue: Hashable, Sendable {
  struct Request: Hashable, Sendable {
    let call: CallUUID
    /// The action that is asked for.
    let kind: ActionKind
    /// The inputs that made the wish.
    let causes: Causes
    /// The id under which it was sent; `nil` while it waits.
    var id: RequestID?

    /// The user's wish behind the request.
    var intent: UserIntent {
      switch kind {
      case .start(let party): .dial(party, freshUUID: call)
      case .answer: .answer(call)
      case .end: .end(call)
      case .setHeld(let isHeld): .setHeld(call, isHeld)
      case .setMuted(let isMuted): .setMuted(call, isMuted)
      case .playDTMF(let digits): .sendDigits(call, digits)
      }
    }

    /// Whether the call is to be the one that is talked on, so that the others must be held first (CK-33).
    var takesTheFloor: Bool {
      switch kind {
      case .start, .answer, .setHeld(false): true
      case .end, .setHeld(true), .setMuted, .playDTMF: false
      }
    }
  }

  /// An action that the system has been asked for and has not delivered.
  private struct Owed: Hashable, Sendable {
    let action: ActionID
    let request: Request
  }

  /// How many of them are remembered; what the system never delivers must not pile up.
  private static let owedLimit = 32

  private var requests: [Request] = []
  private var owed: [Owed] = []
  private var lastRequest = 0
  private var lastAction = 0

  /// Whether nothing waits and nothing is outstanding.
  var isEmpty: Bool { requests.isEmpty }

  mutating func add(_ kind: ActionKind, for call: CallUUID, causes: Causes) {
    requests.append(Request(call: call, kind: kind, causes: causes))
  }

  /// Whether such a request waits or is outstanding.
  func contains(_ kind: ActionKind, for call: CallUUID) -> Bool {
    requests.contains { $0.call == call && $0.kind == kind }
  }

  /// Whether such a request waits or is outstanding, or was accepted and its action is yet to come.
  func isToCome(_ kind: ActionKind, for call: CallUUID) -> Bool {
    contains(kind, for: call) || owed.contains { $0.request.call == call && $0.request.kind == kind }
  }

  /// The first request of a call that is to take the floor and was not sent.
  func waitingForTheFloor(for call: CallUUID) -> Request? {
    requests.first { $0.call == call && $0.id == nil && $0.takesTheFloor }
  }

  /// The last request of a call that waits or is outstanding and is of this sort.
  func last(for call: CallUUID, where isMeant: (ActionKind) -> Bool) -> ActionKind? {
    requests.last { $0.call == call && isMeant($0.kind) }?.kind
  }

  /// The next request of a call that may be sent now, with fresh ids for itself and its action. One that takes the
  /// floor waits until that is free.
  mutating func send(
    for call: CallUUID, floorIsFree: Bool
  ) -> (request: Request, id: RequestID, action: ActionID)? {
    guard !requests.contains(where: { $0.call == call && $0.id != nil }),
      let index = requests.firstIndex(where: { $0.call == call }), floorIsFree || !requests[index].takesTheFloor
    else { return nil }
    lastRequest += 1
    lastAction += 1
    let id = RequestID(lastRequest)
    requests[index].id = id
    owed.append(Owed(action: ActionID(lastAction), request: requests[index]))
    if owed.count > Self.owedLimit { owed.removeFirst() }
    return (requests[index], id, ActionID(lastAction))
  }

  /// Takes the outstanding request with this id out of the queue.
  mutating func complete(_ id: RequestID, isAccepted: Bool) -> Request? {
    guard let index = requests.firstIndex(where: { $0.id == id }) else { return nil }
    if !isAccepted { owed.removeAll { $0.request.id == id } }
    return requests.remove(at: index)
  }

  /// Whether the system delivers an action that it was asked for; asked once for each action.
  mutating func takeDelivery(of action: ActionID) -> Bool {
    guard let index = owed.firstIndex(where: { $0.action == action }) else { return false }
    owed.remove(at: index)
    return true
  }

  /// Drops what waits for a call and returns it; an outstanding request stays until the system has answered it.
  mutating func dropWaiting(for call: CallUUID) -> [Request] {
    dropWaiting { $0.call == call }
  }

  /// Drops what waits for the other calls to be held and returns it.
  mutating func dropWaitingForTheFloor() -> [Request] {
    dropWaiting(\.takesTheFloor)
  }

  private mutating func dropWaiting(_ isMeant: (Request) -> Bool) -> [Request] {
    let dropped = requests.filter { $0.id == nil && isMeant($0) }
    requests.removeAll { $0.id == nil && isMeant($0) }
    return dropped
  }
}
