import Instant

/// Who a user agent is and where it can be reached. The contact is never derived from the address of record.
public struct UserAgentIdentity: Hashable, Sendable {
  /// The name that identifiers (tags, branches, Call-IDs) are made from, unique among the agents of a run.
  public var name: String
  /// The address of record, a SIP URI.
  public var addressOfRecord: String
  /// The name to show, for From.
  public var displayName: String?
  /// Where the agent listens: what stands in Via and Contact.
  public var contact: Endpoint
  /// The address for media, in `c=` and `o=`.
  public var mediaAddress: String
  /// What every identifier begins with; empty in virtual time.
  public var runPrefix: String

  public init(
    name: String, addressOfRecord: String, displayName: String? = nil, contact: Endpoint, mediaAddress: String,
    runPrefix: String = ""
  ) {
    self.name = name
    self.addressOfRecord = addressOfRecord
    self.displayName = displayName
    self.contact = contact
    self.mediaAddress = mediaAddress
    self.runPrefix = runPrefix
  }
}

/// One INVITE session of a user agent. The side that begins it names it: the agent those that arrive, its owner those
/// that it has the agent begin.
public struct SessionID: Hashable, Comparable, Sendable {
  public enum Origin: Int, Hashable, Sendable { case remote, local }

  public var origin: Origin
  public var number: Int

  public init(_ origin: Origin, _ number: Int) {
    self.origin = origin
    self.number = number
  }

  public static func < (left: SessionID, right: SessionID) -> Bool {
    (left.origin.rawValue, left.number) < (right.origin.rawValue, right.number)
  }
}

/// One REFER, and the implicit subscription that comes with it (RFC 3515). The agent names those that arrive, its owner
/// those that it has the agent send.
public struct ReferralID: Hashable, Comparable, Sendable {
  public var origin: SessionID.Origin
  public var number: Int

  public init(_ origin: SessionID.Origin, _ number: Int) {
    self.origin = origin
    self.number = number
  }

  public static func < (left: ReferralID, right: ReferralID) -> Bool {
    (left.origin.rawValue, left.number) < (right.origin.rawValue, right.number)
  }
}

/// Whom a REFER of ours asks to be called.
public enum ReferralTarget: Hashable, Sendable {
  /// A SIP URI, and the name to show.
  case uri(String, name: String?)
  /// The other side of this confirmed session of ours, in our place there: Refer-To has its Contact with Replaces
  /// (RFC 3891, RFC 5589 7.3).
  case session(SessionID)
}

/// How a REFER of ours goes.
public enum ReferralState: Hashable, Sendable {
  /// A 2xx, or the first NOTIFY where that is earlier (RFC 6665 4.1.2.4).
  case accepted
  /// A NOTIFY with this status, 100 to 199.
  case progress(status: Int)
  /// A NOTIFY with this final status: nothing more is told.
  case ended(status: Int)
  /// The final response to the REFER, 300 to 699; `nil` if none came or it could not be sent. Nothing more is told.
  case refused(status: Int?)
  /// The subscription is over without a final status, or there was none (RFC 4488). Nothing more is told.
  case unknown
}

/// Whom a REFER asks to be called.
public struct Referral: Hashable, Sendable {
  /// The URI of Refer-To, without its headers.
  public var target: String
  /// The display name of Refer-To, unquoted.
  public var targetName: String?

  public init(target: String, targetName: String? = nil) {
    self.target = target
    self.targetName = targetName
  }
}

/// What the owner of a user agent decides.
public enum UserAgentCommand: Hashable, Sendable {
  /// 180 to the INVITE; repeated every minute (RFC 3261 13.3.1.1).
  case ring(SessionID)
  /// 200 with our session description; repeated until the ACK (RFC 3261 13.3.1.4).
  case accept(SessionID)
  /// A final response of 300 to 699.
  case reject(SessionID, status: Int)
  /// End the session, whatever its state: CANCEL, BYE, or BYE after the ACK (RFC 3261 9.1, 15).
  case hangUp(SessionID)
  /// INVITE with our offer. The Call-ID is the owner's choice if it gives one.
  /// With a fallback Call-ID the offer asks for SRTP (RFC 4568), and should a target refuse that (415, 488, 606) the
  /// INVITE goes to it again under that Call-ID with a plain RTP offer, once, before any target that a 3xx has named.
  /// `replacing` is a session of ours that the new one is to take the place of at the other side (RFC 3891); it is left
  /// as it is. It must have a dialog that the other side knows: confirmed, or early and begun by us, the one heard of
  /// last where there are several, which a callee that conforms answers with 481 (RFC 3891 3). Otherwise, and once that
  /// session is over or about to be, the INVITE replaces nothing.
  case invite(
    SessionID, target: String, callID: String?, fallbackCallID: String? = nil, replacing: SessionID? = nil)
  /// Whether we hold the session from now on. The last wish counts; the agent offers until the session is so, one
  /// re-INVITE at a time (RFC 3261 14.1). Answered by ``UserAgentEvent/negotiated(_:_:)`` with the session as wanted, at
  /// once if nothing is to be done, or by ``UserAgentEvent/holdRefused(_:)``, or by the end of the session. A wish before
  /// the session is confirmed is kept until then.
  case setHold(SessionID, Bool)
  /// INFO with one digit (`application/dtmf-relay`) and how long it lasts. Every such command is answered by exactly one
  /// ``UserAgentEvent/infoAnswered(_:status:)``, without a status at once if it cannot be sent now: the session is not
  /// answered yet or is over, the digit is none, or it does not last. Digits are 0-9, `*`, `#` and A-D.
  case sendDigit(SessionID, Character, lasting: Span)
  /// Accept a REFER with 200 and begin to notify, or decline it with 603 (RFC 3515 2.4.2, RFC 7647 5).
  case answerReferral(ReferralID, accepts: Bool)
  /// INVITE whom an accepted REFER names, under this Call-ID, with the Replaces and Referred-By that it brings
  /// (RFC 3891, RFC 3892 2.2); the owner names the new session.
  case inviteReferred(SessionID, ReferralID, callID: String)
  /// REFER within a confirmed session (RFC 3515). Answered by ``UserAgentEvent/referral(_:_:)`` until a state is the last
  /// one, which comes whatever happens to the session.
  case refer(SessionID, ReferralID, to: ReferralTarget)
  /// Offer the session again as it is, by re-INVITE, as soon as no other exchange is under way (RFC 3261 14.1); several
  /// such commands meanwhile are one. A wish to hold that is open goes with it. Answered like
  /// ``setHold(_:_:)``, a refusal by ``UserAgentEvent/holdRefused(_:)`` if it is that of a wish, and otherwise by
  /// ``UserAgentEvent/negotiated(_:_:)`` with what stays agreed on. Dropped while the session is not confirmed.
  case renew(SessionID)
  /// NOTIFY how far the referral has come; a final status ends its subscription (RFC 3515 2.4.4, 2.4.5).
  case reportReferral(ReferralID, status: Int)
}

/// What a user agent has its owner do or know, in order.
public enum UserAgentOutput: Hashable, Sendable {
  /// Put these bytes on the wire.
  case send(Transmission)
  /// Have the timer fire a span from now; a timer that is set is moved. A periodic one goes on for as long as a
  /// session lives and never ends a run.
  case setTimer(UserAgentTimer, after: Span, isPeriodic: Bool)
  /// The same with a span that the owner draws: a whole number of steps after the first bound, the second included
  /// (RFC 3261 14.1).
  case setRandomTimer(UserAgentTimer, in: ClosedRange<Span>, step: Span)
  case cancelTimer(UserAgentTimer)
  /// A fact for the owner, with the records that brought it about.
  case event(UserAgentEvent, causes: [Int])
  /// A message that arrived was absorbed or dropped, or something that it lacks ends its session; why.
  case dropped(why: String, causes: [Int])
}

/// A timer of a user agent.
public enum UserAgentTimer: Hashable, Sendable {
  case transaction(TransactionTimer)
  /// Send 100, since no other response has left within 200 ms (RFC 3261 17.2.1).
  case trying(SessionID)
  /// Send the 2xx again (T1, doubled up to T2).
  case repeatSuccess(SessionID)
  /// Give up waiting for the ACK to our 2xx (64*T1).
  case awaitAcknowledgement(SessionID)
  /// Send the provisional response again (each minute).
  case refreshProvisional(SessionID)
  /// Give up waiting for the final response to an INVITE after CANCEL (64*T1, RFC 3261 9.1), or to a re-INVITE after
  /// the end of its dialog.
  case awaitCancelled(SessionID)
  /// Offer again after two offers have crossed (RFC 3261 14.1).
  case glare(SessionID)
  /// Forget the dialogs of a session that have ended (64*T1). It keeps no run alive, and so counts as periodic.
  case forgetDialogs(SessionID)
  /// Decline a REFER that the owner has not answered (200 ms, so that it need not come again).
  case awaitReferralAnswer(ReferralID)
  /// A second of an accepted referral's time has passed.
  case referralSecond(ReferralID)
  /// The reports on a REFER of ours have stopped (RFC 6665 4.1.2.4: timer N, then what the last NOTIFY gave).
  case awaitNotification(ReferralID)
}

/// What happened to a session.
public enum UserAgentEvent: Hashable, Sendable {
  /// An INVITE outside any dialog that we can serve.
  case invited(SessionID, SessionInvitation)
  /// The 2xx has left.
  case acceptSent(SessionID)
  /// The ACK to our first 2xx came.
  case acknowledged(SessionID)
  /// Our INVITE has left under this Call-ID.
  case inviteSent(SessionID, callID: String)
  /// A provisional response came.
  case provisional(SessionID, status: Int, hasSession: Bool)
  /// A target of our INVITE has refused or did not answer, and the INVITE goes to another one that a 3xx has named
  /// (RFC 3261 8.1.3.4), under the same Call-ID. What the first target had told is void.
  case redirected(SessionID, target: String)
  /// A 2xx to our first INVITE came and was acknowledged.
  case answered(SessionID)
  /// An exchange of offer and answer is complete, or a wish to hold found the session so already, or the other side has
  /// refused an offer without any wish in it, so that everything stays. It comes after
  /// ``answered(_:)`` or ``acceptSent(_:)``, with an offer in our 2xx when the ACK has brought the answer, before
  /// ``acknowledged(_:)``; and after every re-INVITE, from either side.
  case negotiated(SessionID, SessionMedia)
  /// The other side refused our re-INVITE; the session is as it was. The wish is not offered again before the owner
  /// repeats it; the answer to a re-INVITE of the other side goes by it.
  case holdRefused(SessionID)
  /// The final response to an INFO; `nil` if none came in time or before the session's end, or if the INFO could not be
  /// sent. After 408, 481 and no response in time the session ends.
  case infoAnswered(SessionID, status: Int?)
  /// A REFER within the session that waits for ``UserAgentCommand/answerReferral(_:accepts:)``.
  case referred(SessionID, ReferralID, Referral)
  /// A REFER of ours has come this far.
  case referral(ReferralID, ReferralState)
  /// A target of our INVITE has refused our media, and the INVITE goes to it again under this Call-ID. What the first one
  /// had told is void.
  case callIDChanged(SessionID, to: String)
  case ended(SessionID, SessionEnd)
}

/// What the last exchange of offer and answer has agreed on.
public struct SessionMedia: Hashable, Sendable {
  /// Whether our description keeps the other side from sending because we hold.
  public var isHeldHere: Bool
  /// Whether the other side's description keeps us from sending (RFC 3264 8.4).
  public var isHeldThere: Bool
  /// The payload type of telephone-event, if both sides have it (RFC 4733).
  public var telephoneEvent: Int?

  public init(isHeldHere: Bool = false, isHeldThere: Bool = false, telephoneEvent: Int? = nil) {
    self.isHeldHere = isHeldHere
    self.isHeldThere = isHeldThere
    self.telephoneEvent = telephoneEvent
  }
}

/// What an INVITE says.
public struct SessionInvitation: Hashable, Sendable {
  public var callID: String
  /// The URI of From.
  public var remoteURI: String
  /// The display name of From, unquoted.
  public var remoteName: String?
  public var hasOffer: Bool
  /// The session of ours that this one is to take the place of (RFC 3891): confirmed, or one that we began and that has
  /// not been answered. The agent leaves it as it is; the owner accepts this one and hangs that one up.
  public var replaces: SessionID?
  /// The URI of Referred-By (RFC 3892).
  public var referredBy: String?

  public init(
    callID: String, remoteURI: String, remoteName: String?, hasOffer: Bool, replaces: SessionID? = nil,
    referredBy: String? = nil
  ) {
    self.callID = callID
    self.remoteURI = remoteURI
    self.remoteName = remoteName
    self.hasOffer = hasOffer
    self.replaces = replaces
    self.referredBy = referredBy
  }
}

/// Why a session ended.
public enum SessionEnd: Hashable, Sendable {
  case local
  case remoteBye
  /// CANCEL; the cause of its Reason header for the protocol SIP, if there is one (RFC 3326).
  case cancelled(reasonCause: Int?)
  /// The callee's final response of 300 to 699.
  case rejected(status: Int)
  /// Our 2xx was not acknowledged in time.
  case unacknowledged
  case timedOut
  /// A session description that cannot be used, a destination that cannot be reached, or a request within the session
  /// to which none or such a response came that the session is over (RFC 3261 12.2.1.2, RFC 5057 5.1).
  case failed
}
