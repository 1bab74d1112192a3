import CallEngine

/// The app's audio session and its audio unit.
struct AudioSession: Hashable, Sendable {
  /// Whether CallKit has activated the session. One session serves all calls (CK-26).
  var isActive = false
  /// The number of the activation, or of the deactivation while the session is active, that is on its way. One that
  /// has become pointless is struck out here and not delivered.
  private(set) var pendingChange: Int?
  private var lastChange = 0
  var unitRuns = false
  /// What the app wants.
  var plan = AudioPlan.off

  /// Begins a change of the session and returns its number.
  mutating func beginChange() -> Int {
    lastChange += 1
    pendingChange = lastChange
    return lastChange
  }

  /// The change that is on its way has become pointless.
  mutating func dropChange() { pendingChange = nil }

  /// Whether this change is the one to be made now; it is not on its way any more.
  mutating func takeChange(_ number: Int) -> Bool {
    guard pendingChange == number else { return false }
    pendingChange = nil
    return true
  }
}
