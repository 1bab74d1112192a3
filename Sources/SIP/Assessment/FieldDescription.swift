/// A header field as it is understood.
public struct FieldDescription: Hashable, Sendable {
  /// The name as RFCs write it: compact forms are resolved; what nobody knows stays as it is written.
  public var name: String
  /// The name as it is written.
  public var written: String
  /// Where the name begins in the bytes, from 0.
  public var offset: Int
  /// The value without folding.
  public var text: String
  /// The value decoded: of a list each element.
  public var values: [DecodedValue]
}

/// The parts of a value, each with what it is called.
public struct DecodedValue: Hashable, Sendable {
  public struct Part: Hashable, Sendable {
    public var label: String
    public var content: Content
  }

  public enum Content: Hashable, Sendable {
    case text(String)
    case number(Int)
    case list([String])
    case flag
  }

  /// In the order in which they are read. Empty for a value that has no parts, or cannot be read.
  public var parts: [Part] = []

  init() {}

  mutating func add(_ label: String, _ text: String?) {
    if let text { parts.append(Part(label: label, content: .text(text))) }
  }

  mutating func add(_ label: String, _ number: Int?) {
    if let number { parts.append(Part(label: label, content: .number(number))) }
  }

  mutating func add(_ label: String, _ list: [String]) {
    if !list.isEmpty { parts.append(Part(label: label, content: .list(list))) }
  }

  mutating func add(_ label: String, if isSet: Bool) {
    if isSet { parts.append(Part(label: label, content: .flag)) }
  }
}

extension DecodedValue {
  /// The parts of a URI: those of a SIP URI, or the scheme alone.
  init(uri text: String) {
    guard let uri = SIPURI(text) else {
      if let colon = text.firstIndex(of: ":") { add("scheme", String(text[..<colon])) }
      return
    }
    add("scheme", uri.scheme)
    add("user", uri.user)
    add("host", uri.host)
    add("port", uri.port)
    add("uri-parameters", uri.parameters.map(Self.written))
    add("uri-headers", uri.headers.map(Self.written))
  }

  init(_ address: NameAddress) {
    add("display-name", address.displayName)
    add("uri", address.uri)
    parts += DecodedValue(uri: address.uri).parts
    add("parameters", address.parameters.map(Self.written))
  }

  init(_ via: Via) {
    add("transport", via.transport)
    add("host", via.host)
    add("port", via.port)
    add("branch", via.branch)
    add("received", via.received)
    switch via.rport {
    case .some(.some(let port)): add("rport", port)
    case .some(.none): add("rport", if: true)
    case .none: break
    }
  }

  init(_ sequence: CommandSequence) {
    add("number", sequence.number)
    add("method", sequence.method.name)
  }

  init(_ type: MediaType) {
    add("type", type.name)
    add("parameters", type.parameters.map(Self.written))
  }

  init(_ replaces: Replaces) {
    add("call-id", replaces.callID)
    add("to-tag", replaces.toTag)
    add("from-tag", replaces.fromTag)
    add("early-only", if: replaces.isEarlyOnly)
  }

  private static func written(_ parameter: SIPURI.Parameter) -> String {
    parameter.value.map { "\(parameter.name)=\($0)" } ?? parameter.name
  }
}

extension SIPMessage {
  /// The parts of the Request-URI; none in a response.
  public var requestURI: DecodedValue? {
    guard case .request(_, let uri) = startLine else { return nil }
    return DecodedValue(uri: uri)
  }

  /// Every header field in order, with what its value means as far as that is known.
  public var descriptions: [FieldDescription] {
    bytes.reading { octets in
      fields.map { field in
        let written = octets.text(field.nameRange)
        let longName = Self.longName(of: written)
        var ranges: [Range<Int>] = []
        if FieldName.lists.contains(longName) {
          ListSplitter.forEach(octets, field.valueRange) { ranges.append($0) }
        } else {
          ranges = [field.valueRange]
        }
        return FieldDescription(
          name: FieldName.usualNames[longName] ?? written, written: written, offset: field.nameRange.lowerBound,
          text: octets.text(field.valueRange),
          values: ranges.map { Self.decoded(octets, $0, longName) }.filter { !$0.parts.isEmpty })
      }
    }
  }

  private static func decoded(_ bytes: Octets, _ range: Range<Int>, _ longName: String) -> DecodedValue {
    switch longName {
    case "via": ViaParts(bytes, range).map { DecodedValue($0.via(bytes)) } ?? DecodedValue()
    case "from", "to", "contact", "route", "record-route", "refer-to", "referred-by", "reply-to", "path",
      "service-route", "p-asserted-identity", "p-preferred-identity", "history-info", "diversion":
      bytes.buffer(range).elementsEqual("*".utf8)
        ? DecodedValue() : NameAddress(bytes, range).map(DecodedValue.init) ?? DecodedValue()
    case "cseq": SequenceParts(bytes, range).map { DecodedValue($0.sequence(bytes)) } ?? DecodedValue()
    case "content-type": MediaType(bytes.text(range)).map { DecodedValue($0) } ?? DecodedValue()
    case "replaces": Replaces(bytes.text(range)).map { DecodedValue($0) } ?? DecodedValue()
    case "max-forwards", "content-length", "expires", "min-expires", "rseq":
      number(bytes, range)
    default: DecodedValue()
    }
  }

  private static func number(_ bytes: Octets, _ range: Range<Int>) -> DecodedValue {
    var value = DecodedValue()
    value.add("number", bytes.number(range, limit: .max))
    return value
  }
}

extension FieldName {
  /// Names as the RFCs write them, by the long form in lower case.
  static let usualNames: [String: String] = {
    let names = """
      Accept Accept-Contact Accept-Encoding Accept-Language Alert-Info Allow Allow-Events Authentication-Info \
      Authorization Call-ID Call-Info Contact Content-Disposition Content-Encoding Content-Language Content-Length \
      Content-Transfer-Encoding Content-Type CSeq Date Diversion Error-Info Event Expires From Geolocation History-Info \
      Identity Identity-Info In-Reply-To Info-Package Join Max-Forwards MIME-Version Min-Expires Min-SE Organization \
      P-Asserted-Identity P-Associated-URI P-Preferred-Identity Path Priority Privacy Proxy-Authenticate \
      Proxy-Authorization Proxy-Require RAck Reason Record-Route Recv-Info Refer-Sub Refer-To Referred-By Reject-Contact \
      Replaces Reply-To Request-Disposition Require Retry-After Route RSeq Server Service-Route Session-Expires \
      SIP-ETag SIP-If-Match Subject Subscription-State Supported Target-Dialog Timestamp To Unsupported User-Agent Via \
      Warning WWW-Authenticate
      """
    var usual: [String: String] = [:]
    for name in names.split(separator: " ") { usual[name.lowercased()] = String(name) }
    return usual
  }()
}
