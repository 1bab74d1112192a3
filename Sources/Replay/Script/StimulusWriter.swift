import Scenario
import Timeline
import VirtualWorld

/// Turns a planned line into what the world can carry out, with every text and label put in.
struct StimulusWriter {
  let plan: Plan
  let labels: LabelTable
  let values: Substitution

  /// The stimulus; `nil` for a line that does nothing. Throws where a label has not happened or a text cannot be made.
  func write(_ planned: PlannedStimulus) throws(ScriptError) -> Stimulus? {
    switch planned {
    case .start: return nil
    case .push(let call, let caller, let callID):
      return .push(call: call, callID: try text(callID), caller: try text(caller))
    case .user(let acts, let inApp):
      var written: [VirtualWorld.UserAct] = []
      for act in acts { written.append(write(act)) }
      return .user(written, inApp: inApp)
    case .message(let arrow): return .message(try write(arrow))
    case .system(let words): return .system(try systemAct(words))
    case .vanishes(let peer): return .vanish(peer)
    case .returns(let peer): return .comeBack(peer)
    }
  }

  private func systemAct(_ words: String) throws(ScriptError) -> SystemAct {
    switch words {
    case "activates audio": return .activatesAudio
    case "deactivates audio": return .deactivatesAudio
    case "interrupts audio": return .interruptsAudio
    case "ends interruption": return .endsInterruption
    case "fails unit": return .failsUnit
    case "loses network": return .losesNetwork
    case "restores network": return .restoresNetwork
    default: throw ScriptError("the system has no `\(words)`")
    }
  }

  private func text(_ template: TemplateText?, callerHost: String? = nil) throws(ScriptError) -> String? {
    guard let template else { return nil }
    return try values.text(template, callerHost: callerHost)
  }

  private func write(_ act: Scenario.UserAct) -> VirtualWorld.UserAct {
    switch act {
    case .answers(let call): .init(.answers, call: call)
    case .declines(let call): .init(.declines, call: call)
    case .ends(let call): .init(.ends, call: call)
    case .calls(let call, let target):
      .init(.calls, call: call, argument: plan.peers.first { $0.name == target }?.uri ?? target)
    case .transfers(let call, let target):
      .init(.transfers, call: call, argument: plan.peers.first { $0.name == target }?.uri ?? target)
    case .connects(let call, let other): .init(.connects, call: call, argument: other)
    case .holds(let call): .init(.holds, call: call)
    case .resumes(let call): .init(.resumes, call: call)
    case .swaps(let first, let second): swap(first, second)
    case .mutes(let call): .init(.mutes, call: call)
    case .unmutes(let call): .init(.unmutes, call: call)
    case .presses(let digits, let call): .init(.presses, call: call, argument: digits)
    }
  }

  /// The call that is on hold is resumed and the other one held; if neither or both are, the first one is held.
  private func swap(_ first: String, _ second: String) -> VirtualWorld.UserAct {
    let book = values.book
    let isFirstOnHold = book[first]?.isOnHold ?? false
    let isSecondOnHold = book[second]?.isOnHold ?? false
    return isFirstOnHold && !isSecondOnHold
      ? .init(.swaps, call: second, argument: first) : .init(.swaps, call: first, argument: second)
  }

  private func write(_ arrow: Arrow) throws(ScriptError) -> PeerMessage {
    let host = plan.peers.first { $0.name == arrow.from }.map { $0.host ?? SIPAddress($0.uri)?.host ?? "" }
    var headers: [(name: String, value: String)] = []
    for line in arrow.with {
      let field = try values.text(line, callerHost: host)
      guard let header = headerField(field) else { throw ScriptError("`\(field)` is no header field") }
      headers.append(header)
    }
    var callID = try text(arrow.callID, callerHost: host)
    if callID == nil { callID = try self.callID(of: arrow) }
    return PeerMessage(
      from: arrow.from, to: arrow.to, content: try content(arrow, callerHost: host), subject: try subject(arrow),
      session: session(arrow), fragment: arrow.fragment, headers: headers, omitted: arrow.without, callID: callID)
  }

  private func content(_ arrow: Arrow, callerHost: String?) throws(ScriptError) -> PeerMessage.Content {
    switch arrow.what {
    case .request(let method): return .request(method: method)
    case .reInvite: return .request(method: "re-INVITE")
    case .response(let status): return .response(status: status)
    case .any: throw ScriptError("`any` cannot be sent")
    case .raw(let lines, let verbatim, let chunks):
      guard chunks.isEmpty else { throw ScriptError("`chunks` cannot be sent yet") }
      return .raw(try values.message(lines, verbatim: verbatim, callerHost: callerHost))
    }
  }

  /// A message that belongs to a labelled one, or to a dialog as it was at a label, has that one's Call-ID.
  private func callID(of arrow: Arrow) throws(ScriptError) -> String? {
    switch arrow.subject {
    case .label(let label):
      guard let message = labels[label]?.message else { return nil }
      return message.callID.isEmpty ? nil : message.callID
    case .callAt(let label, let call):
      guard let entry = labels[label] else { throw ScriptError("label `\(label)` has not happened") }
      guard let callID = entry.calls[call]?.callID else { throw ScriptError("`\(call)` had no dialog at `\(label)`") }
      return callID
    case .none, .method, .call, .anyCall: return nil
    }
  }

  private func subject(_ arrow: Arrow) throws(ScriptError) -> PeerMessage.Subject {
    switch arrow.subject {
    case .none: return .none
    case .call(let name): return .call(name)
    case .label(let label):
      guard let entry = labels[label] else { throw ScriptError("label `\(label)` has not happened") }
      guard let message = entry.message else { throw ScriptError("`\(label)` is no message") }
      return .message(message.id)
    case .method, .anyCall: throw ScriptError("only a label or a call can be answered")
    // Its Call-ID says which dialog is meant.
    case .callAt: return .none
    }
  }

  private func session(_ arrow: Arrow) -> MessageFacts.Session? {
    guard let role = arrow.role, let direction = arrow.direction else { return nil }
    switch role {
    case .offer: return .init(role: .offer, direction: direction)
    case .answer: return .init(role: .answer, direction: direction)
    }
  }
}
