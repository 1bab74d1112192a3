/// libosip2's opinion of the message.
extension MessageValidation {
  /// Whether libosip2 parses the message up to the end of its body.
  var isAcceptedByOsip: Bool { OsipVerdict.accepts(bytes.buffer(0..<body.upperBound)) }

  /// The longest message that is searched for the header field that libosip2 does not take.
  private static let searchLimit = 65_536

  /// Notes that libosip2 rejects the message. It is tried again without what libosip2 is known to reject wrongly, and
  /// then, if our own reading has found nothing, without one header field after the other.
  mutating func noteOsipRejection() {
    var repaired = Array(bytes)
    var reasons: [String] = []
    var index = head.startLine.upperBound
    while index + 1 < head.bodyStart {
      if repaired[index] == Characters.backslash, repaired[index + 1] == 0 {
        repaired[index + 1] = Characters.space
        if reasons.isEmpty { reasons.append("an escaped NUL in a quoted string") }
      }
      index += 1
    }
    if findings.contains(where: { $0.rule == .schemeUnsupported }),
      let methodEnd = bytes[head.startLine].firstIndex(where: Characters.isBlank),
      let lastBlank = bytes[head.startLine].lastIndex(where: Characters.isBlank), methodEnd < lastBlank
    {
      repaired.replaceSubrange(methodEnd + 1..<lastBlank, with: Array("sip:invalid".utf8))
      reasons.append("the scheme of the Request-URI")
    }
    let end = body.upperBound + repaired.count - bytes.count
    if !reasons.isEmpty, repaired.reading({ OsipVerdict.accepts($0.buffer(0..<end)) }) {
      return warn(
        .osipRejectsValid, "message", head.startLine.lowerBound,
        "libosip2 rejects \(reasons.joined(separator: " and ")), which is valid")
    }
    // Where our own reading has found the flaw it has named it already.
    guard !findings.contains(where: \.isFatal) else { return }
    if let field = fieldThatOsipRejects() {
      // Of these our own reading has looked at every octet.
      if field.name != .other, field.name != .contentType {
        return warn(
          .osipRejectsValid, bytes.text(field.nameRange), field.valueRange.lowerBound,
          "libosip2 rejects the value of this header field, which is valid")
      }
      fail(
        .osipRejects, bytes.text(field.nameRange), field.valueRange.lowerBound,
        "libosip2 cannot parse the value of this header field")
    } else {
      fail(.osipRejects, "message", head.startLine.lowerBound, "libosip2 cannot parse the message")
    }
  }

  /// The header field without which libosip2 takes the message.
  private func fieldThatOsipRejects() -> HeaderField? {
    guard body.upperBound <= Self.searchLimit else { return nil }
    return head.fields.first { field in
      // A name that nobody knows: the value stays and means nothing.
      var bytes = Array(bytes[..<body.upperBound])
      bytes.replaceSubrange(field.nameRange, with: [UInt8(ascii: "X"), UInt8(ascii: "-")])
      return bytes.reading { OsipVerdict.accepts($0.buffer(0..<$0.count)) }
    }
  }
}
