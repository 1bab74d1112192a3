import Instant

/// An action that was delivered and not completed. Kept under its own id, so that several of a call never share a slot
/// (invariant 14).
struct OpenAction: Hashable, Sendable {
  enum Kind: Hashable, Sendable { case start, answer }

  let id: ActionID
  let kind: Kind
  let causes: Causes
  /// When the coordinator gives the action up; `nil` for an Answer whose invitation is not here, which the
  /// placeholder's deadline bounds (invariant 38).
  var deadline: Instant?
}
