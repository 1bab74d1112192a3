import Instant
import Testing

@testable import SIP

/// A confirmed session within which the peer sends REFER.
struct ReferredCall {
  static let target = "<sip:carol@10.0.0.3>"
  /// The session to whom a REFER names.
  static let transferred = SessionID(.local, 9)

  var call: ConfirmedCall
  var bench: UserAgentBench {
    get { call.bench }
    set { call.bench = newValue }
  }

  init(_ role: ConfirmedCall.Role = .callee, over transport: Transport = .udp) throws {
    call = try ConfirmedCall(role, over: transport)
    _ = call.news()
  }

  /// A session with a REFER that was accepted, and whose first NOTIFY was answered.
  static func accepted(
    _ role: ConfirmedCall.Role = .callee, over transport: Transport = .udp, to target: String = target,
    headers: [(name: String, value: String)] = []
  ) throws -> ReferredCall {
    var call = try ReferredCall(role, over: transport)
    try call.refer(to: target, headers: headers)
    call.bench.perform(.answerReferral(ReferralID(.remote, 1), accepts: true))
    if call.bench.last("NOTIFY") != nil { try call.call.answer("NOTIFY", 200) }
    _ = call.news()
    return call
  }

  mutating func refer(
    to target: String? = target, branch: String? = nil, number: Int? = nil,
    headers: [(name: String, value: String)] = [], body: String? = nil
  ) throws {
    let named: [(name: String, value: String)] = target.map { [("Refer-To", $0)] } ?? []
    try call.receive(.refer, branch: branch, number: number, headers: named + headers, body: body)
  }

  mutating func accept(_ number: Int = 1) { bench.perform(.answerReferral(ReferralID(.remote, number), accepts: true)) }
  mutating func report(_ status: Int, on number: Int = 1) {
    bench.perform(.reportReferral(ReferralID(.remote, number), status: status))
  }
  mutating func answerNotify(_ status: Int = 200) throws { try call.answer("NOTIFY", status) }
  mutating func news() -> [String] { call.news() }

  /// Whom the owner was asked to call.
  var referrals: [Referral] {
    bench.events.compactMap { if case .referred(_, _, let referral) = $0 { referral } else { nil } }
  }

  /// `Subscription-State | first line of the body` of every NOTIFY that was sent for the first time.
  var reports: [String] {
    bench.sent.filter { $0.name == "NOTIFY" && $0.transmission.origin != .retransmission }.map {
      let body = String(decoding: $0.message.body, as: UTF8.self)
      return "\($0.message.value(of: "Subscription-State") ?? "-") | \(body.split(separator: "\r\n").first ?? "-")"
    }
  }

  /// The last NOTIFY that there was, and everything that its dialog has sent.
  var sequences: [Int] {
    bench.sent.filter { ["NOTIFY", "BYE", "INVITE", "INFO"].contains($0.name) }
      .filter { $0.transmission.origin != .retransmission && $0.message.toTag != nil }
      .compactMap { $0.message.sequence?.number }
  }
}
