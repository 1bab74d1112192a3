import Instant

/// Durations, numbers and addresses.
extension LineCursor {
  func span(_ text: String, _ range: SourceRange) throws(LineProblem) -> Span {
    switch Duration.read(text) {
    case .span(let span): return span
    case .malformed(let help):
      throw problem(
        .durationMalformed, "`\(text)` is not a duration", range, help: help ?? "a number with us, ms, s or min")
    }
  }

  mutating func duration() throws(LineProblem) -> Span {
    let word = try word("a duration")
    return try span(word.text, word.range)
  }

  mutating func durationRange() throws(LineProblem) -> ClosedRange<Span> {
    let word = try word("a duration")
    return try spanRange(word.text, word.range)
  }

  func spanRange(_ text: String, _ range: SourceRange) throws(LineProblem) -> ClosedRange<Span> {
    let bytes = Array(text.utf8)
    guard let dots = bytes.indices.dropLast().first(where: { bytes[$0] == 0x2E && bytes[$0 + 1] == 0x2E }) else {
      let single = try span(text, range)
      return single...single
    }
    let low = try span(String(decoding: bytes[..<dots], as: UTF8.self), range)
    let high = try span(String(decoding: bytes[(dots + 2)...], as: UTF8.self), range)
    guard low <= high else { throw problem(.rangeReversed, "the range `\(text)` ends before it starts", range) }
    return low...high
  }

  mutating func number(_ what: String, in allowed: ClosedRange<Int>) throws(LineProblem) -> Int {
    let word = try word(what)
    guard let number = Number.read(word.text), allowed.contains(number) else {
      throw problem(.numberMalformed, "`\(word.text)` is not \(what)", word.range)
    }
    return number
  }

  /// A status code, from 100 to 699.
  mutating func status() throws(LineProblem) -> Int { try status(try word("a status")) }

  func status(_ word: Word) throws(LineProblem) -> Int {
    guard let status = Number.status(word.text) else {
      throw problem(.statusMalformed, "`\(word.text)` is not a status from 100 to 699", word.range)
    }
    return status
  }

  /// Digits as a telephone sends them, in upper case (RFC 4733 3.2).
  mutating func digits(_ counts: ClosedRange<Int>) throws(LineProblem) -> String {
    let string = try plainString()
    let digits = string.text.uppercased()
    guard digits.utf8.allSatisfy(Self.isDigitOfTelephone) else {
      throw problem(
        .valueMalformed, "`\(string.text)` is not made of digits", string.range,
        help: "digits are 0 to 9, `*`, `#`, A to D")
    }
    guard counts.contains(digits.utf8.count) else {
      throw problem(
        .valueMalformed,
        "\(digits.utf8.count) digits, where \(counts.lowerBound) to \(counts.upperBound) can be pressed",
        string.range)
    }
    return digits
  }

  private static func isDigitOfTelephone(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x44).contains(byte) || byte == 0x2A || byte == 0x23
  }

  mutating func uri() throws(LineProblem) -> Word {
    let word = try word("a SIP URI")
    guard let colon = word.text.firstIndex(of: ":"), ["sip", "sips"].contains(word.text[..<colon].lowercased()),
      HostAddress(word.text) != nil, word.text.utf8.allSatisfy(Self.isOfURI), !word.text.contains(":@")
    else {
      throw problem(.uriMalformed, "`\(word.text)` is not a SIP URI", word.range, help: "write `sip:user@host`")
    }
    return word
  }

  /// Reserved and unreserved characters, escapes, and the brackets of an IPv6 address (RFC 3261 25.1).
  private static func isOfURI(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "-_.!~*'();/?:@&=+$,%[]".utf8.contains(byte)
    }
  }

  mutating func host() throws(LineProblem) -> String {
    let word = try word("a host")
    guard HostAddress(word.text) != nil, !word.text.contains("@") else {
      throw problem(.valueMalformed, "`\(word.text)` is not a host", word.range, help: "write `10.0.0.2` or a name")
    }
    return word.text
  }
}
