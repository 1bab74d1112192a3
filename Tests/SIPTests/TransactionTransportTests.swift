import Instant
import Testing

@testable import SIP

/// What happens if the transport cannot send (RFC 3261 17.1.4, 17.2.4, RFC 6026 7.1).
@Suite struct TransactionTransportTests {
  private static let peer = Endpoint(host: "10.0.0.2", port: 5060, transport: .udp)

  private func request(
    _ method: Method, uri: String = "sip:a@b", branch: String? = "z9hG4bK1", over transport: Transport = .udp
  ) throws -> SIPMessage {
    let via = "SIP/2.0/\(transport.rawValue.uppercased()) h" + (branch.map { ";branch=\($0)" } ?? "")
    return try SIPMessage(
      .request(method, uri: uri),
      headers: [
        ("Via", via), ("Max-Forwards", "70"), ("From", "<sip:f@b>;tag=f"), ("To", "<sip:t@b>"), ("Call-ID", "c"),
        ("CSeq", "1 \(method)"), ("Contact", "<sip:f@h>"),
      ])
  }

  private func response(_ status: Int, to request: SIPMessage) throws -> SIPMessage {
    try SIPMessage(
      .response(status: status, reason: "R"),
      headers: [
        ("Via", request.value(of: "Via") ?? ""), ("From", "<sip:f@b>;tag=f"), ("To", "<sip:t@b>;tag=t"),
        ("Call-ID", "c"), ("CSeq", "1 \(request.method)"),
      ])
  }

  private func lastSent(_ bench: TransactionLayerBench) throws -> Transmission {
    try #require(bench.outputs.reversed().lazy.compactMap { if case .send(let sent) = $0 { sent } else { nil } }.first)
  }

  // MARK: The machines

  @Test(arguments: [false, true]) func aClientThatCannotSendIsOver(isReliable: Bool) {
    let over: [TransactionAction] = [.giveUp, .terminate]
    var invite = InviteClientTransaction(isReliable: isReliable)
    #expect(invite.sendingFailed() == over)
    _ = invite.receive(status: 180)
    #expect(invite.sendingFailed() == [])
    var accepted = invite
    _ = accepted.receive(status: 200)
    #expect(accepted.sendingFailed() == [])
    _ = invite.receive(status: 486)
    #expect(invite.sendingFailed() == over)

    var other = NonInviteClientTransaction(isReliable: isReliable)
    #expect(other.sendingFailed() == over)
    _ = other.receive(status: 100)
    #expect(other.sendingFailed() == over)
    _ = other.receive(status: 200)
    #expect(other.sendingFailed() == [])
  }

  // MARK: The layer

  @Test(arguments: [Method.invite, .bye], Transport.allCases)
  func aRequestThatCannotBeSentEndsItsTransaction(method: Method, transport: Transport) throws {
    var bench = TransactionLayerBench()
    bench.take(
      bench.layer.send(request: try request(method, over: transport), to: Self.peer, causes: []).1)
    bench.take(bench.layer.sendingFailed(try lastSent(bench)))
    let id = ClientTransactionID(1)
    #expect(bench.lastTold == [.timedOut(id), .ended(id)])
    #expect(bench.isEmpty)
  }

  @Test func anACKThatCannotBeSentEndsTheInviteAfterItsRefusalWasTold() throws {
    var bench = TransactionLayerBench()
    let invite = try request(.invite)
    bench.take(bench.layer.send(request: invite, to: Self.peer, causes: []).1)
    let refusal = try response(486, to: invite)
    bench.receive(refusal, from: Self.peer)
    let ack = try lastSent(bench)
    #expect(ack.message.method == .ack)
    bench.take(bench.layer.sendingFailed(ack))
    let id = ClientTransactionID(1)
    #expect(bench.outputs.contains(.response(id, refusal, isRepeated: false)))
    #expect(bench.lastTold == [.timedOut(id), .ended(id)])
    #expect(bench.isEmpty)
  }

  /// A repeated INVITE must not be taken for a new one.
  @Test(arguments: [180, 200, 486]) func anInviteOutlivesAResponseThatCannotBeSent(status: Int) throws {
    var bench = TransactionLayerBench()
    let invite = try request(.invite)
    bench.receive(invite, from: Self.peer)
    bench.take(bench.layer.send(response: try response(status, to: invite), in: ServerTransactionID(1), causes: []))
    let sent = try lastSent(bench)
    #expect(bench.layer.sendingFailed(sent) == [.absorbed(why: "a response could not be sent")])
    bench.receive(invite, from: Self.peer)
    #expect(bench.requests.count == 1)
    if status >= 200 {
      bench.run(.seconds(32))
      #expect(bench.isEmpty)
    }
  }

  @Test(arguments: [100, 200], [nil, "z9hG4bK1"] as [String?])
  func anotherRequestEndsWithAResponseThatCannotBeSent(status: Int, branch: String?) throws {
    var bench = TransactionLayerBench()
    let options = try request(.options, branch: branch)
    bench.receive(options, from: Self.peer)
    bench.take(bench.layer.send(response: try response(status, to: options), in: ServerTransactionID(1), causes: []))
    bench.take(bench.layer.sendingFailed(try lastSent(bench)))
    #expect(bench.outputs.contains(.absorbed(why: "a response could not be sent")))
    #expect(bench.isEmpty)
  }

  @Test func whatBelongsToNoTransactionChangesNothing() throws {
    var layer = TransactionLayer()
    for message in [try request(.ack), try response(200, to: request(.invite))] {
      let transmission = Transmission(message: message, destination: Self.peer, origin: .decision, causes: [])
      #expect(
        layer.sendingFailed(transmission) == [.absorbed(why: "what could not be sent belongs to no transaction")])
    }
    #expect(layer == TransactionLayer())
  }

  /// Without the magic cookie the Request-URI counts too (RFC 3261 17.2.3).
  @Test(arguments: [nil, "old"] as [String?]) func anOldRequestToAnotherURIIsAnotherRequest(branch: String?) throws {
    for method in [Method.invite, .options] {
      var bench = TransactionLayerBench()
      for uri in ["sip:a@b", "sip:c@b", "sip:a@b"] {
        bench.receive(try request(method, uri: uri, branch: branch), from: Self.peer)
      }
      #expect(bench.requests.count == 2)
    }
  }
}
