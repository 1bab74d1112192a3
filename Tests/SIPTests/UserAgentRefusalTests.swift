import Foundation
import Instant
import Testing

@testable import SIP

/// Requests that begin no session.
@Suite struct UserAgentRefusalTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var status: Int
    var method = Method.invite
    var toTag: String?
    var headers: [String: String] = [:]
    var body: String?
    /// A header field that the response must have.
    var says: [String: String] = [:]

    var testDescription: String { "\(status) \(method) \(headers)" }
  }

  static let allowed = ["Allow": "INVITE"]
  static let cases: [Case] = [
    Case(
      status: 420, headers: ["Require": "100rel, nonsense"], body: UserAgentBench.offer, says: ["Unsupported": "100rel"]
    ),
    Case(status: 420, method: .options, headers: ["Require": "x"], says: ["Unsupported": "x"]),
    Case(status: 405, method: Method("UPDATE"), says: allowed),
    Case(status: 405, method: .register, headers: ["Require": "path"], says: allowed),
    Case(status: 501, method: Method("DANCE"), headers: ["Require": "music"], says: allowed),
    Case(status: 415, headers: ["Content-Type": "text/plain"], body: "hello", says: ["Accept": "application/sdp"]),
    Case(status: 488, headers: ["Content-Type": "application/sdp ; x=y"], body: "no description"),
    Case(status: 488, body: "m=video 9 RTP/AVP 31\r\n"),
    Case(status: 488, body: "m=audio 9 RTP/SAVP 0\r\n"),
    Case(status: 481, toTag: "unknown", body: UserAgentBench.offer),
    Case(status: 481, method: .bye, toTag: "unknown"),
    Case(status: 481, method: .bye),
    Case(status: 481, method: .options, toTag: "unknown"),
    Case(status: 400, headers: ["CSeq": "1 BYE"], body: UserAgentBench.offer),
    Case(status: 400, headers: ["Max-Forwards": "many"], body: UserAgentBench.offer),
    Case(status: 200, method: .options, says: ["Accept": "application/sdp", "Allow": "INVITE"]),
  ]

  @Test(arguments: cases) func aRequestGetsItsAnswerAndLeavesNothing(row: Case) throws {
    var bench = UserAgentBench()
    let fields = row.headers.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
    let request = try bench.request(
      row.method, toTag: row.toTag, branch: "z9hG4bKrefused", headers: fields, body: row.body)
    bench.receive(request)
    let response = try #require(bench.sent.first)
    guard case .response(row.status, _) = response.message.startLine else {
      Issue.record("\(response.name) instead of \(row.status)")
      return
    }
    for (name, value) in row.says { #expect(response.message.value(of: name) == value) }
    #expect(response.message.value(of: "Via") == request.value(of: "Via"))
    #expect(response.message.toTag != nil)
    bench.receive(request)
    #expect(bench.sent.count == 2)
    #expect(bench.agent.sessionCount == 0)
    #expect(bench.events.isEmpty)
    bench.runOut()
    #expect(bench.isEmpty)
  }

  @Test func anOptionsWithinADialogCountsInItsOrder() throws {
    var bench = UserAgentBench()
    bench.receive(try bench.request(.invite, body: UserAgentBench.offer))
    bench.perform(.accept(SessionID(.remote, 1)))
    let tag = try #require(bench.sent.last?.message.toTag)
    bench.receive(try bench.request(.ack, toTag: tag))
    bench.receive(try bench.request(.options, sequence: 5, toTag: tag))
    #expect(bench.names.last == "200 OPTIONS")
    bench.receive(try bench.request(.options, sequence: 4, toTag: tag))
    #expect(bench.names.last == "500 OPTIONS")
  }

  @Test func aResponseSaysWhereTheRequestCameFrom() throws {
    var bench = UserAgentBench()
    let source = Endpoint(host: "192.0.2.9", port: 7777, transport: .udp)
    bench.receive(
      try bench.request(.options, headers: [("Via", "SIP/2.0/UDP peer.example.com:5070; RPORT ;branch=z9hG4bKa")]),
      from: source)
    let first = try #require(bench.sent.last)
    #expect(first.message.topVia?.rport == .some(7777))
    #expect(first.message.topVia?.received == "192.0.2.9")
    #expect(first.transmission.destination == source)
    bench.receive(
      try bench.request(
        .options, headers: [("Via", "SIP/2.0/UDP peer.example.com:5070;branch=z9hG4bKb"), ("CSeq", "2 OPTIONS")]),
      from: source)
    let second = try #require(bench.sent.last)
    #expect(second.message.topVia?.received == "192.0.2.9")
    #expect(second.transmission.destination == Endpoint(host: "192.0.2.9", port: 5070, transport: .udp))
  }

  /// What a sender claims of the way is replaced by what the receiver knows (18.2.1).
  @Test(arguments: [";received=203.0.113.1", ";rport;received=203.0.113.1", ";received=203.0.113.1;rport"])
  func aClaimedAddressIsReplaced(parameters: String) throws {
    var bench = UserAgentBench()
    let via = "SIP/2.0/UDP peer.example.com:5070\(parameters);branch=z9hG4bKa"
    bench.receive(
      try bench.request(.options, headers: [("Via", via)]),
      from: Endpoint(host: "192.0.2.9", port: 7777, transport: .udp))
    let value = try #require(bench.sent.last?.message.value(of: "Via"))
    #expect(value.components(separatedBy: "received=").count == 2)
    #expect(bench.sent.last?.message.topVia?.received == "192.0.2.9")
  }

  @Test func aCodedBodyIsRefused() throws {
    var bench = UserAgentBench()
    bench.receive(try bench.request(.invite, headers: [("Content-Encoding", "gzip")], body: UserAgentBench.offer))
    #expect(bench.names == ["415 INVITE"])
    #expect(bench.sent.last?.message.value(of: "Accept-Encoding") == "identity")
    bench.receive(
      try bench.request(
        .invite, callID: "other", headers: [("Content-Encoding", "identity")], body: UserAgentBench.offer))
    #expect(bench.names.count == 1)
  }

  /// RFC 3261 9.2: the To tag of the 200 should be that of the response to the INVITE.
  @Test func aCancelAfterTheRefusalGetsItsTag() throws {
    var bench = UserAgentBench()
    bench.receive(try bench.request(.invite, branch: "z9hG4bKi", body: UserAgentBench.offer))
    bench.perform(.reject(SessionID(.remote, 1), status: 486))
    bench.receive(try bench.request(.cancel, branch: "z9hG4bKi"))
    #expect(bench.names == ["486 INVITE", "200 CANCEL"])
    #expect(bench.sent[0].message.toTag == bench.sent[1].message.toTag)
  }

  @Test func anOwnerCannotBeginASessionInTheAgentsName() throws {
    var bench = UserAgentBench()
    bench.perform(.invite(SessionID(.remote, 1), target: "sip:a@10.0.0.2", callID: nil))
    #expect(bench.names == [])
    #expect(bench.isEmpty)
  }

  /// What is copied from the request may leave no room for what the response must add.
  @Test func aRequestWhoseResponseWouldBeTooLongLeavesNothing() throws {
    var bench = UserAgentBench()
    func request(padding: Int) throws -> SIPMessage {
      let routes = stride(from: 0, to: padding, by: 60_000).map { start in
        (name: "Record-Route", value: "<sip:\(String(repeating: "p", count: min(60_000, padding - start)))@h>")
      }
      return try bench.request(.invite, headers: routes, body: UserAgentBench.offer)
    }
    // The lines that the routes stand on are subtracted with them.
    let padding = MessageLimits.standard.messageLength * 59 / 60
    let rest = MessageLimits.standard.messageLength - (try request(padding: padding)).bytes.count
    bench.receive(try request(padding: padding + rest - 1))
    bench.perform(.accept(SessionID(.remote, 1)))
    #expect(bench.ends == [.failed])
    bench.runOut()
    #expect(bench.names == [])
    #expect(bench.isEmpty)
  }
}
