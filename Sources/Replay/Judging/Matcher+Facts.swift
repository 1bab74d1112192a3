import Scenario
import Timeline

extension Matcher {
  /// What was so instead, where a question about a state was answered with no.
  func facts(about observation: Observation) -> [String] {
    switch observation {
    case .action(let call, let kind, _, _):
      guard book[call] != nil else { return [] }
      let outcome = book[call]?.outcomes[kind]
      return [outcome.map { "action \(kind) of \(call) was \($0.rawValue)" } ?? "\(call) had no action \(kind)"]
    case .audioIs:
      return ["audio was \(session)"]
    case .audioIsSilent:
      let silences = book.silences.map { "\($0.call ?? "a call") was silent: \($0.cause.rawValue)" }
      return silences.isEmpty ? ["no call was silent"] : silences
    case .audioUnitIs:
      return [book.unitRuns ? "the audio unit ran" : "the audio unit was stopped"]
    case .has(let call, let property, _):
      guard let facts = book[call] else { return [] }
      return [fact(facts, property)]
    case .uuidUnchanged(let call, let label):
      guard let facts = book[call] else { return [] }
      guard let then = labels[label]?.calls[call]?.uuid else { return ["\(call) had no UUID at `\(label)`"] }
      return ["the UUID was \(then) at `\(label)`, and is \(facts.uuid ?? "none") now"]
    case .deviceIs:
      return [book.killed.map { "the app was killed: \($0)" } ?? "the app was running"]
    case .faultsFired(let names):
      return names.filter { !book.firedFaults.contains($0) }.map { "fault \($0) had not fired" }
    case .message, .reports, .updates, .requests, .transfer, .becomes, .isInState, .audio, .audioUnit, .deviceCrashes:
      return []
    }
  }

  /// Everything that `audio is …` can ask for.
  private var session: String {
    var words = [book.audioIsActive ? "active" : "inactive"]
    if book.audioIsConfigured { words.append("configured") }
    if book.audioIsInterrupted { words.append("interrupted") }
    return words.joined(separator: ", ")
  }

  private func fact(_ call: CallBook.Call, _ property: String) -> String {
    if property == "call-id" {
      guard !call.callIDs.isEmpty else { return "\(call.name) had no call-id" }
      return "\(call.name) had call-id " + call.callIDs.map { "\"\($0)\"" }.joined(separator: ", ")
    }
    guard let value = call.property(property) else { return "\(call.name) had no \(property)" }
    // What is a word in scenarios stands without quotes.
    let isWord = property == "mute" || property == "media"
    return "\(call.name) had \(property) \(isWord ? value : "\"\(value)\"")"
  }
}
