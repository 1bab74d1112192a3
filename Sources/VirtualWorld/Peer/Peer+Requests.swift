import SIP

/// Requests that the script or an automatic peer sends.
extension Peer {
  /// Who a request goes to and by which call.
  private struct Course {
    var callID: String
    var destination: Endpoint
    /// The address of record of the actor that it is sent to.
    var remoteURI: String
  }

  mutating func sendRequest(
    _ word: String, _ message: PeerMessage, callID: String?, destination: ActorAddress, causes: [Int]
  ) throws(StimulusRefusal) -> [PeerOutput] {
    let method = Method(word == "re-INVITE" ? "INVITE" : word)
    let course = Course(
      callID: try self.callID(of: message, given: callID, method), destination: destination.endpoint,
      remoteURI: destination.uri)
    if method == .notify, message.tag(in: "From") == nil {
      dialogs.chooseReporting(course.callID)
    } else {
      dialogs.choose(course.callID, localTag: message.tag(in: "From"))
    }
    switch method {
    case .ack:
      return try sendAcknowledgement(message, course, causes: causes)
    case .cancel:
      return try sendCancel(message, course, causes: causes)
    default:
      let dialog = dialogs[course.callID]
      if word == "re-INVITE", dialog?.isConfirmed != true {
        throw StimulusRefusal("\(name) has no confirmed dialog with the Call-ID \(course.callID) for a re-INVITE")
      }
      if dialog?.isOver ?? false, method != .notify {
        throw StimulusRefusal("that dialog of \(name) is over, and only a NOTIFY about a REFER is still sent within it")
      }
      if Self.needsDialog(method), dialog?.hasBothTags != true {
        throw StimulusRefusal(
          "\(name) has no dialog with the Call-ID \(course.callID), and \(word) is sent only within one; "
            + "write it as raw text to send it all the same")
      }
      return try sendOrdinary(method, message, course, causes: causes)
    }
  }

  /// The Call-ID that a request is to have.
  private mutating func callID(
    of message: PeerMessage, given callID: String?, _ method: Method
  ) throws(StimulusRefusal) -> String {
    if let callID = message.callID ?? callID { return callID }
    guard case .message(let number) = message.subject else { return identifiers.callID() }
    if let request = inbox[number] { return request.message.callID }
    if let callID = dialogs.callID(ofSuccess: number) { return callID }
    // A peer does not learn the numbers of what it sends itself.
    let pending = outbox.values.filter { $0.sequence.method == .invite }
    if method == .cancel, let invite = pending.first, pending.count == 1 { return invite.callID }
    throw StimulusRefusal("\(name) cannot tell which call this \(method) is for; name the call")
  }

  /// The name of the peer for messages to the author.
  var name: String { setup.address.name }

  /// Methods whose requests make no sense outside of a dialog (RFC 3261 15, RFC 3262, RFC 3311, RFC 6086, RFC 6665).
  private static func needsDialog(_ method: Method) -> Bool {
    ["BYE", "PRACK", "UPDATE", "INFO", "NOTIFY"].contains(method.name)
  }

  /// A request that is neither ACK nor CANCEL, within the dialog of its call if there is one.
  private mutating func sendOrdinary(
    _ method: Method, _ message: PeerMessage, _ course: Course, causes: [Int]
  ) throws(StimulusRefusal) -> [PeerOutput] {
    var dialog = dialogs[course.callID] ?? PeerDialog(callID: course.callID)
    let body = try body(fragment: message.fragment, message.session, in: &dialog)
    var headers = requestHeaders(method, in: dialog, course, number: dialog.localSequence + 1)
    if method == .notify {
      let isLast = message.fragment.map { $0 >= 200 } ?? false
      headers.add("Event", dialog.referrals.event)
      headers.add("Subscription-State", isLast ? "terminated;reason=noresource" : "active;expires=60")
    }
    let target = dialog.remoteTarget ?? course.remoteURI
    let request = try compose(.request(method, uri: target), headers, message, body: body)
    // A request outside of any call leaves nothing behind.
    if dialogs[course.callID] != nil || method == .invite { dialogs[course.callID] = dialog }
    return start(request, method: method, to: course.destination, causes: causes)
  }

  /// ACK to a 2xx: the number of the INVITE, a branch of its own, no transaction (RFC 3261 13.2.2.4).
  private mutating func sendAcknowledgement(
    _ message: PeerMessage, _ course: Course, causes: [Int]
  ) throws(StimulusRefusal) -> [PeerOutput] {
    guard var dialog = dialogs[course.callID], let invite = dialog.sentInvite else {
      throw StimulusRefusal("\(name) has sent no INVITE with the Call-ID \(course.callID) that it could acknowledge")
    }
    var success = invite.successes.last
    if case .message(let number) = message.subject {
      success = invite.successes.first { $0.number == number } ?? success
    }
    guard let success, let number = invite.message.sequence?.number else {
      throw StimulusRefusal(
        "\(name) has received no 2xx to its INVITE with the Call-ID \(course.callID); "
          + "the ACK to any other final response is sent by itself")
    }
    let body = try body(fragment: message.fragment, message.session, in: &dialog)
    // The dialog is that of the response which is acknowledged, among those of a forked INVITE.
    var acknowledged = dialog
    acknowledged.remoteTag = success.message.toTag
    acknowledged.remoteTarget = success.message.contacts.first?.uri ?? dialog.remoteTarget
    let headers = requestHeaders(.ack, in: acknowledged, course, number: number)
    let target = acknowledged.remoteTarget ?? course.remoteURI
    let request = try compose(.request(.ack, uri: target), headers, message, body: body)
    let transmission = Transmission(
      message: request, destination: course.destination, origin: .decision, causes: causes)
    dialog.sentInvite?.acknowledgement = .repeated(transmission)
    dialogs[course.callID] = dialog
    return [.send(transmission), .cancelTimer(.acknowledge(callID: course.callID))]
  }

  /// CANCEL: everything as in the INVITE, also the branch (RFC 3261 9.1).
  private mutating func sendCancel(
    _ message: PeerMessage, _ course: Course, causes: [Int]
  ) throws(StimulusRefusal) -> [PeerOutput] {
    guard let invite = dialogs[course.callID]?.sentInvite,
      case .request(_, let target) = invite.message.startLine, let number = invite.message.sequence?.number
    else {
      throw StimulusRefusal("\(name) has no INVITE with the Call-ID \(course.callID) under way that it could cancel")
    }
    var headers = PeerHeaders()
    headers.add("Via", Array(invite.message.values(of: "Via").prefix(1)))
    headers.add("Max-Forwards", "70")
    headers.add("Route", invite.message.values(of: "Route"))
    for field in ["From", "To", "Call-ID"] { headers.add(field, invite.message.values(of: field)) }
    headers.add("CSeq", "\(number) CANCEL")
    var session = PeerDialog(callID: course.callID)
    let body = try body(fragment: message.fragment, message.session, in: &session)
    let request = try compose(.request(.cancel, uri: target), headers, message, body: body)
    return start(request, method: .cancel, to: invite.destination, causes: causes)
  }

  private mutating func requestHeaders(
    _ method: Method, in dialog: PeerDialog, _ course: Course, number: Int
  ) -> PeerHeaders {
    let own = setup.address
    var from = dialog.localAddress ?? .party(own.uri)
    from.parameters.append(SIPURI.Parameter("tag", dialog.localTag ?? identifiers.tag()))
    var to = dialog.remoteAddress ?? .party(course.remoteURI)
    if let tag = dialog.remoteTag { to.parameters.append(SIPURI.Parameter("tag", tag)) }
    var headers = PeerHeaders()
    headers.add(
      "Via", "SIP/2.0/\(own.transport.rawValue.uppercased()) \(own.host):\(own.port);branch=\(identifiers.branch())")
    headers.add("Max-Forwards", "70")
    headers.add("Route", dialog.routeSet)
    headers.add("From", from.headerValue)
    headers.add("To", to.headerValue)
    headers.add("Call-ID", course.callID)
    headers.add("CSeq", "\(number) \(method.name)")
    if PeerDialog.isTargetRefresh(method) { headers.add("Contact", contact) }
    if method == .invite { headers.add("Allow", Self.allowedMethods) }
    return headers
  }

  /// The value of Contact: where the peer listens, never its address of record.
  var contact: String {
    let own = setup.address
    var uri = SIPURI(user: SIPURI(own.uri)?.user, host: own.host, port: own.port)
    if own.transport != .udp { uri.parameters.append(SIPURI.Parameter("transport", own.transport.rawValue)) }
    return NameAddress(uri: uri.description).headerValue
  }

  static let allowedMethods = "INVITE, ACK, CANCEL, BYE, OPTIONS, INFO, UPDATE, REFER, NOTIFY, MESSAGE"

  /// Writes a message from its template with the script's changes.
  func compose(
    _ startLine: StartLine, _ headers: PeerHeaders, _ message: PeerMessage?, body: PeerBody
  ) throws(StimulusRefusal) -> SIPMessage {
    var headers = headers
    if !body.bytes.isEmpty { headers.add("Content-Type", body.type) }
    try headers.apply(edits: message?.headers ?? [], omitted: message?.omitted ?? [])
    do {
      return try SIPMessage(startLine, headers: headers.fields, body: body.bytes)
    } catch {
      throw StimulusRefusal("\(name) cannot write this message: \(error.why)")
    }
  }

  /// Sends a request in a new client transaction and learns from it. One that the script's changes have made unusable
  /// goes out without a transaction.
  mutating func start(
    _ request: SIPMessage, method: Method, to destination: Endpoint, isRaw: Bool = false, causes: [Int]
  ) -> [PeerOutput] {
    learn(sent: request, method: method, to: destination)
    let isUsable = !request.findings.contains(where: \.isFatal) && request.topVia?.branch != nil
    guard let sequence = request.sequence, isUsable, method != .ack else {
      return [.sendRaw(request.bytes, destination: destination, causes: causes)]
    }
    let (transaction, outputs) = transactions.send(request: request, to: destination, causes: causes)
    outbox[transaction] = SentRequest(
      callID: request.callID, localTag: request.fromTag, sequence: sequence, event: request.value(of: "Event"),
      isRaw: isRaw)
    return outputs.flatMap { output -> [PeerOutput] in
      if isRaw, case .send(let transmission) = output {
        return [.sendRaw(transmission.message.bytes, destination: destination, causes: causes)]
      }
      return handle(output, number: nil, source: nil, causes: causes)
    }
  }

  private mutating func learn(sent request: SIPMessage, method: Method, to destination: Endpoint) {
    dialogs.choose(request.callID, localTag: request.fromTag)
    guard dialogs[request.callID] != nil || method == .invite else { return }
    dialogs[request.callID, default: PeerDialog(callID: request.callID)]
      .sent(request: request, method: method, to: destination)
  }

  /// Sends the script's own bytes. A well-formed request begins a transaction that never repeats it; a response and an
  /// ACK are learnt from; anything else just goes out.
  mutating func sendRaw(_ bytes: [UInt8], to destination: Endpoint, causes: [Int]) -> [PeerOutput] {
    let plain = PeerOutput.sendRaw(bytes, destination: destination, causes: causes)
    guard let message = try? SIPMessage(reading: bytes), !message.findings.contains(where: \.isFatal) else {
      return [plain]
    }
    switch message.startLine {
    case .request(let method, _):
      if method == .ack {
        learn(sent: message, method: method, to: destination)
        if dialogs[message.callID]?.sentInvite?.message.sequence?.number == message.sequence?.number {
          dialogs[message.callID]?.sentInvite?.acknowledgement = .raw
        }
        return [plain, .cancelTimer(.acknowledge(callID: message.callID))]
      }
      return start(message, method: method, to: destination, isRaw: true, causes: causes)
    case .response(let status, _):
      return [plain] + sentRaw(response: message, status: status, causes: causes)
    }
  }
}
