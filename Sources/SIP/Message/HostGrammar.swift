/// The grammar of `host` (RFC 3261 25.1, with the IPv6 addresses of RFC 5954).
enum HostGrammar {
  static func flaw(_ bytes: Octets, _ range: Range<Int>) -> SyntaxFlaw? {
    if bytes[range.lowerBound] == UInt8(ascii: "[") {
      guard bytes[range.upperBound - 1] == UInt8(ascii: "]"), range.count > 2 else {
        return SyntaxFlaw(.uriHost, "the bracket of an IPv6 address is not closed", at: range.lowerBound)
      }
      let address = range.lowerBound + 1..<range.upperBound - 1
      return isIPv6(bytes, address)
        ? nil : SyntaxFlaw(.uriHost, "what stands in brackets is no IPv6 address", at: address.lowerBound)
    }
    return nameFlaw(bytes, range)
  }

  /// Letters, digits, hyphen, dot and underscore. No name of a host in the DNS has an underscore, but the names of
  /// containers and services do, so it is let through.
  private static let name = ASCIISet(low: 0x03FF_6000_0000_0000, high: 0x07FF_FFFE_87FF_FFFE)

  /// Where the name that begins a range ends; `nil` if none does, or if it goes on with what may not stand in one. A name
  /// is labels with dots between them and perhaps one behind; no label has a hyphen at an end, and the last one begins
  /// with a letter.
  static func nameEnd(_ bytes: Octets, _ range: Range<Int>) -> Int? {
    let dot = UInt8(ascii: ".")
    let hyphen = UInt8(ascii: "-")
    let end = bytes.end(of: name, in: range)
    guard end > range.lowerBound, end == range.upperBound || !Characters.isToken(bytes[end]) else { return nil }
    var label = range.lowerBound
    while let place = bytes.first(dot, in: label..<end) {
      guard place > label, bytes[label] != hyphen, bytes[place - 1] != hyphen else { return nil }
      if place + 1 == end { break }
      label = place + 1
    }
    // Of a name with a dot behind this is the label before it.
    return bytes[label] == hyphen || bytes[end - 1] == hyphen || Characters.isDigit(bytes[label]) ? nil : end
  }

  /// What is wrong with a host that is no IPv6 address: it is a name or four numbers.
  private static func nameFlaw(_ bytes: Octets, _ range: Range<Int>) -> SyntaxFlaw? {
    if nameEnd(bytes, range) == range.upperBound || isIPv4(bytes, range) { return nil }
    if let other = range.first(where: { !name.contains(bytes[$0]) }) {
      return SyntaxFlaw(.uriHost, "a character may not stand in a host", at: other)
    }
    var start = range.lowerBound
    while true {
      let end = bytes.first(UInt8(ascii: "."), in: start..<range.upperBound) ?? range.upperBound
      guard end > start, bytes[start] != UInt8(ascii: "-"), bytes[end - 1] != UInt8(ascii: "-") else {
        return SyntaxFlaw(.uriHost, "a part of a host is empty or has a hyphen at its end", at: start)
      }
      if end + 1 >= range.upperBound { break }
      start = end + 1
    }
    return SyntaxFlaw(.uriHost, "the last part of a host begins with a digit, and it is no address", at: start)
  }

  /// An IPv6 address, perhaps with an IPv4 address at its end. Three colons before that are taken for two: the grammar of
  /// RFC 3261 has them, and RFC 5118 4.10 demands that they are tolerated.
  static func isIPv6(_ bytes: Octets, _ range: Range<Int>) -> Bool {
    var groups = 0
    var hasGap = false
    var index = range.lowerBound
    if index < range.upperBound, bytes[index] == UInt8(ascii: ":") {
      guard index + 1 < range.upperBound, bytes[index + 1] == UInt8(ascii: ":") else { return false }
    }
    while index < range.upperBound {
      if bytes[index] == UInt8(ascii: ":") {
        guard index + 1 < range.upperBound else { return false }
        if bytes[index + 1] == UInt8(ascii: ":") {
          if hasGap { return false }
          hasGap = true
          index += 2
          if index < range.upperBound, bytes[index] == UInt8(ascii: ":") {
            return groups <= 5 && isIPv4(bytes, index + 1..<range.upperBound)
          }
          continue
        }
        index += 1
      }
      let start = index
      while index < range.upperBound, Characters.isHexadecimal(bytes[index]) { index += 1 }
      if index < range.upperBound, bytes[index] == UInt8(ascii: ".") {
        guard isIPv4(bytes, start..<range.upperBound) else { return false }
        groups += 2
        index = range.upperBound
        break
      }
      guard (1...4).contains(index - start), index == range.upperBound || bytes[index] == UInt8(ascii: ":") else {
        return false
      }
      groups += 1
    }
    return hasGap ? groups <= 7 : groups == 8
  }

  private static func isIPv4(_ bytes: Octets, _ range: Range<Int>) -> Bool {
    var numbers = 0
    var start = range.lowerBound
    while start <= range.upperBound {
      let end = bytes.first(UInt8(ascii: "."), in: start..<range.upperBound) ?? range.upperBound
      guard end - start <= 3, bytes.number(start..<end, limit: 999) != nil else { return false }
      numbers += 1
      start = end + 1
    }
    return numbers == 4
  }
}
