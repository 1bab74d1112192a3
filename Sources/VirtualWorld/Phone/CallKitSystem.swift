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
  /// The latest actions that were completed, so that a second completion can be told from one of an unknown action.
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

  /// The call is over for the system; its open actions mean nothing any more (CK-22). Returns them in order.
  mutating func close(_ uuid: CallUUID) -> [ActionID] {
    calls[uuid] = nil
    let open = openActions.filter { $0.value.action.call == uuid }.keys.sorted()
    for id in open { openActions[id] = nil }
    return open
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
    completedActions.append(open.action)
    if completedActions.count > Self.completedActionsKept { completedActions.removeFirst() }
    return open
  }

  /// An action that was completed not long ago.
  func completedAction(_ id: ActionID) -> CallAction? {
    completedActions.last { $0.id == id }
  }

  /// The most calls that have been answered or are being started, against CXProviderConfiguration.maximumCallGroups;
  /// every single call is a group of one (CK-29).
  func hasRoom(limit: Int) -> Bool { calls.count < limit }
}
