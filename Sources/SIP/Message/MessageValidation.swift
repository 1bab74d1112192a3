/// Where the fields that routing needs lie: of each field the first. They become text when they are asked for.
struct RoutingParts {
  var callID, fromTag, toTag: Range<Int>?
  var sequence: SequenceParts?
  var topVia: ViaParts?
}

/// What the RFCs demand of the start line, the framing and the header fields that every message has, beyond libosip2's
/// loose syntax. Other header fields and bodies are judged by ``MessageAssessment``.
struct MessageValidation {
  let bytes: Octets
  let head: MessageHead
  let startLine: StartLineParts
  private(set) var findings: [Finding]
  /// What routing needs, as far as the checks have come across it.
  var routing = RoutingParts()
  /// The octets of the body, once it is framed.
  private(set) var body: Range<Int>

  init(bytes: Octets, head: MessageHead, startLine: StartLineParts, findings: [Finding]) {
    self.bytes = bytes
    self.head = head
    self.startLine = startLine
    self.findings = findings
    body = head.bodyStart..<bytes.count
  }

  var isRequest: Bool {
    if case .request = startLine.value { true } else { false }
  }

  /// The findings in order of the offset. Nothing is answered to a response, so its findings have no status.
  var result: [Finding] {
    if findings.isEmpty { return [] }
    let isRequest = isRequest
    return findings.enumerated()
      .sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }
      .map { entry in
        var finding = entry.element
        if !isRequest || !finding.isFatal { finding.status = nil }
        return finding
      }
  }

  mutating func fail(_ rule: SyntaxRule, _ field: String, _ offset: Int, _ text: String, status: Int = 400) {
    findings.append(Finding(rule, field: field, offset: offset, text: text, status: status))
  }

  mutating func fail(_ field: String, _ flaw: SyntaxFlaw) {
    findings.append(
      Finding(
        flaw.rule, field: field, offset: flaw.offset, text: flaw.text, severity: flaw.severity, status: flaw.status))
  }

  mutating func warn(_ rule: SyntaxRule, _ field: String, _ offset: Int, _ text: String) {
    findings.append(Finding(rule, field: field, offset: offset, text: text, severity: .notice))
  }

  /// Frames the body by Content-Length (RFC 3261 18.3): everything to the end where it is missing or wrong.
  mutating func frameBody() {
    guard let field = head.fields.first(where: { $0.name == .contentLength }) else { return }
    let offset = field.valueRange.lowerBound
    guard let length = bytes.number(field.valueRange, limit: .max) else {
      return fail(.lengthNumber, "Content-Length", offset, "Content-Length is not a number of octets")
    }
    if length > body.count {
      return fail(
        .lengthBeyondEnd, "Content-Length", offset,
        "Content-Length is \(length), but the body has \(body.count) octets")
    }
    if length < body.count {
      warn(.octetsBeyondLength, "body", head.bodyStart + length, "octets beyond Content-Length are ignored")
    }
    body = head.bodyStart..<head.bodyStart + length
  }

  /// Checks the start line and every header field that the reader itself knows.
  mutating func check() {
    if !startLine.uri.isEmpty { checkRequestURI() }
    var seen: UInt32 = 0
    for field in head.fields where field.name != .other {
      let bit: UInt32 = 1 << UInt32(field.name.rawValue)
      let isFirst = seen & bit == 0
      seen |= bit
      check(field, isFirst: isFirst)
    }
    checkPresence(seen)
  }

  private mutating func checkPresence(_ seen: UInt32) {
    let end = head.startLine.upperBound
    func isMissing(_ name: FieldName) -> Bool { seen & 1 << UInt32(name.rawValue) == 0 }
    if isMissing(.via) { fail(.fieldMissing, "Via", end, "Via is missing") }
    if isMissing(.from) { fail(.fieldMissing, "From", end, "From is missing") }
    if isMissing(.to) { fail(.fieldMissing, "To", end, "To is missing") }
    if isMissing(.callID) { fail(.fieldMissing, "Call-ID", end, "Call-ID is missing") }
    if isMissing(.sequence) { fail(.fieldMissing, "CSeq", end, "CSeq is missing") }
    if isRequest, isMissing(.maxForwards) { warn(.fieldMissing, "Max-Forwards", end, "Max-Forwards is missing") }
    if isMissing(.contentType), !body.isEmpty {
      warn(.typeMissing, "Content-Type", end, "Content-Type is missing, though there is a body")
    }
  }

  /// RFC 3261 8.2.2.1, 19.1.1.
  private mutating func checkRequestURI() {
    if let flaw = URIGrammar.requestFlaw(bytes, startLine.uri) { fail("start line", flaw) }
    checkNull("start line", startLine.uri)
  }

  /// An escaped NUL is allowed, but libosip2 and others cut the user part there.
  mutating func checkNull(_ name: String, _ range: Range<Int>) {
    var rest = range
    while let index = bytes.first(UInt8(ascii: "%"), in: rest) {
      if index + 2 < range.upperBound, bytes[index + 1] == 0x30, bytes[index + 2] == 0x30 {
        return warn(.escapedNull, name, index, "an escaped NUL stands in a URI")
      }
      rest = index + 1..<range.upperBound
    }
  }
}
