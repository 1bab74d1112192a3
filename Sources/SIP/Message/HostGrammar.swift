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

  /// A name is labels of letters, digits and hyphens with dots between them and perhaps one behind; the last begins with
  /// a letter. Four numbers are an IPv4 address. An underscore is let through: no name of a host in the DNS has one, but
  /// the names of containers and services do.
  private static func nameFlaw(_ bytes: Octets, _ range: Range<Int>) -> SyntaxFlaw? {
    var labelStart = range.lowerBound
    var index = range.lowerBound
    var numbers = 0
    var labels = 0
    while labelStart < range.upperBound {
      index = labelStart
      var isNumber = true
      while index < range.upperBound, bytes[index] != UInt8(ascii: ".") {
        let byte = bytes[index]
        let isDigit = Characters.isDigit(byte)
        guard isDigit || Characters.isLetter(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") else {
          return SyntaxFlaw(.uriHost, "a character may not stand in a host", at: index)
        }
        if !isDigit { isNumber = false }
        index += 1
      }
      guard index > labelStart, bytes[labelStart] != UInt8(ascii: "-"), bytes[index - 1] != UInt8(ascii: "-") else {
        return SyntaxFlaw(
          .uriHost, "a part of a host is empty or has a hyphen at its end", at: min(labelStart, range.upperBound - 1))
      }
      labels += 1
      if isNumber { numbers += index - labelStart <= 3 ? 1 : 5 }
      if index == range.upperBound || index + 1 == range.upperBound { break }
      labelStart = index + 1
    }
    // The last label of a name begins with a letter, so what ends in a number is four numbers.
    guard Characters.isDigit(bytes[labelStart]) else { return nil }
    let isAddress = labels == 4 && numbers == 4 && index == range.upperBound
    return isAddress
      ? nil
      : SyntaxFlaw(.uriHost, "the last part of a host begins with a digit, and it is no address", at: labelStart)
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
      let end = bytes[start..<range.upperBound].firstIndex(of: UInt8(ascii: ".")) ?? range.upperBound
      guard end - start <= 3, bytes.number(start..<end, limit: 999) != nil else { return false }
      numbers += 1
      start = end + 1
    }
    return numbers == 4
  }
}
