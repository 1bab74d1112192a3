import CallEngine

/// The app's audio session and its audio unit.
struct AudioSession: Hashable, Sendable {
  /// Whether CallKit has activated the session. One session serves all calls (CK-26).
  var isActive = false
  /// Whether a deactivation is on its way.
  var deactivationIsDue = false
  var unitRuns = false
  /// What the app wants.
  var plan = AudioPlan.off
}
