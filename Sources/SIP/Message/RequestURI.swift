/// What may be wrong with a Request-URI.
enum RequestURI {
  static func flaw(_ bytes: [UInt8], _ range: Range<Int>) -> (text: String, offset: Int, status: Int)? {
    if bytes[range.lowerBound] == UInt8(ascii: "<") {
      return ("the Request-URI stands in angle brackets", range.lowerBound, 400)
    }
    if let white = bytes[range].firstIndex(where: Characters.isBlank) {
      return ("white space stands within the Request-URI", white, 400)
    }
    guard let colon = bytes[range].firstIndex(of: UInt8(ascii: ":")) else {
      return ("the Request-URI has no scheme", range.lowerBound, 400)
    }
    let scheme = range.lowerBound..<colon
    if bytes.matches(scheme, "tel") { return nil }
    guard bytes.matches(scheme, "sip") || bytes.matches(scheme, "sips") else {
      return ("the scheme of the Request-URI is unknown", range.lowerBound, 416)
    }
    let rest = colon + 1..<range.upperBound
    let hostStart = bytes[rest].firstIndex(of: UInt8(ascii: "@")).map { $0 + 1 } ?? rest.lowerBound
    var cursor = FieldCursor(bytes, hostStart..<range.upperBound)
    let host = cursor.host()
    if host.isEmpty { return ("the Request-URI has no host", hostStart, 400) }
    if cursor.take(UInt8(ascii: ":")) {
      let port = cursor.token()
      if bytes.number(port, limit: 65_535) == nil {
        return ("the port of the Request-URI is not from 0 to 65535", port.lowerBound, 400)
      }
    }
    while cursor.index < cursor.end, bytes[cursor.index] != UInt8(ascii: "?") {
      if bytes[cursor.index] == UInt8(ascii: ":"), bytes[host.lowerBound] != UInt8(ascii: "[") {
        let hasParameters = bytes[host.upperBound..<cursor.index].contains(UInt8(ascii: ";"))
        if !hasParameters { return ("an IPv6 address stands without brackets in the Request-URI", hostStart, 400) }
      }
      cursor.index += 1
    }
    if cursor.index < cursor.end { return ("the Request-URI has headers", cursor.index, 400) }
    return nil
  }
}
