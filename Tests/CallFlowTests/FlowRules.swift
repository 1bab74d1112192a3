@testable import SIP

/// What RFC 3261 demands of every message of ours, whatever the flow has: complete header fields, and branches, numbers and
/// tags that fit what has gone before.
struct FlowRules {
  /// Our requests and the requests and final responses that we got, by what identifies them.
  private var sent: [SIPMessage] = []
  private var requests: [SIPMessage] = []
  private var refusals: Set<String> = []
  private var branches: Set<String> = []

  /// Takes what we got.
  mutating func receive(_ message: SIPMessage) {
    if message.isRequest { requests.append(message) }
    if message.method == .invite, message.status ?? 0 >= 300, let branch = message.topVia?.branch {
      refusals.insert(branch)
    }
  }

  /// Takes what we send; what is wrong with it.
  mutating func send(_ message: SIPMessage) -> [String] {
    var flaws = message.findings.filter(\.isFatal).map { "\($0.field): \($0.text)" }
    flaws += message.isRequest ? flawsOfRequest(message) : flawsOfResponse(message)
    let wantsContact = [.invite, .notify, .refer].contains(message.method) && (message.status ?? 200) / 100 == 2
    if wantsContact, message.method != .notify || message.isRequest, message.contacts.count != 1 {
      flaws.append("Contact: not exactly one")
    }
    if message.isRequest { sent.append(message) }
    return flaws.map { "\(message.flowName): \($0)" }
  }

  /// RFC 3261 8.1.1, 9.1, 13.2.2.4 and 17.1.1.3.
  private mutating func flawsOfRequest(_ request: SIPMessage) -> [String] {
    var flaws: [String] = []
    if request.value(of: "Max-Forwards") == nil { flaws.append("Max-Forwards: none") }
    if request.fromTag == nil { flaws.append("From: no tag") }
    guard let branch = request.topVia?.branch, branch.hasPrefix("z9hG4bK"), request.values(of: "Via").count == 1 else {
      return flaws + ["Via: not one with a branch of RFC 3261"]
    }
    let invite = sent.last { $0.method == .invite && $0.callID == request.callID && $0.topVia?.branch == branch }
    guard request.method == .cancel || request.method == .ack && refusals.contains(branch) else {
      if !branches.insert(branch).inserted { flaws.append("Via: a branch of another request") }
      let acknowledged = sent.contains {
        $0.method == .invite && $0.callID == request.callID && $0.sequence?.number == request.sequence?.number
      }
      if request.method == .ack, !acknowledged { flaws.append("CSeq: of no INVITE") }
      return flaws
    }
    guard let invite else { return flaws + ["Via: not the branch of an INVITE"] }
    if request.sequence?.number != invite.sequence?.number { flaws.append("CSeq: not that of the INVITE") }
    if request.startLine.uri != invite.startLine.uri { flaws.append("Request-URI: not that of the INVITE") }
    if request.value(of: "From") != invite.value(of: "From") { flaws.append("From: not that of the INVITE") }
    if request.values(of: "Route") != invite.values(of: "Route") { flaws.append("Route: not that of the INVITE") }
    if request.method == .cancel, request.value(of: "To") != invite.value(of: "To") {
      flaws.append("To: not that of the INVITE")
    }
    return flaws
  }

  /// RFC 3261 8.2.6.
  private func flawsOfResponse(_ response: SIPMessage) -> [String] {
    let branches = response.vias?.map(\.branch)
    guard
      let request = requests.last(where: {
        $0.method == response.method && $0.callID == response.callID && $0.sequence?.number == response.sequence?.number
      })
    else { return ["CSeq: of no request"] }
    var flaws: [String] = []
    if branches != request.vias?.map(\.branch) { flaws.append("Via: not that of the request") }
    if response.value(of: "From") != request.value(of: "From") { flaws.append("From: not that of the request") }
    if response.status != 100, response.toTag == nil { flaws.append("To: no tag") }
    if request.toTag != nil, response.toTag != request.toTag {
      flaws.append("To: another tag than that of the request")
    }
    if response.to?.uri != request.to?.uri { flaws.append("To: not that of the request") }
    return flaws
  }
}

extension StartLine {
  fileprivate var uri: String? { if case .request(_, let uri) = self { uri } else { nil } }
}
