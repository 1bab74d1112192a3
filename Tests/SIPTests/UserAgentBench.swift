import Instant
import Testing

@testable import SIP

/// One user agent under a clock of its own, with a log of what it sends and tells.
struct UserAgentBench {
  struct Sent: Hashable {
    var at: Instant
    var transmission: Transmission
    var message: SIPMessage { transmission.message }

    /// `INVITE`, `200 INVITE`, …
    var name: String {
      switch message.startLine {
      case .request(let method, _): method.name
      case .response(let status, _): "\(status) \(message.method.name)"
      }
    }
  }

  static let peer = Endpoint(host: "10.0.0.2", port: 5060, transport: .udp)
  var agent: UserAgent
  private(set) var now = Instant.zero
  private(set) var sent: [Sent] = []
  private(set) var events: [UserAgentEvent] = []
  private(set) var drops: [String] = []
  /// The spans that a timer was drawn from, in order.
  private(set) var draws: [ClosedRange<Span>] = []
  private var timers: [UserAgentTimer: (at: Instant, number: Int, isPeriodic: Bool)] = [:]
  private var timersSet = 0
  private var peerBranches = 0

  init(transport: Transport = .udp, name: String = "phone", policy: UserAgentPolicy = UserAgentPolicy()) {
    agent = UserAgent(
      UserAgentIdentity(
        name: name, addressOfRecord: "sip:phone@example.com",
        contact: Endpoint(host: "10.0.0.1", port: 5060, transport: transport), mediaAddress: "10.0.0.1"),
      policy: policy)
  }

  // MARK: What the agent does

  private mutating func take(_ outputs: [UserAgentOutput]) {
    for output in outputs {
      switch output {
      case .send(let transmission): sent.append(Sent(at: now, transmission: transmission))
      case .setTimer(let timer, let span, let isPeriodic):
        timersSet += 1
        timers[timer] = (now + span, timersSet, isPeriodic)
      case .setRandomTimer(let timer, let range, let step):
        #expect(step == .milliseconds(10))
        draws.append(range)
        timersSet += 1
        timers[timer] = (now + range.lowerBound, timersSet, false)
      case .cancelTimer(let timer): timers[timer] = nil
      case .event(let event, _): events.append(event)
      case .dropped(let why, _): drops.append(why)
      }
    }
  }

  mutating func perform(_ command: UserAgentCommand) { take(agent.perform(command, causes: [])) }

  mutating func receive(_ message: SIPMessage, from source: Endpoint = peer) {
    take(agent.receive(message, from: source, causes: []))
  }

  /// Fires a timer before its time.
  mutating func fire(_ timer: UserAgentTimer) {
    timers[timer] = nil
    take(agent.fire(timer))
  }

  /// Lets time pass; timers that are due fire in order.
  mutating func run(_ span: Span) {
    let end = now + span
    while let next = timers.min(by: { ($0.value.at, $0.value.number) < ($1.value.at, $1.value.number) }),
      next.value.at <= end
    {
      now = next.value.at
      timers[next.key] = nil
      take(agent.fire(next.key))
    }
    now = end
  }

  /// Lets all leftovers end.
  mutating func runOut() { run(.seconds(200)) }

  /// Whether nothing is left of any session or transaction, timers included.
  var isEmpty: Bool {
    agent.sessionCount == 0 && agent.transactions.count == 0 && timers.isEmpty && agent.referralCount == 0
      && agent.referrals.notifications.isEmpty && agent.referrals.requests.isEmpty && agent.referrals.dialogs.isEmpty
  }

  var names: [String] { sent.map(\.name) }
  /// Names of what was sent since a place in the log, which moves to the end.
  mutating func news(_ place: inout Int) -> [String] {
    defer { place = sent.count }
    return sent[place...].map(\.name)
  }

  func last(_ name: String) -> SIPMessage? { sent.last { $0.name == name }?.message }
  /// When the messages of a name were sent, in milliseconds.
  func times(of name: String) -> [Int64] { sent.filter { $0.name == name }.map { $0.at.microseconds / 1_000 } }
  /// What was agreed on, in order.
  var agreements: [SessionMedia] {
    events.compactMap { if case .negotiated(_, let media) = $0 { media } else { nil } }
  }
  var ends: [SessionEnd] {
    events.compactMap { if case .ended(_, let end) = $0 { end } else { nil } }
  }

  // MARK: What the peer sends

  static let offer = "v=0\r\no=- 1 1 IN IP4 10.0.0.2\r\ns=-\r\nc=IN IP4 10.0.0.2\r\nt=0 0\r\nm=audio 4000 RTP/AVP 0\r\n"

  /// A request of the peer. Within a dialog the To tag is ours.
  mutating func request(
    _ method: Method, sequence: Int = 1, callID: String = "call@peer", toTag: String? = nil, branch: String? = nil,
    headers: [(name: String, value: String)] = [], body: String? = nil
  ) throws -> SIPMessage {
    peerBranches += 1
    let base: [(name: String, value: String)] = [
      ("Via", "SIP/2.0/UDP 10.0.0.2:5060;branch=\(branch ?? "z9hG4bKpeer\(peerBranches)")"), ("Max-Forwards", "70"),
      ("From", "<sip:peer@example.com>;tag=peer"),
      ("To", "<sip:phone@example.com>" + (toTag.map { ";tag=\($0)" } ?? "")), ("Call-ID", callID),
      ("CSeq", "\(sequence) \(method.name)"), ("Contact", "<sip:peer@10.0.0.2>"),
    ]
    let type: [(name: String, value: String)] = body == nil ? [] : [("Content-Type", "application/sdp")]
    let names = Set(headers.map(\.name))
    return try SIPMessage(
      .request(method, uri: "sip:phone@10.0.0.1"), headers: (base + type).filter { !names.contains($0.name) } + headers,
      body: Array((body ?? "").utf8))
  }

  /// The peer's response to a request of ours.
  func response(
    _ status: Int, to request: SIPMessage, tag: String? = "peer", headers: [(name: String, value: String)] = [],
    body: String? = nil
  ) throws -> SIPMessage {
    let to = (request.value(of: "To") ?? "") + (request.toTag == nil ? tag.map { ";tag=\($0)" } ?? "" : "")
    var fields = request.values(of: "Via").map { (name: "Via", value: $0) }
    fields += [
      ("From", request.value(of: "From") ?? ""), ("To", to), ("Call-ID", request.callID),
      ("CSeq", request.value(of: "CSeq") ?? ""), ("Contact", "<sip:peer@10.0.0.2>"),
    ]
    if body != nil { fields.append(("Content-Type", "application/sdp")) }
    return try SIPMessage(
      .response(status: status, reason: "R"), headers: fields + headers, body: Array((body ?? "").utf8))
  }
}
