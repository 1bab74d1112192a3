/// Where the parts of one Via lie (RFC 3261 20.42).
struct ViaParts {
  var transport, host: Range<Int>
  var port: Int?
  var branch, received: Range<Int>?
  var rport: Int??

  /// What is wrong with it, though it can be read.
  var flaw: SyntaxFlaw?

  /// The first Via of a value; `nil` if it is none.
  init?(_ bytes: Octets, _ range: Range<Int>) {
    var cursor = FieldCursor(bytes, range)
    self.init(&cursor)
  }

  /// Reads one Via and passes it; `nil` if none comes next. What follows is the end or a comma.
  init?(_ cursor: inout FieldCursor) {
    let bytes = cursor.bytes
    guard bytes.matches(cursor.token(), "sip"), cursor.take(UInt8(ascii: "/")), !cursor.token().isEmpty,
      cursor.take(UInt8(ascii: "/"))
    else { return nil }
    transport = cursor.token()
    _ = cursor.next()
    if let end = HostGrammar.nameEnd(bytes, cursor.index..<cursor.end) {
      host = cursor.index..<end
      cursor.index = end
    } else {
      host = cursor.host()
      flaw = host.isEmpty ? nil : HostGrammar.flaw(bytes, host)
    }
    guard !transport.isEmpty, !host.isEmpty, Characters.isWhite(bytes[transport.upperBound]) else { return nil }
    if cursor.take(UInt8(ascii: ":")) {
      guard let number = bytes.number(cursor.token(), limit: 65_535) else { return nil }
      port = number
    }
    while let (name, value) = cursor.checkedParameter(&flaw) {
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

  /// `nil` if the value is no number, white space and a method. A number that `Int` does not hold is its largest one.
  init?(_ bytes: Octets, _ range: Range<Int>) {
    var cursor = FieldCursor(bytes, range)
    let digits = cursor.token()
    method = cursor.token()
    guard !digits.isEmpty, digits.allSatisfy({ Characters.isDigit(bytes[$0]) }), !method.isEmpty, cursor.next() == nil
    else {
      return nil
    }
    number = bytes.number(digits, limit: .max) ?? .max
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
  /// The parameters, from the first semicolon on.
  var parameters: FieldCursor
  /// The value of the parameter `tag` (RFC 3261 19.3).
  var tag: Range<Int>?
  /// What is wrong outside of the URI.
  var flaw: SyntaxFlaw?

  init(_ bytes: Octets, _ range: Range<Int>) {
    let range = bytes.trimmed(range)
    var cursor = FieldCursor(bytes, range)
    displayName = range.lowerBound..<range.lowerBound
    if cursor.next() == Characters.quote {
      if let quoted = cursor.quotedString() {
        displayName = quoted
      } else {
        flaw = SyntaxFlaw(.quotedString, "a quoted string does not end", at: range.lowerBound)
      }
    }
    let wordsEnd = bytes.end(of: Self.wordsAndSpace, in: cursor.index..<range.upperBound)
    var place = wordsEnd
    while place < range.upperBound, bytes[place] != UInt8(ascii: "<"), bytes[place] != UInt8(ascii: ";") {
      place += 1
    }
    hasBrackets = place < range.upperBound && bytes[place] == UInt8(ascii: "<")
    guard hasBrackets else {
      uri = bytes.trimmed(cursor.index..<place)
      parameters = FieldCursor(bytes, place..<range.upperBound)
      if flaw == nil, !displayName.isEmpty {
        flaw = SyntaxFlaw(
          .angleBracket, "a display name stands before a URI without angle brackets", at: uri.lowerBound)
      }
      if flaw == nil,
        let place = bytes[uri].firstIndex(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: ",") })
      {
        flaw = SyntaxFlaw(
          .headersWithoutBracket, "a URI with a question mark or a comma stands without angle brackets", at: place)
      }
      if flaw == nil, let white = bytes[uri].firstIndex(where: Characters.isWhite) {
        flaw = SyntaxFlaw(.angleBracket, "words stand where a URI is to stand, and it has no angle brackets", at: white)
      }
      tag = Self.tag(among: parameters, &flaw)
      return
    }
    if displayName.isEmpty {
      displayName = bytes.trimmed(cursor.index..<place)
      if flaw == nil, wordsEnd < place {
        let what = bytes[wordsEnd] == UInt8(ascii: ",") ? "a comma" : "a character that may not stand there"
        flaw = SyntaxFlaw(.displayName, "a display name without quotes holds \(what)", at: wordsEnd)
      }
    } else if flaw == nil, cursor.next() != UInt8(ascii: "<") {
      flaw = SyntaxFlaw(.displayName, "something stands between a quoted display name and the URI", at: cursor.index)
    }
    let start = place + 1
    place = bytes.first(UInt8(ascii: ">"), in: start..<range.upperBound) ?? range.upperBound
    uri = start..<place
    if flaw == nil, place == range.upperBound {
      flaw = SyntaxFlaw(.angleBracket, "an angle bracket is not closed", at: start - 1)
    }
    if flaw == nil, bytes.first(in: uri, { $0.below(0x21) }) < uri.upperBound,
      let white = bytes[uri].firstIndex(where: Characters.isWhite)
    {
      flaw = SyntaxFlaw(.bracketSpace, "white space stands within the angle brackets", at: white)
    }
    parameters = FieldCursor(bytes, min(place + 1, range.upperBound)..<range.upperBound)
    tag = Self.tag(among: parameters, &flaw)
  }

  /// The characters of a token, and white space.
  private static let wordsAndSpace = ASCIISet(low: 0x03FF_6CA3_0000_2600, high: 0x47FF_FFFF_87FF_FFFE)
  /// Passes all parameters for the tag and for what is wrong with them.
  private static func tag(among parameters: FieldCursor, _ flaw: inout SyntaxFlaw?) -> Range<Int>? {
    var cursor = parameters
    var tag: Range<Int>?
    while let (name, value) = cursor.checkedParameter(&flaw) {
      if tag == nil, let value, cursor.bytes.matches(name, "tag") { tag = value }
    }
    if flaw == nil, cursor.next() != nil {
      flaw = SyntaxFlaw(.parameter, "something follows the address that is no parameter", at: cursor.index)
    }
    return tag
  }
}
