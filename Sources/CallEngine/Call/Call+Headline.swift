extension Call {
  /// The headline state, derived from the regions; the first condition that holds decides. A call has none until the
  /// system has answered its report: nobody sees it before that (CK-15, CK-17).
  var derivedHeadline: CallState? {
    if presentation.end != nil { return .ended }
    if presentation == .reporting { return nil }
    if ending != nil || intent.end != nil { return .ending }
    return isOutgoing ? outgoingHeadline : incomingHeadline
  }

  private var incomingHeadline: CallState {
    switch leg?.state {
    case .closing: .ending
    case .accepting, .accepted: .connecting
    case .confirmed: .active
    case nil, .offered, .ringing, .inviting, .invited, .early: intent.answer == nil ? .ringing : .answering
    }
  }

  private var outgoingHeadline: CallState {
    switch leg?.state {
    case .closing: .ending
    case .invited: .dialing
    case .early: .ringback
    case .confirmed: .active
    case nil, .inviting, .offered, .ringing, .accepting, .accepted: .requesting
    }
  }
}
