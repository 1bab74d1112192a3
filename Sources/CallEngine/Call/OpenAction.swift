import Instant

/// An action that was delivered and not completed. Kept under its own id, so that several of a call never share a slot
/// (invariant 14).
struct OpenAction: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case start
    case answer
    /// An un-hold, which is complete when the other side has agreed (CK-12).
    case resume
    /// Digits, and the leg on which signalling is sending them.
    case digits(String, on: LegID?)
  }

  let id: ActionID
  var kind: Kind
  let causes: Causes
  /// When the coordinator gives the action up; `nil` for an Answer whose invitation is not here, which the
  /// placeholder's deadline bounds (invariant 38).
  var deadline: Instant?
}
