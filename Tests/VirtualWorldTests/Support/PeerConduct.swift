import Instant
import SIP
import SimulationKernel
import Timeline

@testable import VirtualWorld

/// What is kept of the peers so that they keep to SIP: they answer everything, sooner or later, acknowledge every 2xx,
/// and end a dialog in which something is missing for 64*T1 (RFC 3261 12.2.1.2, 13.3.1.4).
struct PeerConduct {
  /// The calls whose INVITE the peer has cancelled.
  var cancelled: Set<String> = []
  /// The Call-IDs of the dialogs that the peer has ended.
  var leaving: Set<String> = []
  /// The direction of its stream that the peer wants.
  var directions: [String: String] = [:]
  /// The peers that have vanished at any time.
  var everGone: Set<String> = []
  /// The messages that have been reacted to, by their numbers.
  fileprivate var seen: Set<Int> = []
  /// What has come to the peers: ACKs, and responses that are no 100.
  fileprivate var acknowledged: Set<MessagePattern.Transaction> = []
  fileprivate var answered: Set<MessagePattern.Transaction> = []
  fileprivate var reviewed: Set<Int> = []
}

extension EverydayRun {
  // MARK: What a peer may do

  /// Whether the peer may send a request within its dialog. As callee it waits for the ACK (RFC 3261 15).
  func mayTalk(at place: Place) -> Bool {
    guard let dialog = dialog(at: place), dialog.isConfirmed, dialog.hasBothTags else { return false }
    return dialog.repeatedSuccesses.isEmpty && !conduct.leaving.contains(place.callID)
  }

  /// Whether it may send a re-INVITE: no INVITE is under way in either direction (RFC 3261 14.1).
  func mayOffer(at place: Place) -> Bool {
    guard mayTalk(at: place), let dialog = dialog(at: place) else { return false }
    if let invite = dialog.sentInvite {
      if invite.isPending || !invite.successes.isEmpty && invite.acknowledgement == nil { return false }
    }
    return peer(place.peer)?.inbox.first(callID: place.callID) { $0.method == .invite } == nil
  }

  // MARK: Reactions

  mutating func react(to record: Record) {
    if case .rebinding(_, to: let callID) = record.event,
      let index = calls.firstIndex(where: { $0.name == record.call?.name })
    {
      calls[index].callIDs.append(callID)
    }
    guard case .sip(let sip) = record.event else { return }
    let message = sip.message
    switch sip.phase {
    case .sent where message.from != "phone": noteSent(message)
    case .arrived where message.to != "phone": noteArrived(message)
    default: break
    }
  }

  private mutating func noteSent(_ message: MessageFacts) {
    let isReviewed = message.status == 200 ? message.method == "INVITE" : message.status == nil
    guard isReviewed, !["ACK", "CANCEL", "NOTIFY"].contains(message.method),
      conduct.reviewed.insert(message.id).inserted
    else {
      return
    }
    plan(.review(message), after: TransactionTiming.timeout + .milliseconds(1))
  }

  private mutating func noteArrived(_ message: MessageFacts) {
    if message.method == "ACK" { conduct.acknowledged.insert(transaction(of: message)) }
    if let status = message.status, status > 100 { conduct.answered.insert(transaction(of: message)) }
    guard conduct.seen.insert(message.id).inserted, let place = place(ofCallID: message.callID) else { return }
    let isAutomatic = peer(message.to)?.setup.isAutomatic ?? true
    switch (message.method, message.status) {
    case ("INVITE", nil) where !isAutomatic: message.isReInvite ? decide(reInvite: message) : decide(invite: message)
    case ("BYE", nil) where !isAutomatic: plan(.respond(message, status: 200), after: soon())
    case ("INFO", nil) where !isAutomatic:
      let status = pick([200, 200, 200, 415, 481])
      plan(.respond(message, status: status), after: below(12) == 0 ? .seconds(40) : soon())
    case ("REFER", nil) where !isAutomatic: decide(refer: message)
    // What becomes of a report is nothing to the call (RFC 6665 4.2.2).
    case ("NOTIFY", _): break
    case ("INVITE", 200):
      let delay = soon()
      if !isAutomatic { plan(.acknowledge(message), after: below(25) == 0 ? .seconds(40) : delay) }
      if conduct.cancelled.contains(place.call) {
        plan(.bye(place.call, callID: place.callID), after: delay + .milliseconds(1))
      }
    case ("INVITE", 491?):
      let direction = conduct.directions[place.call]
      let wait = Span.milliseconds(generator.number(in: 0...400) * 10)
      if below(3) > 0 { plan(.offer(place.call, direction: direction), after: wait) }
    case (_, 481?), (_, 408?): plan(.bye(place.call, callID: place.callID), after: .zero)
    default: break
    }
  }

  private mutating func decide(invite: MessageFacts) {
    let rings = below(4) > 0
    let ring = soon()
    if rings { plan(.respond(invite, status: pick([180, 180, 183])), after: ring) }
    // It may ring for ever, or nobody may be there for a while.
    if rings, below(10) == 0 { return }
    let status = pick([200, 200, 200, 200, 200, 200, 486, 603, 404])
    plan(
      .respond(invite, status: status),
      after: ring + pick([soon(), .seconds(2), .seconds(2), .seconds(8), .seconds(40)]))
  }

  private mutating func decide(reInvite: MessageFacts) {
    let status = pick([200, 200, 200, 200, 488, 491, 500])
    let delay = below(20) == 0 ? .seconds(40) : soon()
    plan(.respond(reInvite, status: status), after: delay)
  }

  /// It tries, and tells how it goes, in some runs before it says that it does.
  private mutating func decide(refer: MessageFacts) {
    let status = pick([200, 202, 202, 202, 603, 486])
    let answer = soon()
    plan(.respond(refer, status: status), after: answer)
    guard status < 300 else { return }
    let begin = pick([soon(), answer + .milliseconds(1)])
    plan(.report(refer, status: 100), after: begin)
    if below(2) == 0 { plan(.report(refer, status: 180), after: begin + soon()) }
    let end = begin + .milliseconds(2) + pick([soon(), .seconds(2), .seconds(2), .seconds(40), .seconds(80)])
    plan(.report(refer, status: pick([200, 200, 200, 486, 503])), after: end)
  }

  private mutating func soon() -> Span {
    pick([.zero, .zero, .milliseconds(1), .milliseconds(20), .milliseconds(300), .milliseconds(1_200)])
  }

  func place(ofCallID callID: String) -> Place? {
    calls.first { $0.callIDs.contains(callID) }.map { Place(call: $0.name, callID: callID, peer: $0.peer) }
  }

  private func transaction(of message: MessageFacts) -> MessagePattern.Transaction {
    MessagePattern.Transaction(
      callID: message.callID, sequence: message.sequence, requester: message.status == nil ? message.from : message.to)
  }

  // MARK: What a reaction comes to

  /// The peer that acts.
  func debtor(of act: Act) -> String? {
    switch act {
    case .stimulus: nil
    case .respond(let request, _): request.to
    case .acknowledge(let success): success.to
    case .report(let refer, _): refer.to
    case .review(let message): message.from
    case .invite(let call, _), .cancel(let call), .offer(let call, _), .info(let call), .bye(let call, _):
      place(of: call)?.peer
    }
  }

  func isGone(_ peer: String) -> Bool {
    simulation.world.stage.book.index(named: peer).map(simulation.world.stage.isDisconnected) ?? false
  }

  func response(to request: MessageFacts, _ wanted: Int) -> Stimulus? {
    guard let place = place(ofCallID: request.callID) else { return nil }
    var status = wanted
    if request.isReInvite, dialog(at: place)?.sentInvite?.isPending ?? false { status = 491 }
    let isOver = dialog(at: place) == nil || conduct.leaving.contains(place.callID)
    if request.method == "INFO" || request.isReInvite, isOver { status = 481 }
    var session: MessageFacts.Session?
    if status == 200, request.method == "INVITE" {
      session = request.session.flatMap { answer(to: $0, of: place) } ?? offer("sendrecv")
    }
    return .message(
      PeerMessage(
        from: request.to, to: "phone", content: .response(status: status), subject: .message(request.id),
        session: session))
  }

  func acknowledgement(of success: MessageFacts) -> Stimulus? {
    guard let place = place(ofCallID: success.callID) else { return nil }
    let offer = success.session.flatMap { $0.role == .offer ? $0 : nil }
    return .message(
      PeerMessage(
        from: success.to, to: "phone", content: .request(method: "ACK"), subject: .message(success.id),
        session: offer.flatMap { answer(to: $0, of: place) }, callID: success.callID))
  }

  func report(on refer: MessageFacts, _ status: Int) -> Stimulus? {
    guard let place = place(ofCallID: refer.callID), var dialogs = peer(place.peer)?.dialogs else { return nil }
    dialogs.chooseReporting(refer.callID)
    guard dialogs[refer.callID]?.referrals.isEmpty == false else { return nil }
    return .message(
      PeerMessage(
        from: place.peer, to: "phone", content: .request(method: "NOTIFY"), subject: .call(place.call),
        fragment: status, callID: refer.callID))
  }

  private func answer(to offer: MessageFacts.Session, of place: Place) -> MessageFacts.Session? {
    let wanted = SessionDescription.Direction(rawValue: conduct.directions[place.call] ?? "sendrecv")
    guard let wanted, let offered = SessionDescription.Direction(rawValue: offer.direction) else { return nil }
    return MessageFacts.Session(role: .answer, direction: wanted.answer(to: offered).rawValue)
  }

  /// BYE, if what a message waits for has not come.
  mutating func review(_ message: MessageFacts) -> Stimulus? {
    let isComplete =
      message.status == nil
      ? conduct.answered.contains(transaction(of: message)) : conduct.acknowledged.contains(transaction(of: message))
    guard !isComplete, message.method != "BYE", let place = place(ofCallID: message.callID) else { return nil }
    return stimulus(of: .bye(place.call, callID: place.callID))
  }
}
