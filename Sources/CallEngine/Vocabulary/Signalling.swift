/// What names one invitation on both channels, push and signalling: SIP's Call-ID.
public struct CallReference: Hashable, Sendable {
  public var callID: String

  public init(callID: String) {
    self.callID = callID
  }
}

/// A VoIP push as PushKit hands it to the app.
public struct PushNotification: Hashable, Sendable {
  /// The invitation that the push announces; `nil` if the payload names none (PK-11).
  public var reference: CallReference?
  /// The caller's name in the payload.
  public var caller: String?
  /// A fresh UUID for the call that the push brings about.
  public var freshUUID: CallUUID

  public init(reference: CallReference?, caller: String?, freshUUID: CallUUID) {
    self.reference = reference
    self.caller = caller
    self.freshUUID = freshUUID
  }
}

/// An invitation that signalling has received and that the coordinator must answer.
public struct Invitation: Hashable, Sendable {
  public var leg: LegID
  public var reference: CallReference
  public var remote: Party
  /// Whether the session description came with the invitation; without one our answer carries the offer.
  public var hasOffer: Bool
  /// A fresh UUID for the call, used only if no call waits for this invitation.
  public var freshUUID: CallUUID
  /// The leg that this one is to take the place of: signalling has found it and that the caller may (RFC 3891 3).
  public var replaces: LegID?

  public init(
    leg: LegID, reference: CallReference, remote: Party, hasOffer: Bool, freshUUID: CallUUID, replaces: LegID? = nil
  ) {
    self.leg = leg
    self.reference = reference
    self.remote = remote
    self.hasOffer = hasOffer
    self.freshUUID = freshUUID
    self.replaces = replaces
  }
}

/// How far an outgoing invitation has come before its final response.
public enum Progress: Hashable, Sendable {
  /// The next hop works on it (100).
  case trying
  /// The callee is being alerted (180), or told us something that is neither ringing nor media (181, 182, 183 without
  /// a session description).
  case ringing
  /// Media may already flow (a provisional response with a session description).
  case earlyMedia
}

/// What the two sides of a leg have agreed on.
public struct MediaState: Hashable, Sendable {
  /// Whether we hold: our description asked for no media to be sent to us.
  public var isHeldHere: Bool
  /// Whether the other side holds: its description asks us to send nothing.
  public var isHeldThere: Bool

  public init(isHeldHere: Bool = false, isHeldThere: Bool = false) {
    self.isHeldHere = isHeldHere
    self.isHeldThere = isHeldThere
  }
}

/// Why a leg is over.
public enum LegEnd: Hashable, Sendable {
  /// We hung up, cancelled or rejected.
  case local
  /// The other side hung up (BYE).
  case remoteHangUp
  /// The caller gave up before the answer (CANCEL), perhaps because another device took the call (RFC 3326).
  case cancelled(Elsewhere?)
  /// The callee refused: the final status, 300 to 699.
  case rejected(status: Int)
  /// Our 2xx was never acknowledged (RFC 3261 13.3.1.4).
  case noAcknowledgement
  /// No response came in time (RFC 3261 17.1.1.2).
  case transactionTimeout
  /// The message could not be delivered, or the session description could not be used.
  case failure

  /// What another device of the same user did.
  public enum Elsewhere: Hashable, Sendable { case answered, declined }
}

/// Whom the other side of a leg is asked to call.
public enum TransferTarget: Hashable, Sendable {
  /// Somebody by their URI.
  case party(Party)
  /// The other side of this leg of ours, in our place there (RFC 3891): an attended transfer.
  case leg(LegID)
}

/// How a transfer that we have asked for goes.
public enum TransferState: Hashable, Sendable {
  /// The other side will try (2xx to REFER).
  case accepted
  /// The response that the target has given last, 100 to 199, as the other side tells it (RFC 3515 2.4.5).
  case progress(status: Int)
  /// The target has accepted the call.
  case succeeded
  /// The target has not: the final status.
  case failed(status: Int)
  /// The other side does not try: the final status of the REFER, `nil` if none came in time, or if it could not be sent or
  /// was not worth sending any more.
  case refused(status: Int?)
  /// The other side has stopped telling how it goes, or never began to.
  case unknown
}

extension TransferState {
  /// Whether nothing more is told after it.
  public var isFinal: Bool {
    switch self {
    case .accepted, .progress: false
    case .succeeded, .failed, .refused, .unknown: true
    }
  }
}

/// How an invitation is refused; signalling knows the status.
public enum Rejection: Hashable, Sendable {
  /// The user declined (603 unless set otherwise; a 6xx stops the caller's other forks, RFC 3261 16.7).
  case declined
  /// The device cannot take the call now: Do Not Disturb, a limit (486).
  case busy
  /// Nobody answered, or the call is over already (480).
  case unavailable
}
