import CallEngine
import Timeline

/// What CallKit knows: the calls that it was told of and the actions that are open.
struct CallKitSystem: Hashable, Sendable {
  /// How far a call has come on the system's side.
  enum Phase: Hashable, Sendable {
    /// Reported, the report not answered yet (CK-17).
    case reporting
    /// The system shows an incoming call.
    case ringing
    /// Outgoing, from the accepted request on.
    case starting
    /// Answered, or reported connected.
    case connected
  }

  struct Call: Hashable, Sendable {
    var phase: Phase
    var isOutgoing: Bool
    /// Its Answer or its Start has been fulfilled.
    var isUnderWay = false
    /// The place of its hold among all holds of the run; `nil` while it is not held.
    fileprivate(set) var hold: Int?
    var isMuted = false
    /// The place at which it became the call that is talked on, among all calls of the run.
    fileprivate(set) var turn = 0

    var isHeld: Bool { hold != nil }
    /// Whether the audio session belongs to this call (CK-25).
    var needsAudio: Bool { isUnderWay && !isHeld }
    /// Whether it is the call that the user talks on (CK-33).
    var isTalking: Bool { phase == .connected && needsAudio }
  }

  struct OpenAction: Hashable, Sendable {
    var action: CallAction
    var origin: ActionEvent.Origin
    /// Whether its transaction answers a call.
    var answersToo: Bool
  }

  private static let completedActionsKept = 32

  private(set) var calls: [CallUUID: Call] = [:]
  private(set) var openActions: [ActionID: OpenAction] = [:]
  /// What the transaction that is being delivered still has for the app.
  var undelivered: [ActionKind] = []
  /// The latest actions that are not open any more, so that a late completion can be told from one of an unknown
  /// action.
  private var completedActions: [CallAction] = []
  private var lastAction = 0
  private var lastTransaction = 0
  private var lastHold = 0
  private var lastTurn = 0

  // MARK: Calls

  /// Whether some call holds the audio session.
  var needsAudio: Bool { calls.values.contains { $0.needsAudio } }

  /// Whether an action is open, or on its way, that gives some call the audio session once it is fulfilled.
  var awaitsAudio: Bool {
    undelivered.contains(where: \.takesAudio) || openActions.values.contains { $0.action.kind.takesAudio }
  }

  /// Whether the user can see the call: it was accepted and is not over.
  func shows(_ uuid: CallUUID) -> Bool {
    guard let call = calls[uuid] else { return false }
    return call.phase != .reporting
  }

  /// The calls of which something is true, in the order of their UUIDs.
  func calls(where matches: (Call) -> Bool) -> [CallUUID] {
    calls.filter { matches($0.value) }.keys.sorted()
  }

  /// The held calls, the one that was held first in front.
  var heldCalls: [CallUUID] {
    calls.compactMap { uuid, call in call.hold.map { (uuid, $0) } }.sorted { $0.1 < $1.1 }.map(\.0)
  }

  /// The calls that are talked on, the latest at the end; the system leaves only that one (CK-33).
  var talkingCalls: [CallUUID] {
    calls.filter(\.value.isTalking).sorted { $0.value.turn < $1.value.turn }.map(\.key)
  }

  mutating func add(_ uuid: CallUUID, _ call: Call) { calls[uuid] = call }

  mutating func update(_ uuid: CallUUID, _ change: (inout Call) -> Void) {
    guard let old = calls[uuid] else { return }
    var call = old
    change(&call)
    if call.isTalking, !old.isTalking {
      lastTurn += 1
      call.turn = lastTurn
    }
    calls[uuid] = call
  }

  /// Notes what a fulfilled action has made of its call.
  mutating func apply(_ kind: ActionKind, to uuid: CallUUID) {
    switch kind {
    case .start: update(uuid) { $0.isUnderWay = true }
    case .answer:
      update(uuid) {
        $0.phase = .connected
        $0.isUnderWay = true
      }
    case .setHeld(true):
      lastHold += 1
      let place = lastHold
      update(uuid) { $0.hold = $0.hold ?? place }
    case .setHeld(false): update(uuid) { $0.hold = nil }
    case .setMuted(let isMuted): update(uuid) { $0.isMuted = isMuted }
    case .end, .playDTMF: break
    }
  }

  /// The call is over for the system. What was to be done with it means nothing any more (CK-22); an End that the app is
  /// handling can still be completed. Returns the actions that are dropped, in order.
  mutating func close(_ uuid: CallUUID) -> [ActionID] {
    calls[uuid] = nil
    let dropped = openActions.values.map(\.action).filter { $0.call == uuid && $0.kind != .end }
      .sorted { $0.id < $1.id }
    for action in dropped {
      openActions[action.id] = nil
      remember(action)
    }
    return dropped.map(\.id)
  }

  /// How many calls there are that were answered or are being started, against
  /// CXProviderConfiguration.maximumCallGroups; every single call is a group of one (CK-29).
  var groupCount: Int { calls.values.count { $0.phase == .starting || $0.phase == .connected } }

  /// Whether the system would show one more incoming call besides those that it knows.
  func hasRoom(limit: Int) -> Bool { calls.count < limit }

  // MARK: Actions

  /// A number for a new transaction.
  mutating func nextTransaction() -> Int {
    lastTransaction += 1
    return lastTransaction
  }

  /// An id for an action that the system makes. They count down from -1, so that they never meet those that the app
  /// chooses for its own requests.
  mutating func nextActionID() -> ActionID {
    lastAction -= 1
    return ActionID(lastAction)
  }

  mutating func open(_ action: CallAction, origin: ActionEvent.Origin, answersToo: Bool) {
    openActions[action.id] = OpenAction(action: action, origin: origin, answersToo: answersToo)
  }

  /// Whether the app is handling an action of this kind for the call.
  func isOpen(_ kind: ActionKind, for uuid: CallUUID) -> Bool {
    openActions.values.contains { $0.action.call == uuid && $0.action.kind == kind }
  }

  /// Completes an action; `nil` if it is not open (CK-5).
  mutating func complete(_ id: ActionID) -> OpenAction? {
    guard let open = openActions.removeValue(forKey: id) else { return nil }
    remember(open.action)
    return open
  }

  private mutating func remember(_ action: CallAction) {
    completedActions.append(action)
    if completedActions.count > Self.completedActionsKept { completedActions.removeFirst() }
  }

  /// Nobody completes an action any more.
  mutating func dropActions() {
    openActions.removeAll()
    undelivered.removeAll()
  }

  /// An action that was completed not long ago.
  func completedAction(_ id: ActionID) -> CallAction? {
    completedActions.last { $0.id == id }
  }
}

extension ActionKind {
  /// Whether its fulfilment gives the call the audio session (CK-25).
  var takesAudio: Bool {
    switch self {
    case .start, .answer, .setHeld(false): true
    case .end, .setHeld(true), .setMuted, .playDTMF: false
    }
  }
}
