import Instant
import Testing

@testable import SIP

/// The layer under a clock of its own.
struct TransactionLayerBench {
  var layer = TransactionLayer()
  private(set) var now = Instant.zero
  private(set) var outputs: [TransactionOutput] = []
  /// When something was sent, in milliseconds.
  private(set) var sent: [Int64] = []
  private var timers: [TransactionTimer: (at: Instant, number: Int)] = [:]
  private var timersSet = 0

  mutating func take(_ outputs: [TransactionOutput]) {
    for output in outputs {
      switch output {
      case .send: sent.append(now.microseconds / 1_000)
      case .setTimer(let timer, let span):
        timersSet += 1
        timers[timer] = (now + span, timersSet)
      case .cancelTimer(let timer): timers[timer] = nil
      default: break
      }
    }
    self.outputs += outputs
  }

  mutating func receive(_ message: SIPMessage, from source: Endpoint) {
    take(layer.receive(message, from: source, causes: []))
  }

  mutating func run(_ span: Span) {
    let end = now + span
    while let next = timers.min(by: { ($0.value.at, $0.value.number) < ($1.value.at, $1.value.number) }),
      next.value.at <= end
    {
      now = next.value.at
      timers[next.key] = nil
      take(layer.fire(next.key))
    }
    now = end
  }

  var isEmpty: Bool { layer.count == 0 && timers.isEmpty }
  /// What was told last, timers left out.
  var lastTold: [TransactionOutput] {
    outputs.filter { if case .cancelTimer = $0 { false } else { true } }.suffix(2)
  }
  var requests: [ServerTransactionID] {
    outputs.compactMap { if case .request(let id, _, _) = $0 { id } else { nil } }
  }
  var acknowledgements: Int { outputs.count { if case .acknowledgement = $0 { true } else { false } } }
}

/// Schedules, matching, and what is left behind (RFC 3261 17, RFC 6026).
@Suite struct TransactionLayerTests {
  private static let peer = Endpoint(host: "10.0.0.2", port: 5060, transport: .udp)

  private func endpoint(_ transport: Transport) -> Endpoint {
    Endpoint(host: "10.0.0.2", port: 5060, transport: transport)
  }

  private func request(
    _ method: Method, branch: String? = "z9hG4bK1", sequence: Int = 1, toTag: String? = nil,
    sentBy: String = "10.0.0.2", callID: String = "c", over transport: Transport = .udp
  ) throws -> SIPMessage {
    try SIPMessage(
      .request(method, uri: "sip:a@b"),
      headers: [
        ("Via", "SIP/2.0/\(transport.rawValue.uppercased()) \(sentBy)" + (branch.map { ";branch=\($0)" } ?? "")),
        ("Max-Forwards", "70"),
        ("Route", "<sip:r1;lr>, <sip:r2;lr>"), ("From", "<sip:f@b>;tag=f"),
        ("To", "<sip:t@b>" + (toTag.map { ";tag=\($0)" } ?? "")), ("Call-ID", callID),
        ("CSeq", "\(sequence) \(method)"), ("Contact", "<sip:f@10.0.0.2>"),
      ])
  }

  private func response(_ status: Int, to request: SIPMessage, method: Method? = nil) throws -> SIPMessage {
    try SIPMessage(
      .response(status: status, reason: "R"),
      headers: [
        ("Via", request.value(of: "Via") ?? ""), ("From", "<sip:f@b>;tag=f"), ("To", "<sip:t@b>;tag=t"),
        ("Call-ID", "c"), ("CSeq", "1 \(method ?? request.method)"),
      ])
  }

  @Test(arguments: Transport.allCases) func anUnansweredInviteGivesUpAfter32Seconds(transport: Transport) throws {
    var bench = TransactionLayerBench()
    bench.take(bench.layer.send(request: try request(.invite, over: transport), to: endpoint(transport), causes: []).1)
    bench.run(.milliseconds(31_999))
    #expect(bench.layer.count == 1)
    bench.run(.milliseconds(1))
    #expect(bench.sent == (transport == .udp ? [0, 500, 1_500, 3_500, 7_500, 15_500, 31_500] : [0]))
    let id = ClientTransactionID(1)
    #expect(bench.lastTold == [.timedOut(id), .ended(id)])
    #expect(bench.isEmpty)
  }

  @Test(arguments: Transport.allCases) func anotherUnansweredRequestGivesUpAfter32Seconds(transport: Transport) throws {
    let schedule: [Int64] = [0, 500, 1_500, 3_500, 7_500, 11_500, 15_500, 19_500, 23_500, 27_500, 31_500]
    var bench = TransactionLayerBench()
    bench.take(bench.layer.send(request: try request(.bye, over: transport), to: endpoint(transport), causes: []).1)
    bench.run(.seconds(32))
    #expect(bench.sent == (transport == .udp ? schedule : [0]))
    #expect(bench.lastTold == [.timedOut(ClientTransactionID(1)), .ended(ClientTransactionID(1))])
    #expect(bench.isEmpty)
  }

  /// A transaction has the transport of its request's Via, whatever either end would rather use.
  @Test(arguments: Transport.allCases, [Transport.udp, .tcp])
  func theTransportIsThatOfTheVia(via: Transport, wished: Transport) throws {
    let invite = try request(.invite, over: via)
    var client = TransactionLayerBench()
    client.take(client.layer.send(request: invite, to: endpoint(wished), causes: []).1)
    client.receive(try response(404, to: invite), from: endpoint(wished))
    let destinations = client.outputs.compactMap { if case .send(let sent) = $0 { sent.destination } else { nil } }
    #expect(destinations == [endpoint(via), endpoint(via)])
    #expect(client.isEmpty == (via != .udp))

    var server = TransactionLayerBench()
    server.receive(invite, from: endpoint(wished))
    #expect(server.outputs == [.request(ServerTransactionID(1), invite, from: endpoint(via))])
    server.take(server.layer.send(response: try response(486, to: invite), in: ServerTransactionID(1), causes: []))
    server.run(.milliseconds(500))
    #expect(server.sent == (via == .udp ? [0, 500] : [0]))
  }

  /// A Via that names a transport of another kind, or none at all, leaves the choice with the sender.
  @Test(arguments: ["SIP/2.0/SCTP h;branch=z9hG4bK1", "nonsense", nil] as [String?], Transport.allCases)
  func withoutAKnownViaTheSenderDecides(via: String?, wished: Transport) throws {
    let message = try SIPMessage(
      .request(.options, uri: "sip:a@b"), headers: via.map { [(name: "Via", value: $0)] } ?? [])
    #expect(message.transport(else: wished) == wished)
  }

  @Test func aProvisionalSlowsARequestDownToT2() throws {
    var bench = TransactionLayerBench()
    let bye = try request(.bye)
    bench.take(bench.layer.send(request: bye, to: Self.peer, causes: []).1)
    bench.run(.milliseconds(600))
    bench.receive(try response(100, to: bye), from: Self.peer)
    bench.run(.seconds(60))
    #expect(bench.sent == [0, 500, 1_500, 5_500, 9_500, 13_500, 17_500, 21_500, 25_500, 29_500])
    #expect(bench.isEmpty)
  }

  @Test(arguments: Transport.allCases) func aRefusalOfAnInviteIsRepeatedUntilTheACK(transport: Transport) throws {
    var bench = TransactionLayerBench()
    let invite = try request(.invite, over: transport)
    bench.receive(invite, from: endpoint(transport))
    let id = try #require(bench.requests.first)
    bench.take(bench.layer.send(response: try response(486, to: invite), in: id, causes: []))
    var acknowledged = bench
    bench.run(.seconds(32))
    let schedule: [Int64] = [0, 500, 1_500, 3_500, 7_500, 11_500, 15_500, 19_500, 23_500, 27_500, 31_500]
    #expect(bench.sent == (transport == .udp ? schedule : [0]))
    #expect(bench.outputs.contains(.unacknowledged(id)))
    #expect(bench.isEmpty)
    acknowledged.run(.milliseconds(700))
    acknowledged.receive(try request(.ack, toTag: "t", over: transport), from: endpoint(transport))
    #expect(acknowledged.layer.count == (transport == .udp ? 1 : 0))
    acknowledged.run(.seconds(5))
    #expect(acknowledged.sent == (transport == .udp ? [0, 500] : [0]))
    #expect(acknowledged.acknowledgements == 0)
    #expect(acknowledged.isEmpty)
  }

  @Test func whatAnsweredStaysAsLongAsARepetitionMayCome() throws {
    for (method, status, lifetime) in [(Method.invite, 200, 32), (.bye, 200, 32)] as [(Method, Int, Int64)] {
      for transport in Transport.allCases {
        var bench = TransactionLayerBench()
        let message = try request(method, over: transport)
        bench.receive(message, from: endpoint(transport))
        bench.take(
          bench.layer.send(response: try response(status, to: message), in: ServerTransactionID(1), causes: []))
        let stays = method == .invite || transport == .udp
        bench.run(.milliseconds(lifetime * 1_000 - 1))
        #expect(bench.layer.count == (stays ? 1 : 0))
        bench.run(.milliseconds(1))
        #expect(bench.sent == [0])
        #expect(bench.isEmpty)
      }
    }
  }

  @Test func theACKToARefusalIsMadeFromTheInvite() throws {
    var bench = TransactionLayerBench()
    let invite = try request(.invite)
    bench.take(bench.layer.send(request: invite, to: Self.peer, causes: []).1)
    bench.receive(try response(404, to: invite), from: Self.peer)
    let acks = bench.outputs.compactMap { if case .send(let sent) = $0 { sent.message } else { nil } }.dropFirst()
    let ack = try #require(acks.first)
    #expect(ack.startLine == .request(.ack, uri: "sip:a@b"))
    #expect(ack.values(of: "Route") == ["<sip:r1;lr>", "<sip:r2;lr>"])
    #expect(ack.values(of: "Via") == invite.values(of: "Via"))
    #expect(ack.value(of: "To") == "<sip:t@b>;tag=t")
    #expect(ack.value(of: "CSeq") == "1 ACK")
    #expect(ack.findings.isEmpty)
  }

  // MARK: Matching

  @Test func aResponseIsFoundByBranchAndMethod() throws {
    var bench = TransactionLayerBench()
    let invite = try request(.invite)
    bench.take(bench.layer.send(request: invite, to: Self.peer, causes: []).1)
    bench.take(bench.layer.send(request: try request(.cancel), to: Self.peer, causes: []).1)
    bench.receive(try response(200, to: invite, method: .cancel), from: Self.peer)
    bench.receive(try response(180, to: invite), from: Self.peer)
    let stray = try response(200, to: invite, method: .bye)
    bench.receive(stray, from: Self.peer)
    let other = try response(200, to: try request(.invite, branch: "z9hG4bK2"))
    bench.receive(other, from: Self.peer)
    let found = bench.outputs.compactMap { if case .response(let id, _, _) = $0 { id.number } else { nil } }
    #expect(found == [2, 1])
    #expect(bench.outputs.suffix(2) == [.strayResponse(stray), .strayResponse(other)])
  }

  struct Pair: Sendable {
    var first: (branch: String?, sentBy: String, sequence: Int)
    var second: (branch: String?, sentBy: String, sequence: Int)
    var isSame: Bool
  }

  @Test(arguments: [
    Pair(first: ("z9hG4bK1", "h", 1), second: ("z9hG4bK1", "H:5060", 1), isSame: true),
    Pair(first: ("z9hG4bK1", "h", 1), second: ("z9hG4bK2", "h", 1), isSame: false),
    Pair(first: ("z9hG4bK1", "h", 1), second: ("z9hG4bK1", "h:5061", 1), isSame: false),
    Pair(first: ("z9hG4bK1", "h", 1), second: ("z9hG4bK1", "g", 1), isSame: false),
    Pair(first: ("z9hG4bK1", "h", 1), second: ("z9hG4bK1", "h", 2), isSame: true),
    Pair(first: ("old", "h", 1), second: ("old", "h", 1), isSame: true),
    Pair(first: ("old", "h", 1), second: ("old", "h", 2), isSame: false),
    Pair(first: ("old", "h", 1), second: ("older", "h", 1), isSame: false),
    Pair(first: (nil, "h", 1), second: (nil, "h", 1), isSame: true),
    Pair(first: (nil, "h", 1), second: (nil, "h", 2), isSame: false),
    Pair(first: ("z9hG4bK", "h", 1), second: ("z9hG4bK", "h", 2), isSame: false),
  ]) func aRequestIsFoundByItsVia(pair: Pair) throws {
    for method in [Method.invite, .options] {
      var bench = TransactionLayerBench()
      for (branch, sentBy, sequence) in [pair.first, pair.second] {
        bench.receive(
          try request(method, branch: branch, sequence: sequence, sentBy: sentBy, callID: "c"), from: Self.peer)
      }
      #expect(bench.requests.count == (pair.isSame ? 1 : 2))
    }
  }

  @Test(arguments: ["z9hG4bK1", "old", nil] as [String?]) func cancelAndACKFindTheirInvite(branch: String?) throws {
    var bench = TransactionLayerBench()
    let invite = try request(.invite, branch: branch)
    bench.receive(invite, from: Self.peer)
    let cancel = try request(.cancel, branch: branch)
    bench.receive(cancel, from: Self.peer)
    #expect(bench.requests.count == 2)
    #expect(bench.layer.inviteTransaction(cancelledBy: cancel) == ServerTransactionID(1))
    #expect(bench.layer.inviteTransaction(cancelledBy: try request(.cancel, branch: "z9hG4bKx")) == nil)
    for (number, message) in [(1, invite), (2, cancel)] {
      bench.take(
        bench.layer.send(
          response: try response(number == 1 ? 487 : 200, to: message), in: ServerTransactionID(number), causes: []))
    }
    bench.receive(try request(.ack, branch: branch, toTag: "t"), from: Self.peer)
    #expect(bench.acknowledgements == 0)
    bench.run(.seconds(32))
    #expect(bench.sent == [0, 0])
    #expect(bench.isEmpty)
  }

  @Test func anACKToA2xxGoesToTheTransactionUser() throws {
    var bench = TransactionLayerBench()
    let invite = try request(.invite)
    bench.receive(invite, from: Self.peer)
    bench.take(bench.layer.send(response: try response(200, to: invite), in: ServerTransactionID(1), causes: []))
    bench.receive(try request(.ack, branch: "z9hG4bK2", toTag: "t"), from: Self.peer)
    bench.receive(try request(.ack, branch: "z9hG4bK1", toTag: "t"), from: Self.peer)
    #expect(bench.acknowledgements == 2)
    #expect(bench.layer.count == 1)
  }

  @Test func aRequestThatCameOnTwoWaysIsMergedWhileTheFirstExists() throws {
    var bench = TransactionLayerBench()
    bench.receive(try request(.options), from: Self.peer)
    bench.receive(try request(.options, branch: "z9hG4bK2"), from: Self.peer)
    bench.receive(try request(.options, branch: "z9hG4bK3", sequence: 2), from: Self.peer)
    bench.receive(try request(.options, branch: "z9hG4bK4", toTag: "t"), from: Self.peer)
    #expect(bench.requests.map { bench.layer.isMerged($0) } == [false, true, false, false])
    for number in 1...4 {
      let answer = try response(200, to: try request(.options, branch: "z9hG4bK\(number)"))
      bench.take(bench.layer.send(response: answer, in: ServerTransactionID(number), causes: []))
    }
    bench.run(.seconds(32))
    #expect(bench.isEmpty)
    bench.receive(try request(.options, branch: "z9hG4bK5"), from: Self.peer)
    #expect(!bench.layer.isMerged(ServerTransactionID(5)))
  }

  /// The first copy may be over before the second one, and a third one is merged all the same.
  @Test func aRequestIsMergedWhileAnyCopyOfItExists() throws {
    var bench = TransactionLayerBench()
    for (number, status) in [(1, 486), (2, 482)] {
      let invite = try request(.invite, branch: "z9hG4bK\(number)")
      bench.receive(invite, from: Self.peer)
      bench.take(
        bench.layer.send(response: try response(status, to: invite), in: ServerTransactionID(number), causes: []))
    }
    bench.receive(try request(.ack, branch: "z9hG4bK1", toTag: "t"), from: Self.peer)
    bench.run(.seconds(10))
    #expect(bench.layer.count == 1)
    bench.receive(try request(.invite, branch: "z9hG4bK3"), from: Self.peer)
    #expect(bench.layer.isMerged(ServerTransactionID(3)))
    bench.layer.abandon(ServerTransactionID(3))
    bench.run(.seconds(32))
    #expect(bench.isEmpty)
    bench.receive(try request(.invite, branch: "z9hG4bK4"), from: Self.peer)
    #expect(!bench.layer.isMerged(ServerTransactionID(4)))
  }

  @Test func whatIsAbandonedLeavesNothing() throws {
    var bench = TransactionLayerBench()
    bench.take(bench.layer.send(request: try request(.invite), to: Self.peer, causes: []).1)
    bench.take(bench.layer.abandon(ClientTransactionID(1)))
    bench.receive(try request(.options), from: Self.peer)
    bench.layer.abandon(ServerTransactionID(1))
    #expect(bench.isEmpty)
    let late = bench.layer.send(
      response: try response(200, to: try request(.options)), in: ServerTransactionID(1), causes: [])
    #expect(late == [.absorbed(why: "the transaction of the response is over")])
  }
}
