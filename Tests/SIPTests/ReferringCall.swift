import Instant
import Testing

@testable import SIP

/// A confirmed session within which we send REFER and the peer reports.
struct ReferringCall {
  static let target = ReferralTarget.uri("sip:carol@10.0.0.3", name: nil)

  var call: ConfirmedCall
  var bench: UserAgentBench {
    get { call.bench }
    set { call.bench = newValue }
  }
  var session: SessionID { call.session }

  init(_ role: ConfirmedCall.Role = .caller, over transport: Transport = .udp) throws {
    call = try ConfirmedCall(role, over: transport)
    _ = call.news()
  }

  /// A session with a REFER that was answered by 202, and of which a first NOTIFY has come.
  static func accepted(
    _ role: ConfirmedCall.Role = .caller, over transport: Transport = .udp
  ) throws -> ReferringCall {
    var call = try ReferringCall(role, over: transport)
    call.refer()
    try call.answer(202)
    try call.notify(100)
    _ = call.news()
    return call
  }

  static func id(_ number: Int) -> ReferralID { ReferralID(.local, number) }

  mutating func refer(_ number: Int = 1, to target: ReferralTarget = ReferringCall.target) {
    bench.perform(.refer(session, Self.id(number), to: target))
  }

  /// Lets the peer answer one of the REFERs, counted from 1; the last one if none is named.
  mutating func answer(
    _ status: Int, to number: Int? = nil, headers: [(name: String, value: String)] = []
  ) throws {
    let refers = refers
    let refer = try #require(number.map { refers[$0 - 1] } ?? refers.last)
    bench.receive(try bench.response(status, to: refer, headers: headers))
  }

  /// Lets the peer report. `nil` leaves a header field out.
  mutating func notify(
    _ status: Int, _ state: String? = "active;expires=60", event: String? = "refer",
    type: String = "message/sipfrag;version=2.0", branch: String? = nil, number: Int? = nil,
    headers: [(name: String, value: String)] = [], body: String? = nil
  ) throws {
    let fields: [(name: String, value: String?)] = [
      ("Event", event), ("Subscription-State", state), ("Content-Type", type),
    ]
    try call.receive(
      .notify, branch: branch, number: number,
      headers: fields.compactMap { field in field.value.map { (field.name, $0) } } + headers,
      body: body ?? "SIP/2.0 \(status) Reason\r\n")
  }

  mutating func news() -> [String] { call.news() }

  /// The REFERs that have left, each once.
  var refers: [SIPMessage] {
    bench.sent.filter { $0.name == "REFER" && $0.transmission.origin != .retransmission }.map(\.message)
  }

  /// What was told of a REFER.
  func states(of number: Int = 1) -> [ReferralState] {
    bench.events.compactMap {
      if case .referral(Self.id(number), let state) = $0 { state } else { nil }
    }
  }

  /// Another session of ours with another peer at 10.0.0.3, which the peer's tag and Contact make odd where wanted.
  mutating func addSession(
    _ number: Int = 2, callID: String? = nil, tag: String? = "target",
    contact: String = "<sip:carol@10.0.0.3:5070;transport=udp>"
  ) throws -> SessionID {
    let id = SessionID(.local, number)
    bench.perform(.invite(id, target: "sip:carol@10.0.0.3", callID: callID))
    let invite = try #require(bench.last("INVITE"))
    let answer = try bench.response(200, to: invite, tag: tag, body: UserAgentBench.offer)
    let headers = answer.headers.map { $0.name == "Contact" ? ("Contact", contact) : $0 }
    bench.receive(try SIPMessage(answer.startLine, headers: headers, body: Array(answer.body)))
    _ = news()
    return id
  }
}

extension ReferralState {
  /// Whether nothing more is told.
  var isLast: Bool {
    switch self {
    case .accepted, .progress: false
    case .ended, .refused, .unknown: true
    }
  }
}
