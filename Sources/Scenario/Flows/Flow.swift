/// The built-in flows: courses that many scenarios begin with, each written once in the language itself.
///
/// What comes over the network has wide windows, so that a flow holds with any latency. What the phone does by itself has
/// short ones: what the rest of a flow waits for is missed before what the scenario goes on with. Its labels are its own.
enum Flow: String, Hashable, Sendable, CaseIterable {
  /// The user calls the peer, who rings and answers.
  case outgoingEstablished = "outgoing-established"
  /// The peer calls, and the user answers after a second of ringing.
  case incomingEstablished = "incoming-established"

  /// The lines, about this call between this phone and this peer.
  func text(call: String, phone: String, peer: String) -> String {
    switch self {
    case .outgoingEstablished:
      """
      callsim 1
      user calls \(call) to \(peer)
        expect within 1s   \(phone) requests start \(call)
        expect within 1s   \(phone) updates \(call)
        expect within 1s   \(phone) -> \(peer) INVITE \(call) offer sendrecv  as invite
        expect within 1s   \(call) action start is fulfilled
        expect within 1s   \(phone) reports \(call) connecting
        expect within 2s   audio unit starts
      on invite \(peer) -> \(phone) 180 to invite
      on invite+100ms \(peer) -> \(phone) 200 to invite answer sendrecv  as ok
        expect within 32s  \(phone) -> \(peer) ACK to ok
        expect within 32s  \(phone) reports \(call) connected
        expect within 32s  \(call) becomes active
      """
    case .incomingEstablished:
      """
      callsim 1
      \(peer) -> \(phone) INVITE \(call) offer sendrecv  as invite
        expect within 32s  \(phone) reports \(call) incoming
        expect within 32s  \(phone) -> \(peer) 180 to invite
        expect within 32s  \(call) becomes ringing
      on invite+1s user answers \(call)
        expect within 1s   \(phone) -> \(peer) 200 to invite answer sendrecv  as ok
        expect within 1s   \(call) action answer is fulfilled
        expect within 2s   audio unit starts
      on ok \(peer) -> \(phone) ACK to ok
        expect within 32s  \(call) becomes active
      """
    }
  }
}
