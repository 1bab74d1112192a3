/// The headline state of a call: what one word says about it, derived from its regions.
public enum CallState: String, Hashable, Sendable, CaseIterable {
  /// Incoming, the user has not decided.
  case ringing
  /// Incoming, the user has answered, no leg has been accepted yet.
  case answering
  /// Outgoing, nothing has been sent.
  case requesting
  /// Outgoing, the invitation is on its way.
  case dialing
  /// Outgoing, the callee is alerted or early media flows.
  case ringback
  /// Our acceptance is out and not acknowledged, or the session is not negotiated.
  case connecting
  case active
  /// The user holds the call, the other side has not agreed yet.
  case holding
  /// Held by the user.
  case held
  /// Held by the other side alone (LP-18).
  case heldByRemote = "held-by-remote"
  /// Held by both sides.
  case heldBoth = "held-both"
  /// The user has resumed the call, the other side has not agreed yet.
  case resuming
  /// Transferred: whoever asked for it is gone, whom we call in their place has not answered.
  case transferring
  /// The user has ended the call, or its only leg is closing.
  case ending
  case ended
}

/// How a call ended, as the user would say it.
public enum CallEnd: Hashable, Sendable {
  /// An End action (CK-20: no report).
  case local
  /// A report to CallKit with this reason.
  case reported(EndedReason)

  /// The word for it in timelines and scenarios.
  public var word: String {
    switch self {
    case .local: "local"
    case .reported(let reason): reason.rawValue
    }
  }
}
