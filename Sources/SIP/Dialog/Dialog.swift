/// A dialog from one side (RFC 3261 12).
public struct Dialog: Hashable, Sendable {
  /// What requests within the dialog are found by (12.2.2).
  public struct ID: Hashable, Sendable {
    public var callID: String
    public var localTag: String
    public var remoteTag: String

    public init(callID: String, localTag: String, remoteTag: String) {
      self.callID = callID
      self.localTag = localTag
      self.remoteTag = remoteTag
    }
  }

  public let id: ID
  /// From of our requests, without tag.
  public let localAddress: NameAddress
  /// To of our requests, without tag.
  public let remoteAddress: NameAddress
  /// The number of our last request.
  public private(set) var localSequence: Int
  /// The number of the other side's last request; `nil` if there was none.
  public private(set) var remoteSequence: Int?
  /// Where our requests go in the end.
  public private(set) var remoteTarget: String
  /// The values of Route for our requests.
  public private(set) var routeSet: [String]

  /// The dialog that our response to this request makes (12.1.1); `nil` if the request lacks what a dialog needs.
  public init?(answering request: SIPMessage, localTag: String) {
    guard let from = request.from, let to = request.to, let sequence = request.sequence else { return nil }
    id = ID(callID: request.callID, localTag: localTag, remoteTag: request.fromTag ?? "")
    localAddress = to.withoutTag
    remoteAddress = from.withoutTag
    localSequence = 0
    remoteSequence = sequence.number
    remoteTarget = request.contacts.first?.uri ?? from.uri
    routeSet = request.values(of: "Record-Route")
  }

  /// The dialog that a response to our request makes (12.1.2); without a tag in To its tag is empty. `nil` if the
  /// messages lack what a dialog needs.
  public init?(with response: SIPMessage, to request: SIPMessage) {
    guard let from = request.from, let to = response.to, let sequence = request.sequence,
      let localTag = request.fromTag
    else { return nil }
    id = ID(callID: request.callID, localTag: localTag, remoteTag: response.toTag ?? "")
    localAddress = from.withoutTag
    remoteAddress = to.withoutTag
    localSequence = sequence.number
    remoteSequence = nil
    remoteTarget = response.contacts.first?.uri ?? to.uri
    routeSet = response.values(of: "Record-Route").reversed()
  }

  /// Whether the number of a request is in order (12.2.2); a request that is too old is refused with 500.
  public mutating func accepts(_ sequence: CommandSequence) -> Bool {
    if let last = remoteSequence, sequence.number < last { return false }
    remoteSequence = sequence.number
    return true
  }

  /// Takes the Contact of an INVITE, or of a 2xx to one, as the new target (12.2.1.2, 12.2.2).
  public mutating func refreshTarget(from message: SIPMessage) {
    if let uri = message.contacts.first?.uri { remoteTarget = uri }
  }

  /// The number of our next request.
  public mutating func nextSequence() -> Int {
    localSequence += 1
    return localSequence
  }

  /// The Request-URI, the values of Route and the next hop of a request, by loose or strict routing (12.2.1.1).
  public var routing: (requestURI: String, routes: [String], nextHop: String) {
    let target = Self.requestURI(remoteTarget)
    guard let first = routeSet.first, let firstAddress = NameAddress(first) else {
      return (target, [], target)
    }
    if firstAddress.sipURI?.parameter("lr") != nil { return (target, routeSet, firstAddress.uri) }
    let last = NameAddress(uri: remoteTarget).headerValue
    return (Self.requestURI(firstAddress.uri), Array(routeSet.dropFirst()) + [last], firstAddress.uri)
  }

  /// A URI without what may not stand in a Request-URI (19.1.1).
  private static func requestURI(_ text: String) -> String {
    guard let uri = SIPURI(text), !uri.headers.isEmpty || uri.parameter("method") != nil else { return text }
    return uri.forRequest.description
  }
}

extension NameAddress {
  /// The same address without its tag.
  var withoutTag: NameAddress {
    var address = self
    address.parameters.removeAll { $0.name.lowercased() == "tag" }
    return address
  }

  func withTag(_ tag: String?) -> NameAddress {
    var address = withoutTag
    if let tag { address.parameters.append(SIPURI.Parameter("tag", tag)) }
    return address
  }
}
