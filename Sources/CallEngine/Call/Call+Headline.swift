extension Call {
  /// The headline state, derived from the regions; the first condition that holds decides. A call has none until the
  /// system has answered its report: nobody sees it before that (CK-15, CK-17).
  var derivedHeadline: CallState? {
    if presentation.end != nil { return .ended }
    if presentation == .reporting { return nil }
    if ending != nil || intent.end != nil { return .ending }
    if leg?.succession != nil { return .transferring }
    // A leg that takes over does not take the call back to where it was before.
    if wasConnected, leg?.isAccepted == true { return connectedHeadline }
    return isOutgoing ? outgoingHeadline : incomingHeadline
  }

  private var incomingHeadline: CallState {
    switch leg?.state {
    case .closing: .ending
    case .accepting, .accepted: .connecting
    case .confirmed: connectedHeadline
    case nil, .offered, .ringing, .inviting, .invited, .early: intent.answer == nil ? .ringing : .answering
    }
  }

  private var outgoingHeadline: CallState {
    switch leg?.state {
    case .closing: .ending
    case .invited: .dialing
    case .early: .ringback
    case .accepting, .accepted: .connecting
    case .confirmed: connectedHeadline
    // One that is made anew has been under way before.
    case .inviting where presentation == .startedConnecting: .dialing
    case nil, .inviting, .offered, .ringing: .requesting
    }
  }

  /// Of a complete dialog: who holds. What the user wants comes first, then what was agreed on.
  private var connectedHeadline: CallState {
    guard let leg else { return .active }
    if intent.isHeld {
      if !leg.media.isHeldHere { return .holding }
      return leg.media.isHeldThere ? .heldBoth : .held
    }
    if !leg.isResumed { return .resuming }
    return leg.media.isHeldThere ? .heldByRemote : .active
  }
}
