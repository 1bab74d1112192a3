import Instant
import Timeline

extension Record {
  /// What happened, in a few words, for a diagnostic.
  var phrase: String {
    let name = call.map { " \($0.name)" } ?? ""
    switch event {
    case .push: return "push\(name) was delivered"
    case .user(let user): return user.phrase(call: call?.name)
    case .action(let action): return "action \(action.kind)\(name.isEmpty ? "" : " of\(name)") \(action.status.past)"
    case .report(let report): return "report\(name) \(report.word)"
    case .request(.asked(_, let kinds)): return "request for \(kinds.joined(separator: ", "))\(name)"
    case .request(.accepted): return "request\(name) accepted"
    case .request(.refused(_, let error)): return "request\(name) refused (\(error))"
    case .audio(let audio): return "audio \(audio.word)"
    case .media(.digitStarts(let digit)): return "digit \(digit)\(name.isEmpty ? "" : " on\(name)") starts"
    case .media(.digitEnds(let digit, _)): return "digit \(digit)\(name.isEmpty ? "" : " on\(name)") ends"
    case .sip(let event):
      let message = event.message
      let report = message.fragment.map { " reporting \($0)" } ?? ""
      return "\(message.from) -> \(message.to) \(message.summary)\(report) \(event.phase.word)"
    case .rebinding(_, let callID): return "Call-ID \(callID) carries\(name)"
    case .transfer(let transfer):
      let words = [transfer.phase.rawValue] + (transfer.status.map { ["with \($0)"] } ?? [])
      return "transfer\(name.isEmpty ? "" : " of\(name)") \(words.joined(separator: " "))"
    case .timer(let timer): return "timer \(timer.name) \(timer.phase.rawValue)"
    case .state(_, let new, let reason):
      return "state of\(name) became \(new)" + (reason.map { " (\($0))" } ?? "")
    case .lifecycle(.launched(let by)): return "app launched by \(by)"
    case .lifecycle(.killed(let reason)): return "app killed: \(reason)"
    case .lifecycle(.vanishes): return "\(from) vanishes"
    case .lifecycle(.returns): return "\(from) returns"
    case .lifecycle(.networkLost): return "the network was lost"
    case .lifecycle(.networkRestored): return "the network was restored"
    case .fault(let fault): return "fault \(fault.name): \(fault.effect)"
    case .ignored(let why): return "ignored: \(why)"
    }
  }

  /// The observation that would expect the record, as a scenario writes it.
  var expectation: String {
    let name = call?.name ?? "any"
    switch event {
    case .sip(let event): return event.message.arrow(call: call?.name)
    case .report(.updated(let caller, let handle)):
      let parts = [caller.map { "caller \"\($0)\"" }, handle.map { "handle \"\($0)\"" }].compactMap { $0 }
      return (["\(from) updates \(name)"] + parts).joined(separator: " ")
    case .report(let report): return "\(from) reports \(name) \(report.word)"
    case .action(let action): return "\(name) action \(action.kind) is \(action.status.rawValue)"
    case .request(.asked(_, let kinds)): return "\(from) requests \(kinds.first ?? "") \(name)"
    case .transfer(let transfer):
      return "\(name) transfer \(transfer.phase.rawValue)" + (transfer.status.map { " status \($0)" } ?? "")
    case .audio(let audio): return "audio \(audio.word)"
    default: return phrase
    }
  }
}

extension UserEvent {
  /// The act as a scenario writes it, as far as the record tells.
  fileprivate func phrase(call: String?) -> String {
    let name = call.map { " \($0)" } ?? ""
    switch (verb, argument) {
    case ("presses", let digits?): return "user presses \"\(digits)\"" + (call.map { " on \($0)" } ?? "")
    case ("swaps", let other?): return "user swaps\(name), \(other)"
    case ("transfers", let target?): return "user transfers\(name) to \(target)"
    default: return "user \(verb)\(name)"
    }
  }
}

extension MessageFacts {
  /// The message as an arrow of the language.
  fileprivate func arrow(call: String?) -> String {
    let what = status == nil ? summary + (call.map { " \($0)" } ?? "") : summary
    return "\(from) -> \(to) \(what)" + (fragment.map { " reporting \($0)" } ?? "")
  }
}

extension ReportEvent {
  /// The word of the language for the report.
  fileprivate var word: String {
    switch self {
    case .incoming: "incoming"
    case .updated: "updated"
    case .startedConnecting: "connecting"
    case .connected: "connected"
    case .ended(let reason): "ended reason \(reason)"
    case .accepted: "accepted"
    case .refused(let error): "refused (\(error))"
    }
  }
}

extension ActionEvent.Status {
  fileprivate var past: String {
    switch self {
    case .pending: "delivered"
    case .fulfilled, .failed: rawValue
    case .timedOut: "timed out"
    }
  }
}

extension SIPEvent.Phase {
  fileprivate var word: String {
    switch self {
    case .sent: "sent"
    case .arrived: "arrived"
    case .lost(let why): "lost (\(why))"
    case .dropped(let why): "dropped (\(why))"
    }
  }
}

extension RecentRecords {
  /// What brought a record about: `14 <- INVITE arrived (12) and user answers c1 (6)`, followed back a few steps.
  func chain(to record: Record) -> String? {
    var steps: [String] = ["\(record.number)"]
    var causes = record.causes
    for _ in 0..<4 where !causes.isEmpty {
      let known = causes.compactMap { self[$0] }
      guard !known.isEmpty else { break }
      steps.append(known.map { "\($0.phrase) (\($0.number))" }.joined(separator: " and "))
      causes = Array(Set(known.flatMap(\.causes))).sorted()
    }
    return steps.count > 1 ? "cause chain: " + steps.joined(separator: " <- ") : nil
  }
}
