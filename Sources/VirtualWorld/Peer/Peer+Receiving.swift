import Instant
import SIP
import Timeline

/// What a peer does with what arrives, by itself.
extension Peer {
  /// Carries out what the transaction layer wants. `number` and `source` are those of the message that arrived.
  mutating func handle(
    _ output: TransactionOutput, number: Int?, source: Endpoint?, causes: [Int]
  ) -> [PeerOutput] {
    switch output {
    case .send(let transmission):
      return [.send(transmission)]
    case .setTimer(let timer, let span):
      return isSilenced(timer) ? [] : [.setTimer(.transaction(timer), after: span)]
    case .cancelTimer(let timer):
      return [.cancelTimer(.transaction(timer))]
    case .request(let transaction, let message, let source):
      return requestReceived(message, in: transaction, from: source, number: number, causes: causes)
    case .acknowledgement(let message):
      return acknowledged(by: message)
    case .response(let transaction, let message, let isRepeated):
      return responseReceived(message, in: transaction, number: number, isRepeated: isRepeated, causes: causes)
    case .strayResponse(let message):
      let again = acknowledgeAgain(message)
      return again.isEmpty ? [.dropped(why: "a response that belongs to no transaction")] : again
    case .timedOut(let transaction):
      return finished(transaction, status: nil)
    case .ended(let transaction):
      outbox[transaction] = nil
      return []
    case .unacknowledged:
      return []
    case .absorbed(let why):
      return [.dropped(why: why)]
    }
  }

  /// Whether a timer would repeat the script's own bytes.
  private func isSilenced(_ timer: TransactionTimer) -> Bool {
    guard timer.letter == .a || timer.letter == .e, case .client(let transaction) = timer.owner else { return false }
    return outbox[transaction]?.isRaw ?? false
  }

  // MARK: - Requests

  private mutating func requestReceived(
    _ message: SIPMessage, in transaction: ServerTransactionID, from source: Endpoint, number: Int?, causes: [Int]
  ) -> [PeerOutput] {
    guard let number, case .request(let method, _) = message.startLine else { return [] }
    let request = PeerInbox.Request(
      number: number, transaction: transaction, message: message, source: source, method: method, causes: causes)
    if let fatal = message.findings.first(where: \.isFatal) {
      let answer = byRule(fatal.status ?? 400, to: request, causes: causes)
      return [.dropped(why: fatal.text)] + answer
    }
    if method == .cancel { return cancelReceived(request, causes: causes) }
    inbox.add(request)
    dialogs.choose(message.callID, localTag: message.toTag)
    // One with a To tag belongs to a dialog that is there, or to none (RFC 3261 12.2.2).
    if dialogs[message.callID] != nil || method == .invite && message.toTag == nil {
      dialogs[message.callID, default: PeerDialog(callID: message.callID)].received(request: message, method: method)
    }
    guard setup.isAutomatic, method == .invite || message.toTag != nil else { return [] }
    // The decision waits for everything else of this instant: what the script does now goes first.
    return [.setTimer(.answer(transaction), after: .zero)]
  }

  /// 200 to a CANCEL that finds its INVITE, and 487 to that if it waits for its answer (RFC 3261 9.2).
  private mutating func cancelReceived(_ cancel: PeerInbox.Request, causes: [Int]) -> [PeerOutput] {
    let branch = cancel.message.topVia?.branch
    let invite = inbox.first(callID: cancel.message.callID) {
      $0.method == .invite && $0.message.topVia?.branch == branch
    }
    guard var invite else {
      return byRule(branch.map(inbox.isAnsweredInvite) ?? false ? 200 : 481, to: cancel, causes: causes)
    }
    // Both responses have the tag of the dialog (RFC 3261 9.2).
    var cancel = cancel
    dialogs.choose(invite.message.callID, localTag: invite.localTag)
    let tag = invite.localTag ?? dialogs[invite.message.callID]?.localTag ?? identifiers.tag()
    cancel.localTag = tag
    invite.localTag = tag
    return byRule(200, to: cancel, causes: causes)
      + [.cancelTimer(.answer(invite.transaction))]
      + byRule(487, to: invite, causes: causes)
  }

  private mutating func byRule(_ status: Int, to request: PeerInbox.Request, causes: [Int]) -> [PeerOutput] {
    do {
      return try respond(status, to: request, origin: .rule, causes: causes)
    } catch {
      return [.dropped(why: error.why)]
    }
  }

  /// An automatic peer answers a request, unless the script has.
  mutating func decide(in transaction: ServerTransactionID) -> [PeerOutput] {
    guard setup.isAutomatic, let request = inbox[transaction] else { return [] }
    dialogs.choose(request.message.callID, localTag: request.message.toTag)
    if let tag = request.message.toTag {
      let dialog = dialogs[request.message.callID]
      guard dialog?.localTag == tag, dialog?.isOver == false else {
        return byRule(481, to: request, causes: request.causes)
      }
    }
    let isFirstInvite = request.method == .invite && request.message.toTag == nil
    do {
      if request.method == .refer { return try respond(603, to: request, causes: request.causes) }
      // Two INVITEs of one dialog have crossed (RFC 3261 14.2).
      if request.method == .invite, !isFirstInvite, dialogs[request.message.callID]?.sentInvite?.isPending ?? false {
        return try respond(491, to: request, causes: request.causes)
      }
      if isFirstInvite, !request.isAnswerDue {
        var request = request
        request.isAnswerDue = true
        inbox.update(request)
        let ringing = request.isRinging ? [] : try respond(180, to: request, causes: request.causes)
        return ringing + [.setTimer(.answer(transaction), after: setup.answersAfter)]
      }
      let session = automaticSession(for: request)
      if session == nil, request.method == .invite { return try respond(488, to: request, causes: request.causes) }
      return try respond(200, to: request, session: session, causes: request.causes)
    } catch {
      return [.dropped(why: error.why)]
    }
  }

  /// The widest answer to an offer, or an offer where there was none; `nil` if there is nothing to describe or nothing
  /// of the offer can be taken.
  private func automaticSession(for request: PeerInbox.Request) -> MessageFacts.Session? {
    let description = SessionDescription(reading: request.message.body)
    switch request.method {
    case .invite where description == nil && request.message.body.isEmpty:
      return MessageFacts.Session(role: .offer, direction: "sendrecv")
    case .invite, Method("UPDATE"):
      return description.flatMap(answer)
    default:
      return nil
    }
  }

  private func answer(to offer: SessionDescription) -> MessageFacts.Session? {
    let direction = SessionDescription.Direction.sendrecv.answer(to: offer.audioDirection)
    let trial = offer.answer(
      address: "0.0.0.0", port: 40_000, direction: direction, user: "-", sessionID: 1, version: 1,
      key: identifiers.mediaKey(ofSession: 1))
    return trial.map { MessageFacts.Session(role: .answer, direction: $0.audioDirection.rawValue) }
  }

  // MARK: - Responses

  private mutating func responseReceived(
    _ message: SIPMessage, in transaction: ClientTransactionID, number: Int?, isRepeated: Bool, causes: [Int]
  ) -> [PeerOutput] {
    guard case .response(let status, _) = message.startLine else { return [] }
    dialogs.choose(message.callID, localTag: message.fromTag)
    if let number {
      dialogs[message.callID]?.received(response: message, status: status, number: number, causes: causes)
    }
    guard status >= 200 else { return [] }
    if message.method == .invite, status < 300 {
      _ = finished(transaction, status: status)
      let again = acknowledgeAgain(message)
      if !again.isEmpty || isRepeated { return again }
      return setup.isAutomatic ? [.setTimer(.acknowledge(callID: message.callID), after: .zero)] : []
    }
    return finished(transaction, status: status)
  }

  /// The ACK to a 2xx once more, if one was given (RFC 3261 13.2.2.4).
  private func acknowledgeAgain(_ response: SIPMessage) -> [PeerOutput] {
    guard case .response(200..<300, _) = response.startLine, response.method == .invite,
      let invite = dialogs[response.callID]?.sentInvite, invite.message.sequence == response.sequence,
      case .repeated(var transmission) = invite.acknowledgement, transmission.message.toTag == response.toTag
    else { return [] }
    transmission.origin = .retransmission
    return [.send(transmission)]
  }

  /// An automatic peer acknowledges a 2xx, unless the script has.
  mutating func acknowledgeByItself(callID: String) -> [PeerOutput] {
    dialogs.choose(callID, localTag: nil)
    guard let dialog = dialogs[callID], let invite = dialog.sentInvite, invite.acknowledgement == nil,
      let remote = dialog.remoteAddress, let success = invite.successes.last
    else { return [] }
    // An offer in the 2xx is answered in the ACK (RFC 3261 13.2.2.4).
    let wasOffered = SessionDescription(reading: invite.message.body) == nil
    let session = wasOffered ? dialog.remoteOffer.flatMap(answer) : nil
    let message = PeerMessage(
      from: name, to: "", content: .request(method: "ACK"), subject: .none, session: session)
    let destination = ActorAddress(
      name: "", uri: remote.uri, host: invite.destination.host, port: invite.destination.port,
      transport: invite.destination.transport)
    do {
      return try sendRequest("ACK", message, callID: callID, destination: destination, causes: success.causes)
    } catch {
      return [.dropped(why: error.why)]
    }
  }

  /// A request of ours has its final response, or none will come.
  private mutating func finished(_ transaction: ClientTransactionID, status: Int?) -> [PeerOutput] {
    guard let request = outbox.removeValue(forKey: transaction) else { return [] }
    let status = status ?? 408
    dialogs.choose(request.callID, localTag: request.localTag)
    if dialogs[request.callID]?.sentInvite?.message.sequence == request.sequence {
      dialogs[request.callID]?.sentInvite?.isPending = false
    }
    switch request.sequence.method {
    case .invite where status >= 300 && dialogs[request.callID]?.isConfirmed == false:
      return forget(callID: request.callID)
    case .bye where Self.endsDialog(byeStatus: status):
      return forget(callID: request.callID)
    // Nobody wants the reports any more (RFC 6665 4.2.2).
    case .notify where status == 481 || status == 408:
      dialogs[request.callID]?.referrals.end(request.event)
      return []
    default:
      return []
    }
  }
}
