import Rendering
import SIP

/// A message as one JSON object on one line. The keys are stable; new ones may come.
struct ReadingJSON {
  private let reading: MessageReading
  private let source: MessageSource

  init(_ reading: MessageReading, in source: MessageSource) {
    self.reading = reading
    self.source = source
  }

  var line: String {
    var json = JSONText()
    json.add("schema", "callsim.message/1")
    json.add("file", source.name)
    json.add("offset", source.offsetInFile(reading.offset))
    json.add("octets", reading.count)
    switch reading.outcome {
    case .keepAlive: json.add("kind", "keep-alive")
    case .unreadable(let error):
      json.add("kind", "unreadable")
      let finding = Finding(
        error.rule ?? .noStartLine, field: "message", offset: error.offset, text: error.why, status: error.status)
      json.add("findings", raw: Self.array([object(finding)]))
      json.add("verdict", "unreadable")
      add(error.status, nil, to: &json)
    case .broken(let failure):
      json.add("kind", "broken")
      json.add("findings", raw: Self.array([object(failure.finding)]))
      json.add("verdict", MessageAssessment.Verdict.malformed.rawValue)
      add(failure.finding.status, nil, to: &json)
    case .message(let message, let assessment): add(message, assessment, to: &json)
    }
    return json.finished
  }

  private static func array(_ values: [String]) -> String { "[" + values.joined(separator: ",") + "]" }

  private func add(_ status: Int?, _ header: MessageAssessment.Answer.Header?, to json: inout JSONText) {
    guard let status else { return }
    var answer = JSONText()
    answer.add("status", status)
    answer.add("reason", SIPMessage.reasonPhrase(for: status))
    if let header {
      var field = JSONText()
      field.add("name", header.name)
      field.add("value", header.value)
      answer.add("header", raw: field.finished)
    }
    json.add("answer", raw: answer.finished)
  }

  private func add(_ message: SIPMessage, _ assessment: MessageAssessment, to json: inout JSONText) {
    switch message.startLine {
    case .request(let method, let uri):
      json.add("kind", "request")
      json.add("method", method.name)
      json.add("uri", uri)
      if let parts = message.requestURI { json.add("uri_parts", raw: object(parts)) }
    case .response(let status, let reason):
      json.add("kind", "response")
      json.add("status", status)
      json.add("reason", reason)
    }
    json.add("headers", raw: Self.array(message.descriptions.map(object)))
    if let body = message.bodyDescription { json.add("body", raw: object(body)) }
    json.add("findings", raw: Self.array(assessment.findings.map(object)))
    json.add("verdict", assessment.verdict.rawValue)
    add(assessment.answer?.status, assessment.answer?.header, to: &json)
  }

  private func object(_ field: FieldDescription) -> String {
    var json = JSONText()
    json.add("name", field.name)
    json.add("written", field.written)
    json.add("offset", source.offsetInFile(reading.offset + field.offset))
    json.add("value", field.text)
    if !field.values.isEmpty { json.add("values", raw: Self.array(field.values.map(object))) }
    return json.finished
  }

  private func object(_ value: DecodedValue) -> String {
    var json = JSONText()
    for part in value.parts {
      switch part.content {
      case .text(let text): json.add(part.label, text)
      case .number(let number): json.add(part.label, number)
      case .list(let list): json.add(part.label, list)
      case .flag: json.add(part.label, true)
      }
    }
    return json.finished
  }

  private func object(_ finding: Finding) -> String {
    let offset = reading.offset + finding.offset
    let (line, column) = source.place(of: offset)
    var json = JSONText()
    json.add("code", finding.rule.code)
    json.add("severity", finding.severity.rawValue)
    json.add("field", finding.field)
    json.add("offset", source.offsetInFile(offset))
    json.add("line", line)
    json.add("column", column)
    json.add("text", finding.text)
    json.add("source", finding.rule.source)
    json.add("status", finding.status)
    return json.finished
  }

  private func object(_ body: BodyDescription) -> String {
    var json = JSONText()
    json.add("type", body.type)
    json.add("offset", source.offsetInFile(reading.offset + body.range.lowerBound))
    json.add("octets", body.range.count)
    switch body.content {
    case .session(let session): json.add("media", raw: Self.array(session.media.map { object($0, of: session) }))
    case .fragment(let fragment):
      switch fragment.startLine {
      case .request(let method, let uri):
        json.add("method", method.name)
        json.add("uri", uri)
      case .response(let status, let reason):
        json.add("status", status)
        json.add("reason", reason)
      case nil: break
      }
      json.add("headers", fragment.headers.map { "\($0.name): \($0.value)" })
    case .parts(let parts): json.add("parts", raw: Self.array(parts.map(object)))
    case .text(let text): json.add("text", text)
    case .other: break
    }
    return json.finished
  }

  private func object(_ stream: MediaDescription, of session: SessionDescription) -> String {
    var json = JSONText()
    json.add("kind", stream.kind)
    json.add("port", stream.port)
    json.add("profile", stream.profile)
    json.add("formats", stream.formats)
    json.add("direction", session.direction(of: stream).rawValue)
    json.add("address", session.connectionAddress(of: stream))
    return json.finished
  }
}
