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
    /// Over; kept while a 2xx to an INVITE of ours may come and must be acknowledged.
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

  /// What a client transaction of a session is for.
  enum Purpose: Hashable, Sendable { case invite, reInvite, bye, info }

  /// Which side of the INVITE we are.
  enum Role: Hashable, Sendable {
    case callee(Received)
    case caller(Sent)
  }

  /// The first INVITE; as caller the one to the last target.
  var invite: SIPMessage
  /// The records that the INVITE came or went with.
  let causes: [Int]
  var role: Role
  var state: State
  /// Our tag; as caller the one in the last INVITE.
  var localTag: String
  /// Our number in `o=`, which also gives the media port.
  let number: Int
  /// The key of our SRTP packets; `nil` where we take and offer plain RTP only.
  var key: MediaKey?
  /// The dialog that counts: as callee from the first response on, as caller from the first 2xx on.
  var dialog: Dialog?
  /// As caller: the remote tags of the early dialogs with the last target (RFC 3261 12.1), the one that was heard of
  /// last at the end.
  var earlyTags: [String] = []
  /// As caller: where the INVITE goes and may go yet.
  var targets: TargetSet?
  /// As caller: the Call-ID under which the INVITE goes out again without SRTP, until it has.
  var fallbackCallID: String?
  /// As caller: our INVITEs to targets that have refused, while their client transactions exist.
  var earlier: [ClientTransactionID: Earlier] = [:]
  /// What the owner's wish to end the session was caused by, while it cannot be carried out yet.
  var hangUpCauses: [Int]?
  /// Whether the owner has been told that the session is over.
  var endIsTold = false
  /// What the two sides have agreed on and are about to.
  var negotiation = Negotiation()
  /// Our 2xx to an INVITE, while its ACK has not come.
  var success: Success?
  /// The response to the first INVITE that is sent again.
  var repeated: Transmission?
  /// The client transactions of our INVITEs that are not over.
  var invites: Set<ClientTransactionID> = []
  /// The client transactions of our INFOs whose final response the owner still waits for.
  var infos: Set<ClientTransactionID> = []
  /// Whether a REFER has come within the dialog.
  var wasReferred = false
  /// Whether a REFER of ours has left within the dialog and was not refused.
  var hasReferred = false
  /// The ACKs that we sent, for every 2xx that comes again while the transaction of its INVITE is not over.
  var acknowledgements: [Acknowledged: Transmission] = [:]

  /// An INVITE of ours that was refused, and where it went.
  struct Earlier: Hashable, Sendable {
    var invite: SIPMessage
    var destination: Endpoint
  }

  /// A 2xx of ours to an INVITE that waits for its ACK (RFC 3261 13.3.1.4).
  struct Success: Hashable, Sendable {
    var transmission: Transmission
    /// The number of the INVITE, which its ACK has too.
    var sequence: Int?
    /// Whether it carries an offer, so that the ACK brings the answer, and if so, whether we hold by that offer.
    var offersHold: Bool?
    /// How long after this one it is sent again.
    var interval = TransactionTiming.t1
  }

  /// What a 2xx to one of our INVITEs is known by: the transaction of the INVITE and the tag of the fork.
  struct Acknowledged: Hashable, Sendable {
    var transaction: ClientTransactionID
    var tag: String
  }

  /// The dialogs of the session, in order: the one that counts, or the early ones with the last target.
  var dialogIDs: [Dialog.ID] {
    if let dialog { return [dialog.id] }
    return earlyTags.map { Dialog.ID(callID: invite.callID, localTag: localTag, remoteTag: $0) }
  }

  /// Whether the session is over as far as the owner can tell, or is about to be.
  var isOver: Bool {
    switch state {
    case .invited, .accepting, .calling, .proceeding, .confirmed: hangUpCauses != nil || endIsTold
    case .cancelling, .closing, .closed: true
    }
  }

  /// Whether we made the Call-ID.
  var ownsCallID: Bool { if case .caller = role { true } else { false } }
}
