import Scenario
import Timeline

extension Record {
  /// The observation that would expect the record, as a scenario with these names writes it; `nil` where the language
  /// cannot speak of it, since who takes part or the call has no name there.
  func expectation(in plan: Plan) -> String? {
    let name = plan.calls.first { $0.name == call?.name }?.name
    switch event {
    case .sip(let event):
      let actors = [plan.device.name] + plan.peers.map(\.name)
      guard actors.contains(event.message.from), actors.contains(event.message.to) else { return nil }
      return event.message.arrow(call: name)
    case .report(.updated(let caller, let handle)):
      let parts = [caller.map { "caller \($0.quoted)" }, handle.map { "handle \($0.quoted)" }].compactMap { $0 }
      return (["\(from) updates \(name ?? "any")"] + parts).joined(separator: " ")
    case .report(let report): return "\(from) reports \(name ?? "any") \(report.word)"
    case .action(let action): return name.map { "\($0) action \(action.kind) is \(action.status.rawValue)" }
    case .request(.asked(_, let kinds)):
      guard let name, let kind = kinds.first else { return nil }
      return "\(from) requests \(kind) \(name)"
    case .transfer(let transfer):
      let status = transfer.status.map { " status \($0)" } ?? ""
      return name.map { "\($0) transfer \(transfer.phase.rawValue)\(status)" }
    case .audio(let audio): return "audio \(audio.word)"
    case .push, .user, .request, .media, .rebinding, .timer, .state, .lifecycle, .fault, .ignored: return nil
    }
  }
}

extension MessageFacts {
  /// The message as an arrow of the language.
  fileprivate func arrow(call: String?) -> String {
    let what = status == nil ? summary + (call.map { " \($0)" } ?? "") : summary
    return "\(from) -> \(to) \(what)" + (sipfragStatus.map { " reporting \($0)" } ?? "")
  }
}

extension String {
  /// The text as a string of the language that stands for it.
  var quoted: String {
    var result = "\""
    var isBehindDollar = false
    for scalar in unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      // What would begin a `${…}`, and control characters, which cannot stand in a scenario.
      case "{" where isBehindDollar, "\0"..<" ", "\u{7F}":
        let digits = String(scalar.value, radix: 16, uppercase: true)
        result += "${hex:\(digits.utf8.count < 2 ? "0" : "")\(digits)}"
      default: result.unicodeScalars.append(scalar)
      }
      isBehindDollar = scalar == "$"
    }
    return result + "\""
  }
}
