/// Strings and what `${…}` names in them.
extension LineCursor {
  /// A string in double quotes, as bytes without escapes.
  private mutating func stringBytes() throws(LineProblem) -> (bytes: [UInt8], offsets: [Int], range: SourceRange) {
    guard position < end, bytes[position] == 0x22 else { throw missing("a string in double quotes") }
    let from = position
    var index = position + 1
    var result: [UInt8] = []
    var offsets: [Int] = []
    while index < end, bytes[index] != 0x22 {
      if bytes[index] == 0x5C {
        guard index + 1 < end, bytes[index + 1] == 0x22 || bytes[index + 1] == 0x5C else {
          throw problem(
            .escapeUnknown, "unknown escape in a string", range(index, min(index + 2, end)),
            help: "only `\\\"` and `\\\\` are escapes")
        }
        index += 1
      }
      result.append(bytes[index])
      offsets.append(index)
      index += 1
    }
    guard index < end else { throw problem(.stringUnterminated, "the string is not closed", range(from, end)) }
    position = index + 1
    lastEnd = position
    skipBlanks()
    return (result, offsets, range(from, index + 1))
  }

  mutating func plainString() throws(LineProblem) -> Word {
    let string = try stringBytes()
    return Word(text: String(decoding: string.bytes, as: UTF8.self), range: string.range)
  }

  mutating func templateString() throws(LineProblem) -> TemplateText {
    let string = try stringBytes()
    return try template(string.bytes, string.offsets, string.range)
  }

  /// Cuts a text at its `${…}`.
  mutating func template(_ content: [UInt8], _ offsets: [Int], _ whole: SourceRange) throws(LineProblem) -> TemplateText
  {
    var pieces: [TemplateText.Piece] = []
    var literal: [UInt8] = []
    var index = 0
    while index < content.count {
      guard content[index] == 0x24, index + 1 < content.count, content[index + 1] == 0x7B else {
        literal.append(content[index])
        index += 1
        continue
      }
      guard let close = content[index...].firstIndex(of: 0x7D) else {
        throw problem(.referenceMalformed, "`${` is not closed by `}`", range(offsets[index], offsets[index] + 2))
      }
      let name = String(decoding: content[(index + 2)..<close], as: UTF8.self)
      let place = range(offsets[index], offsets[close] + 1)
      if name.hasPrefix("hex:") {
        let digits = name.dropFirst(4)
        guard !digits.isEmpty, digits.utf8.count % 2 == 0, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
          throw problem(.referenceMalformed, "`${\(name)}` needs pairs of hexadecimal digits", place)
        }
      } else if name.isEmpty || !name.utf8.allSatisfy({ Self.isNameByte($0) || $0 == 0x2E }) {
        throw problem(.referenceMalformed, "`${\(name)}` is not a reference", place)
      }
      if !literal.isEmpty { pieces.append(.literal(String(decoding: literal, as: UTF8.self))) }
      literal = []
      pieces.append(.reference(name))
      uses.append(NameUse(kind: .reference, name: Word(text: name, range: place)))
      index = close + 1
    }
    if !literal.isEmpty { pieces.append(.literal(String(decoding: literal, as: UTF8.self))) }
    return TemplateText(pieces: pieces, range: whole)
  }

  /// A header line to set, `Name: value`. What a `${…}` puts in front of the colon is not known yet.
  func refuseUnlessHeader(_ text: TemplateText) throws(LineProblem) {
    guard case .literal(let literal)? = text.pieces.first else {
      if text.pieces.isEmpty { throw problem(.headerMalformed, "the header line is empty", text.range) }
      return
    }
    let bytes = Array(literal.utf8)
    let colon = bytes.firstIndex(of: 0x3A)
    if colon == nil, text.pieces.count > 1 { return }
    var name = bytes[..<(colon ?? 0)]
    while name.last == 0x20 { name.removeLast() }
    guard colon != nil, !name.isEmpty, name.allSatisfy(Self.isTokenByte) else {
      throw problem(.headerMalformed, "`\(literal)` is not a header line", text.range, help: "write `Name: value`")
    }
  }

  /// What a header's name is made of (RFC 3261 25.1).
  private static func isTokenByte(_ byte: UInt8) -> Bool {
    isNameByte(byte) || [0x21, 0x25, 0x27, 0x2A, 0x2B, 0x2E, 0x60, 0x7E].contains(byte)
  }
}
