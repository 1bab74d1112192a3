import Instant
import SIP
import SimulationKernel
import Timeline

@testable import VirtualWorld

extension EverydayRun {
  /// What is done at some instant. What a peer may do then depends on how its call stands.
  enum Act {
    case stimulus(Stimulus)
    /// The peer of the call does something with its INVITE or its dialog.
    case invite(String, hasOffer: Bool)
    case cancel(String)
    case offer(String, direction: String?)
    case info(String)
    /// In the dialog that carries the call, or that of the Call-ID.
    case bye(String, callID: String? = nil)
    /// A peer reacts to a message.
    case respond(MessageFacts, status: Int)
    case acknowledge(MessageFacts)
    /// A peer says how far it has come with a REFER.
    case report(MessageFacts, status: Int)
    /// 64*T1 are over: nothing must be missing to this message.
    case review(MessageFacts)
  }

  // MARK: What is drawn

  /// The call comes about, in most runs so that it can be talked on.
  mutating func begin(_ call: Call) {
    let start = Instant.zero + .milliseconds(generator.number(in: 6_000...20_000))
    let other = calls.first { $0.name != call.name }?.name ?? call.name
    let near = pick([Span.zero, .milliseconds(1), .milliseconds(20), .seconds(1), .seconds(3), .seconds(8)])
    if call.isOutgoing {
      let host = call.peer == "alice" ? 3 : 4
      plan(user(.calls, call.name, "sip:\(call.peer)@10.0.0.\(host)", inApp: true), at: start)
      return
    }
    let aside = pick([Span.milliseconds(-5_000), .milliseconds(-30), .milliseconds(-1), .zero, .milliseconds(1)])
    for _ in 0..<pick([0, 1, 1, 2]) {
      let caller = pick([nil, "Alice"])
      plan(.stimulus(.push(call: call.name, callID: call.callID, caller: caller)), at: start + aside)
    }
    plan(.invite(call.name, hasOffer: below(5) > 0), at: start)
    switch below(6) {
    case 0: return
    case 1: plan(line(.holds, other, .answers, call.name), at: start + near)
    case 2: plan(line(.ends, other, .answers, call.name), at: start + near)
    default: plan(user(.answers, call.name, inApp: below(3) == 0), at: start + near)
    }
  }

  /// Something, and what belongs to it after a while.
  mutating func draw() -> [(Span, Act)] {
    let call = pick(calls).name
    let other = calls.first { $0.name != call }?.name ?? call
    let inApp = below(3) == 0
    let later = Span.milliseconds(generator.number(in: 1...12_000))
    switch below(34) {
    case 0:
      guard let place = place(of: call), calls.contains(where: { $0.name == call && !$0.isOutgoing }) else { return [] }
      return [(.zero, .stimulus(.push(call: call, callID: place.callID, caller: nil)))]
    case 1: return [(.zero, .cancel(call))]
    case 2: return [(.zero, user(.answers, call, inApp: inApp))]
    case 3: return [(.zero, user(.declines, call, inApp: inApp))]
    case 4, 5, 6, 7: return [(.zero, user(.holds, call, inApp: inApp)), (later, user(.resumes, call, inApp: inApp))]
    case 8: return [(.zero, user(.resumes, call, inApp: inApp))]
    case 9: return [(.zero, user(.swaps, call, other, inApp: inApp))]
    case 10: return [(.zero, line(.holds, call, .answers, other))]
    case 11: return [(.zero, line(.ends, call, .answers, other))]
    case 12: return [(.zero, line(.holds, call, .resumes, other))]
    case 13, 14, 15, 16:
      let direction = pick([nil, "sendonly", "sendonly", "inactive", "sendrecv"])
      return [(.zero, .offer(call, direction: direction)), (later, .offer(call, direction: "sendrecv"))]
    case 17: return [(.zero, user(.mutes, call, inApp: inApp)), (later, user(.unmutes, call, inApp: inApp))]
    case 18: return [(.zero, user(.unmutes, call, inApp: inApp))]
    case 19, 20: return [(.zero, user(.presses, call, pick(["1", "12#", "0A*9", "77777777"]), inApp: inApp))]
    case 21: return [(.zero, .info(call))]
    case 22:
      return [(.zero, .stimulus(.system(.deactivatesAudio))), (later, .stimulus(.system(.activatesAudio)))]
    case 23:
      return [(.zero, .stimulus(.system(.interruptsAudio))), (later, .stimulus(.system(.endsInterruption)))]
    case 24: return [(.zero, .stimulus(.system(pick([.failsUnit, .activatesAudio, .endsInterruption]))))]
    case 25: return [(.zero, .bye(call))]
    case 26: return [(.zero, user(.ends, call, inApp: inApp))]
    case 27:
      let peer = pick(Self.peers)
      let span = pick([later, later, .seconds(40)])
      return [(.zero, .stimulus(.vanish(peer))), (span, .stimulus(.comeBack(peer)))]
    case 28:
      return [(.zero, user(.holds, call, inApp: false)), (.zero, .offer(call, direction: pick([nil, "sendonly"])))]
    case 29, 30: return [(.zero, user(.transfers, call, "sip:dave@10.0.0.9", inApp: true))]
    case 32:
      let span = pick([later, later, .seconds(40)])
      return [(.zero, .stimulus(.system(.losesNetwork))), (span, .stimulus(.system(.restoresNetwork)))]
    case 31: return [(.zero, user(.connects, call, other, inApp: true))]
    default: return [(.zero, user(.resumes, call, inApp: false)), (.zero, user(.holds, other, inApp: inApp))]
    }
  }

  private func user(_ verb: UserAct.Verb, _ call: String, _ argument: String? = nil, inApp: Bool) -> Act {
    .stimulus(.user([UserAct(verb, call: call, argument: argument)], inApp: inApp))
  }

  /// Two acts on the call screen that are one decision.
  private func line(_ first: UserAct.Verb, _ one: String, _ second: UserAct.Verb, _ other: String) -> Act {
    .stimulus(.user([UserAct(first, call: one), UserAct(second, call: other)], inApp: false))
  }

  // MARK: What it comes to

  /// The stimulus; `nil` if a peer that keeps to SIP would not do this now.
  mutating func stimulus(of act: Act) -> Stimulus? {
    switch act {
    case .stimulus(let stimulus):
      if case .vanish(let peer) = stimulus { conduct.everGone.insert(peer) }
      // For a peer it is as if it were gone itself.
      if case .system(.losesNetwork) = stimulus { conduct.everGone.formUnion(Self.peers) }
      return stimulus
    case .invite(let call, let hasOffer):
      guard let place = place(of: call), dialog(at: place) == nil else { return nil }
      return request("INVITE", place, hasOffer ? offer("sendrecv") : nil)
    case .cancel(let call):
      guard let place = place(of: call), let dialog = dialog(at: place), let invite = dialog.sentInvite,
        invite.isPending, !dialog.isConfirmed, dialog.remoteTag != nil, conduct.cancelled.insert(call).inserted
      else { return nil }
      return request("CANCEL", place)
    case .offer(let call, let direction):
      guard let place = place(of: call), mayOffer(at: place) else { return nil }
      conduct.directions[call] = direction ?? "sendrecv"
      return request("re-INVITE", place, direction.map(offer))
    case .info(let call):
      guard let place = place(of: call), mayTalk(at: place) else { return nil }
      return request("INFO", place)
    case .bye(let call, let callID):
      guard let place = callID.map({ place(ofCallID: $0) }) ?? place(of: call), mayTalk(at: place) else { return nil }
      conduct.leaving.insert(place.callID)
      return request("BYE", place)
    case .respond(let request, let status): return response(to: request, status)
    case .acknowledge(let success): return acknowledgement(of: success)
    case .report(let refer, let status): return report(on: refer, status)
    case .review(let message): return review(message)
    }
  }

  /// A call as its peer knows it.
  struct Place {
    var call: String
    var callID: String
    var peer: String
  }

  func place(of call: String) -> Place? {
    guard let call = calls.first(where: { $0.name == call }) else { return nil }
    return Place(call: call.name, callID: call.callID, peer: call.peer)
  }

  /// The dialog of a call, as long as its session is not over.
  func dialog(at place: Place) -> PeerDialog? {
    peer(place.peer)?.dialogs[place.callID].flatMap { $0.isOver ? nil : $0 }
  }

  func peer(_ name: String) -> Peer? { simulation.world.peers.first { $0.setup.address.name == name } }

  func offer(_ direction: String) -> MessageFacts.Session { MessageFacts.Session(role: .offer, direction: direction) }

  func request(_ method: String, _ place: Place, _ session: MessageFacts.Session? = nil) -> Stimulus {
    .message(
      PeerMessage(
        from: place.peer, to: "phone", content: .request(method: method), subject: .call(place.call), session: session,
        callID: place.callID))
  }
}
