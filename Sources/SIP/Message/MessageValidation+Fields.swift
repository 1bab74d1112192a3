/// The header fields that the reader itself knows.
extension MessageValidation {
  mutating func check(_ field: HeaderField, isFirst: Bool) {
    let range = field.valueRange
    let offset = range.lowerBound
    switch field.name {
    case .via: checkVias(range, isTopmost: isFirst)
    case .from, .to:
      let name = field.name == .from ? "From" : "To"
      guard isFirst else { return failRepeated(name, field) }
      let parts = AddressParts(bytes, range)
      checkAddress(name, range, uri: parts.uri, parts.flaw)
      if field.name == .from { routing.fromTag = parts.tag } else { routing.toTag = parts.tag }
    case .callID:
      guard isFirst else { return failRepeated("Call-ID", field) }
      routing.callID = range
      checkCallID(range)
    case .sequence:
      guard isFirst else { return failRepeated("CSeq", field) }
      routing.sequence = SequenceParts(bytes, range)
      checkSequence(range)
    case .maxForwards:
      guard isFirst else { return failRepeated("Max-Forwards", field) }
      if bytes.number(range, limit: 255) == nil {
        fail(.maxForwards, "Max-Forwards", offset, "Max-Forwards is not from 0 to 255")
      }
    case .contact:
      if range.count == 1, bytes[offset] == UInt8(ascii: "*") { return }
      checkAddresses("Contact", range, needsBrackets: false)
    case .route, .recordRoute:
      checkAddresses(field.name == .route ? "Route" : "Record-Route", range, needsBrackets: true)
    case .contentLength:
      if !isFirst { failRepeated("Content-Length", field) }
    case .contentType:
      guard isFirst else { return failRepeated("Content-Type", field) }
      checkMediaType(range)
    case .expires:
      guard isFirst else { return failRepeated("Expires", field) }
      if bytes.number(range, limit: 4_294_967_295) == nil {
        warn(.seconds, "Expires", offset, "Expires is not a number of seconds below 2^32")
      }
    case .date:
      guard isFirst else { return failRepeated("Date", field) }
      if let flaw = DateGrammar.flaw(bytes, range) { fail("Date", flaw) }
    case .other: break
    }
  }

  private mutating func failRepeated(_ name: String, _ field: HeaderField) {
    fail(.fieldRepeated, name, field.nameRange.lowerBound, "\(name) stands more than once")
  }

  // MARK: Via

  private mutating func checkVias(_ range: Range<Int>, isTopmost: Bool) {
    var cursor = FieldCursor(bytes, range)
    var isTopmost = isTopmost
    repeat {
      guard cursor.next() != nil, cursor.next() != UInt8(ascii: ",") else {
        return fail(.parameter, "Via", cursor.index, "an element of the list is empty")
      }
      let start = cursor.index
      guard let via = ViaParts(&cursor) else {
        return fail(.via, "Via", start, isTopmost ? "the topmost Via cannot be read" : "a Via cannot be read")
      }
      if let flaw = via.flaw { fail("Via", flaw) }
      if isTopmost {
        checkBranch(via.branch, of: start)
        routing.topVia = via
      }
      isTopmost = false
    } while cursor.take(UInt8(ascii: ","))
  }

  /// RFC 3261 8.1.1.7. A branch without the magic cookie is that of an element of RFC 2543; the cookie alone promises a
  /// name of the transaction and gives none.
  private mutating func checkBranch(_ branch: Range<Int>?, of offset: Int) {
    guard let branch, branch.count >= 7, bytes.matches(branch.lowerBound..<branch.lowerBound + 7, "z9hg4bk") else {
      return warn(.branchWithoutCookie, "Via", branch?.lowerBound ?? offset, "the branch has no magic cookie")
    }
    if branch.count == 7 { fail(.branchEmpty, "Via", branch.lowerBound, "the branch is the magic cookie alone") }
  }

  // MARK: Addresses

  private mutating func checkAddresses(_ name: String, _ range: Range<Int>, needsBrackets: Bool) {
    var elements = 0
    ListSplitter.forEach(bytes, range) { element in
      elements += 1
      let parts = AddressParts(bytes, element)
      checkAddress(name, element, uri: parts.uri, parts.flaw)
      if needsBrackets, !parts.hasBrackets, !parts.uri.isEmpty {
        fail(.angleBracket, name, parts.uri.lowerBound, "the URI stands without angle brackets")
      }
    }
    let isEmptyAtEnd = !range.isEmpty && bytes[range.upperBound - 1] == UInt8(ascii: ",")
    if elements == 0 || isEmptyAtEnd || bytes[range.lowerBound] == UInt8(ascii: ",") {
      fail(.parameter, name, range.lowerBound, "an element of the list is empty")
    }
  }

  private mutating func checkAddress(_ name: String, _ range: Range<Int>, uri: Range<Int>, _ flaw: SyntaxFlaw?) {
    if let flaw {
      fail(name, flaw)
    } else if uri.isEmpty {
      fail(.addressMissing, name, range.lowerBound, "there is no URI")
    } else if let flaw = URIGrammar.flaw(bytes, uri) {
      fail(name, flaw)
    } else {
      checkNull(name, uri)
    }
  }

  // MARK: Call-ID, CSeq, Content-Type

  /// `word [ "@" word ]`: tokens and a few more characters (RFC 3261 25.1).
  private mutating func checkCallID(_ range: Range<Int>) {
    if range.isEmpty { return fail(.callID, "Call-ID", range.lowerBound, "Call-ID is empty") }
    var at: Int?
    var index = range.lowerBound
    while true {
      index = bytes.end(of: Characters.token, in: index..<range.upperBound)
      if index == range.upperBound { break }
      let byte = bytes[index]
      if Characters.isWhite(byte) {
        return fail(.callID, "Call-ID", index, "white space stands within Call-ID")
      }
      if byte == UInt8(ascii: "@"), at == nil {
        at = index
      } else if !Self.wordCharacters.contains(byte) {
        return fail(.callID, "Call-ID", index, "a character may not stand in Call-ID")
      }
      index += 1
    }
    if let at, at == range.lowerBound || at == range.upperBound - 1 {
      fail(.callID, "Call-ID", at, "nothing stands on one side of the @ of Call-ID")
    }
  }

  /// What may stand in a `word` besides the characters of a token.
  /// Letters, digits and `()<>:\"/[]?{}`.
  private static let wordCharacters = ASCIISet(low: 0xD7FF_8304_0000_0000, high: 0x2FFF_FFFE_3FFF_FFFE)

  private mutating func checkSequence(_ range: Range<Int>) {
    guard let sequence = routing.sequence else {
      return fail(.sequence, "CSeq", range.lowerBound, "CSeq is not a number and a method")
    }
    if sequence.number >= 2_147_483_648 {
      fail(.sequenceNumber, "CSeq", range.lowerBound, "the number of CSeq is not below 2^31")
    }
    if isRequest, !bytes.buffer(sequence.method).elementsEqual(bytes.buffer(startLine.method)) {
      fail(
        .sequenceMethod, "CSeq", sequence.method.lowerBound, "the method of CSeq is not the method of the request")
    }
  }

  private mutating func checkMediaType(_ range: Range<Int>) {
    var cursor = FieldCursor(bytes, range)
    guard !cursor.token().isEmpty, cursor.take(UInt8(ascii: "/")), !cursor.token().isEmpty else {
      return fail(.mediaType, "Content-Type", range.lowerBound, "Content-Type is no type and subtype")
    }
    var flaw: SyntaxFlaw?
    while cursor.checkedParameter(&flaw) != nil {}
    if flaw == nil, cursor.next() != nil {
      flaw = SyntaxFlaw(.mediaType, "something follows the media type that is no parameter", at: cursor.index)
    }
    if let flaw { fail("Content-Type", flaw) }
  }
}

/// The date of RFC 1123, the only one that SIP has (RFC 3261 20.17).
enum DateGrammar {
  private static let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// `Sat, 13 Nov 2010 23:29:00 GMT`.
  static func flaw(_ bytes: Octets, _ range: Range<Int>) -> SyntaxFlaw? {
    let text = bytes.text(range)
    guard text.hasSuffix("GMT") else { return SyntaxFlaw(.date, "Date is not in GMT", at: range.lowerBound) }
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    let isDate =
      words.count == 6 && words[0].last == "," && days.contains(String(words[0].dropLast()))
      && isNumber(words[1], digits: 2, 1...31) && months.contains(String(words[2]))
      && isNumber(words[3], digits: 4, 0...9_999) && isTime(words[4]) && words[5] == "GMT"
    return isDate ? nil : SyntaxFlaw(.date, "Date does not have the form of RFC 1123", at: range.lowerBound)
  }

  private static func isTime(_ text: Substring) -> Bool {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3 else { return false }
    return isNumber(parts[0], digits: 2, 0...23) && isNumber(parts[1], digits: 2, 0...59)
      && isNumber(parts[2], digits: 2, 0...60)
  }

  private static func isNumber(_ text: Substring, digits: Int, _ range: ClosedRange<Int>) -> Bool {
    guard text.utf8.count == digits, text.utf8.allSatisfy(Characters.isDigit), let value = Int(text) else {
      return false
    }
    return range.contains(value)
  }
}
