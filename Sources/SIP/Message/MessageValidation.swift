/// Where the fields that routing needs lie: of each field the first. They become text when they are asked for.
struct RoutingParts {
  var callID, fromTag, toTag: Range<Int>?
  var sequence: SequenceParts?
  var topVia: ViaParts?
}

/// What the RFCs demand of a message beyond libosip2's loose syntax.
struct MessageValidation {
  /// What every branch begins with (RFC 3261 8.1.1.7).
  private static let magicCookie = Array("z9hG4bK".utf8)

  let bytes: Octets
  let head: MessageHead
  let startLine: StartLineParts
  private(set) var findings: [Finding]
  /// What routing needs, as far as the checks have come across it.
  private(set) var routing = RoutingParts()
  /// The octets of the body, once it is framed.
  private(set) var body: Range<Int>

  init(bytes: Octets, head: MessageHead, startLine: StartLineParts, findings: [Finding]) {
    self.bytes = bytes
    self.head = head
    self.startLine = startLine
    self.findings = findings
    body = head.bodyStart..<bytes.count
  }

  private var isRequest: Bool {
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

  private mutating func fail(_ field: String, _ offset: Int, _ text: String, status: Int = 400) {
    findings.append(Finding(field: field, offset: offset, text: text, status: status))
  }

  private mutating func warn(_ field: String, _ offset: Int, _ text: String) {
    findings.append(Finding(field: field, offset: offset, text: text, isFatal: false))
  }

  /// Frames the body by Content-Length (RFC 3261 18.3): everything to the end where it is missing or wrong.
  mutating func frameBody() {
    guard let field = head.fields.first(where: { $0.name == .contentLength }) else { return }
    let offset = field.valueRange.lowerBound
    guard let length = bytes.number(field.valueRange, limit: .max) else {
      return fail("Content-Length", offset, "Content-Length is not a number of octets")
    }
    if length > body.count {
      return fail("Content-Length", offset, "Content-Length is \(length), but the body has \(body.count) octets")
    }
    if length < body.count { warn("body", head.bodyStart + length, "octets beyond Content-Length are ignored") }
    body = head.bodyStart..<head.bodyStart + length
  }

  /// Checks every header field that the RFCs say something about that can be wrong.
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
    if isMissing(.via) { fail("Via", end, "Via is missing") }
    if isMissing(.from) { fail("From", end, "From is missing") }
    if isMissing(.to) { fail("To", end, "To is missing") }
    if isMissing(.callID) { fail("Call-ID", end, "Call-ID is missing") }
    if isMissing(.sequence) { fail("CSeq", end, "CSeq is missing") }
    if isRequest, isMissing(.maxForwards) { warn("Max-Forwards", end, "Max-Forwards is missing") }
    if isMissing(.contentType), !body.isEmpty {
      warn("Content-Type", end, "Content-Type is missing, though there is a body")
    }
  }

  private mutating func check(_ field: HeaderField, isFirst: Bool) {
    let range = field.valueRange
    let offset = range.lowerBound
    switch field.name {
    case .via:
      guard isFirst else { return }
      routing.topVia = ViaParts(bytes, range)
      guard let topVia = routing.topVia else { return fail("Via", offset, "the topmost Via cannot be read") }
      if !hasMagicCookie(topVia.branch) {
        warn("Via", offset, "the branch does not begin with the magic cookie and a value of its own")
      }
    case .from, .to:
      let name = field.name == .from ? "From" : "To"
      guard isFirst else { return fail(name, field.nameRange.lowerBound, "\(name) stands more than once") }
      let parts = AddressParts(bytes, range)
      checkAddress(name, range, parts)
      if field.name == .from { routing.fromTag = parts.tag(bytes) } else { routing.toTag = parts.tag(bytes) }
    case .callID:
      guard isFirst else { return fail("Call-ID", field.nameRange.lowerBound, "Call-ID stands more than once") }
      routing.callID = range
      if range.isEmpty { fail("Call-ID", offset, "Call-ID is empty") }
      if let white = bytes[range].firstIndex(where: Characters.isWhite) {
        fail("Call-ID", white, "white space stands within Call-ID")
      }
    case .sequence:
      guard isFirst else { return fail("CSeq", field.nameRange.lowerBound, "CSeq stands more than once") }
      routing.sequence = SequenceParts(bytes, range)
      checkSequence(range)
    case .maxForwards:
      guard isFirst else {
        return fail("Max-Forwards", field.nameRange.lowerBound, "Max-Forwards stands more than once")
      }
      if bytes.number(range, limit: 255) == nil { fail("Max-Forwards", offset, "Max-Forwards is not from 0 to 255") }
    case .contact:
      if range.count == 1, bytes[range.lowerBound] == UInt8(ascii: "*") { return }
      ListSplitter.forEach(bytes, range) { checkAddress("Contact", $0) }
    case .route, .recordRoute:
      let name = field.name == .route ? "Route" : "Record-Route"
      ListSplitter.forEach(bytes, range) { checkAddress(name, $0) }
    case .contentLength:
      if !isFirst { fail("Content-Length", field.nameRange.lowerBound, "Content-Length stands more than once") }
    case .contentType:
      if !isFirst { fail("Content-Type", field.nameRange.lowerBound, "Content-Type stands more than once") }
    case .expires:
      if bytes.number(range, limit: 4_294_967_295) == nil {
        warn("Expires", offset, "Expires is not a number of seconds below 2^32")
      }
    case .date:
      if !bytes.text(range).hasSuffix("GMT") { warn("Date", offset, "Date is not in GMT") }
    case .other: break
    }
  }

  /// Whether a branch begins with the magic cookie and has a value of its own.
  private func hasMagicCookie(_ branch: Range<Int>?) -> Bool {
    guard let branch, branch.count > Self.magicCookie.count else { return false }
    return bytes.buffer(branch).starts(with: Self.magicCookie)
  }

  private mutating func checkSequence(_ range: Range<Int>) {
    guard let sequence = routing.sequence else {
      return fail("CSeq", range.lowerBound, "CSeq is not a number below 2^31 and a method")
    }
    if sequence.number >= 2_147_483_648 { fail("CSeq", range.lowerBound, "the number of CSeq is not below 2^31") }
    if isRequest, !bytes.buffer(sequence.method).elementsEqual(bytes.buffer(startLine.method)) {
      fail("CSeq", range.lowerBound, "the method of CSeq is not the method of the request")
    }
  }

  private mutating func checkAddress(_ name: String, _ range: Range<Int>) {
    checkAddress(name, range, AddressParts(bytes, range))
  }

  private mutating func checkAddress(_ name: String, _ range: Range<Int>, _ parts: AddressParts) {
    if let flaw = parts.flaw {
      fail(name, flaw.offset, flaw.text)
    } else if parts.uri.isEmpty {
      fail(name, range.lowerBound, "there is no URI")
    } else if parts.hasEscape {
      checkNull(name, parts.uri)
    }
  }

  /// An escaped NUL is allowed, but libosip2 and others cut the user part there.
  private mutating func checkNull(_ name: String, _ range: Range<Int>) {
    var index = range.lowerBound
    while index + 2 < range.upperBound {
      if bytes[index] == UInt8(ascii: "%"), bytes[index + 1] == 0x30, bytes[index + 2] == 0x30 {
        return warn(name, index, "an escaped NUL stands in a URI")
      }
      index += 1
    }
  }

  /// RFC 3261 8.2.2.1, 19.1.1.
  private mutating func checkRequestURI() {
    if let flaw = RequestURI.flaw(bytes, startLine.uri) {
      fail("start line", flaw.offset, flaw.text, status: flaw.status)
    }
    checkNull("start line", startLine.uri)
  }

  /// Whether libosip2 parses the message up to the end of its body.
  var isAcceptedByOsip: Bool { OsipVerdict.accepts(bytes.buffer(0..<body.upperBound)) }

  /// Notes that libosip2 rejects the message. It is tried again without what libosip2 is known to reject wrongly.
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
    if findings.contains(where: { $0.status == 416 }),
      let methodEnd = bytes[head.startLine].firstIndex(where: Characters.isBlank),
      let lastBlank = bytes[head.startLine].lastIndex(where: Characters.isBlank), methodEnd < lastBlank
    {
      repaired.replaceSubrange(methodEnd + 1..<lastBlank, with: Array("sip:invalid".utf8))
      reasons.append("the scheme of the Request-URI")
    }
    let end = body.upperBound + repaired.count - bytes.count
    if !reasons.isEmpty, repaired.reading({ OsipVerdict.accepts($0.buffer(0..<end)) }) {
      warn(
        "message", head.startLine.lowerBound, "libosip2 rejects \(reasons.joined(separator: " and ")), which is valid")
    } else {
      fail("message", head.startLine.lowerBound, "libosip2 cannot parse the message")
    }
  }
}
