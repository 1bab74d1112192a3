/// The header fields that the reader itself does not look at.
///
/// A UAS ignores those of them that are malformed and not needed (RFC 3261 8.2.2), so that most findings have no status.
struct FieldJudge {
  private let message: SIPMessage
  private let limits: MessageLimits
  private(set) var findings: [Finding] = []

  init(_ message: SIPMessage, limits: MessageLimits) {
    self.message = message
    self.limits = limits
  }

  private var isRequest: Bool { message.isRequest }

  private mutating func fail(_ rule: SyntaxRule, _ field: String, _ offset: Int, _ text: String, status: Int? = nil) {
    findings.append(
      Finding(rule, field: field, offset: offset, text: text, status: isRequest ? status : nil))
  }

  private mutating func note(_ rule: SyntaxRule, _ field: String, _ offset: Int, _ text: String) {
    findings.append(Finding(rule, field: field, offset: offset, text: text, severity: .notice))
  }

  mutating func check() {
    message.bytes.reading { bytes in
      for field in message.fields {
        let name = SIPMessage.longName(of: bytes.text(field.nameRange))
        checkText(bytes, field)
        switch name {
        case "require", "proxy-require", "supported", "unsupported", "allow", "allow-events", "recv-info",
          "content-encoding":
          checkTokens(bytes, field, name)
        case "warning": checkWarnings(bytes, field)
        case "retry-after": checkRetryAfter(bytes, field)
        case "min-expires", "session-expires", "min-se": checkSeconds(bytes, field)
        case "contact": checkExpires(bytes, field)
        case "user-agent", "server", "organization", "subject": checkComments(bytes, field)
        default: break
        }
      }
    }
    checkContactStar()
    checkReferral()
    checkReplaces()
    checkOlderForms()
  }

  // MARK: One field

  /// The octets of any value: control characters stand in quoted strings alone, behind backslashes.
  private mutating func checkText(_ bytes: Octets, _ field: HeaderField) {
    guard field.name == .other else { return }
    var isQuoted = false
    var index = field.valueRange.lowerBound
    while index < field.valueRange.upperBound {
      let byte = bytes[index]
      if isQuoted, byte == Characters.backslash {
        index += 2
        continue
      }
      if byte == Characters.quote { isQuoted.toggle() }
      if byte == 0x7F || byte < 0x20 && !Characters.isWhite(byte) {
        return fail(.fieldText, bytes.text(field.nameRange), index, "a control character stands in the value")
      }
      index += 1
    }
  }

  private mutating func checkTokens(_ bytes: Octets, _ field: HeaderField, _ name: String) {
    let shown = bytes.text(field.nameRange)
    var count = 0
    ListSplitter.forEach(bytes, field.valueRange) { element in
      count += 1
      if let other = bytes[element].firstIndex(where: { !Characters.isToken($0) }) {
        fail(.tokenList, shown, other, "an element of the list is no token", status: 400)
      }
    }
    if count == 0, ["require", "proxy-require", "unsupported", "content-encoding"].contains(name) {
      fail(.tokenList, shown, field.valueRange.lowerBound, "the list is empty", status: 400)
    }
  }

  /// `399 agent "text"`.
  private mutating func checkWarnings(_ bytes: Octets, _ field: HeaderField) {
    ListSplitter.forEach(bytes, field.valueRange) { element in
      var cursor = FieldCursor(bytes, element)
      let code = cursor.token()
      _ = cursor.next()
      while cursor.index < cursor.end, !Characters.isWhite(bytes[cursor.index]) { cursor.index += 1 }
      let isWarning = code.count == 3 && bytes.number(code, limit: 999) != nil && cursor.quotedString() != nil
      if !isWarning {
        fail(.warning, "Warning", element.lowerBound, "a warning is no code of three digits, agent and quoted text")
      }
    }
  }

  private mutating func checkRetryAfter(_ bytes: Octets, _ field: HeaderField) {
    var cursor = FieldCursor(bytes, field.valueRange)
    if bytes.number(cursor.token(), limit: 4_294_967_295) == nil {
      fail(
        .retryAfter, "Retry-After", field.valueRange.lowerBound,
        "Retry-After does not begin with a number of seconds below 2^32")
    }
    checkComments(bytes, field)
  }

  private mutating func checkSeconds(_ bytes: Octets, _ field: HeaderField) {
    var cursor = FieldCursor(bytes, field.valueRange)
    if bytes.number(cursor.token(), limit: 4_294_967_295) == nil {
      let name = bytes.text(field.nameRange)
      note(.seconds, name, field.valueRange.lowerBound, "the value is not a number of seconds below 2^32")
    }
  }

  private mutating func checkExpires(_ bytes: Octets, _ field: HeaderField) {
    ListSplitter.forEach(bytes, field.valueRange) { element in
      var cursor = AddressParts(bytes, element).parameters
      while let (name, value) = cursor.parameter() {
        if bytes.matches(name, "expires"), let value, bytes.number(value, limit: 4_294_967_295) == nil {
          note(.seconds, "Contact", value.lowerBound, "expires is not a number of seconds below 2^32")
        }
      }
    }
  }

  /// Parentheses that lie in each other (RFC 3261 25.1); those in quoted strings and behind backslashes do not count.
  private mutating func checkComments(_ bytes: Octets, _ field: HeaderField) {
    let name = bytes.text(field.nameRange)
    // A subject is free text.
    let isComment = field.name == .other && !["subject", "s", "organization"].contains(name.lowercased())
    guard isComment else { return }
    var depth = 0
    var isQuoted = false
    var index = field.valueRange.lowerBound
    while index < field.valueRange.upperBound {
      switch bytes[index] {
      case Characters.backslash: index += 1
      case Characters.quote where depth == 0: isQuoted.toggle()
      case UInt8(ascii: "(") where !isQuoted:
        depth += 1
        if depth > limits.nesting {
          return fail(
            .nestedTooDeep, name, index, "comments lie deeper in each other than the limit of \(limits.nesting)",
            status: 400)
        }
      case UInt8(ascii: ")") where !isQuoted:
        depth -= 1
        if depth < 0 { return fail(.comment, name, index, "a parenthesis closes nothing") }
      default: break
      }
      index += 1
    }
    if depth > 0 { fail(.comment, name, field.valueRange.lowerBound, "a comment does not end") }
  }

  // MARK: Several fields

  private mutating func checkContactStar() {
    let contacts = message.elements(of: "Contact")
    guard let star = contacts.first(where: { $0.value == "*" }) else { return }
    let isZero = message.value(of: "Expires").map { $0.allSatisfy { $0 == "0" } } ?? false
    if contacts.count > 1 || message.method != .register || !isRequest || !isZero {
      fail(
        .contactStar, "Contact", star.offset, "the Contact * stands elsewhere than alone in a REGISTER with Expires: 0",
        status: 400)
    }
  }

  private mutating func checkReferral() {
    guard isRequest, message.method == .refer else { return }
    let values = message.elements(of: "Refer-To")
    do throws(ReferTo.Flaw) {
      _ = try ReferTo(of: message)
    } catch {
      guard error == .malformed else { return }
      let (offset, text) =
        values.count == 1
        ? (values[0].offset, "Refer-To cannot be read")
        : values.count > 1
          ? (values[1].offset, "Refer-To stands more than once")
          : (endOfStartLine, "a REFER has no Refer-To")
      fail(.referTo, "Refer-To", offset, text, status: 400)
    }
  }

  private mutating func checkReplaces() {
    guard isRequest, let first = message.elements(of: "Replaces").first else { return }
    if message.replacement == .malformed {
      fail(
        .replaces, "Replaces", first.offset, "Replaces cannot be read, or stands with another or with Join", status: 400
      )
    } else if message.method != .invite {
      fail(.replaces, "Replaces", first.offset, "Replaces stands in another request than INVITE", status: 400)
    }
  }

  /// What callers of RFC 2543 leave out, and RFC 3261 elements take from them (RFC 4475 3.4.1).
  private mutating func checkOlderForms() {
    guard isRequest else { return }
    if let from = message.from, from.tag == nil, let field = message.elements(of: "From").first {
      note(.tagMissing, "From", field.offset, "From has no tag")
    }
    if message.method == .invite, message.elements(of: "Contact").isEmpty {
      note(.contactMissing, "Contact", endOfStartLine, "the INVITE has no Contact")
    }
  }

  private var endOfStartLine: Int {
    let start = message.bytes.firstIndex { !Characters.isLineEnd($0) } ?? 0
    return message.bytes.reading { $0.lineEnd(start..<$0.count) }
  }
}
