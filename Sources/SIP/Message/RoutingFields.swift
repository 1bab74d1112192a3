/// Where the parts of one Via lie (RFC 3261 20.42).
struct ViaParts {
  var transport, host: Range<Int>
  var port: Int?
  var branch, received: Range<Int>?
  var rport: Int??

  /// The first Via of a value; `nil` if it is none.
  init?(_ bytes: Octets, _ range: Range<Int>) {
    var cursor = FieldCursor(bytes, range)
    guard bytes.matches(cursor.token(), "sip"), cursor.take(UInt8(ascii: "/")), !cursor.token().isEmpty,
      cursor.take(UInt8(ascii: "/"))
    else { return nil }
    transport = cursor.token()
    host = cursor.host()
    guard !transport.isEmpty, !host.isEmpty else { return nil }
    if cursor.take(UInt8(ascii: ":")) {
      guard let number = bytes.number(cursor.token(), limit: 65_535) else { return nil }
      port = number
    }
    while let (name, value) = cursor.parameter() {
      if bytes.matches(name, "branch") {
        branch = value
      } else if bytes.matches(name, "received") {
        received = value
      } else if bytes.matches(name, "rport") {
        rport = .some(value.flatMap { bytes.number($0, limit: 65_535) })
      }
    }
    let next = cursor.next()
    guard next == nil || next == UInt8(ascii: ",") else { return nil }
  }

  func via(_ bytes: Octets) -> Via {
    Via(
      transport: bytes.text(transport), host: bytes.text(host), port: port, branch: branch.map(bytes.text),
      received: received.map(bytes.text), rport: rport)
  }
}

/// Where the parts of CSeq lie.
struct SequenceParts {
  var number: Int
  var method: Range<Int>

  /// `nil` if the value is no number that `Int` holds, white space and a method.
  init?(_ bytes: Octets, _ range: Range<Int>) {
    var cursor = FieldCursor(bytes, range)
    let digits = cursor.token()
    method = cursor.token()
    guard let value = bytes.number(digits, limit: .max), !method.isEmpty, cursor.next() == nil else { return nil }
    number = value
  }

  func sequence(_ bytes: Octets) -> CommandSequence {
    CommandSequence(number: number, method: Method(bytes.text(method)))
  }
}

/// Where the parts of a `name-addr` or `addr-spec` with its parameters lie (RFC 3261 20.10).
struct AddressParts {
  /// The display name with its quotes, if it has any; empty if there is none.
  var displayName: Range<Int>
  /// The URI without the angle brackets.
  var uri: Range<Int>
  var hasBrackets: Bool
  /// Whether the URI may hold an escaped octet.
  var hasEscape = false
  var parameters: FieldCursor
  /// What is wrong, as a sentence, and where.
  var flaw: (text: String, offset: Int)?

  init(_ bytes: Octets, _ range: Range<Int>) {
    let range = bytes.trimmed(range)
    var cursor = FieldCursor(bytes, range)
    displayName = range.lowerBound..<range.lowerBound
    if cursor.next() == Characters.quote {
      if let quoted = cursor.quotedString() {
        displayName = quoted
      } else {
        flaw = ("a quoted string does not end", range.lowerBound)
      }
    }
    var place = cursor.index
    while place < range.upperBound, bytes[place] != UInt8(ascii: "<"), bytes[place] != UInt8(ascii: ";") {
      place += 1
    }
    hasBrackets = place < range.upperBound && bytes[place] == UInt8(ascii: "<")
    guard hasBrackets else {
      uri = bytes.trimmed(cursor.index..<place)
      hasEscape = true
      parameters = FieldCursor(bytes, place..<range.upperBound)
      if flaw == nil, !displayName.isEmpty {
        flaw = ("a display name stands before a URI without angle brackets", uri.lowerBound)
      }
      if flaw == nil, let question = bytes[uri].firstIndex(of: UInt8(ascii: "?")) {
        flaw = ("a URI with headers stands without angle brackets", question)
      }
      return
    }
    if displayName.isEmpty {
      displayName = bytes.trimmed(cursor.index..<place)
      if flaw == nil, let comma = bytes[displayName].firstIndex(of: UInt8(ascii: ",")) {
        flaw = ("a display name without quotes holds a comma", comma)
      }
    }
    let start = place + 1
    place = start
    var white: Int?
    while place < range.upperBound {
      let byte = bytes[place]
      if byte == UInt8(ascii: ">") { break }
      if Characters.isWhite(byte), white == nil { white = place }
      if byte == UInt8(ascii: "%") { hasEscape = true }
      place += 1
    }
    uri = start..<place
    if flaw == nil, place == range.upperBound { flaw = ("an angle bracket is not closed", start - 1) }
    if flaw == nil, let white {
      flaw = ("white space stands within the angle brackets", white)
    }
    parameters = FieldCursor(bytes, min(place + 1, range.upperBound)..<range.upperBound)
  }

  /// The parameter `tag` (RFC 3261 19.3).
  func tag(_ bytes: Octets) -> Range<Int>? {
    var cursor = parameters
    while let (name, value) = cursor.parameter() {
      if bytes.matches(name, "tag"), let value { return value }
    }
    return nil
  }
}
