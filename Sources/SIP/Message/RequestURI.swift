/// What may be wrong with a Request-URI.
enum RequestURI {
  static func flaw(_ bytes: Octets, _ range: Range<Int>) -> (text: String, offset: Int, status: Int)? {
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
    let isDelimiter: (UInt8) -> Bool = { $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: "?") }
    let hostEnd = bytes[host.upperBound..<range.upperBound].firstIndex(where: isDelimiter) ?? range.upperBound
    let port = host.upperBound..<hostEnd
    if bytes[port].lazy.filter({ $0 == UInt8(ascii: ":") }).count > 1 {
      return ("an IPv6 address stands without brackets in the Request-URI", hostStart, 400)
    }
    if !port.isEmpty,
      bytes[port.lowerBound] != UInt8(ascii: ":")
        || bytes.number(port.lowerBound + 1..<port.upperBound, limit: 65_535) == nil
    {
      return ("the host of the Request-URI is not followed by a port from 0 to 65535", port.lowerBound, 400)
    }
    if let question = bytes[hostEnd..<range.upperBound].firstIndex(of: UInt8(ascii: "?")) {
      return ("the Request-URI has headers", question, 400)
    }
    return nil
  }
}
