/// The octets of RFC 3261 25.1 that the readers ask about.
enum Characters {
  static let tab: UInt8 = 0x09
  static let lineFeed: UInt8 = 0x0A
  static let carriageReturn: UInt8 = 0x0D
  static let space: UInt8 = 0x20
  static let quote = UInt8(ascii: "\"")
  static let backslash = UInt8(ascii: "\\")

  /// Letters, digits and ``!%'*+-._`~``.
  static let token = ASCIISet(low: 0x03FF_6CA2_0000_0000, high: 0x47FF_FFFF_87FF_FFFE)
  /// The characters of a token, and `[]:`.
  static let tokenOrHost = ASCIISet(low: 0x07FF_6CA2_0000_0000, high: 0x47FF_FFFF_AFFF_FFFE)
  /// White space, `;` and `,`.
  private static let delimiters = ASCIISet(low: 0x0800_1001_0000_2600, high: 0)

  /// Whether an octet may stand in a `token`.
  @inline(__always)
  static func isToken(_ byte: UInt8) -> Bool { token.contains(byte) }

  @inline(__always)
  static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

  @inline(__always)
  static func isHexadecimal(_ byte: UInt8) -> Bool { isDigit(byte) || (byte | 0x20) &- 0x61 < 6 }

  @inline(__always)
  static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }

  @inline(__always)
  static func isBlank(_ byte: UInt8) -> Bool { byte == space || byte == tab }

  @inline(__always)
  static func isLineEnd(_ byte: UInt8) -> Bool { byte == lineFeed || byte == carriageReturn }

  /// Whether an octet belongs to linear white space, folds included.
  @inline(__always)
  static func isWhite(_ byte: UInt8) -> Bool {
    byte <= space && (0x1_0000_2600 as UInt64) &>> UInt64(byte) & 1 != 0
  }

  /// Whether an octet ends the name or the value of a parameter.
  @inline(__always)
  static func isDelimiter(_ byte: UInt8) -> Bool { delimiters.contains(byte) }

  @inline(__always)
  static func lowercased(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }
}

extension Octets {
  /// Whether the octets of a range are a word, whatever the case of its letters. The word is in lower case.
  @inline(__always)
  func matches(_ range: Range<Int>, _ word: StaticString) -> Bool {
    guard range.count == word.utf8CodeUnitCount else { return false }
    let octets = buffer(range)
    let expected = word.utf8Start
    var index = 0
    while index < octets.count {
      if Characters.lowercased(octets[index]) != expected[index] { return false }
      index += 1
    }
    return true
  }

  /// The text of a range; every fold is one space (RFC 3261 7.3.1). What is no UTF-8 is replaced.
  func text(_ range: Range<Int>) -> String {
    if lineEnd(range) == range.upperBound { return String(decoding: buffer(range), as: UTF8.self) }
    var unfolded: [UInt8] = []
    unfolded.reserveCapacity(range.count)
    var index = range.lowerBound
    while index < range.upperBound {
      if Characters.isLineEnd(self[index]) {
        while let last = unfolded.last, Characters.isBlank(last) { unfolded.removeLast() }
        while index < range.upperBound, Characters.isWhite(self[index]) { index += 1 }
        unfolded.append(Characters.space)
      } else {
        unfolded.append(self[index])
        index += 1
      }
    }
    return String(decoding: unfolded, as: UTF8.self)
  }

  /// The number that the digits of a range are; `nil` if it is empty, holds anything else, or exceeds the limit.
  func number(_ range: Range<Int>, limit: Int) -> Int? {
    guard !range.isEmpty else { return nil }
    var value = 0
    for index in range {
      guard Characters.isDigit(self[index]) else { return nil }
      let (tens, overflows) = value.multipliedReportingOverflow(by: 10)
      value = overflows ? limit : tens
      guard !overflows, value <= limit - Int(self[index] &- 0x30) else { return nil }
      value += Int(self[index] &- 0x30)
    }
    return value
  }

  /// A range without white space at its ends.
  func trimmed(_ range: Range<Int>) -> Range<Int> {
    var (lower, upper) = (range.lowerBound, range.upperBound)
    while lower < upper, Characters.isWhite(self[lower]) { lower += 1 }
    while upper > lower, Characters.isWhite(self[upper - 1]) { upper -= 1 }
    return lower..<upper
  }
}
