/// Something that a script does and without which a check may have nothing to find.
enum Doing: Hashable {
  /// Bytes of which nothing is known.
  case raw
  /// A call of the phone to somebody.
  case dials
  /// An INVITE of which the file does not say which call it brings about.
  case invitesToAnyCall
  case creates(call: String)
  case sends(from: String, to: String)
  case request(from: String, to: String, method: String)
  case response(from: String, to: String, status: Int)
  case interruptsAudio
  /// The user wants this call transferred.
  case transfers(call: String)

  /// What a line does.
  static func all(of stimulus: PlannedStimulus) -> [Doing] {
    switch stimulus {
    case .start, .vanishes, .returns: return []
    case .system(let words): return words == "interrupts audio" ? [.interruptsAudio] : []
    case .push(let call, _, _): return [.creates(call: call)]
    case .user(let acts, _):
      var result: [Doing] = []
      for act in acts {
        switch act {
        case .calls(let call, _): result += [.dials, .creates(call: call)]
        case .transfers(let call, _), .connects(let call, _): result.append(.transfers(call: call))
        default: break
        }
      }
      return result
    case .message(let arrow):
      var result: [Doing] = [.sends(from: arrow.from, to: arrow.to)]
      // Another header field can lead the answers elsewhere.
      if !arrow.with.isEmpty { result.append(.raw) }
      switch arrow.what {
      case .raw, .any: result.append(.raw)
      // It brings no call about: there is one that it renegotiates.
      case .reInvite: result.append(.request(from: arrow.from, to: arrow.to, method: "INVITE"))
      case .response(let status): result.append(.response(from: arrow.from, to: arrow.to, status: status))
      case .request(let method):
        result.append(.request(from: arrow.from, to: arrow.to, method: method))
        guard method == "INVITE" else { break }
        if case .call(let call) = arrow.subject {
          result.append(.creates(call: call))
        } else {
          result.append(.invitesToAnyCall)
        }
      }
      return result
    }
  }
}

/// Says why an observation can never be made, where the file alone shows it.
///
/// Raw text can be any message, an automatic peer takes decisions of its own, and a peer's transaction layer answers by
/// rule: where one of them is in play nothing is claimed.
struct Impossibility {
  /// The peers that send what the script has them send, and what follows by rule.
  let scriptedPeers: Set<String>
  /// Whether some line does this.
  let has: (Doing) -> Bool

  func reason(_ observation: Observation) -> String? {
    // Only the script interrupts audio, whatever is sent.
    if observation == .audio("interrupted") || observation == .audioIs("interrupted"), !has(.interruptsAudio) {
      return "no line has the system interrupt the audio"
    }
    // Of a transfer that others want nothing is told but messages.
    if case .transfer(let call, _, _) = observation, !has(.transfers(call: call)) {
      return "no line has the user transfer `\(call)`"
    }
    if has(.raw) { return nil }
    if case .message(let arrow) = observation, let why = reason(arrow) { return why }
    guard let call = observation.call, !has(.creates(call: call)), !has(.invitesToAnyCall) else { return nil }
    return "no line creates the call `\(call)`"
  }

  private func reason(_ arrow: Arrow) -> String? {
    guard scriptedPeers.contains(arrow.from) else { return nil }
    let way = "\(arrow.from) -> \(arrow.to)"
    // Who is reached by a request answers it by rule, and who sends an INVITE acknowledges its refusal.
    let answersByRule =
      has(.sends(from: arrow.from, to: arrow.to)) || has(.sends(from: arrow.to, to: arrow.from)) || has(.dials)
    switch arrow.what {
    case .raw: return nil
    case .any: return answersByRule ? nil : "no line sends `\(way)` anything"
    case .reInvite:
      return has(.request(from: arrow.from, to: arrow.to, method: "INVITE")) ? nil : "no line sends `\(way) INVITE`"
    case .request(let method):
      if has(.request(from: arrow.from, to: arrow.to, method: method)) { return nil }
      return method == "ACK" && answersByRule ? nil : "no line sends `\(way) \(method)`"
    case .response(let status):
      if has(.response(from: arrow.from, to: arrow.to, status: status)) { return nil }
      // 100, 200 to CANCEL, 487, and what a transaction layer says of what it cannot take.
      let isByRule = status == 100 || status == 200 || (400..<600).contains(status)
      return isByRule && answersByRule ? nil : "no line sends `\(way) \(status)`"
    }
  }
}

extension Observation {
  /// The call that must exist for the observation to be made.
  fileprivate var call: String? {
    switch self {
    case .message(let arrow):
      if case .call(let call) = arrow.subject { call } else { nil }
    case .reports(let call, _), .updates(let call, _, _): call
    case .requests(let call, _), .transfer(let call, _, _), .becomes(let call, _, _), .isInState(let call, _),
      .action(let call, _, _, _), .has(let call, _, _), .uuidUnchanged(let call, _):
      call
    case .audio, .audioIs, .audioIsSilent, .audioUnit, .audioUnitIs, .deviceIs, .deviceCrashes, .faultsFired: nil
    }
  }
}
