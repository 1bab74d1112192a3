import Foundation

@testable import SIP

/// What we send beside what the flow has in its place.
struct FlowComparison {
  let quoted: SIPMessage
  let live: SIPMessage
  let differs: [FlowDifference]
  private(set) var mismatches: [String] = []
  /// The differences that there are indeed.
  private(set) var found: Set<String> = []

  /// Compares and learns.
  init(_ quoted: SIPMessage, _ live: SIPMessage, _ differs: [FlowDifference], _ identifiers: inout FlowIdentifiers) {
    self.quoted = quoted
    self.live = live
    self.differs = differs
    compareStart()
    // Another message altogether: what it says is not worth comparing.
    guard mismatches.isEmpty else { return }
    compareDialog(&identifiers)
    compareRouting()
    compareExtensions(identifiers)
    compareBody()
    checkDifferences()
  }

  /// A difference that is none would hide the next one.
  private mutating func checkDifferences() {
    for case .field(let field, _) in differs where !found.contains(field) {
      mismatches.append("\(field): as in the flow, though the table says otherwise")
    }
    for case .status(let status, _) in differs where quoted.status == status || live.status != status {
      mismatches.append("status: as in the flow, though the table says otherwise")
    }
  }

  private mutating func check(_ isGood: Bool, _ field: String, _ text: String) {
    let isAllowed = differs.contains { if case .field(field, _) = $0 { true } else { false } }
    if !isGood, isAllowed { found.insert(field) }
    if !isGood, !isAllowed { mismatches.append("\(field): \(text)") }
  }

  private mutating func compareStart() {
    switch (quoted.startLine, live.startLine) {
    case (.request(let method, let uri), .request(let ours, let liveURI)):
      check(method == ours, "method", "\(ours) for \(method)")
      check(isSamePlace(uri, liveURI) || method != ours, "Request-URI", "\(liveURI) for \(uri)")
    case (.response(let status, _), .response(let ours, _)):
      let allowed = differs.compactMap { if case .status(let status, _) = $0 { status } else { nil } }.first ?? status
      check(ours == allowed && quoted.method == live.method, "status", "\(live.flowName) for \(quoted.flowName)")
    default:
      check(false, "message", "\(live.flowName) for \(quoted.flowName)")
    }
  }

  /// Whether two URIs mean the same place. The RFCs print a parameter now and then and leave it out elsewhere.
  private func isSamePlace(_ first: String, _ second: String?) -> Bool {
    guard let uris = zip(SIPURI(first), second.flatMap { SIPURI($0) }) else { return first == second }
    return uris.0.scheme == uris.1.scheme && uris.0.user == uris.1.user && uris.0.host == uris.1.host
      && uris.0.port ?? 5060 == uris.1.port ?? 5060
  }

  // MARK: Identifiers

  private mutating func compareDialog(_ identifiers: inout FlowIdentifiers) {
    let callID = live.callID
    check(quoted.callID == callID, "Call-ID", "\(callID) for \(quoted.callID)")
    let ourTags = quoted.isRequest ? (quoted.fromTag, live.fromTag) : (quoted.toTag, live.toTag)
    let theirTags = quoted.isRequest ? (quoted.toTag, live.toTag) : (quoted.fromTag, live.fromTag)
    let isTagged = quoted.isRequest || quoted.status != 100
    if let tag = ourTags.0, let liveTag = ourTags.1 {
      check(identifiers.learn(tag: liveTag, for: tag, callID: callID), "our tag", "\(liveTag) for \(tag)")
    } else if isTagged, quoted.method != .cancel || quoted.isRequest {
      check(ourTags.1 != nil || ourTags.0 == nil, "our tag", "none for \(ourTags.0 ?? "none")")
    }
    check(theirTags.0 == theirTags.1, "To tag", "\(theirTags.1 ?? "none") for \(theirTags.0 ?? "none")")
    for (name, pair) in [("From", (quoted.from, live.from)), ("To", (quoted.to, live.to))] {
      let uris = zip(pair.0.flatMap { SIPURI($0.uri) }, pair.1.flatMap { SIPURI($0.uri) })
      check(uris.map { $0.isEquivalent(to: $1) } ?? false, name, "\(pair.1?.uri ?? "") for \(pair.0?.uri ?? "")")
    }
    guard let sequence = live.sequence, let quotedSequence = quoted.sequence else {
      return check(false, "CSeq", "none")
    }
    check(sequence.method == quotedSequence.method, "CSeq", "\(sequence.method) for \(quotedSequence.method)")
    if quoted.isRequest {
      check(
        identifiers.learn(number: sequence.number, for: quotedSequence.number, callID: callID), "CSeq",
        "\(sequence.number) for \(quotedSequence.number)")
    } else {
      check(sequence.number == quotedSequence.number, "CSeq", "\(sequence.number) for \(quotedSequence.number)")
    }
  }

  // MARK: Where it goes and comes from

  private mutating func compareRouting() {
    check(
      live.routes.map(\.uri) == quoted.routes.map(\.uri), "Route",
      "\(live.routes.map(\.uri)) for \(quoted.routes.map(\.uri))")
    check(
      live.recordRoutes.map(\.uri) == quoted.recordRoutes.map(\.uri), "Record-Route",
      "\(live.recordRoutes.map(\.uri)) for \(quoted.recordRoutes.map(\.uri))")
    if quoted.isRequest { check(live.value(of: "Max-Forwards") == "70", "Max-Forwards", "not 70") }
    guard let contact = quoted.contacts.first else { return }
    check(
      isSamePlace(contact.uri, live.contacts.first?.uri), "Contact",
      "\(live.value(of: "Contact") ?? "none") for \(quoted.value(of: "Contact") ?? "none")")
  }

  // MARK: Extensions

  private mutating func compareExtensions(_ identifiers: FlowIdentifiers) {
    for name in ["Require", "Proxy-Require", "Supported", "Allow"] {
      // What a flow supports beyond what it uses is the product's business.
      let wanted = quoted.values(of: name).filter { name != "Supported" || $0 == "replaces" }
      guard !wanted.isEmpty, !["Supported", "Allow"].contains(name) || announces else { continue }
      let ours = live.values(of: name)
      let isGood = name == "Allow" ? !ours.isEmpty : wanted.allSatisfy(ours.contains)
      check(isGood, name, "\(ours) for \(wanted)")
    }
    for name in ["Authorization", "Proxy-Authorization", "Target-Dialog", "Session-Expires", "Min-SE", "Recv-Info"] {
      check(quoted.value(of: name) == nil || live.value(of: name) != nil, name, "none")
    }
    for name in ["Retry-After", "Unsupported", "Allow-Events"] where quoted.isRefusal {
      check(quoted.value(of: name) == nil || live.value(of: name) != nil, name, "none")
    }
    // RFC 3261 11.2.
    for name in ["Allow", "Accept", "Accept-Encoding", "Accept-Language", "Supported"]
    where quoted.flowName == "200 OPTIONS" {
      check(live.value(of: name) != nil, name, "none")
    }
    let wanted = quoted.value(of: "Replaces").flatMap { Replaces($0) }.map(identifiers.live)
    let replaces = live.value(of: "Replaces").flatMap { Replaces($0) }
    check(wanted == replaces, "Replaces", "\(live.value(of: "Replaces") ?? "none")")
    let referrer = (quoted.value(of: "Referred-By"), live.value(of: "Referred-By"))
    if let wanted = referrer.0.flatMap({ NameAddress($0) }) {
      let ours = referrer.1.flatMap { NameAddress($0) }
      check(
        ours?.uri == wanted.uri && ours?.parameter("cid") == wanted.parameter("cid"), "Referred-By",
        "\(referrer.1 ?? "none") for \(wanted.uri)")
    }
    compareReferral(identifiers)
    compareNotification(identifiers)
  }

  /// Where RFC 3261 13.2.1 and 13.3.1.4 call for Allow and Supported.
  private var announces: Bool {
    quoted.method == .invite && (quoted.isRequest || (200..<300).contains(quoted.status ?? 0))
  }

  private mutating func compareReferral(_ identifiers: FlowIdentifiers) {
    guard let wanted = quoted.value(of: "Refer-To").flatMap({ NameAddress($0) }) else { return }
    let ours = live.value(of: "Refer-To").flatMap { NameAddress($0) }
    guard var wantedURI = SIPURI(wanted.uri), var uri = ours.flatMap({ SIPURI($0.uri) }) else {
      return check(false, "Refer-To", "\(ours?.uri ?? "none") for \(wanted.uri)")
    }
    let replaces = (replaces(in: wantedURI).map(identifiers.live), self.replaces(in: uri))
    check(replaces.0 == replaces.1, "Refer-To", "\(uri) for \(wantedURI)")
    wantedURI.headers = []
    uri.headers = []
    check(uri.isEquivalent(to: wantedURI), "Refer-To", "\(uri) for \(wantedURI)")
  }

  private func replaces(in uri: SIPURI) -> Replaces? {
    let value = uri.headers.first { $0.name.lowercased() == "replaces" }?.value
    return value?.removingPercentEncoding.flatMap { Replaces($0) }
  }

  private mutating func compareNotification(_ identifiers: FlowIdentifiers) {
    guard let event = quoted.event else { return check(live.event == nil, "Event", "not in the flow") }
    check(live.event?.package == event.package, "Event", "\(live.event?.package ?? "none") for \(event.package)")
    let state = (quoted.subscriptionState, live.subscriptionState)
    check(
      state.0?.isTerminated == state.1?.isTerminated, "Subscription-State",
      "\(live.value(of: "Subscription-State") ?? "")")
    check(live.event?.id == event.id, "Event", "id \(live.event?.id ?? "none") for \(event.id ?? "none")")
    check(
      quoted.sipFragmentStatus == live.sipFragmentStatus, "fragment",
      "\(live.sipFragmentStatus ?? 0) for \(quoted.sipFragmentStatus ?? 0)")
  }

  private mutating func compareBody() {
    let descriptions = (quoted.sessionDescription, live.sessionDescription)
    check(
      (descriptions.0 == nil) == (descriptions.1 == nil), "body",
      descriptions.1 == nil ? "no description" : "a description")
    if let wanted = descriptions.0, let ours = descriptions.1 {
      check(ours.audioDirection == wanted.audioDirection, "body", "\(ours.audioDirection) for \(wanted.audioDirection)")
    }
    let types = (quoted.value(of: "Content-Type"), live.value(of: "Content-Type"))
    check(mediaType(types.0) == mediaType(types.1), "body", "\(types.1 ?? "none") for \(types.0 ?? "none")")
  }

  private func mediaType(_ value: String?) -> String? { value.map { $0.prefix { $0 != ";" }.lowercased() } }
}

extension SIPMessage {
  fileprivate var isRefusal: Bool { (status ?? 0) >= 300 }
}

private func zip<A, B>(_ a: A?, _ b: B?) -> (A, B)? {
  guard let a, let b else { return nil }
  return (a, b)
}
