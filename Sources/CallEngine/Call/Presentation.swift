/// What CallKit was told of a call.
enum Presentation: Hashable, Sendable {
  /// Incoming: reported, the system has not answered; nothing may be said of the call meanwhile (CK-17).
  case reporting
  /// Incoming: the system shows the call.
  case alerting
  /// Outgoing: the Start was asked for.
  case requested
  /// Outgoing: the Start was delivered.
  case starting
  /// Outgoing: reported as connecting.
  case startedConnecting
  /// Incoming: the Answer was fulfilled. Outgoing: reported as connected.
  case connected
  /// The system refused to show the call; it must hear nothing more of it (CK-15).
  case refused(CallEnd)
  /// Over.
  case closed(CallEnd)

  /// How the call ended, if it has.
  var end: CallEnd? {
    switch self {
    case .refused(let end), .closed(let end): end
    case .reporting, .alerting, .requested, .starting, .startedConnecting, .connected: nil
    }
  }

  /// Whether the system would take an update of the call.
  var takesUpdates: Bool {
    switch self {
    case .alerting, .starting, .startedConnecting, .connected: true
    case .reporting, .requested, .refused, .closed: false
    }
  }
}
