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
    /// Whether it also renews the session.
    var isRenewal: Bool
    /// What the owner's commands that it carries out were caused by.
    var causes: [Int]
  }

  private(set) var state = State.stable
  /// The owner's last wish.
  private(set) var wantsHold = false
  /// What the last wish was caused by.
  private var wishCauses: [Int] = []
  /// Whether the other side has refused the last wish: it is not offered again before something has changed.
  private var isWishRefused = false
  /// What the owner's wish to offer the session again was caused by, until that offer leaves.
  private var renewal: [Int]?
  /// The last description that we sent, in whatever message.
  var sent: SessionDescription?
  /// What the last exchange has agreed on; `nil` before the first.
  private(set) var agreed: SessionMedia?
  /// The other side's last INVITE that we refused; its ACK may still be to come.
  var refusal: ServerTransactionID?

  /// Whether the session is as the owner wants it.
  var isAsWanted: Bool { agreed?.isHeldHere == wantsHold }

  /// The offer that is out.
  var offer: Offer? { if case .offering(let offer) = state { offer } else { nil } }

  /// What a further offer of ours is to say, and what it is caused by; `nil` if none is due, as far as our own offers
  /// and the owner's wishes go.
  var dueOffer: (isHeld: Bool, isRenewal: Bool, causes: [Int])? {
    guard state == .stable, let agreed else { return nil }
    let isWishOpen = !isAsWanted && !isWishRefused
    guard isWishOpen || renewal != nil else { return nil }
    let causes = isWishOpen ? wishCauses : []
    return (
      isWishOpen ? wantsHold : agreed.isHeldHere, renewal != nil,
      causes + (renewal ?? []).filter { !causes.contains($0) }
    )
  }

  mutating func wish(_ hold: Bool, causes: [Int]) {
    wantsHold = hold
    wishCauses = causes
    isWishRefused = false
  }

  mutating func wishRenewal(causes: [Int]) {
    renewal = (renewal ?? []) + causes.filter { renewal?.contains($0) != true }
  }

  /// An offer of ours has left.
  mutating func begin(_ offer: Offer) {
    state = .offering(offer)
    renewal = nil
  }

  /// An exchange is complete. Whether a wait for the next offer is over with it (RFC 3261 14.1: "if it still desires").
  mutating func agree(on media: SessionMedia) -> Bool {
    agreed = media
    guard isAsWanted else { return false }
    isWishRefused = false
    guard state == .waiting, renewal == nil else { return false }
    state = .stable
    return true
  }

  /// Our offer is answered, or the wait is over.
  mutating func settle() { state = .stable }

  /// The other side has offered at the same time. Whether ours is to go again: it renews the session, or what it was to
  /// bring is still wanted.
  mutating func cross(_ offer: Offer) -> Bool {
    guard offer.isRenewal || !isAsWanted else { return false }
    state = .waiting
    if offer.isRenewal { wishRenewal(causes: offer.causes) }
    return true
  }

  /// The other side has refused our offer and everything stays as it was. Whether the owner's wish is refused with it.
  mutating func refuse(_ offer: Offer) -> Bool {
    guard !isAsWanted, offer.isHeld == wantsHold else { return false }
    isWishRefused = true
    return true
  }

  /// The direction of our stream as far as the other side allows it. It does not depend on whether the other side
  /// holds (RFC 6337 5.3).
  static func direction(isHeld: Bool) -> SessionDescription.Direction { isHeld ? .sendonly : .sendrecv }

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
