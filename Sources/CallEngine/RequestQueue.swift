/// The transactions that the app asks CallKit for: at most one outstanding per call, the others wait in order
/// (invariant 45).
struct RequestQueue: Hashable, Sendable {
  struct Request: Hashable, Sendable {
    enum Purpose: Hashable, Sendable {
      case start(Party)
      case answer
      case end
    }

    let call: CallUUID
    let purpose: Purpose
    /// The inputs that made the wish.
    let causes: Causes
    /// The id under which it was sent; `nil` while it waits.
    var id: RequestID?

    /// The user's wish behind the request.
    var intent: UserIntent {
      switch purpose {
      case .start(let party): .dial(party, freshUUID: call)
      case .answer: .answer(call)
      case .end: .end(call)
      }
    }

    /// The action that is asked for.
    var kind: ActionKind {
      switch purpose {
      case .start(let party): .start(party)
      case .answer: .answer
      case .end: .end
      }
    }
  }

  private var requests: [Request] = []
  private var lastRequest = 0
  private var lastAction = 0

  /// Whether nothing waits and nothing is outstanding.
  var isEmpty: Bool { requests.isEmpty }

  mutating func add(_ purpose: Request.Purpose, for call: CallUUID, causes: Causes) {
    requests.append(Request(call: call, purpose: purpose, causes: causes))
  }

  /// Whether such a request waits or is outstanding.
  func contains(_ purpose: Request.Purpose, for call: CallUUID) -> Bool {
    requests.contains { $0.call == call && $0.purpose == purpose }
  }

  /// The next request of a call that may be sent now, with fresh ids for itself and its action.
  mutating func send(for call: CallUUID) -> (request: Request, id: RequestID, action: ActionID)? {
    guard !requests.contains(where: { $0.call == call && $0.id != nil }),
      let index = requests.firstIndex(where: { $0.call == call })
    else { return nil }
    lastRequest += 1
    lastAction += 1
    let id = RequestID(lastRequest)
    requests[index].id = id
    return (requests[index], id, ActionID(lastAction))
  }

  /// Takes the outstanding request with this id out of the queue.
  mutating func complete(_ id: RequestID) -> Request? {
    guard let index = requests.firstIndex(where: { $0.id == id }) else { return nil }
    return requests.remove(at: index)
  }

  /// Drops what waits for a call and returns it; an outstanding request stays until the system has answered it.
  mutating func dropWaiting(for call: CallUUID) -> [Request] {
    let dropped = requests.filter { $0.call == call && $0.id == nil }
    requests.removeAll { $0.call == call && $0.id == nil }
    return dropped
  }
}
