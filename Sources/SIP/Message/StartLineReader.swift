/// The start line, and where its parts lie in a request.
struct StartLineParts {
  var value: StartLine
  /// Empty in a response.
  var method, uri: Range<Int>

  /// Reads the first line (RFC 3261 7.1, 7.2). What is no SIP start line at all is an error; the rest are findings.
  init(_ bytes: Octets, _ line: Range<Int>, findings: inout [Finding]) throws(SIPReadingError) {
    func note(
      _ rule: SyntaxRule, _ text: String, _ offset: Int, severity: Finding.Severity = .malformed, status: Int = 400
    ) {
      findings.append(
        Finding(rule, field: "start line", offset: offset, text: text, severity: severity, status: status))
    }
    let firstEnd = bytes[line].firstIndex(where: Characters.isBlank) ?? line.upperBound
    let first = line.lowerBound..<firstEnd
    if Self.isVersion(bytes, first) {
      if !Self.isVersion2(bytes, first) { note(.version, "the version is not SIP/2.0", first.lowerBound) }
      var index = firstEnd
      while index < line.upperBound, Characters.isBlank(bytes[index]) { index += 1 }
      if index > firstEnd + 1 {
        // Flows of RFC 3665 have it, and nobody can be told of it.
        note(.statusLineSpace, "more than one space stands before the status code", firstEnd, severity: .notice)
      }
      let statusStart = index
      while index < line.upperBound, Characters.isDigit(bytes[index]) { index += 1 }
      let status = statusStart..<index
      guard !status.isEmpty, index == line.upperBound || Characters.isBlank(bytes[index]) else {
        throw SIPReadingError(why: "the status line has no status code", offset: statusStart, rule: .noStartLine)
      }
      let code = bytes.number(status, limit: .max) ?? .max
      if status.count != 3 || !(100...699).contains(code) {
        note(.statusCode, "the status code is not from 100 to 699", statusStart)
      }
      if index == line.upperBound {
        note(.statusLineSpace, "there is no space after the status code", index, severity: .notice)
      }
      let reason = min(index + 1, line.upperBound)..<line.upperBound
      if let control = bytes[reason].firstIndex(where: { $0 < 0x20 && $0 != Characters.tab || $0 == 0x7F }) {
        note(.fieldText, "a control character stands in the reason phrase", control)
      }
      value = .response(status: code, reason: bytes.text(reason))
      method = line.lowerBound..<line.lowerBound
      uri = method
      return
    }

    let end = bytes.trimmed(line).upperBound
    let lastStart = (bytes[line.lowerBound..<end].lastIndex(where: Characters.isBlank) ?? line.lowerBound - 1) + 1
    let version = lastStart..<end
    guard lastStart > firstEnd, Self.isVersion(bytes, version) else {
      throw SIPReadingError(
        why: "the first line names no SIP version", offset: line.lowerBound, rule: .noStartLine)
    }
    guard !first.isEmpty, bytes[first].allSatisfy(Characters.isToken) else {
      throw SIPReadingError(
        why: "the first line begins with no method", offset: line.lowerBound, rule: .noStartLine)
    }
    if !Self.isVersion2(bytes, version) { note(.version, "the version is not SIP/2.0", lastStart, status: 505) }
    if end < line.upperBound { note(.requestLineSpace, "white space ends the request line", end) }
    method = first
    uri = bytes.trimmed(firstEnd..<lastStart)
    if uri.isEmpty {
      note(.requestURIMissing, "there is no Request-URI", firstEnd)
    } else if uri.lowerBound != firstEnd + 1 || uri.upperBound != lastStart - 1 {
      note(.requestLineSpace, "the parts of the request line are not separated by single spaces", firstEnd)
    }
    value = .request(Method(bytes.text(method)), uri: bytes.text(uri))
  }

  private static func isVersion(_ bytes: Octets, _ range: Range<Int>) -> Bool {
    guard range.count > 4, bytes.matches(range.lowerBound..<range.lowerBound + 4, "sip/") else { return false }
    return Characters.isDigit(bytes[range.lowerBound + 4])
  }

  private static func isVersion2(_ bytes: Octets, _ range: Range<Int>) -> Bool { bytes.matches(range, "sip/2.0") }
}
