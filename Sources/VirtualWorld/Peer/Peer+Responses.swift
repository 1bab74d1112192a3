import Instant
import SIP
import Timeline

/// Responses that the script or an automatic peer sends.
extension Peer {
  mutating func sendResponse(
    _ status: Int, _ message: PeerMessage, callID: String?, causes: [Int]
  ) throws(StimulusRefusal) -> [PeerOutput] {
    guard (100...699).contains(status) else {
      throw StimulusRefusal("\(status) is no status of a SIP response, which is from 100 to 699")
    }
    let request = try self.request(of: message, status: status, callID: message.callID ?? callID)
    var outputs = try respond(status, to: request, message, session: message.session, causes: causes)
    if status >= 200 { outputs.append(.cancelTimer(.answer(request.transaction))) }
    return outputs
  }

  /// The request that a response of the script is for.
  private func request(
    of message: PeerMessage, status: Int, callID: String?
  ) throws(StimulusRefusal) -> PeerInbox.Request {
    switch message.subject {
    case .message(let number):
      if let request = inbox[number] { return request }
      // Several callees may accept one INVITE, each under a tag of its own.
      if (200..<300).contains(status), let request = inbox.accepted(where: { $0.number == number }),
        let tag = message.tag(in: "To"), !dialogs.isUp(request.message.callID, localTag: tag)
      {
        return request
      }
      let why =
        inbox.wasAnswered(number)
        ? "has answered this request finally already" : "has not received this request, or it cannot be answered"
      throw StimulusRefusal("\(name) \(why)")
    case .call(let call):
      if let request = callID.flatMap({ inbox.last(callID: $0) }) { return request }
      throw StimulusRefusal("\(name) has no unanswered request of the call \(call)")
    case .none:
      throw StimulusRefusal("a response needs the request that it answers: name its label or its call")
    }
  }

  /// Answers a request. The changes of the script are those of `message`.
  mutating func respond(
    _ status: Int, to request: PeerInbox.Request, _ message: PeerMessage? = nil,
    session: MessageFacts.Session? = nil, origin: Transmission.Origin = .decision, causes: [Int]
  ) throws(StimulusRefusal) -> [PeerOutput] {
    let callID = request.message.callID
    var request = request
    let wanted = message?.tag(in: "To")
    request.localTag = wanted ?? request.localTag
    choose(for: request, status: status, tag: wanted)
    var dialog = dialogs[callID] ?? PeerDialog(callID: callID)
    let body = try body(fragment: message?.fragment, session, in: &dialog)
    let headers = responseHeaders(status, to: &request, in: &dialog)
    let reason = SIPMessage.reasonPhrase(for: status)
    let response = try compose(.response(status: status, reason: reason), headers, message, body: body)
    if dialogs[callID] != nil { dialogs[callID] = dialog }
    inbox.update(request)

    var outputs: [PeerOutput] = []
    var transmission: Transmission?
    for output in transactions.send(response: response, in: request.transaction, origin: origin, causes: causes) {
      if case .send(let sent) = output { transmission = transmission ?? sent }
      outputs += handle(output, number: nil, source: nil, causes: causes)
    }
    // The layer has said why if it did not send.
    if let transmission, (200..<300).contains(status), request.method == .invite {
      choose(for: request, status: status, tag: response.toTag)
      outputs += beginRepeating(transmission, in: request)
    }
    return outputs + answered(request, by: response, status: status)
  }

  /// Chooses the dialog of a response with this To tag; to an INVITE that begins one it may begin another branch.
  private mutating func choose(for request: PeerInbox.Request, status: Int, tag: String?) {
    let callID = request.message.callID
    if let tag, request.method == .invite, request.message.toTag == nil, status > 100, status < 300 {
      dialogs.choose(request.message, localTag: tag)
    } else {
      dialogs.choose(callID, localTag: request.message.toTag ?? tag ?? request.localTag)
    }
  }

  private mutating func responseHeaders(
    _ status: Int, to request: inout PeerInbox.Request, in dialog: inout PeerDialog
  ) -> PeerHeaders {
    let message = request.message
    var headers = PeerHeaders()
    headers.add("Via", MessageWriter.vias(ofResponseTo: message, from: request.source))
    if status > 100, status < 300 { headers.add("Record-Route", message.values(of: "Record-Route")) }
    headers.add("From", message.values(of: "From"))
    for value in message.values(of: "To") {
      guard status > 100, message.toTag == nil, var to = NameAddress(value) else {
        headers.add("To", value)
        continue
      }
      // One tag for all responses of a dialog; a request outside of one has its own.
      let begins = request.method == .invite && dialogs[message.callID] != nil
      let tag = request.localTag ?? (begins ? dialog.localTag : nil) ?? identifiers.tag()
      request.localTag = tag
      to.parameters.append(SIPURI.Parameter("tag", tag))
      headers.add("To", to.headerValue)
    }
    headers.add("Call-ID", message.values(of: "Call-ID"))
    headers.add("CSeq", message.values(of: "CSeq"))
    if status > 100, status < 300, PeerDialog.isTargetRefresh(request.method) { headers.add("Contact", contact) }
    if status == 405 || (request.method == .options && status == 200) { headers.add("Allow", Self.allowedMethods) }
    return headers
  }

  /// Notes that a response has left, whoever wrote it.
  private mutating func answered(
    _ request: PeerInbox.Request, by response: SIPMessage, status: Int
  ) -> [PeerOutput] {
    // A request that could not be used says nothing about the call.
    guard !request.message.findings.contains(where: \.isFatal) else { return [] }
    let callID = request.message.callID
    choose(for: request, status: status, tag: response.toTag)
    dialogs[callID]?.sent(response: response, status: status)
    if status < 200 {
      var request = request
      request.localTag = response.toTag ?? request.localTag
      request.isRinging = request.isRinging || status > 100
      inbox.update(request)
      return []
    }
    inbox.answer(request, status: status)
    let isRefused = request.method == .invite && status >= 300 && dialogs[callID]?.isConfirmed == false
    return isRefused || (request.method == .bye && Self.endsDialog(byeStatus: status)) ? forget(callID: callID) : []
  }

  /// Whether a final response to BYE leaves nothing of the dialog: any but a challenge, after which the same BYE comes
  /// once more.
  static func endsDialog(byeStatus status: Int) -> Bool {
    status != 401 && status != 407
  }

  /// Learns from a response that the script wrote. It goes through the transaction, so that this ends, but neither the
  /// transaction nor the core sends it again.
  mutating func sentRaw(response: SIPMessage, status: Int, causes: [Int]) -> [PeerOutput] {
    func isAnswered(_ request: PeerInbox.Request) -> Bool {
      request.message.callID == response.callID && request.message.sequence == response.sequence
        && request.message.topVia?.branch == response.topVia?.branch
    }
    let open = inbox.first(callID: response.callID, where: isAnswered)
    let accepted = (200..<300).contains(status) ? inbox.accepted(where: isAnswered) : nil
    guard let request = open ?? accepted else { return [] }
    inbox.answerRaw(request)
    var outputs: [PeerOutput] = []
    for output in transactions.send(response: response, in: request.transaction, causes: causes) {
      switch output {
      case .send: continue
      case .setTimer(let timer, _) where timer.letter == .g: continue
      default: outputs += handle(output, number: nil, source: nil, causes: causes)
      }
    }
    outputs += answered(request, by: response, status: status)
    if status >= 200 { outputs.append(.cancelTimer(.answer(request.transaction))) }
    return outputs
  }

  // MARK: - The repetition of a 2xx to INVITE

  private mutating func beginRepeating(_ transmission: Transmission, in request: PeerInbox.Request) -> [PeerOutput] {
    let callID = request.message.callID
    guard dialogs[callID] != nil, let sequence = request.message.sequence?.number else { return [] }
    let id = PeerSuccessID(transaction: request.transaction, localTag: transmission.message.toTag)
    dialogs[callID]?.repeatedSuccesses.append(
      PeerDialog.RepeatedSuccess(id: id, sequence: sequence, transmission: transmission))
    unacknowledged[id] = callID
    return [
      .setTimer(.repeatSuccess(id), after: TransactionTiming.t1),
      .setTimer(.awaitAcknowledgement(id), after: TransactionTiming.timeout),
    ]
  }

  /// Sends a 2xx again: after T1, then twice as long each time up to T2 (RFC 3261 13.3.1.4).
  mutating func repeatSuccess(_ id: PeerSuccessID) -> [PeerOutput] {
    guard let callID = unacknowledged[id] else { return [] }
    dialogs.choose(callID, localTag: id.localTag)
    guard let index = dialogs[callID]?.repeatedSuccesses.firstIndex(where: { $0.id == id }),
      var success = dialogs[callID]?.repeatedSuccesses[index]
    else { return [] }
    success.nextInterval = min(success.nextInterval * 2, TransactionTiming.t2)
    success.transmission.origin = .retransmission
    dialogs[callID]?.repeatedSuccesses[index] = success
    return [.send(success.transmission), .setTimer(.repeatSuccess(id), after: success.nextInterval)]
  }

  mutating func stopRepeating(_ id: PeerSuccessID) -> [PeerOutput] {
    guard let callID = unacknowledged.removeValue(forKey: id) else { return [] }
    dialogs.choose(callID, localTag: id.localTag)
    dialogs[callID]?.repeatedSuccesses.removeAll { $0.id == id }
    return [.cancelTimer(.repeatSuccess(id)), .cancelTimer(.awaitAcknowledgement(id))]
  }

  /// An ACK to a 2xx has come.
  mutating func acknowledged(by message: SIPMessage) -> [PeerOutput] {
    dialogs.choose(message.callID, localTag: message.toTag)
    guard let dialog = dialogs[message.callID] else {
      return [.dropped(why: "an ACK that belongs to no dialog")]
    }
    dialogs[message.callID]?.received(request: message, method: .ack)
    let sequence = message.sequence?.number
    return dialog.repeatedSuccesses.filter { $0.sequence == sequence }.flatMap { stopRepeating($0.id) }
  }

  /// The dialog at hand has ended; a 2xx that still waits for its ACK is given up.
  mutating func forget(callID: String) -> [PeerOutput] {
    dialogs.end(callID).flatMap { stopRepeating($0) }
  }
}
