extension SIPMessage {
  /// What callsim's user agent refuses of a well-formed message, in the order in which RFC 3261 8.2 has it looked at. A
  /// method that is not served is no fault of the message, and nothing else is looked at then (8.2.1).
  var refusals: [Refusal] {
    guard case .request(let method, _) = startLine else { return discarded }
    var refusals: [Refusal] = []
    if method == .register, let refusal = registeredAddress { refusals.append(refusal) }
    if let refusal = refusal(of: method) { return refusals + [refusal] }
    if method == .ack { return [] }
    if method == .cancel { return refusals }
    if let refusal = extensions { refusals.append(refusal) }
    if let refusal = coding { refusals.append(refusal) }
    if method == .invite {
      if let refusal = bodyType { refusals.append(refusal) }
      if let refusal = acceptable { refusals.append(refusal) }
    }
    return refusals
  }

  private func refusal(of method: Method) -> Refusal? {
    let served = MessageWriter.allowed.split(separator: ",").contains { $0.drop { $0 == " " } == method.name }
    guard !served else { return nil }
    let isKnown = UserAgent.knownMethods.contains(method.name)
    let offset = bytes.firstIndex { !Characters.isLineEnd($0) } ?? 0
    return Refusal(
      reason: Finding(
        isKnown ? .methodUnserved : .methodUnknown, field: "start line", offset: offset,
        text: isKnown ? "callsim's telephone does not serve the method" : "the method is not one that is known",
        severity: .notice, status: isKnown ? 405 : 501),
      header: .init(name: "Allow", value: MessageWriter.allowed))
  }

  private var extensions: Refusal? {
    let unsupported = elements(of: "Require").filter { $0.value.lowercased() != MessageWriter.supported }
    guard let first = unsupported.first else { return nil }
    let names = unsupported.map(\.value).joined(separator: ", ")
    return Refusal(
      reason: Finding(
        .optionTag, field: "Require", offset: first.offset, text: "what is required is not supported: \(names)",
        severity: .refused, status: 420),
      header: .init(name: "Unsupported", value: names))
  }

  /// RFC 3261 8.2.3; no coding is understood.
  private var coding: Refusal? {
    guard [.invite, .info, .refer].contains(method),
      let coded = elements(of: "Content-Encoding").first(where: { $0.value.lowercased() != "identity" })
    else { return nil }
    return Refusal(
      reason: Finding(
        .bodyCoding, field: "Content-Encoding", offset: coded.offset,
        text: "the body is coded, and no coding is understood", severity: .refused, status: 415),
      header: .init(name: "Accept-Encoding", value: "identity"))
  }

  private var bodyType: Refusal? {
    guard !body.isEmpty, !isBodyOptional, mediaType != "application/sdp" else { return nil }
    let field = elements(of: "Content-Type").first
    return Refusal(
      reason: Finding(
        .bodyType, field: "Content-Type", offset: field?.offset ?? bytes.count - body.count,
        text: field == nil ? "a body without a type is not understood" : "a body of this type is not understood",
        severity: .refused, status: 415),
      header: .init(name: "Accept", value: "application/sdp"))
  }

  private var acceptable: Refusal? {
    guard !acceptsSessionDescription, let first = elements(of: "Accept").first else { return nil }
    return Refusal(
      reason: Finding(
        .accept, field: "Accept", offset: first.offset,
        text: "no session description may be answered with", severity: .refused, status: 406))
  }

  /// RFC 3261 10.2: a registrar looks after SIP URIs alone.
  private var registeredAddress: Refusal? {
    guard let to, let scheme = to.scheme, scheme != "sip", scheme != "sips", let field = elements(of: "To").first else {
      return nil
    }
    return Refusal(
      reason: Finding(
        .registeredAddress, field: "To", offset: field.offset,
        text: "what is to be registered is no SIP URI; a registrar answers 400", severity: .refused, status: 400))
  }

  /// RFC 3261 8.1.3.3: whoever sent the request put one Via there, and took no other one off.
  private var discarded: [Refusal] {
    let vias = elements(of: "Via")
    guard vias.count > 1 else { return [] }
    var refusals = [
      Refusal(
        reason: Finding(
          .severalVias, field: "Via", offset: vias[1].offset,
          text: "a response with more than one Via is for someone else: a user agent discards it", severity: .notice))
    ]
    let hosts = self.vias ?? []
    for (via, element) in zip(hosts, vias).dropFirst() where [via.host, via.received].contains("255.255.255.255") {
      refusals.append(
        Refusal(
          reason: Finding(
            .broadcast, field: "Via", offset: element.offset,
            text: "the response would go on to a broadcast address: it is discarded", severity: .refused)))
    }
    return refusals
  }
}

extension SIPMessage {
  /// The media type of the body without parameters, in lower case.
  var mediaType: String? {
    value(of: "Content-Type").map { $0.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }.lowercased() }
  }

  /// Whether Accept leaves room for a session description in the response; without Accept it is what is expected
  /// (RFC 3261 20.1).
  var acceptsSessionDescription: Bool {
    let ranges = values(of: "Accept").map { $0.prefix { $0 != ";" }.filter { $0 != " " }.lowercased() }
    return !headers.contains { Self.longName(of: $0.name) == "accept" }
      || ranges.contains { ["application/sdp", "application/*", "*/*"].contains($0) }
  }

  /// The values of a header field, lists split, with where they begin.
  func elements(of name: String) -> [(value: String, offset: Int)] {
    let longForm = Self.longName(of: name)
    let isList = FieldName.lists.contains(longForm)
    return bytes.reading { octets in
      var elements: [(value: String, offset: Int)] = []
      for field in fields where Self.longName(of: octets.text(field.nameRange)) == longForm {
        if isList {
          ListSplitter.forEach(octets, field.valueRange) { elements.append((octets.text($0), $0.lowerBound)) }
        } else {
          elements.append((octets.text(field.valueRange), field.valueRange.lowerBound))
        }
      }
      return elements
    }
  }
}
