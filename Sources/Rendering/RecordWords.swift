import Timeline

/// What a record says, in words for a reader.
enum RecordWords {
  /// The message in the column for messages: `INVITE`, `200`, with the method where the status alone says too little.
  static func name(of message: MessageFacts) -> String {
    guard let status = message.status else { return message.method.isEmpty ? "unreadable" : message.summary }
    return message.method == "INVITE" ? "\(status)" : "\(status) \(message.method)"
  }

  /// What the message carries.
  static func detail(of message: MessageFacts) -> String {
    var words: [String] = []
    if let session = message.session { words.append("\(session.role.rawValue) \(session.direction)") }
    if let fragment = message.fragment { words.append("reporting \(fragment)") }
    if message.origin == .retransmission { words.append("again") }
    return words.joined(separator: ", ")
  }

  /// The message on an arrow, what matters most first. That a request offers and a response answers goes without
  /// saying (RFC 3264 5, 6).
  static func label(of message: MessageFacts, fate: String? = nil) -> String {
    var words = [message.status == nil ? name(of: message) : statusLine(of: message)]
    if let fragment = message.fragment { words.append("reporting \(fragment)") }
    if message.origin == .retransmission { words.append("again") }
    if let fate { words.append(fate) }
    if let session = message.session {
      let isUsual = session.role == (message.status == nil ? .offer : .answer)
      words.append(isUsual ? "(\(session.direction))" : "(\(session.role.rawValue) \(session.direction))")
    }
    return words.joined(separator: " ")
  }

  /// `200 OK`, `200 OK to BYE`.
  private static func statusLine(of message: MessageFacts) -> String {
    let parts = [
      message.status.map(String.init) ?? "", message.reason, message.method == "INVITE" ? "" : "to \(message.method)",
    ]
    return parts.filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// The last column.
  static func detail(of record: Record, isASCII: Bool) -> String {
    switch record.event {
    case .push(let push):
      return joined("VoIP push", push.caller.map { "caller \($0)" }, push.callID.map { "Call-ID \($0)" })
    case .user(let user): return detail(of: user)
    case .action(let action):
      let origin = action.status == .pending && action.origin != .user ? ", asked by the \(action.origin.rawValue)" : ""
      return "\(action.kind) \(action.status.rawValue)\(origin)"
    case .report(let report): return detail(of: report, call: record.call, isASCII: isASCII)
    case .request(let request): return detail(of: request)
    case .audio(let audio): return detail(of: audio)
    case .media(let media): return detail(of: media)
    case .sip(let event): return detail(of: event)
    case .rebinding(_, let callID): return "Call-ID \(callID) carries the call"
    case .transfer(let transfer):
      return joined("transfer \(transfer.phase.rawValue)", transfer.status.map(String.init))
    case .timer(let timer):
      return joined("timer \(timer.name) \(timer.phase.rawValue)", timer.due.map { "due \($0)" })
    case .state(let old, _, let reason):
      return joined(old.map { "was \($0)" } ?? "new", reason.map { "reason \($0)" })
    case .lifecycle(.launched(let cause)): return "app launched by \(cause)"
    case .lifecycle(.killed(let reason)): return "app killed: \(reason)"
    case .lifecycle(.vanishes): return "vanishes"
    case .lifecycle(.returns): return "returns"
    case .lifecycle(.networkLost): return "network lost"
    case .lifecycle(.networkRestored): return "network restored"
    case .fault(let fault): return "fault \(fault.name): \(fault.effect)"
    case .ignored(let why): return "ignored: \(why)"
    }
  }

  private static func detail(of user: UserEvent) -> String {
    let to = user.verb == "transfers" ? "to" : nil
    return [user.verb, to, user.argument, user.inApp ? "in app" : nil].compactMap { $0 }.joined(separator: " ")
  }

  private static func detail(of report: ReportEvent, call: CallLabel?, isASCII: Bool) -> String {
    switch report {
    case .incoming(let caller, let handle):
      return joined(
        "reports incoming" + (call?.uuid.map { " " + short($0, isASCII: isASCII) } ?? ""),
        caller.map { "caller \($0)" },
        handle.map { "handle \($0)" })
    case .updated(let caller, let handle):
      return joined("updates", caller.map { "caller \($0)" }, handle.map { "handle \($0)" })
    case .startedConnecting: return "reports connecting"
    case .connected: return "reports connected"
    case .ended(let reason): return "reports ended, reason \(reason)"
    case .accepted: return "report accepted"
    case .refused(let error): return "report refused: \(error)"
    }
  }

  private static func detail(of request: RequestEvent) -> String {
    switch request {
    case .asked(_, let kinds): return "requests " + kinds.joined(separator: ", ")
    case .accepted: return "request accepted"
    case .refused(_, let error): return "request refused: \(error)"
    }
  }

  private static func detail(of audio: AudioEvent) -> String {
    switch audio {
    case .configures: return "audio session configured"
    case .activates: return "audio session activated"
    case .deactivates: return "audio session deactivated"
    case .unitStarts: return "audio unit starts"
    case .unitStops: return "audio unit stops"
    case .interrupted: return "audio session interrupted"
    case .interruptionEnds: return "interruption ends"
    case .unitFails(let code): return "audio unit fails: error \(code)"
    case .microphoneOpens: return "microphone opens"
    case .microphoneCloses: return "microphone closes"
    case .silent(let cause): return "no audio: \(cause.rawValue)"
    case .heard: return "audio is heard"
    }
  }

  private static func detail(of media: MediaEvent) -> String {
    switch media {
    case .digitStarts(let digit): "digit \(digit) starts"
    case .digitEnds(let digit, let duration): "digit \(digit) ends after \(duration)"
    }
  }

  private static func detail(of event: SIPEvent) -> String {
    switch event.phase {
    case .sent, .arrived: return joined("arrived", detail(of: event.message))
    case .lost(let why): return joined("lost: \(why)", detail(of: event.message))
    case .dropped(let why): return "dropped: \(why)"
    }
  }

  /// The first and last digits of a UUID: `7A3C…9A11`.
  static func short(_ uuid: String, isASCII: Bool) -> String {
    uuid.prefix(4) + (isASCII ? ".." : "…") + uuid.suffix(4)
  }

  private static func joined(_ parts: String?...) -> String {
    parts.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: ", ")
  }
}
