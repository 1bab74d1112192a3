import Testing

@testable import SIP

/// RFC 3261 8.1.1.8 and 12.1.1: who is called by SIPS is reached by SIPS.
@Suite struct UserAgentContactTests {
  struct Case: Sendable {
    var uri: String
    var recordRoutes: [String] = []
    var contact = "<sip:peer@10.0.0.2>"
    var isSecure: Bool
  }

  private func invite(_ way: Case) throws -> SIPMessage {
    try SIPMessage(
      .request(.invite, uri: way.uri),
      headers: [
        ("Via", "SIP/2.0/TLS 10.0.0.2:5061;branch=z9hG4bKa"), ("Max-Forwards", "70"),
        ("From", "<sip:peer@example.com>;tag=peer"), ("To", "<sip:phone@example.com>"), ("Call-ID", "call"),
        ("CSeq", "1 INVITE"), ("Contact", way.contact), ("Content-Type", "application/sdp"),
      ] + way.recordRoutes.map { ("Record-Route", $0) }, body: Array(UserAgentBench.offer.utf8))
  }

  @Test(arguments: [
    Case(uri: "sip:phone@10.0.0.1", isSecure: false), Case(uri: "sips:phone@10.0.0.1", isSecure: true),
    Case(uri: "sip:phone@10.0.0.1", contact: "<sips:peer@10.0.0.2>", isSecure: true),
    Case(
      uri: "sip:phone@10.0.0.1", recordRoutes: ["<sip:p2;lr>", "<sips:p1;lr>"], contact: "<sips:peer@10.0.0.2>",
      isSecure: false),
    Case(uri: "sip:phone@10.0.0.1", recordRoutes: ["<sips:p2;lr>", "<sip:p1;lr>"], isSecure: true),
  ])
  func calleeIsReachedTheWayItWasCalled(way: Case) throws {
    var bench = UserAgentBench(transport: .tls)
    bench.receive(try invite(way))
    bench.perform(.ring(SessionID(.remote, 1)))
    bench.perform(.accept(SessionID(.remote, 1)))
    #expect(bench.names == ["180 INVITE", "200 INVITE"])
    for sent in bench.sent {
      #expect(
        sent.message.contacts.map(\.uri)
          == [way.isSecure ? "sips:phone@10.0.0.1:5060" : "sip:phone@10.0.0.1;transport=tls"])
    }
  }

  @Test(arguments: [("sips:peer@10.0.0.2", true), ("sip:peer@10.0.0.2", false), ("SIPS:peer@10.0.0.2", true)])
  func callerIsReachedTheWayItCalls(target: String, isSecure: Bool) throws {
    var bench = UserAgentBench(transport: .tls)
    bench.perform(.invite(SessionID(.local, 1), target: target, callID: nil))
    #expect(bench.last("INVITE")?.contacts.first?.sipURI?.scheme == (isSecure ? "sips" : "sip"))
    let invite = try #require(bench.last("INVITE"))
    bench.receive(
      try bench.response(
        200, to: invite, headers: [("Record-Route", isSecure ? "<sip:p;lr>" : "<sips:p;lr>")],
        body: UserAgentBench.offer))
    bench.perform(.setHold(SessionID(.local, 1), true))
    // Within the dialog the first Route and the other side's Contact say.
    #expect(bench.last("INVITE")?.contacts.first?.sipURI?.scheme == (isSecure ? "sip" : "sips"))
  }

  @Test func aSecureContactOnTheUsualPortNamesNone() throws {
    let identity = UserAgentIdentity(
      name: "phone", addressOfRecord: "sips:phone@example.com",
      contact: Endpoint(host: "10.0.0.1", port: 5061, transport: .tls), mediaAddress: "10.0.0.1")
    let writer = MessageWriter(identity)
    #expect(writer.contact(bySIPS: true) == "<sips:phone@10.0.0.1>")
    #expect(writer.endpoint(of: "sips:phone@10.0.0.1") == identity.contact)
    #expect(writer.endpoint(of: "sip:phone@10.0.0.1:5061;transport=tls") == identity.contact)
    #expect(writer.contact(bySIPS: false) == "<sip:phone@10.0.0.1:5061;transport=tls>")
  }

  /// RFC 3261 13.3.1.4 and 11.2.
  @Test func whatIsServedIsAnnounced() throws {
    var bench = UserAgentBench()
    bench.receive(try bench.request(.options))
    for name in ["Allow", "Accept", "Accept-Encoding", "Accept-Language", "Supported"] {
      #expect(bench.last("200 OPTIONS")?.value(of: name) != nil, "\(name)")
    }
    bench.receive(try bench.request(.invite, body: UserAgentBench.offer))
    bench.perform(.accept(SessionID(.remote, 1)))
    #expect(bench.last("200 INVITE")?.values(of: "Allow").contains("REFER") == true)
    #expect(bench.last("200 INVITE")?.values(of: "Supported") == ["replaces"])
  }
}
