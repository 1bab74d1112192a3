/// Where one header field lies in the bytes of its message.
struct HeaderField {
  var name: FieldName
  private var nameStart, nameEnd, valueStart, valueEnd: Int32

  /// The ranges lie within a message, whose length has a limit.
  init(name: FieldName, nameRange: Range<Int>, valueRange: Range<Int>) {
    self.name = name
    nameStart = Int32(truncatingIfNeeded: nameRange.lowerBound)
    nameEnd = Int32(truncatingIfNeeded: nameRange.upperBound)
    valueStart = Int32(truncatingIfNeeded: valueRange.lowerBound)
    valueEnd = Int32(truncatingIfNeeded: valueRange.upperBound)
  }

  var nameRange: Range<Int> { Int(nameStart)..<Int(nameEnd) }
  /// Without white space at the ends; folds are inside.
  var valueRange: Range<Int> { Int(valueStart)..<Int(valueEnd) }
}

/// Where the parts of a message lie: one pass over the bytes, for reading, validation and framing alike.
struct MessageHead {
  /// The start line without its end.
  var startLine: Range<Int>
  var fields: [HeaderField]
  /// The first octet after the empty line.
  var bodyStart: Int
  /// What is wrong with the lines themselves.
  var findings: [Finding]

  /// Finds the lines. CR, LF and CRLF all end a line, as in libosip2, though only CRLF may; empty lines before the start
  /// line are skipped (RFC 3261 7.5).
  init(scanning bytes: Octets, limits: MessageLimits) throws(SIPReadingError) {
    var index = 0
    while index < bytes.count, Characters.isLineEnd(bytes[index]) { index += 1 }
    guard index < bytes.count else {
      throw SIPReadingError(
        why: "there is nothing but line ends, which is a keep-alive and no message", offset: 0, rule: .nothing)
    }
    let start = index
    guard bytes.count <= limits.messageLength else {
      throw bytes.tooLarge(
        .messageTooLong, "the message is longer than the limit of \(limits.messageLength) octets",
        at: limits.messageLength, startLine: start)
    }
    index = bytes.lineEnd(index..<bytes.count)
    startLine = start..<index
    guard startLine.count <= limits.fieldLength else {
      throw bytes.tooLarge(
        .fieldTooLong, "the start line is longer than the limit of \(limits.fieldLength) octets", at: start,
        startLine: start)
    }
    fields = []
    findings = []
    fields.reserveCapacity(16)
    Self.skipLineEnd(bytes, &index, &findings)

    while true {
      guard index < bytes.count else {
        findings.append(
          Finding(
            .headerEnd, field: "header", offset: index, text: "no empty line ends the header fields", status: 400))
        break
      }
      if Characters.isLineEnd(bytes[index]) {
        Self.skipLineEnd(bytes, &index, &findings)
        break
      }
      guard fields.count < limits.fieldCount else {
        throw bytes.tooLarge(
          .tooManyFields, "the message has more header fields than the limit of \(limits.fieldCount)", at: index,
          startLine: start)
      }
      let nameStart = index
      let firstEnd = bytes.lineEnd(index..<bytes.count)
      let colon = bytes.first(UInt8(ascii: ":"), in: index..<firstEnd) ?? index
      var nameEnd = colon
      while nameEnd > nameStart, Characters.isBlank(bytes[nameEnd - 1]) { nameEnd -= 1 }
      let nameRange = nameStart..<nameEnd
      let name = FieldName(bytes, nameRange)
      // A name that is known is a token.
      let isField = name != .other || !nameRange.isEmpty && bytes.end(of: Characters.token, in: nameRange) == nameEnd
      if !isField {
        findings.append(
          Finding(
            .fieldLine, field: "header", offset: nameStart,
            text: "a line is no header field: it has no name before a colon", status: 400))
      }
      var valueEnd = firstEnd
      index = firstEnd
      Self.skipLineEnd(bytes, &index, &findings)
      while index < bytes.count, Characters.isBlank(bytes[index]) {
        index = bytes.lineEnd(index..<bytes.count)
        valueEnd = index
        Self.skipLineEnd(bytes, &index, &findings)
      }
      guard valueEnd - nameStart <= limits.fieldLength else {
        throw bytes.tooLarge(
          .fieldTooLong, "a header field is longer than the limit of \(limits.fieldLength) octets", at: nameStart,
          startLine: start)
      }
      if isField {
        fields.append(
          HeaderField(
            name: name, nameRange: nameRange, valueRange: bytes.trimmed(colon + 1..<valueEnd)))
      }
    }
    bodyStart = index
  }

  /// Passes one line end; notes the first that is not CRLF.
  @inline(__always)
  private static func skipLineEnd(_ bytes: Octets, _ index: inout Int, _ findings: inout [Finding]) {
    guard index < bytes.count else { return }
    if bytes[index] == Characters.carriageReturn, index + 1 < bytes.count, bytes[index + 1] == Characters.lineFeed {
      index += 2
      return
    }
    if !findings.contains(where: { $0.rule == .lineEnd }) {
      findings.append(
        Finding(
          .lineEnd, field: "header", offset: index, text: "a line ends with a single CR or LF, not with CRLF",
          status: 400))
    }
    index += 1
  }
}

extension Octets {
  /// The error for what is more than is read; a request is answered with 513 (RFC 3261 21.5.7).
  fileprivate func tooLarge(_ rule: SyntaxRule, _ why: String, at offset: Int, startLine: Int) -> SIPReadingError {
    let isResponse = startLine + 4 <= count && matches(startLine..<startLine + 4, "sip/")
    return SIPReadingError(why: why, offset: offset, rule: rule, status: isResponse ? nil : 513)
  }
}
