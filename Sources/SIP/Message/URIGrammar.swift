/// The grammar of URIs (RFC 3261 25.1), as far as it decides what a URI means.
enum URIGrammar {
  /// `unreserved` and what else may stand in the user part.
  /// Letters, digits and `-_.!~*'()&=+$,;?/`.
  private static let user = ASCIISet(low: 0xABFF_FFD2_0000_0000, high: 0x47FF_FFFE_87FF_FFFE)
  /// Letters, digits and `-_.!~*'()&=+$,`.
  private static let password = ASCIISet(low: 0x23FF_7FD2_0000_0000, high: 0x47FF_FFFE_87FF_FFFE)
  /// Letters, digits and `-_.!~*'()[]/:&+$`.
  private static let parameter = ASCIISet(low: 0x07FF_EFD2_0000_0000, high: 0x47FF_FFFE_AFFF_FFFE)
  /// Letters, digits and `-_.!~*'()[]/?:+$`.
  private static let header = ASCIISet(low: 0x87FF_EF92_0000_0000, high: 0x47FF_FFFE_AFFF_FFFE)
  /// What RFC 3986 2 lets stand anywhere in a URI, and the brackets of RFC 2732.
  /// Letters, digits and `-_.!~*'();/?:@&=+$,[]#`.
  private static let any = ASCIISet(low: 0xAFFF_FFDA_0000_0000, high: 0x47FF_FFFE_AFFF_FFFF)

  /// What is wrong with a URI of any scheme; of another than `sip` and `sips` only the characters are looked at.
  static func flaw(_ bytes: Octets, _ range: Range<Int>) -> SyntaxFlaw? {
    // Mostly it is this scheme.
    if range.count >= 4, bytes.matches(range.lowerBound..<range.lowerBound + 4, "sip:") {
      return sipFlaw(bytes, range.lowerBound + 4..<range.upperBound, portLimit: .max)
    }
    guard let colon = bytes.first(UInt8(ascii: ":"), in: range), isScheme(bytes, range.lowerBound..<colon) else {
      return SyntaxFlaw(.uriScheme, "the URI has no scheme", at: range.lowerBound)
    }
    let scheme = range.lowerBound..<colon
    let rest = colon + 1..<range.upperBound
    guard bytes.matches(scheme, "sip") || bytes.matches(scheme, "sips") else {
      if rest.isEmpty { return SyntaxFlaw(.uriCharacter, "nothing follows the scheme of the URI", at: colon) }
      return characters(bytes, rest, any, "the URI")
    }
    return sipFlaw(bytes, rest, portLimit: .max)
  }

  /// What is wrong with a Request-URI (RFC 3261 8.2.2.1, 19.1.1).
  static func requestFlaw(_ bytes: Octets, _ range: Range<Int>) -> SyntaxFlaw? {
    if bytes[range.lowerBound] == UInt8(ascii: "<") {
      return SyntaxFlaw(.requestURIBracket, "the Request-URI stands in angle brackets", at: range.lowerBound)
    }
    guard let flaw = requestPartsFlaw(bytes, range) else { return nil }
    // No part may have it, so it is enough to look for it now.
    if let white = bytes[range].firstIndex(where: Characters.isBlank) {
      return SyntaxFlaw(.requestURISpace, "white space stands within the Request-URI", at: white)
    }
    return flaw
  }

  private static func requestPartsFlaw(_ bytes: Octets, _ range: Range<Int>) -> SyntaxFlaw? {
    guard let colon = bytes.first(UInt8(ascii: ":"), in: range), isScheme(bytes, range.lowerBound..<colon) else {
      return SyntaxFlaw(.uriScheme, "the Request-URI has no scheme", at: range.lowerBound)
    }
    let scheme = range.lowerBound..<colon
    let isSIP = bytes.matches(scheme, "sip") || bytes.matches(scheme, "sips")
    guard isSIP || bytes.matches(scheme, "tel") else {
      return SyntaxFlaw(
        .schemeUnsupported, "the scheme of the Request-URI is unknown", at: range.lowerBound, severity: .refused,
        status: 416)
    }
    guard isSIP else { return flaw(bytes, range) }
    // What follows a question mark is looked at last: it may belong to the user part.
    let start = hostStart(bytes, colon + 1..<range.upperBound)
    let question = bytes.first(UInt8(ascii: "?"), in: start..<range.upperBound)
    if let flaw = sipFlaw(bytes, colon + 1..<(question ?? range.upperBound), portLimit: 65_535) { return flaw }
    return question.map { SyntaxFlaw(.requestURIHeaders, "the Request-URI has headers", at: $0) }
  }

  /// Letters, digits and `+-.`.
  private static let schemeCharacters = ASCIISet(low: 0x03FF_6800_0000_0000, high: 0x07FF_FFFE_07FF_FFFE)

  private static func isScheme(_ bytes: Octets, _ range: Range<Int>) -> Bool {
    guard !range.isEmpty, Characters.isLetter(bytes[range.lowerBound]) else { return false }
    return range.allSatisfy { schemeCharacters.contains(bytes[$0]) }
  }

  private static func hostStart(_ bytes: Octets, _ range: Range<Int>) -> Int {
    bytes.first(UInt8(ascii: "@"), in: range).map { $0 + 1 } ?? range.lowerBound
  }

  /// The part after the scheme: user, host, port, parameters and headers. The grammar lets a port be any number; where a
  /// request is to go there it must be one that exists.
  private static func sipFlaw(_ bytes: Octets, _ range: Range<Int>, portLimit: Int) -> SyntaxFlaw? {
    var start = bytes.end(of: user, in: range)
    if start > range.lowerBound, start < range.upperBound, bytes[start] == UInt8(ascii: "@") {
      start += 1
    } else {
      // No user part, or one with more than its own characters.
      start = hostStart(bytes, range)
      if start > range.lowerBound, let flaw = userFlaw(bytes, range.lowerBound..<start - 1) { return flaw }
    }
    let nameEnd = HostGrammar.nameEnd(bytes, start..<range.upperBound)
    // Mostly nothing follows the host.
    if nameEnd == range.upperBound { return nil }
    var cursor = FieldCursor(bytes, start..<range.upperBound)
    let host = nameEnd.map { start..<$0 } ?? cursor.host()
    guard !host.isEmpty, host.lowerBound == start else {
      return SyntaxFlaw(.uriHost, "the URI has no host", at: start)
    }
    if host.upperBound == range.upperBound { return HostGrammar.flaw(bytes, host) }
    let portEnd =
      (host.upperBound..<range.upperBound).first { bytes[$0] == UInt8(ascii: ";") || bytes[$0] == UInt8(ascii: "?") }
      ?? range.upperBound
    let port = host.upperBound..<portEnd
    if port.count(where: { bytes[$0] == UInt8(ascii: ":") }) > 1 {
      return SyntaxFlaw(.uriBareIPv6, "an IPv6 address stands without brackets in the URI", at: start)
    }
    if nameEnd == nil, let flaw = HostGrammar.flaw(bytes, host) { return flaw }
    if !port.isEmpty,
      bytes[port.lowerBound] != UInt8(ascii: ":")
        || bytes.number(port.lowerBound + 1..<port.upperBound, limit: portLimit) == nil
    {
      let what = portLimit == .max ? "a port" : "a port from 0 to \(portLimit)"
      return SyntaxFlaw(.uriPort, "the host of the URI is not followed by \(what)", at: port.lowerBound)
    }
    let question = bytes.first(UInt8(ascii: "?"), in: portEnd..<range.upperBound) ?? range.upperBound
    if let flaw = listFlaw(bytes, portEnd..<question, UInt8(ascii: ";"), parameter, "a parameter of the URI") {
      return flaw
    }
    if question < range.upperBound {
      return listFlaw(bytes, question..<range.upperBound, UInt8(ascii: "&"), header, "a header of the URI")
    }
    return nil
  }

  private static func userFlaw(_ bytes: Octets, _ range: Range<Int>) -> SyntaxFlaw? {
    let colon = bytes.first(UInt8(ascii: ":"), in: range) ?? range.upperBound
    if range.lowerBound == colon {
      return SyntaxFlaw(.uriCharacter, "the user part of the URI is empty", at: range.lowerBound)
    }
    if let flaw = characters(bytes, range.lowerBound..<colon, user, "the user part of the URI") { return flaw }
    return characters(bytes, min(colon + 1, range.upperBound)..<range.upperBound, password, "the password of the URI")
  }

  /// `;a=b;c` or `?a=b&c`: each with its separator in front.
  private static func listFlaw(
    _ bytes: Octets, _ range: Range<Int>, _ separator: UInt8, _ allowed: ASCIISet, _ what: String
  ) -> SyntaxFlaw? {
    var start = range.lowerBound + 1
    while start <= range.upperBound {
      let end = bytes.first(separator, in: start..<range.upperBound) ?? range.upperBound
      let equals = bytes.first(UInt8(ascii: "="), in: start..<end) ?? end
      if equals == start { return SyntaxFlaw(.uriCharacter, "\(what) has no name", at: start) }
      if let flaw = characters(bytes, start..<equals, allowed, what) { return flaw }
      if equals < end, let flaw = characters(bytes, equals + 1..<end, allowed, what) { return flaw }
      start = end + 1
    }
    return nil
  }

  private static func characters(
    _ bytes: Octets, _ range: Range<Int>, _ allowed: ASCIISet, _ what: @autoclosure () -> String
  ) -> SyntaxFlaw? {
    var index = range.lowerBound
    while index < range.upperBound {
      if allowed.contains(bytes[index]) {
        index += 1
      } else if bytes[index] == UInt8(ascii: "%") {
        guard index + 2 < range.upperBound, Characters.isHexadecimal(bytes[index + 1]),
          Characters.isHexadecimal(bytes[index + 2])
        else { return SyntaxFlaw(.uriCharacter, "a % in \(what()) is not followed by two digits", at: index) }
        index += 3
      } else {
        return SyntaxFlaw(.uriCharacter, "a character may not stand in \(what())", at: index)
      }
    }
    return nil
  }
}
