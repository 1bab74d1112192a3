import Instant

/// How a session stands between what its owner wants and what the two sides have agreed on (RFC 3264, RFC 3261 14).
struct Negotiation: Hashable, Sendable {
  enum State: Hashable, Sendable {
    /// No offer of ours in a re-INVITE is out.
    case stable
    case offering(Offer)
    /// Two offers have crossed; ours goes again when the glare timer is due.
    case waiting
  }

  /// Our offer in a re-INVITE.
  struct Offer: Hashable, Sendable {
    var transaction: ClientTransactionID
    var isHeld: Bool
  }

  var state = State.stable
  /// The owner's last wish.
  private(set) var wantsHold = false
  /// What the last wish was caused by.
  private(set) var causes: [Int] = []
  /// The value of the last wish that the other side refused: it is not offered again before something has changed.
  private var refused: Bool?
  /// The last description that we sent, in whatever message.
  var sent: SessionDescription?
  /// What the last exchange has agreed on; `nil` before the first.
  private(set) var agreed: SessionMedia?
  /// The other side's last INVITE that we refused; its ACK may still be to come.
  var refusal: ServerTransactionID?

  /// The direction of our stream as far as the other side allows it. It does not depend on whether the other side
  /// holds (RFC 6337 5.3).
  var direction: SessionDescription.Direction { wantsHold ? .sendonly : .sendrecv }

  /// Whether the session is as the owner wants it.
  var isAsWanted: Bool { agreed?.isHeldHere == wantsHold }

  /// The offer that is out.
  var offer: Offer? { if case .offering(let offer) = state { offer } else { nil } }

  /// Whether a further offer of ours is due, as far as our own offers and the owner's wish go.
  var isOfferDue: Bool { state == .stable && agreed != nil && !isAsWanted && refused != wantsHold }

  mutating func wish(_ hold: Bool, causes: [Int]) {
    wantsHold = hold
    self.causes = causes
    refused = nil
  }

  /// An exchange is complete. Whether a wait for the next offer is over with it (RFC 3261 14.1: "if it still desires").
  mutating func agree(on media: SessionMedia) -> Bool {
    agreed = media
    refused = nil
    guard state == .waiting, isAsWanted else { return false }
    state = .stable
    return true
  }

  /// The other side refused our offer and everything stays as it was.
  mutating func fail(_ offer: Offer) {
    state = .stable
    refused = offer.isHeld
  }

  /// How long to wait after a 491, by who made the Call-ID (RFC 3261 14.1).
  static func glareWait(ownsCallID: Bool) -> ClosedRange<Span> {
    ownsCallID ? .milliseconds(2_100) ... .seconds(4) : .zero ... .seconds(2)
  }

  /// What a final response of 300 or more to a re-INVITE means for the session.
  enum Failure: Hashable, Sendable {
    /// Both sides offered at once.
    case glare
    /// The session is as it was (RFC 3261 14.1).
    case refusal
    /// The dialog, or its session, is over: 408 and 481 (RFC 3261 12.2.1.2), the others by RFC 5057 5.1.
    case end

    init(status: Int) {
      switch status {
      case 491: self = .glare
      case 404, 405, 408, 410, 416, 480...485, 501, 502, 604: self = .end
      default: self = .refusal
      }
    }
  }
}
