@testable import SIP

/// What the other side knows of a dialog, to send in it what the flow does not quote.
struct FlowDialog {
  var ours: NameAddress
  var theirs: NameAddress
  /// Where we are reached.
  var target: String
  /// The number of their last request.
  var sequence = 0
  var invite: SIPMessage?
}

extension FlowPlayer {
  /// Takes note of a message that has gone, in either direction.
  mutating func note(_ message: SIPMessage, isOurs: Bool) {
    guard let from = message.from, let to = message.to else { return }
    lastCallID = message.callID
    let isFrom = message.isRequest == isOurs
    var dialog =
      dialogs[message.callID]
      ?? FlowDialog(ours: isFrom ? from : to, theirs: isFrom ? to : from, target: (isFrom ? from : to).uri)
    let (ours, theirs) = isFrom ? (from, to) : (to, from)
    if ours.tag != nil { dialog.ours = ours }
    if theirs.tag != nil { dialog.theirs = theirs }
    if isOurs, let contact = message.contacts.first?.uri { dialog.target = contact }
    if !isOurs, message.isRequest, let number = message.sequence?.number {
      dialog.sequence = max(dialog.sequence, number)
    }
    if message.method == .invite, message.isRequest, !isOurs { dialog.invite = message }
    dialogs[message.callID] = dialog
  }

  // MARK: What is quoted

  /// A message of the other side with our tags, branches and numbers as they are in the live dialog.
  func adapted(_ quoted: SIPMessage, _ differs: [FlowDifference]) -> SIPMessage? {
    var headers = quoted.headers.map { (name: $0.name, value: identifiers.live($0.value, callID: quoted.callID)) }
    var body = Array(quoted.body)
    for case .given(let name, let value, _) in differs {
      if name == "body" {
        body = Array((value ?? "").utf8)
        headers.removeAll { $0.name == "Content-Type" }
        if value != nil { headers.append(("Content-Type", "application/sdp")) }
        continue
      }
      let place = headers.firstIndex { $0.name == name } ?? headers.endIndex
      headers.removeAll { $0.name == name }
      if let value {
        headers.insert((name, identifiers.live(value, callID: quoted.callID)), at: min(place, headers.endIndex))
      }
    }
    func replace(_ name: String, by values: [String]) {
      let place = headers.firstIndex { SIPMessage.longName(of: $0.name) == name.lowercased() } ?? 0
      headers.removeAll { SIPMessage.longName(of: $0.name) == name.lowercased() }
      headers.insert(contentsOf: values.map { (name, $0) }, at: min(place, headers.endIndex))
    }
    let callID = quoted.callID
    if quoted.isRequest {
      // A request that the flow has outside of any dialog, or in one whose beginning it does not quote, is one of the
      // dialog that there is.
      let isWithin = quoted.toTag != nil || ![.invite, .cancel].contains(quoted.method)
      if isWithin, let to = quoted.to, let tag = dialogs[callID]?.ours.tag,
        to.tag.map({ identifiers.tag($0, callID: callID) == $0 }) ?? true
      {
        replace("To", by: [to.withTag(tag).headerValue])
      }
      if quoted.topVia == nil {
        let isOfInvite = [.invite, .cancel].contains(quoted.method)
        let branch = "\(quoted.sequence?.number ?? 0)\(isOfInvite ? "" : quoted.method.name)"
        let host = quoted.from?.sipURI?.host ?? "192.0.2.200"
        replace("Via", by: ["SIP/2.0/UDP \(host);branch=z9hG4bKunquoted\(callID.utf8.count)\(branch)"])
      }
      if let event = quoted.event, let id = event.id.flatMap({ Int($0) }) {
        let last = sent.last { $0.isRequest && $0.method == .refer && $0.callID == callID }?.sequence?.number
        replace("Event", by: ["\(event.package);id=\(identifiers.number(id, callID: callID) ?? last ?? id)"])
      }
    } else {
      guard let sequence = quoted.sequence else { return nil }
      let number = identifiers.number(sequence.number, callID: callID)
      guard
        let request = sent.last(where: {
          $0.isRequest && $0.callID == callID && $0.method == sequence.method
            && (number == nil || $0.sequence?.number == number)
        })
      else { return nil }
      if let tag = request.fromTag, let from = quoted.from { replace("From", by: [from.withTag(tag).headerValue]) }
      replace("Via", by: request.values(of: "Via"))
      replace("CSeq", by: [request.value(of: "CSeq") ?? ""])
    }
    return try? SIPMessage(quoted.startLine, headers: headers, body: body)
  }

  // MARK: What is not quoted

  private func body(_ hasSession: Bool) -> [UInt8] { hasSession ? Array(QuotedFlow.description.utf8) : [] }

  private func type(_ hasSession: Bool) -> [(name: String, value: String)] {
    hasSession ? [("Content-Type", "application/sdp")] : []
  }

  mutating func response(
    _ status: Int, to method: SIP.Method, tag: String?, hasSession: Bool, contact: String?
  ) -> SIPMessage? {
    guard let request = sent.last(where: { $0.isRequest && $0.method == method }), let to = request.to else {
      return nil
    }
    let live = request.toTag ?? dialogs[request.callID]?.theirs.tag ?? tag ?? "unquoted"
    let headers: [(name: String, value: String)] =
      request.values(of: "Via").map { ("Via", $0) } + [
        ("From", request.value(of: "From") ?? ""), ("To", (status == 100 ? to : to.withTag(live)).headerValue),
        ("Call-ID", request.callID), ("CSeq", request.value(of: "CSeq") ?? ""), ("Contact", "<\(contact ?? to.uri)>"),
      ]
    return try? SIPMessage(
      .response(status: status, reason: SIPMessage.reasonPhrase(for: status)), headers: headers + type(hasSession),
      body: body(hasSession))
  }

  mutating func request(
    _ method: SIP.Method, hasSession: Bool, headers: [(name: String, value: String)]
  ) -> SIPMessage? {
    guard let callID = lastCallID, let dialog = dialogs[callID] else { return nil }
    // ACK and CANCEL belong to the last INVITE.
    let isNew = ![.ack, .cancel].contains(method)
    let sequence = isNew ? dialog.sequence + 1 : dialog.invite?.sequence?.number ?? dialog.sequence
    made += 1
    let answered = sent.last { !$0.isRequest && $0.method == .invite && $0.callID == callID }
    let isOfInvite = method == .cancel || method == .ack && answered?.status ?? 0 >= 300
    let via = isOfInvite ? dialog.invite?.value(of: "Via") : nil
    let base: [(name: String, value: String)] = [
      ("Via", via ?? "SIP/2.0/UDP 192.0.2.200:5060;branch=z9hG4bKunquoted\(made)"), ("Max-Forwards", "70"),
      ("From", dialog.theirs.headerValue),
      ("To", (method == .cancel ? dialog.ours.withoutTag : dialog.ours).headerValue), ("Call-ID", callID),
      ("CSeq", "\(sequence) \(method)"),
    ]
    let contact: [(name: String, value: String)] =
      isNew && method != .bye ? [("Contact", "<\(dialog.theirs.uri)>")] : []
    return try? SIPMessage(
      .request(method, uri: dialog.target), headers: base + contact + headers + type(hasSession),
      body: body(hasSession))
  }

  /// The INVITE that begins the dialog of a request which the flow takes for granted, or the request of a response.
  mutating func opening(
    of quoted: SIPMessage, isOurs: Bool, headers: [(name: String, value: String)]
  ) -> SIPMessage? {
    let isTurned = isOurs && quoted.isRequest
    guard let from = isTurned ? quoted.to : quoted.from, let to = isTurned ? quoted.from : quoted.to else { return nil }
    let contact = quoted.isRequest && !isOurs ? quoted.contacts.first?.uri : nil
    made += 1
    let method = quoted.isRequest ? .invite : quoted.method
    let sequence = quoted.isRequest ? "1 INVITE" : quoted.value(of: "CSeq") ?? ""
    let hasSession = method == .invite
    return try? SIPMessage(
      .request(method, uri: to.uri),
      headers: [
        ("Via", "SIP/2.0/UDP 192.0.2.200:5060;branch=z9hG4bKunquoted\(made)"), ("Max-Forwards", "70"),
        ("From", from.headerValue), ("To", to.withoutTag.headerValue), ("Call-ID", quoted.callID), ("CSeq", sequence),
        ("Contact", "<\(contact ?? from.uri)>"),
      ] + headers.map { ($0.name, identifiers.live($0.value, callID: quoted.callID)) } + type(hasSession),
      body: body(hasSession))
  }
}
