import SIP
import TerminalText

/// A message as text: what it is, each header field with what its value means, the body, and what is wrong.
struct ReadingText {
  private let reading: MessageReading
  private let source: MessageSource

  init(_ reading: MessageReading, in source: MessageSource) {
    self.reading = reading
    self.source = source
  }

  /// The lines; whatever of the message is quoted in them, no control character gets through.
  var lines: [String] {
    let place = source.name + (reading.offset == 0 ? "" : " from offset \(source.offsetInFile(reading.offset))")
    let lines: [String]
    switch reading.outcome {
    case .keepAlive: lines = ["# \(place): a keep-alive of \(reading.count) octets", ""]
    case .unreadable(let error):
      let finding = Finding(
        error.rule ?? .noStartLine, field: "message", offset: error.offset, text: error.why, status: error.status)
      lines =
        ["# \(place): no message, \(octets(reading.count))"] + diagnostic(finding)
        + ["\(source.name): unreadable" + Self.ending(error.status), ""]
    case .broken(let failure):
      lines =
        ["# \(place): the stream cannot be read any further"] + diagnostic(failure.finding)
        + ["\(source.name): malformed" + Self.ending(failure.finding.status) + ", and the stream is closed", ""]
    case .message(let message, let assessment): lines = description(of: message, assessment, place)
    }
    return lines.map { DisplayWidth.printable($0) }
  }

  private func octets(_ count: Int) -> String { count == 1 ? "1 octet" : "\(count) octets" }

  private static func ending(_ status: Int?) -> String {
    status.map { "; answer \($0) \(SIPMessage.reasonPhrase(for: $0))" } ?? ""
  }

  private func description(of message: SIPMessage, _ assessment: MessageAssessment, _ place: String) -> [String] {
    var lines: [String] = []
    let startLine = String(
      decoding: message.bytes.drop { $0 == 10 || $0 == 13 }.prefix { $0 != 10 && $0 != 13 }, as: UTF8.self)
    switch message.startLine {
    case .request:
      lines = ["# \(place): request, \(octets(reading.count))", startLine] + Self.line(of: message.requestURI)
    case .response: lines = ["# \(place): response, \(octets(reading.count))", startLine]
    }
    for field in message.descriptions {
      let compact = field.written.lowercased() == field.name.lowercased() ? "" : " (\(field.written))"
      lines.append("\(field.name)\(compact): \(field.text)")
      for value in field.values where !value.says(field.text) { lines += Self.line(of: value) }
    }
    if let body = message.bodyDescription {
      lines.append("body, \(octets(body.range.count))")
      lines += Self.lines(of: body, in: message, indent: "    ")
    }
    lines.append("")
    for finding in assessment.findings { lines += diagnostic(finding) }
    return lines + [summary(assessment), ""]
  }

  /// The parts of a value on one line.
  private static func line(of value: DecodedValue?) -> [String] {
    guard let value, !value.parts.isEmpty else { return [] }
    let parts = value.parts.map { part in
      switch part.content {
      case .text(let text): "\(part.label) \(text)"
      case .number(let number): "\(part.label) \(number)"
      case .list(let list): "\(part.label) \(list.joined(separator: " "))"
      case .flag: part.label
      }
    }
    return ["    " + parts.joined(separator: ", ")]
  }

  // MARK: The body

  private static func lines(of body: BodyDescription, in message: SIPMessage, indent: String) -> [String] {
    var lines = ["\(indent)\(body.type ?? "of no type"), \(body.range.count) octets"]
    let inner = indent + "    "
    switch body.content {
    case .session(let session): lines += self.lines(of: session).map { inner + $0 }
    case .fragment(let fragment):
      switch fragment.startLine {
      case .request(let method, let uri): lines.append("\(inner)\(method.name) \(uri)")
      case .response(let status, let reason): lines.append("\(inner)\(status) \(reason)")
      case nil: break
      }
      lines += fragment.headers.map { "\(inner)\($0.name): \($0.value)" }
    case .parts(let parts):
      for part in parts { lines += self.lines(of: part, in: message, indent: inner) }
    case .text(let text):
      lines += text.split(omittingEmptySubsequences: true, whereSeparator: \.isNewline).map { inner + $0 }
    case .other: break
    }
    return lines
  }

  private static func lines(of session: SessionDescription) -> [String] {
    let origin = session.origin.map { ["by \($0.user) at \($0.address), version \($0.version)"] } ?? []
    return origin
      + session.media.map { stream in
        let address = session.connectionAddress(of: stream).map { " at \($0)" } ?? ""
        return "\(stream.kind) port \(stream.port) \(stream.profile) \(stream.formats.joined(separator: " ")), "
          + "\(session.direction(of: stream).rawValue)\(address)"
      }
  }

  // MARK: What is wrong

  private func diagnostic(_ finding: Finding) -> [String] {
    let severity = finding.severity == .notice ? "warning" : "error"
    let offset = reading.offset + finding.offset
    let (line, column) = source.place(of: offset)
    var lines = [
      "\(severity)[\(finding.rule.code)]: \(finding.field): \(finding.text)",
      "  --> \(source.name):\(line):\(column), offset \(source.offsetInFile(offset))",
    ]
    let text = source.text(ofLine: line)
    // A line that is too long to be read is no excerpt either.
    if text.utf8.count <= 1_000 {
      let scalars = text.unicodeScalars.map { DisplayWidth.shown($0) }
      let gutter = "\(line)"
      lines.append("\(gutter) | \(scalars.reduce(into: "") { $0.unicodeScalars.append($1) })")
      let before = DisplayWidth.of(scalars.prefix(column - 1))
      lines.append(
        String(repeating: " ", count: gutter.utf8.count) + " | " + String(repeating: " ", count: before) + "^")
    }
    lines.append("   = \(finding.rule.source == "-" ? "" : "\(finding.rule.source): ")\(finding.rule.meaning)")
    if let status = finding.status {
      lines.append("   = a UAS answers \(status) \(SIPMessage.reasonPhrase(for: status))")
    }
    if finding.rule == .lineEnd {
      lines.append("help: text that was pasted has lost its CRs; --lf reads every LF as CRLF")
    }
    return lines
  }

  private func summary(_ assessment: MessageAssessment) -> String {
    let count = assessment.findings.count
    let findings = count == 0 ? "" : count == 1 ? ", 1 finding" : ", \(count) findings"
    let header = assessment.answer?.header.map { ", \($0.name): \($0.value)" } ?? ""
    return "\(source.name): \(assessment.verdict.rawValue)\(findings)\(Self.ending(assessment.answer?.status))\(header)"
  }
}

extension DecodedValue {
  /// Whether the value says no more than its text.
  fileprivate func says(_ text: String) -> Bool {
    guard parts.count == 1 else { return false }
    switch parts[0].content {
    case .text(let value): return value == text
    case .number(let value): return "\(value)" == text
    case .list, .flag: return false
    }
  }
}
