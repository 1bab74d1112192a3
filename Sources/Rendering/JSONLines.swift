import Instant
import Timeline

/// A timeline as JSON Lines, schema `callsim.trace/1`: a header, one object for each record, and the verdict. Keys are
/// stable; later versions only add.
public struct JSONLines: Sendable {
  /// What the last line says.
  public struct Summary: Sendable {
    /// `held`, `failed` or `undecided`.
    public var outcome: String
    public var exitCode: Int
    public var end: Instant
    public var records: Int
    public var diagnostics: [(code: String, line: Int?, title: String)]
    /// Every call that has a UUID, in the order of their first record.
    public var calls: [Call]

    /// What a call was known by.
    public struct Call: Hashable, Sendable {
      public var name: String
      public var uuid: String
      /// The Call-IDs that carried it, one after the other.
      public var callIDs: [Period]

      public init(name: String, uuid: String, callIDs: [Period]) {
        self.name = name
        self.uuid = uuid
        self.callIDs = callIDs
      }
    }

    /// A Call-ID and when it carried a call; without an end it did when the run ended.
    public struct Period: Hashable, Sendable {
      public var callID: String
      public var from: Instant
      public var until: Instant?

      public init(callID: String, from: Instant, until: Instant?) {
        self.callID = callID
        self.from = from
        self.until = until
      }
    }

    public init(
      outcome: String, exitCode: Int, end: Instant, records: Int,
      diagnostics: [(code: String, line: Int?, title: String)], calls: [Call] = []
    ) {
      self.outcome = outcome
      self.exitCode = exitCode
      self.end = end
      self.records = records
      self.diagnostics = diagnostics
      self.calls = calls
    }
  }

  private let file: String
  private let tool: String

  /// Lines about a run of this scenario file; the tool's name and version say who wrote them.
  public init(file: String, tool: String) {
    self.file = file
    self.tool = tool
  }

  /// The first line.
  public func line(for header: Heading) -> String {
    var json = JSONText()
    json.add("schema", "callsim.trace/1")
    json.add("tool", tool)
    json.add("scenario", header.title)
    json.add("file", file)
    json.add("case", header.caseName)
    var params = JSONText()
    for param in header.params { params.add(param.name, param.value) }
    json.add("params", raw: params.finished)
    // A seed can be larger than what readers of JSON numbers keep exactly (RFC 8259 6).
    json.add("seed", raw: header.seed < 1 << 53 ? String(header.seed) : JSONText.quoted(String(header.seed)))
    json.add("clock", "virtual")
    return json.finished
  }

  public func line(for verdict: Summary) -> String {
    var json = JSONText()
    json.add("kind", "verdict")
    json.add("outcome", verdict.outcome)
    json.add("exit", verdict.exitCode)
    json.add("t_us", Int(verdict.end.microseconds))
    json.add("records", verdict.records)
    let diagnostics = verdict.diagnostics.map { diagnostic in
      var json = JSONText()
      json.add("code", diagnostic.code)
      json.add("line", diagnostic.line)
      json.add("title", diagnostic.title)
      return json.finished
    }
    json.add("diagnostics", raw: "[" + diagnostics.joined(separator: ",") + "]")
    json.add("calls", raw: "[" + verdict.calls.map(object).joined(separator: ",") + "]")
    return json.finished
  }

  private func object(of call: Summary.Call) -> String {
    var json = JSONText()
    json.add("call", call.name)
    json.add("uuid", call.uuid)
    let periods = call.callIDs.map { period in
      var json = JSONText()
      json.add("call_id", period.callID)
      json.add("from_us", Int(period.from.microseconds))
      json.add("until_us", period.until.map { Int($0.microseconds) })
      return json.finished
    }
    json.add("call_ids", raw: "[" + periods.joined(separator: ",") + "]")
    return json.finished
  }

  public func line(for record: Record) -> String {
    var json = JSONText()
    json.add("n", record.number)
    json.add("t_us", Int(record.instant.microseconds))
    json.add("kind", kind(of: record.event))
    addDetails(of: record, to: &json)
    json.add("from", record.from)
    json.add("to", record.to)
    json.add("call", record.call?.name)
    json.add("uuid", record.call?.uuid)
    json.add("cause", record.causes)
    if let line = record.line {
      var source = JSONText()
      source.add("file", file)
      source.add("line", line)
      json.add("src", raw: source.finished)
    }
    return json.finished
  }

  private func kind(of event: Event) -> String {
    switch event {
    case .push: "push"
    case .user: "user"
    case .action: "action"
    case .report: "report"
    case .request: "request"
    case .audio: "audio"
    case .media: "media"
    case .sip: "sip"
    case .rebinding: "rebinding"
    case .transfer: "transfer"
    case .timer: "timer"
    case .state: "state"
    case .lifecycle: "lifecycle"
    case .fault: "fault"
    case .ignored: "ignored"
    }
  }

  private func add(_ audio: AudioEvent, to json: inout JSONText) {
    switch audio {
    case .unitFails(let code):
      json.add("event", "unit fails")
      json.add("code", code)
    case .silent(let cause):
      json.add("event", "silent")
      json.add("reason", cause.rawValue)
    default: json.add("event", audio.word)
    }
  }

  private func add(_ media: MediaEvent, to json: inout JSONText) {
    switch media {
    case .digitStarts(let digit):
      json.add("event", "digit starts")
      json.add("digit", digit)
    case .digitEnds(let digit, let duration):
      json.add("event", "digit ends")
      json.add("digit", digit)
      json.add("duration_us", Int(duration.microseconds))
    }
  }

  private func addDetails(of record: Record, to json: inout JSONText) {
    switch record.event {
    case .push(let push):
      json.add("call_id", push.callID)
      json.add("caller", push.caller)
    case .user(let user):
      json.add("verb", user.verb)
      json.add("argument", user.argument)
      json.add("in_app", user.inApp)
    case .action(let action):
      json.add("action", action.id)
      json.add("type", action.kind)
      json.add("status", action.status.rawValue)
      json.add("origin", action.origin.rawValue)
    case .report(let report): add(report, to: &json)
    case .request(let request): add(request, to: &json)
    case .audio(let audio): add(audio, to: &json)
    case .media(let media): add(media, to: &json)
    case .sip(let event): add(event, to: &json)
    case .rebinding(let old, let new):
      json.add("old_call_id", old)
      json.add("call_id", new)
    case .transfer(let transfer):
      json.add("phase", transfer.phase.rawValue)
      json.add("status", transfer.status)
    case .timer(let timer):
      json.add("timer", timer.name)
      json.add("phase", timer.phase.rawValue)
      json.add("due_us", timer.due.map { Int($0.microseconds) })
    case .state(let old, let new, let reason):
      let change = [record.call?.name ?? "", "headline"].map(JSONText.quoted)
      let states = [old.map(JSONText.quoted) ?? "null", JSONText.quoted(new)]
      json.add("state", raw: "[[" + (change + states).joined(separator: ",") + "]]")
      json.add("reason", reason)
    case .lifecycle(.launched(let cause)):
      json.add("event", "launched")
      json.add("reason", cause)
    case .lifecycle(.killed(let reason)):
      json.add("event", "killed")
      json.add("reason", reason)
    case .lifecycle(.vanishes): json.add("event", "vanishes")
    case .lifecycle(.returns): json.add("event", "returns")
    case .lifecycle(.networkLost): json.add("event", "network lost")
    case .lifecycle(.networkRestored): json.add("event", "network restored")
    case .fault(let fault):
      json.add("fault", fault.name)
      json.add("effect", fault.effect)
    case .ignored(let why): json.add("reason", why)
    }
  }

  private func add(_ report: ReportEvent, to json: inout JSONText) {
    switch report {
    case .incoming(let caller, let handle):
      json.add("event", "incoming")
      json.add("caller", caller)
      json.add("handle", handle)
    case .updated(let caller, let handle):
      json.add("event", "updated")
      json.add("caller", caller)
      json.add("handle", handle)
    case .startedConnecting: json.add("event", "connecting")
    case .connected: json.add("event", "connected")
    case .ended(let reason):
      json.add("event", "ended")
      json.add("reason", reason)
    case .accepted: json.add("event", "accepted")
    case .refused(let error):
      json.add("event", "refused")
      json.add("error", error)
    }
  }

  private func add(_ request: RequestEvent, to json: inout JSONText) {
    switch request {
    case .asked(let id, let kinds):
      json.add("event", "asked")
      json.add("request", id)
      json.add("actions", kinds)
    case .accepted(let id):
      json.add("event", "accepted")
      json.add("request", id)
    case .refused(let id, let error):
      json.add("event", "refused")
      json.add("request", id)
      json.add("error", error)
    }
  }

  /// The bytes of a message come once, with its sending; later records name it by `msg`.
  private func add(_ event: SIPEvent, to json: inout JSONText) {
    var bytes: [UInt8]?
    switch event.phase {
    case .sent(let sent):
      json.add("phase", "sent")
      bytes = sent
    case .arrived: json.add("phase", "arrived")
    case .lost(let why):
      json.add("phase", "lost")
      json.add("reason", why)
    case .dropped(let why):
      json.add("phase", "dropped")
      json.add("reason", why)
    }
    json.add("msg", "m\(event.message.id)")
    json.add("summary", event.message.summary)
    json.add("call_id", event.message.callID.isEmpty ? nil : event.message.callID)
    json.add("cseq", event.message.method.isEmpty ? nil : event.message.sequence)
    json.add("origin", event.message.origin.rawValue)
    if let session = event.message.session { json.add(session.role.rawValue, session.direction) }
    json.add("sipfrag_status", event.message.fragment)
    guard let bytes, event.message.origin != .retransmission else { return }
    if let text = String(validating: bytes, as: UTF8.self) {
      json.add("raw", text)
    } else {
      json.add("raw_b64", Base64.encoded(bytes))
    }
  }
}

extension JSONLines: TimelineView {
  public func opening(_ heading: Heading) -> [String] { [line(for: heading)] }

  public func lines(for record: Record) -> [String] { [line(for: record)] }

  public func closing(_ summary: Summary) -> [String] { [line(for: summary)] }
}
