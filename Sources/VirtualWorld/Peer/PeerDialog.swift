import SIP

/// What a peer knows of a call, learnt from the messages that it sent and received, whoever wrote them.
struct PeerDialog: Hashable, Sendable {
  /// A peer's side of the session descriptions of a call.
  struct Session: Hashable, Sendable {
    var id: Int
    /// The version of the last description (RFC 3264 8).
    var version = 1
    /// The last description sent.
    var last: [UInt8]?
  }

  /// An INVITE of ours.
  struct SentInvite: Hashable, Sendable {
    var message: SIPMessage
    var destination: Endpoint
    /// Whether the final response is still to come.
    var isPending = true
    /// The 2xx that came, with their numbers in the run.
    var successes: [Success] = []
    /// The ACK to a 2xx, once there is one; of the script's own bytes only that there was one.
    var acknowledgement: Acknowledgement?
  }

  struct Success: Hashable, Sendable {
    var number: Int
    var message: SIPMessage
    /// The records of its arrival.
    var causes: [Int]
  }

  enum Acknowledgement: Hashable, Sendable {
    case raw
    case repeated(Transmission)
  }

  /// A 2xx of ours that is repeated until its ACK comes (RFC 3261 13.3.1.4).
  struct RepeatedSuccess: Hashable, Sendable {
    var id: PeerSuccessID
    var sequence: Int
    var transmission: Transmission
    var nextInterval = TransactionTiming.t1
  }

  let callID: String
  var localTag: String?
  var remoteTag: String?
  /// From of our requests, without its tag.
  var localAddress: NameAddress?
  /// To of our requests, without its tag.
  var remoteAddress: NameAddress?
  /// The number of our last request.
  var localSequence = 0
  /// The number of the other side's last request.
  var remoteSequence = 0
  /// The Request-URI of requests within the dialog.
  var remoteTarget: String?
  /// Values of Route in order.
  var routeSet: [String] = []
  /// Whether there was a 2xx to an INVITE.
  var isConfirmed = false
  var sentInvite: SentInvite?
  /// The latest offer of the other side.
  var remoteOffer: SessionDescription?
  /// Whether our last INVITE carried an offer, so that the 2xx to it carries the answer.
  private var hasOffered = false
  var session: Session?
  var repeatedSuccesses: [RepeatedSuccess] = []
  var referrals = PeerReferrals()
  /// Whether its session is over, so that nothing is left but reports on a REFER (RFC 5057 5.1).
  var isOver = false

  init(callID: String) {
    self.callID = callID
  }

  /// One that an INVITE has begun.
  init(invite: SIPMessage) {
    self.init(callID: invite.callID)
    received(request: invite, method: .invite)
  }

  /// Whether requests can be sent within it.
  var hasBothTags: Bool { localTag != nil && remoteTag != nil }

  /// Whether its session is up.
  var isUp: Bool { isConfirmed && !isOver }

  /// Whether the message of this number is a 2xx to our INVITE.
  func hasSuccess(_ number: Int) -> Bool {
    sentInvite?.successes.contains { $0.number == number } ?? false
  }

  /// Learns from a request of ours.
  mutating func sent(request: SIPMessage, method: Method, to destination: Endpoint) {
    learnSides(local: request.from, remote: request.to)
    localTag = request.fromTag ?? localTag
    remoteTag = request.toTag ?? remoteTag
    guard method != .ack, method != .cancel else { return }
    if let number = request.sequence?.number { localSequence = number }
    if method == .notify { referrals.sent(notification: request) }
    guard method == .invite else { return }
    sentInvite = SentInvite(message: request, destination: destination)
    hasOffered = SessionDescription(reading: request.body) != nil
  }

  /// Learns from a response of ours.
  mutating func sent(response: SIPMessage, status: Int) {
    learnSides(local: response.to, remote: response.from)
    remoteTag = response.fromTag ?? remoteTag
    if response.method == .refer { referrals.sent(response: response, status: status) }
    guard status > 100, status < 300, response.method == .invite else { return }
    localTag = response.toTag ?? localTag
    if status >= 200 { isConfirmed = true }
  }

  /// Learns from a request of the other side.
  mutating func received(request: SIPMessage, method: Method) {
    learnSides(local: request.to, remote: request.from)
    remoteTag = request.fromTag ?? remoteTag
    localTag = localTag ?? request.toTag
    guard method != .ack, method != .cancel else { return }
    if let number = request.sequence?.number { remoteSequence = number }
    if Self.isTargetRefresh(method), let contact = request.contacts.first { remoteTarget = contact.uri }
    if method == .refer { referrals.received(request) }
    guard method == .invite || method == Method("UPDATE") else { return }
    if method == .invite, !isConfirmed, request.toTag == nil { routeSet = request.values(of: "Record-Route") }
    if let offer = SessionDescription(reading: request.body) { remoteOffer = offer }
  }

  /// Learns from a response of the other side to our INVITE.
  mutating func received(response: SIPMessage, status: Int, number: Int, causes: [Int]) {
    guard response.method == .invite, status > 100, status < 300 else { return }
    if let tag = response.toTag { remoteTag = tag }
    if let contact = response.contacts.first { remoteTarget = contact.uri }
    if !isConfirmed { routeSet = response.values(of: "Record-Route").reversed() }
    if !hasOffered, let offer = SessionDescription(reading: response.body) { remoteOffer = offer }
    guard status >= 200 else { return }
    isConfirmed = true
    guard response.sequence == sentInvite?.message.sequence else { return }
    // Forked INVITEs bring a few different ones; the number is bounded against a peer that sends nothing else.
    if !hasSuccess(number), (sentInvite?.successes.count ?? 0) < 16 {
      sentInvite?.successes.append(Success(number: number, message: response, causes: causes))
    }
  }

  private mutating func learnSides(local: NameAddress?, remote: NameAddress?) {
    if localAddress == nil { localAddress = local.map(Self.withoutTag) }
    if remoteAddress == nil { remoteAddress = remote.map(Self.withoutTag) }
  }

  private static func withoutTag(_ address: NameAddress) -> NameAddress {
    var address = address
    address.parameters.removeAll { $0.name.lowercased() == "tag" }
    return address
  }

  /// Whether the Contact of a request, and of a 2xx to it, moves the remote target (RFC 3261 12.2, RFC 3311, RFC 6665).
  static func isTargetRefresh(_ method: Method) -> Bool {
    ["INVITE", "UPDATE", "SUBSCRIBE", "NOTIFY", "REFER"].contains(method.name)
  }
}
