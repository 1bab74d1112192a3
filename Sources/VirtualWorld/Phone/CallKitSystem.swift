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
    /// Whether the audio session belongs to this call: its Answer or Start has been completed (CK-25).
    var needsAudio = false
  }

  struct OpenAction: Hashable, Sendable {
    var action: CallAction
    var origin: ActionEvent.Origin
  }

  private static let completedActionsKept = 32

  private(set) var calls: [CallUUID: Call] = [:]
  private(set) var openActions: [ActionID: OpenAction] = [:]
  /// The latest actions that are not open any more, so that a late completion can be told from one of an unknown
  /// action.
  private var completedActions: [CallAction] = []
  private var lastAction = 0
  private var lastTransaction = 0

  /// Whether some call holds the audio session.
  var needsAudio: Bool { calls.values.contains { $0.needsAudio } }

  /// Whether the user can see the call: it was accepted and is not over.
  func shows(_ uuid: CallUUID) -> Bool {
    guard let call = calls[uuid] else { return false }
    return call.phase != .reporting
  }

  mutating func add(_ uuid: CallUUID, _ call: Call) { calls[uuid] = call }

  mutating func update(_ uuid: CallUUID, _ change: (inout Call) -> Void) {
    if var call = calls[uuid] {
      change(&call)
      calls[uuid] = call
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

  mutating func open(_ action: CallAction, origin: ActionEvent.Origin) {
    openActions[action.id] = OpenAction(action: action, origin: origin)
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
  mutating func dropActions() { openActions.removeAll() }

  /// An action that was completed not long ago.
  func completedAction(_ id: ActionID) -> CallAction? {
    completedActions.last { $0.id == id }
  }

  /// How many calls there are that were answered or are being started, against
  /// CXProviderConfiguration.maximumCallGroups; every single call is a group of one (CK-29).
  var groupCount: Int { calls.values.count { $0.phase == .starting || $0.phase == .connected } }

  /// Whether the system would show one more incoming call besides those that it knows.
  func hasRoom(limit: Int) -> Bool { calls.count < limit }
}
