/// A place in a header field's value. Every read skips the white space before it, folds included.
struct FieldCursor {
  let bytes: Octets
  var index: Int
  let end: Int

  init(_ bytes: Octets, _ range: Range<Int>) {
    self.bytes = bytes
    index = range.lowerBound
    end = range.upperBound
  }

  /// The next octet that is no white space.
  @inline(__always)
  mutating func next() -> UInt8? {
    while index < end, Characters.isWhite(bytes[index]) { index += 1 }
    return index < end ? bytes[index] : nil
  }

  /// Passes an octet if it comes next.
  @inline(__always)
  mutating func take(_ byte: UInt8) -> Bool {
    guard next() == byte else { return false }
    index += 1
    return true
  }

  /// The longest token that comes next; empty if there is none.
  @inline(__always)
  mutating func token() -> Range<Int> {
    _ = next()
    let start = index
    index = bytes.end(of: Characters.token, in: index..<end)
    return start..<index
  }

  /// A quoted string with its quotes; `nil` if none comes next or it does not end.
  mutating func quotedString() -> Range<Int>? {
    guard next() == Characters.quote else { return nil }
    let start = index
    var place = index + 1
    while place < end {
      switch bytes[place] {
      case Characters.backslash: place += 2
      case Characters.quote:
        index = place + 1
        return start..<index
      default: place += 1
      }
    }
    return nil
  }

  /// One `;name=value`. `nil` if no semicolon comes next. A parameter without a name is empty.
  mutating func parameter() -> (name: Range<Int>, value: Range<Int>?)? {
    guard take(UInt8(ascii: ";")) else { return nil }
    let name = token()
    guard take(UInt8(ascii: "=")) else {
      skipToDelimiter()
      return (name, nil)
    }
    if let value = quotedString() { return (name, value) }
    _ = next()
    let start = index
    skipToDelimiter()
    return (name, start..<index)
  }

  /// One `;name=value` like ``parameter()``, with what is wrong with it: no name, no value after the equals sign, a value
  /// that is no token, host or quoted string, or something that follows (RFC 3261 25.1, `generic-param`).
  mutating func checkedParameter(_ flaw: inout SyntaxFlaw?) -> (name: Range<Int>, value: Range<Int>?)? {
    guard next() == UInt8(ascii: ";") else { return nil }
    let start = index
    index += 1
    let name = token()
    if name.isEmpty, flaw == nil { flaw = SyntaxFlaw(.parameter, "a semicolon is followed by no parameter", at: start) }
    guard take(UInt8(ascii: "=")) else {
      if index < end, !Characters.isDelimiter(bytes[index]), flaw == nil {
        flaw = SyntaxFlaw(.parameter, "a character may not stand in the name of a parameter", at: index)
      }
      skipToDelimiter()
      return (name, nil)
    }
    if next() == Characters.quote {
      let quote = index
      if let value = quotedString() {
        if index < end, !Characters.isDelimiter(bytes[index]), flaw == nil {
          flaw = SyntaxFlaw(.parameter, "something follows the quoted value of a parameter", at: index)
        }
        return (name, value)
      }
      if flaw == nil { flaw = SyntaxFlaw(.quotedString, "a quoted string does not end", at: quote) }
    }
    let valueStart = index
    index = bytes.end(of: Characters.tokenOrHost, in: index..<end)
    if flaw == nil {
      if index == valueStart {
        flaw = SyntaxFlaw(.parameter, "a parameter has an equals sign and no value", at: valueStart)
      } else if index < end, !Characters.isDelimiter(bytes[index]) {
        flaw = SyntaxFlaw(.parameter, "a character may not stand in the value of a parameter", at: index)
      }
    }
    skipToDelimiter()
    return (name, valueStart..<index)
  }

  /// Passes everything up to white space, a semicolon or a comma.
  private mutating func skipToDelimiter() {
    while index < end, !Characters.isDelimiter(bytes[index]) { index += 1 }
  }

  /// A host name, an IPv4 address or an IPv6 reference with its brackets (RFC 3261 25.1).
  mutating func host() -> Range<Int> {
    let first = next()
    let start = index
    if first == UInt8(ascii: "[") {
      while index < end, bytes[index] != UInt8(ascii: "]"), !Characters.isWhite(bytes[index]) { index += 1 }
      if index < end, bytes[index] == UInt8(ascii: "]") { index += 1 }
      return start..<index
    }
    while index < end, Characters.isToken(bytes[index]) { index += 1 }
    return start..<index
  }
}
