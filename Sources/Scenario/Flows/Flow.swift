/// The built-in flows: courses that many scenarios begin with, each written once in the language itself.
///
/// Their windows are wide, so that a flow holds with any latency; its labels are its own.
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
        expect within 32s  \(phone) requests start \(call)
        expect within 32s  \(phone) updates \(call)
        expect within 32s  \(phone) -> \(peer) INVITE \(call) offer sendrecv  as invite
        expect within 32s  \(call) action start is fulfilled
        expect within 32s  \(phone) reports \(call) connecting
        expect within 32s  audio unit starts
      on invite \(peer) -> \(phone) 180 to invite
        expect within 32s  \(call) becomes ringback  as ringback
      on ringback+100ms \(peer) -> \(phone) 200 to invite answer sendrecv  as ok
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
        expect within 32s  \(call) becomes ringing  as ringing
      on ringing+1s user answers \(call)
        expect within 32s  \(phone) -> \(peer) 200 to invite answer sendrecv  as ok
        expect within 32s  \(call) action answer is fulfilled
        expect within 32s  audio unit starts
      on ok \(peer) -> \(phone) ACK to ok
        expect within 32s  \(call) becomes active
      """
    }
  }
}
