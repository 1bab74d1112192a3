import Instant

/// The built-in flows: courses that many scenarios begin with, each written once in the language itself.
///
/// What comes over the network has wide windows, so that a flow holds with any latency. What the phone does by itself has
/// short ones: what the rest of a flow waits for is missed before what the scenario goes on with. Its labels are its own.
///
/// The delays that the device is set to come on top of every window.
enum Flow: String, Hashable, Sendable, CaseIterable {
  /// The user calls the peer, who rings and answers.
  case outgoingEstablished = "outgoing-established"
  /// The peer calls, and the user answers after a second of ringing, and after the delay that the report is set to.
  case incomingEstablished = "incoming-established"

  /// The lines, about this call between this phone, which is set up so, and this peer.
  func text(call: String, phone: String, peer: String, settings: FlowSettings = FlowSettings()) -> String {
    let one = Span.seconds(1) + settings.delays
    let two = Span.seconds(2) + settings.delays
    let long = Span.seconds(32) + settings.delays
    return switch self {
    case .outgoingEstablished:
      """
      callsim 1
      user calls \(call) to \(peer)
        expect within \(one)   \(phone) requests start \(call)
        expect within \(one)   \(phone) updates \(call)
        expect within \(one)   \(phone) -> \(peer) INVITE \(call) offer sendrecv  as invite
        expect within \(one)   \(call) action start is fulfilled
        expect within \(one)   \(phone) reports \(call) connecting
        expect within \(two)   audio unit starts
      on invite \(peer) -> \(phone) 180 to invite
      on invite+100ms \(peer) -> \(phone) 200 to invite answer sendrecv  as ok
        expect within \(long)  \(phone) -> \(peer) ACK to ok
        expect within \(long)  \(phone) reports \(call) connected
        expect within \(long)  \(call) becomes active
      """
    case .incomingEstablished:
      """
      callsim 1
      \(peer) -> \(phone) INVITE \(call) offer sendrecv  as invite
        expect within \(long)  \(phone) reports \(call) incoming
        expect within \(long)  \(phone) -> \(peer) 180 to invite
        expect within \(long)  \(call) becomes ringing
      on invite+\(settings.answerDelay) user answers \(call)
        expect within \(one)   \(phone) -> \(peer) 200 to invite answer sendrecv  as ok
        expect within \(one)   \(call) action answer is fulfilled
        expect within \(two)   audio unit starts
      on ok \(peer) -> \(phone) ACK to ok
        expect within \(long)  \(call) becomes active
      """
    }
  }

  /// Why the flow cannot hold on a phone with these settings.
  func obstacle(_ settings: FlowSettings) -> (title: String, help: String)? {
    if settings.isActivationManual {
      return (
        "`\(rawValue)` waits for the audio session, which `activation manual` leaves to `system activates audio`",
        "add `system activates audio` for the time of the flow, or take `activation manual` away"
      )
    }
    guard self == .incomingEstablished else { return nil }
    if settings.isDoNotDisturbOn {
      return (
        "`\(rawValue)` has the phone ring, which `do-not-disturb on` prevents",
        "write the lines of the flow out, or take `do-not-disturb on` away"
      )
    }
    let ringing = settings.answerDelay + settings.actionDelay - settings.reportDelay
    if let timeout = settings.ringTimeout, timeout < ringing {
      return (
        "`\(rawValue)` has the phone ring for \(ringing), and `ring-timeout \(timeout)` ends it before",
        "make `ring-timeout` longer, or write the lines of the flow out"
      )
    }
    return nil
  }
}
