/// The value of Refer-To: whom the sender of a REFER wants to be called (RFC 3515 2.1).
struct ReferTo: Hashable, Sendable {
  /// The URI of an INVITE to there: without headers, which may not stand in a Request-URI (RFC 3261 19.1.1).
  var target: String
  var displayName: String?
  /// What the INVITE is to say in Replaces. No other header of the URI is taken: the sender of a REFER has no say in
  /// the rest of our message (RFC 3261 19.1.5).
  var replaces: String?

  /// Why a REFER names nobody that we can call.
  enum Flaw: Error, Hashable, Sendable {
    /// Not exactly one that can be read (RFC 3515 2.4.2).
    case malformed
    /// A URI that is no SIP URI: it may be fine, but we cannot call it, as with a Request-URI (RFC 3261 21.4.14).
    case scheme
    /// Another request than INVITE is asked for (RFC 3261 19.1.1). We understand that and do not do it.
    case method

    var status: Int {
      switch self {
      case .malformed: 400
      case .scheme: 416
      case .method: 403
      }
    }
  }

  init(of refer: SIPMessage) throws(Flaw) {
    let values = refer.values(of: "Refer-To")
    guard values.count == 1, let address = NameAddress(values[0]) else { throw .malformed }
    guard let scheme = address.scheme else { throw .malformed }
    guard scheme == "sip" || scheme == "sips" else { throw .scheme }
    guard let uri = address.sipURI else { throw .malformed }
    let plain = uri.forRequest.description
    guard Array(plain.utf8).reading({ URIGrammar.requestFlaw($0, 0..<$0.count) }) == nil else { throw .malformed }
    if let method = uri.parameter("method"), method.value != "INVITE" { throw .method }
    target = plain
    displayName = address.displayName
    let wanted = uri.headers.filter { $0.name.lowercased() == "replaces" }
    guard let first = wanted.first else { return }
    guard wanted.count == 1, let value = first.value?.withoutEscapes, Replaces(value) != nil else { throw .malformed }
    replaces = value
  }
}

extension NameAddress {
  /// The scheme of the URI in lower case (RFC 3986 3.1); `nil` if there is none.
  var scheme: String? {
    guard let colon = uri.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let scheme = uri[..<colon]
    guard let first = scheme.utf8.first, Characters.isLetter(first),
      scheme.utf8.allSatisfy({ Characters.isLetter($0) || Characters.isDigit($0) || "+-.".utf8.contains($0) })
    else { return nil }
    return scheme.lowercased()
  }
}

extension String {
  /// The text with what its escapes stand for (RFC 3261 19.1.2); `nil` if one is incomplete, or if the result cannot
  /// stand in a header field: it is no UTF-8 or has control characters.
  var withoutEscapes: String? {
    var octets: [UInt8] = []
    var rest = self.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        octets.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(SIPURI.digit), let low = rest.popFirst().flatMap(SIPURI.digit)
      else { return nil }
      octets.append(high << 4 | low)
    }
    guard octets.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else { return nil }
    let text = String(decoding: octets, as: UTF8.self)
    // What is no UTF-8 is not decoded as it stands.
    return text.utf8.elementsEqual(octets) ? text : nil
  }
}
