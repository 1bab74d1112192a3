/// Writes the messages of one user agent, complete with what RFC 3261 8.1.1 and 8.2.6 demand.
public struct MessageWriter: Hashable, Sendable {
  /// The methods that the agent serves, for Allow.
  static let allowed = "INVITE, ACK, CANCEL, BYE, OPTIONS, INFO, REFER, NOTIFY"
  /// The extensions that the agent understands, for Supported and Require (RFC 3891 5).
  static let supported = "replaces"

  public let identity: UserAgentIdentity

  public init(_ identity: UserAgentIdentity) {
    self.identity = identity
  }

  /// Our Contact: the address of record's user at the place where we listen.
  public var contact: String {
    let port = identity.contact.port == 5060 ? nil : identity.contact.port
    let transport = identity.contact.transport
    return NameAddress(
      uri: SIPURI(
        scheme: "sip", user: SIPURI(identity.addressOfRecord)?.user, host: identity.contact.host, port: port,
        parameters: transport == .udp ? [] : [SIPURI.Parameter("transport", transport.rawValue)]
      ).description
    ).headerValue
  }

  /// From outside of a dialog.
  public var from: NameAddress {
    .party(identity.addressOfRecord, displayName: identity.displayName)
  }

  /// A Via for a new request.
  public func via(branch: String, transport: Transport) -> String {
    "SIP/2.0/\(transport.rawValue.uppercased()) \(identity.contact.host):\(identity.contact.port);branch=\(branch)"
  }

  /// Where a URI leads, without looking up names (RFC 3263 4).
  public func endpoint(of uri: String) -> Endpoint? {
    guard let uri = SIPURI(uri) else { return nil }
    let named = uri.parameter("transport")?.value.flatMap { Transport(rawValue: $0.lowercased()) }
    let transport = named ?? (uri.scheme == "sips" ? .tls : identity.contact.transport)
    return Endpoint(
      host: uri.parameter("maddr")?.value ?? uri.host, port: uri.port ?? (transport == .tls ? 5061 : 5060),
      transport: transport)
  }

  // MARK: Requests

  /// The body of a request.
  struct Body {
    var type: String
    var bytes: [UInt8]

    init(_ description: SessionDescription) {
      type = "application/sdp"
      bytes = description.bytes
    }

    /// A digit as many telephones understand it in INFO; no RFC defines the type (RFC 6086 2 calls it legacy usage).
    init(digit: Character, milliseconds: Int64) {
      type = "application/dtmf-relay"
      bytes = Array("Signal=\(digit)\r\nDuration=\(milliseconds)\r\n".utf8)
    }

    /// How far a referral has come, as a fragment of the response that says so (RFC 3515 2.4.5).
    init(fragmentOf status: Int) {
      type = SIPFragment.type
      bytes = SIPFragment.bytes(status: status)
    }
  }

  /// An INVITE outside of a dialog. `to` is whom the call is for, which stays when another target is tried
  /// (RFC 3261 8.1.3.4); `headers` is what the occasion of the call adds.
  func invite(
    target: String, to: NameAddress, callID: String, tag: String, sequence: Int, branch: String, transport: Transport,
    offer: SessionDescription, headers: [(name: String, value: String)] = []
  ) throws(SIPReadingError) -> SIPMessage {
    try SIPMessage(
      .request(.invite, uri: target),
      headers: [
        ("Via", via(branch: branch, transport: transport)), ("Max-Forwards", "70"),
        ("From", from.withTag(tag).headerValue), ("To", to.headerValue),
        ("Call-ID", callID), ("CSeq", "\(sequence) INVITE"), ("Contact", contact), ("Allow", Self.allowed),
        ("Supported", Self.supported),
      ] + headers + [("Content-Type", "application/sdp")], body: offer.bytes)
  }

  /// A request within a dialog (12.2.1.1). An ACK has the number of its INVITE; INVITE, NOTIFY and REFER, which refresh
  /// the target (RFC 5057 5.4), have Contact.
  func request(
    _ method: Method, sequence: Int, in dialog: Dialog, branch: String, transport: Transport,
    headers extras: [(name: String, value: String)] = [], body: Body? = nil
  ) throws(SIPReadingError) -> SIPMessage {
    let routing = dialog.routing
    var headers: [(name: String, value: String)] = [
      ("Via", via(branch: branch, transport: transport)), ("Max-Forwards", "70"),
    ]
    headers += routing.routes.map { ("Route", $0) }
    headers += [
      ("From", dialog.localAddress.withTag(dialog.id.localTag).headerValue),
      ("To", dialog.remoteAddress.withTag(dialog.id.remoteTag.isEmpty ? nil : dialog.id.remoteTag).headerValue),
      ("Call-ID", dialog.id.callID), ("CSeq", "\(sequence) \(method.name)"),
    ]
    if [.invite, .notify, .refer].contains(method) { headers.append(("Contact", contact)) }
    if method == .invite { headers += [("Allow", Self.allowed), ("Supported", Self.supported)] }
    headers += extras
    if let body { headers.append(("Content-Type", body.type)) }
    return try SIPMessage(
      .request(method, uri: routing.requestURI), headers: headers, body: body?.bytes ?? [])
  }

  /// The CANCEL of a request of ours (9.1).
  func cancel(_ request: SIPMessage) throws(SIPReadingError) -> SIPMessage {
    guard case .request(_, let uri) = request.startLine, let sequence = request.sequence,
      let via = request.value(of: "Via")
    else { throw SIPReadingError(why: "the request to cancel is incomplete", offset: 0) }
    var headers: [(name: String, value: String)] = [("Via", via), ("Max-Forwards", "70")]
    headers += request.values(of: "Route").map { ("Route", $0) }
    headers += [
      ("From", request.value(of: "From") ?? ""), ("To", request.value(of: "To") ?? ""), ("Call-ID", request.callID),
      ("CSeq", "\(sequence.number) CANCEL"),
    ]
    return try SIPMessage(.request(.cancel, uri: uri), headers: headers)
  }

  // MARK: Responses

  /// What a response says beyond what it copies from the request.
  struct Extras {
    var toTag: String?
    /// Whether Contact and Record-Route are included, for what makes or confirms a dialog (12.1.1).
    var makesDialog = false
    var headers: [(name: String, value: String)] = []
    var description: SessionDescription?
  }

  /// A response to a request (8.2.6).
  func response(
    _ status: Int, to request: SIPMessage, from source: Endpoint, _ extras: Extras = Extras()
  ) throws(SIPReadingError) -> SIPMessage {
    var headers: [(name: String, value: String)] = []
    headers += Self.vias(ofResponseTo: request, from: source).map { ("Via", $0) }
    if extras.makesDialog { headers += request.values(of: "Record-Route").map { ("Record-Route", $0) } }
    headers.append(("From", request.value(of: "From") ?? ""))
    var to = request.value(of: "To") ?? ""
    if request.toTag == nil, let tag = extras.toTag { to += ";tag=\(tag)" }
    headers.append(("To", to))
    headers.append(("Call-ID", request.callID))
    headers.append(("CSeq", request.value(of: "CSeq") ?? ""))
    if extras.makesDialog { headers.append(("Contact", contact)) }
    if extras.makesDialog, status >= 200 { headers.append(("Supported", Self.supported)) }
    headers += extras.headers
    if extras.description != nil { headers.append(("Content-Type", "application/sdp")) }
    return try SIPMessage(
      .response(status: status, reason: SIPMessage.reasonPhrase(for: status)), headers: headers,
      body: extras.description?.bytes ?? [])
  }

  /// The Via values of a response: those of the request, the topmost with what the receiver knows of the way it came.
  public static func vias(ofResponseTo request: SIPMessage, from source: Endpoint) -> [String] {
    var vias = request.values(of: "Via")
    if let top = request.topVia, !vias.isEmpty { vias[0] = received(vias[0], top, from: source) }
    return vias
  }

  /// The topmost Via with what the receiver adds to it (18.2.1, RFC 3581 4); what the sender claims in its place is
  /// replaced.
  private static func received(_ text: String, _ via: Via, from source: Endpoint) -> String {
    let asksForPort = if case .some(.none) = via.rport { true } else { false }
    guard asksForPort || via.received != nil || via.host != source.host else { return text }
    let parts = text.split(separator: ";", omittingEmptySubsequences: false).compactMap { part -> String? in
      let name = part.prefix { $0 != "=" }.filter { $0 != " " && $0 != "\t" }.lowercased()
      if name == "received" { return nil }
      return name == "rport" && asksForPort ? "rport=\(source.port)" : String(part)
    }
    return parts.joined(separator: ";") + ";received=\(source.host)"
  }
}
