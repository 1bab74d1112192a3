import Testing

@testable import SIP

/// A bench with one session that both sides have confirmed.
struct ConfirmedCall {
  /// Which side of the call the agent is.
  enum Role: CaseIterable { case caller, callee }

  var bench: UserAgentBench
  private let peer: Endpoint
  let session: SessionID
  private let callID: String
  private let localTag: String
  private var sequence = 1
  /// How much of the log was there when the call was confirmed.
  private var place = 0

  init(_ role: Role, over transport: Transport = .udp, body: String? = UserAgentBench.offer) throws {
    bench = UserAgentBench(transport: transport)
    peer = Endpoint(host: UserAgentBench.peer.host, port: UserAgentBench.peer.port, transport: transport)
    switch role {
    case .caller:
      session = SessionID(.local, 1)
      bench.perform(.invite(session, target: "sip:peer@10.0.0.2", callID: nil))
      let invite = try #require(bench.last("INVITE"))
      bench.receive(try bench.response(200, to: invite, body: body), from: peer)
      callID = invite.callID
      localTag = try #require(invite.fromTag)
    case .callee:
      session = SessionID(.remote, 1)
      bench.receive(try bench.request(.invite, body: body), from: peer)
      bench.perform(.accept(session))
      callID = "call@peer"
      localTag = try #require(bench.last("200 INVITE")?.toTag)
      bench.receive(try bench.request(.ack, toTag: localTag), from: peer)
    }
    place = bench.sent.count
  }

  /// A call that we hold, or do not, of which everything that has led to it has been looked at.
  init(_ role: Role, isHeld: Bool) throws {
    try self.init(role)
    if isHeld {
      bench.perform(.setHold(session, true))
      try answer("INVITE", 200, body: Self.description("recvonly"))
    }
    _ = news()
  }

  /// What was sent since the last look.
  mutating func news() -> [String] { bench.news(&place) }

  /// Lets the peer send a request, with the next number if it is a new one.
  mutating func receive(
    _ method: SIP.Method, branch: String? = nil, number: Int? = nil,
    headers: [(name: String, value: String)] = [], body: String? = nil
  ) throws {
    if method != .ack, number == nil { sequence += 1 }
    bench.receive(
      try bench.request(
        method, sequence: number ?? sequence, callID: callID, toTag: localTag, branch: branch, headers: headers,
        body: body), from: peer)
  }

  /// Lets the peer answer our last request of a name.
  mutating func answer(
    _ name: String, _ status: Int, headers: [(name: String, value: String)] = [], body: String? = nil
  ) throws {
    let request = try #require(bench.last(name))
    bench.receive(try bench.response(status, to: request, headers: headers, body: body), from: peer)
  }

  /// Our last description in a message of a name.
  func description(in name: String) throws -> SessionDescription {
    try #require(bench.last(name)?.sessionDescription)
  }

  var isHeldHere: Bool? { bench.agreements.last?.isHeldHere }
  var isHeldThere: Bool? { bench.agreements.last?.isHeldThere }

  /// A description of the peer.
  static func description(
    _ direction: String? = nil, address: String = "10.0.0.2", formats: String = "0", version: Int = 2
  ) -> String {
    "v=0\r\no=- 1 \(version) IN IP4 10.0.0.2\r\ns=-\r\nc=IN IP4 \(address)\r\nt=0 0\r\n"
      + "m=audio 4000 RTP/AVP \(formats)\r\n" + (direction.map { "a=\($0)\r\n" } ?? "")
  }
}
