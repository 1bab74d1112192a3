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
  /// The owner's wish to have the session offered again.
  private struct Renewal: Hashable, Sendable {
    var causes: [Int]
    /// Whether an exchange of the other side's that began after the wish is under way.
    var isUnderWay = false
  }

  /// It is open until an offer of ours leaves, or an exchange is complete that the other side has begun after it: either
  /// side's offer shows both that the other one is there, and where.
  private var renewal: Renewal?
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
    guard state == .stable, agreed != nil else { return nil }
    let isWishOpen = !isAsWanted && !isWishRefused
    guard isWishOpen || renewal != nil else { return nil }
    let causes = isWishOpen ? wishCauses : []
    // A renewal asks for what is wanted, even if that was refused before: it must not offer what nobody wants.
    return (
      wantsHold, renewal != nil,
      causes + (renewal?.causes ?? []).filter { !causes.contains($0) }
    )
  }

  mutating func wish(_ hold: Bool, causes: [Int]) {
    wantsHold = hold
    wishCauses = causes
    isWishRefused = false
  }

  mutating func wishRenewal(causes: [Int]) {
    let open = renewal?.causes ?? []
    renewal = Renewal(causes: open + causes.filter { !open.contains($0) })
  }

  /// An offer of ours has left.
  mutating func begin(_ offer: Offer) {
    state = .offering(offer)
    renewal = nil
  }

  /// A 2xx of ours to a re-INVITE leaves, with the answer or with our offer.
  mutating func beginTheirs() { renewal?.isUnderWay = true }

  /// An exchange is complete. Whether a wait for the next offer is over with it (RFC 3261 14.1: "if it still desires").
  mutating func agree(on media: SessionMedia) -> Bool {
    agreed = media
    if renewal?.isUnderWay == true { renewal = nil }
    guard isAsWanted else { return false }
    isWishRefused = false
    guard state == .waiting, renewal == nil else { return false }
    state = .stable
    return true
  }

  /// Our offer is answered, or the wait is over.
  mutating func settle() { state = .stable }

  /// The other side has offered at the same time. Whether an offer of ours is to follow: it, or what has been wished
  /// since, renews the session, or what it was to bring is still wanted.
  mutating func cross(_ offer: Offer) -> Bool {
    guard offer.isRenewal || renewal != nil || !isAsWanted else { return false }
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
}
