import Instant

/// What an app can decide about the coordinator.
public struct EngineSettings: Hashable, Sendable {
  /// From the report of a push to the latest arrival of its INVITE; also bounds an Answer that waits for it (LP-7,
  /// invariant 38).
  public var placeholderDeadline: Span = .seconds(15)
  /// How long an incoming call rings before it ends unanswered (LP-11).
  public var ringTimeout: Span = .seconds(45)
  /// How long an action may stay open; well below the system's own limit (CK-6, invariant 13).
  public var actionWatchdog: Span = .seconds(10)
  /// How long an action with many digits may stay open at most; below the system's own limit (CK-6).
  public var longestAction: Span = .seconds(50)
  /// From the start of one digit to that of the next, by which the watchdog of a long string is extended (LP-19).
  public var digitSpacing: Span = .milliseconds(200)
  /// How long after an outgoing call was reported connected an un-mute that nobody asked for is the system's own
  /// (CK-13).
  public var connectUnmuteWindow: Span = .seconds(1)
  /// How long the target of a transfer may ring; below the 60 s of the subscription that comes with a REFER.
  public var transferTimeout: Span = .seconds(50)
  /// What becomes of an outgoing call that rings when the network was away (LP-24).
  public var repair: Repair = .newInvitation
  /// Whether the app resumes the call that is left when another one ends, whoever ended it; the system does so by
  /// itself only after a local end (CK-34).
  public var resumesRemainingCall: Bool = false
  /// How long what became of a call is remembered for a late push or INVITE.
  public var tombstoneLife: Span = .seconds(60)
  /// How many ended calls are remembered at most.
  public var tombstoneLimit: Int = 5

  public init() {}

  /// How an outgoing call that rings is put right.
  public enum Repair: String, Hashable, Sendable, CaseIterable {
    /// The old invitation is cancelled and a new one is sent.
    case newInvitation = "new-invite"
    /// A new invitation is to take the place of the old one (RFC 3891), and only if the callee refuses that the old one
    /// is cancelled.
    case replaces
  }
}
