import Instant
import SIP
import Timeline

/// Numbers the messages of a run and reads each of them once: equal bytes share one parsed value, since parsing is a
/// function of the bytes alone.
///
/// A message is forgotten when nothing can repeat it any more, so that a long run stays small.
struct MessageLedger: Hashable, Sendable {
  /// Transactions repeat for 64*T1 at most, and a 2xx is followed by a BYE that is repeated as long (RFC 3261 17).
  private static let life: Span = .seconds(70)
  /// An INVITE can wait for its final response for as long as a user lets it ring.
  private static let inviteLife: Span = .seconds(3_600)

  private struct Entry: Hashable {
    var facts: MessageFacts
    var message: SIPMessage?
  }

  private var entries: [MessageBytes: Entry] = [:]
  /// In order of the instant from which on they may be forgotten.
  private var expiries: [Expiry] = []
  private var firstExpiry = 0
  private var lastNumber = 0
  /// Whether the INVITE of a transaction carried the offer, which makes the session in its response the answer.
  private var offers: [MessagePattern.Transaction: Bool] = [:]
  private var offerExpiries: [OfferExpiry] = []

  private struct Expiry: Hashable {
    var instant: Instant
    var bytes: MessageBytes
  }

  private struct OfferExpiry: Hashable {
    var instant: Instant
    var transaction: MessagePattern.Transaction
  }

  /// The facts of bytes that are sent, with the number that they got when they were first sent.
  mutating func facts(
    of bytes: [UInt8], message: SIPMessage?, from: String, to: String, origin: MessageFacts.Origin, at now: Instant
  ) -> MessageFacts {
    let bytes = MessageBytes(bytes)
    if let entry = entries[bytes], entry.facts.from == from, entry.facts.to == to {
      var facts = entry.facts
      facts.origin = origin
      return facts
    }
    forget(before: now)
    lastNumber += 1
    var facts = MessageFacts(id: lastNumber, from: from, to: to, method: "", origin: origin)
    if let message {
      describe(message, in: &facts)
      remember(facts, at: now)
    }
    entries[bytes] = Entry(facts: facts, message: message)
    expiries.append(Expiry(instant: now + Self.life, bytes: bytes))
    return facts
  }

  /// What the bytes of a datagram say, or why they say nothing.
  func read(_ bytes: [UInt8]) throws(SIPReadingError) -> SIPMessage {
    if let message = entries[MessageBytes(bytes)]?.message { return message }
    return try SIPMessage(reading: bytes)
  }

  private func describe(_ message: SIPMessage, in facts: inout MessageFacts) {
    switch message.startLine {
    case .request(let method, _):
      facts.method = method.name
    case .response(let status, let reason):
      facts.method = message.method.name
      facts.status = status
      facts.reason = reason
    }
    facts.callID = message.callID
    facts.sequence = message.sequence?.number ?? 0
    facts.fromTag = message.fromTag
    facts.toTag = message.toTag
    facts.branch = message.topVia?.branch
    facts.fragment = message.sipFragmentStatus
    guard let description = message.sessionDescription else { return }
    facts.session = MessageFacts.Session(
      role: role(of: facts), direction: description.audioDirection.rawValue)
  }

  /// RFC 3264 in SIP: a request offers, unless it is the ACK that answers the offer of a 2xx (RFC 3261 13.2.1).
  private func role(of facts: MessageFacts) -> MessageFacts.Session.Role {
    let requester = facts.status == nil ? facts.from : facts.to
    let transaction = MessagePattern.Transaction(
      callID: facts.callID, sequence: facts.sequence, requester: requester)
    if facts.status != nil { return offers[transaction] == false ? .offer : .answer }
    return facts.method == "ACK" ? .answer : .offer
  }

  private mutating func remember(_ facts: MessageFacts, at now: Instant) {
    guard facts.status == nil, facts.method == "INVITE" else { return }
    let transaction = MessagePattern.Transaction(
      callID: facts.callID, sequence: facts.sequence, requester: facts.from)
    offers[transaction] = facts.session != nil
    offerExpiries.append(OfferExpiry(instant: now + Self.inviteLife, transaction: transaction))
  }

  private mutating func forget(before now: Instant) {
    while let first = offerExpiries.first, first.instant < now {
      offers[first.transaction] = nil
      offerExpiries.removeFirst()
    }
    while firstExpiry < expiries.count, expiries[firstExpiry].instant < now {
      let expiry = expiries[firstExpiry]
      entries[expiry.bytes] = nil
      firstExpiry += 1
    }
    if firstExpiry > 1_024, firstExpiry * 2 > expiries.count {
      expiries.removeFirst(firstExpiry)
      firstExpiry = 0
    }
  }
}

/// The bytes of a message with a hash that is made once and eight octets at a time: the dictionary's own hashing of an
/// array goes octet by octet and costs more than parsing.
private struct MessageBytes: Hashable, Sendable {
  let octets: [UInt8]
  private let digest: UInt64

  init(_ octets: [UInt8]) {
    self.octets = octets
    digest = octets.withUnsafeBytes { buffer in
      var digest = UInt64(buffer.count)
      var offset = 0
      while offset + 8 <= buffer.count {
        let word = buffer.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        digest = (digest ^ word) &* 0x9E37_79B9_7F4A_7C15
        digest ^= digest >> 29
        offset += 8
      }
      while offset < buffer.count {
        digest = (digest ^ UInt64(buffer[offset])) &* 0x9E37_79B9_7F4A_7C15
        offset += 1
      }
      return digest
    }
  }

  static func == (left: MessageBytes, right: MessageBytes) -> Bool {
    left.digest == right.digest && left.octets == right.octets
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(digest)
  }
}
