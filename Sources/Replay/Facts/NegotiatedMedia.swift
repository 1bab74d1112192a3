import Timeline

/// In which direction the phone sends and receives in one call: a fold over the messages at the phone.
///
/// An exchange of offer and answer counts once it is complete (RFC 3264 section 4): with the answer in a 2xx, in the ACK
/// to a 2xx that carried the offer, or with a 2xx that confirms an answer given provisionally. What is refused changes
/// nothing (RFC 3261 14.1).
struct NegotiatedMedia: Hashable, Sendable {
  /// An INVITE or UPDATE whose exchange is not complete.
  private struct Exchange: Hashable, Sendable {
    var sequence: Int
    var requester: String
    var offer: Offer?
    /// The direction in an answer that a provisional response gave, by the tag of the branch that gave it.
    var provisional: [String?: String] = [:]
  }

  private struct Offer: Hashable, Sendable {
    var isOfPhone: Bool
    var direction: Flow

    init?(_ message: MessageFacts, _ phone: String) {
      guard let session = message.session, session.role == .offer else { return nil }
      isOfPhone = message.from == phone
      direction = Flow(session.direction)
    }
  }

  /// `sendrecv`, `sendonly`, `recvonly` or `inactive`; `nil` before the first complete exchange.
  private(set) var direction: String?
  private var open: [Exchange] = []
  /// The number of the last request of each side whose exchange is over: what comes again is no news.
  private var over: [String: Int] = [:]

  /// Takes a message at the phone.
  mutating func take(_ message: MessageFacts, phone: String) {
    guard ["INVITE", "ACK", "UPDATE"].contains(message.method) else { return }
    let requester = message.status == nil ? message.from : message.to
    guard message.sequence > over[requester] ?? -1 else { return }
    guard let status = message.status else {
      if message.method == "ACK" {
        acknowledge(message, phone)
      } else if !open.contains(where: { $0.sequence == message.sequence && $0.requester == requester }) {
        open.append(Exchange(sequence: message.sequence, requester: requester, offer: Offer(message, phone)))
      }
      return
    }
    guard let place = open.firstIndex(where: { $0.sequence == message.sequence && $0.requester == requester }) else {
      return
    }
    switch status {
    case ..<200:
      if message.session?.role == .answer { open[place].provisional[message.toTag] = message.session?.direction }
    case ..<300:
      if let offer = open[place].offer,
        let answer = message.session?.direction ?? open[place].provisional[message.toTag]
      {
        complete(offer, answer)
      } else if message.session?.role == .offer {
        // The ACK is to bring the answer.
        open[place].offer = Offer(message, phone)
        return
      }
      close(place)
    default: close(place)
    }
  }

  private mutating func acknowledge(_ message: MessageFacts, _ phone: String) {
    guard let place = open.firstIndex(where: { $0.sequence == message.sequence && $0.requester == message.from }) else {
      return
    }
    if let offer = open[place].offer, let answer = message.session?.direction { complete(offer, answer) }
    close(place)
  }

  private mutating func close(_ place: Int) {
    let exchange = open.remove(at: place)
    over[exchange.requester] = max(exchange.sequence, over[exchange.requester] ?? -1)
  }

  /// Each side sends what it wants to send and the other wants to receive (RFC 3264 section 6.1).
  private mutating func complete(_ offer: Offer, _ answer: String) {
    let answer = Flow(answer).reversed
    let agreed = Flow(
      sends: offer.direction.sends && answer.sends, receives: offer.direction.receives && answer.receives)
    direction = (offer.isOfPhone ? agreed : agreed.reversed).word
  }
}

extension NegotiatedMedia {
  /// A direction from the view of the one who states it.
  private struct Flow: Hashable, Sendable {
    var sends: Bool
    var receives: Bool

    init(sends: Bool, receives: Bool) {
      self.sends = sends
      self.receives = receives
    }

    /// Without an attribute media flow both ways (RFC 8866 section 6.7).
    init(_ word: String) {
      sends = word != "recvonly" && word != "inactive"
      receives = word != "sendonly" && word != "inactive"
    }

    var reversed: Flow { Flow(sends: receives, receives: sends) }

    var word: String {
      switch (sends, receives) {
      case (true, true): "sendrecv"
      case (true, false): "sendonly"
      case (false, true): "recvonly"
      case (false, false): "inactive"
      }
    }
  }
}
