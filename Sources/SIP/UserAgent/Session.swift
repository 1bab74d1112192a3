import Instant

/// One INVITE session of a user agent, from the INVITE to the last thing that may still come.
struct Session: Hashable, Sendable {
  enum State: Hashable, Sendable {
    // As callee
    /// The INVITE has no final response yet.
    case invited
    /// The 2xx is out and not acknowledged.
    case accepting
    // As caller
    /// The INVITE is out, nothing has come back.
    case calling
    /// A provisional response came.
    case proceeding
    /// CANCEL is out.
    case cancelling
    // Both
    case confirmed
    /// BYE is out.
    case closing
    /// Over; as caller it is kept while a 2xx may come again and must be acknowledged again.
    case closed
  }

  /// The server transaction and source of the INVITE that we were sent.
  struct Received: Hashable, Sendable {
    var transaction: ServerTransactionID
    var source: Endpoint
  }

  /// The client transaction and destination of the INVITE that we sent.
  struct Sent: Hashable, Sendable {
    var transaction: ClientTransactionID
    var destination: Endpoint
  }

  /// Which side of the INVITE we are.
  enum Role: Hashable, Sendable {
    case callee(Received)
    case caller(Sent)
  }

  let invite: SIPMessage
  /// The records that the INVITE came or went with.
  let causes: [Int]
  let role: Role
  var state: State
  /// Our tag.
  let localTag: String
  /// Our number in `o=`, which also gives the media port.
  let number: Int
  /// The dialog that counts: as callee from the first response on, as caller from the first 2xx on.
  var dialog: Dialog?
  /// What the owner's wish to end the session was caused by, while it cannot be carried out yet.
  var hangUpCauses: [Int]?
  /// Whether the owner has been told that the session is over.
  var endIsTold = false
  /// Our answer to the offer in the INVITE.
  var answer: SessionDescription?
  /// Whether our 2xx carries the offer, so that the ACK brings the answer.
  var offersLate = false
  /// The provisional response, or the 2xx, that is sent again.
  var repeated: Transmission?
  /// How long after this one the 2xx is sent again.
  var repeatInterval = TransactionTiming.t1
  /// The ACKs that we sent, by the tag of the fork, for every 2xx that comes again.
  var acknowledgements: [String: Transmission] = [:]
}
