import Testing

@testable import SIP

/// Dialogs from both sides (RFC 3261 12).
@Suite struct DialogTests {
  private func invite(_ headers: [(name: String, value: String)] = []) throws -> SIPMessage {
    let base: [(name: String, value: String)] = [
      ("Via", "SIP/2.0/UDP h;branch=z9hG4bK1"), ("From", "\"Al\" <sip:al@a>;tag=f;x=y"), ("To", "<sip:bo@b>"),
      ("Call-ID", "c"), ("CSeq", "7 INVITE"), ("Contact", "<sip:al@10.0.0.1>"),
    ]
    let names = Set(headers.map(\.name))
    return try SIPMessage(
      .request(.invite, uri: "sip:bo@b"), headers: base.filter { !names.contains($0.name) } + headers)
  }

  private func success(_ headers: [(name: String, value: String)] = []) throws -> SIPMessage {
    let base: [(name: String, value: String)] = [
      ("Via", "SIP/2.0/UDP h;branch=z9hG4bK1"), ("From", "\"Al\" <sip:al@a>;tag=f"), ("To", "<sip:bo@b>;tag=t"),
      ("Call-ID", "c"), ("CSeq", "7 INVITE"), ("Contact", "<sip:bo@10.0.0.2>"),
    ]
    let names = Set(headers.map(\.name))
    return try SIPMessage(
      .response(status: 200, reason: "OK"), headers: base.filter { !names.contains($0.name) } + headers)
  }

  @Test func bothSidesSeeOneDialog() throws {
    let route: [(name: String, value: String)] = [("Record-Route", "<sip:p2;lr>, <sip:p1;lr>")]
    let callee = try #require(Dialog(answering: try invite(route), localTag: "t"))
    let caller = try #require(Dialog(with: try success(route), to: try invite()))
    #expect(callee.id == Dialog.ID(callID: "c", localTag: "t", remoteTag: "f"))
    #expect(caller.id == Dialog.ID(callID: "c", localTag: "f", remoteTag: "t"))
    #expect(callee.localAddress == caller.remoteAddress)
    #expect(callee.remoteAddress.tag == nil)
    #expect(callee.remoteAddress.displayName == "Al")
    #expect(callee.routeSet == ["<sip:p2;lr>", "<sip:p1;lr>"])
    #expect(caller.routeSet == ["<sip:p1;lr>", "<sip:p2;lr>"])
    #expect(callee.remoteTarget == "sip:al@10.0.0.1")
    #expect(caller.remoteTarget == "sip:bo@10.0.0.2")
    #expect((callee.localSequence, callee.remoteSequence) == (0, 7))
    #expect((caller.localSequence, caller.remoteSequence) == (7, nil))
  }

  @Test func aMissingTagIsEmpty() throws {
    let callee = try #require(Dialog(answering: try invite([("From", "<sip:al@a>")]), localTag: "t"))
    #expect(callee.id.remoteTag.isEmpty)
    let caller = try #require(Dialog(with: try success([("To", "<sip:bo@b>")]), to: try invite()))
    #expect(caller.id.remoteTag.isEmpty)
  }

  @Test func numbersOfTheOtherSideNeverFall() throws {
    var dialog = try #require(Dialog(answering: try invite(), localTag: "t"))
    let verdicts = [6, 7, 8, 20, 8, 20, 21].map { dialog.accepts(CommandSequence(number: $0, method: .bye)) }
    #expect(verdicts == [false, true, true, true, false, true, true])
    var caller = try #require(Dialog(with: try success(), to: try invite()))
    let first = caller.accepts(CommandSequence(number: 1, method: .bye))
    #expect(first)
    #expect([caller.nextSequence(), caller.nextSequence()] == [8, 9])
  }

  struct Routing: Sendable {
    var recordRoute: String
    var uri: String
    var routes: [String]
    var nextHop: String
  }

  @Test(arguments: [
    Routing(recordRoute: "", uri: "sip:al@10.0.0.1", routes: [], nextHop: "sip:al@10.0.0.1"),
    Routing(
      recordRoute: "<sip:p1;lr>, <sip:p2;lr>", uri: "sip:al@10.0.0.1", routes: ["<sip:p1;lr>", "<sip:p2;lr>"],
      nextHop: "sip:p1;lr"),
    Routing(
      recordRoute: "<sip:p1>, <sip:p2;lr>", uri: "sip:p1", routes: ["<sip:p2;lr>", "<sip:al@10.0.0.1>"],
      nextHop: "sip:p1"),
    Routing(
      recordRoute: "<sip:p1;method=BYE?x=y>", uri: "sip:p1", routes: ["<sip:al@10.0.0.1>"],
      nextHop: "sip:p1;method=BYE?x=y"),
    Routing(recordRoute: "<sip:p1;LR=on>", uri: "sip:al@10.0.0.1", routes: ["<sip:p1;LR=on>"], nextHop: "sip:p1;LR=on"),
  ]) func requestsAreRoutedLooselyOrStrictly(row: Routing) throws {
    let headers: [(name: String, value: String)] = row.recordRoute.isEmpty ? [] : [("Record-Route", row.recordRoute)]
    let dialog = try #require(Dialog(answering: try invite(headers), localTag: "t"))
    #expect(dialog.routing.requestURI == row.uri)
    #expect(dialog.routing.routes == row.routes)
    #expect(dialog.routing.nextHop == row.nextHop)
  }

  @Test func whatMayNotStandInARequestURIIsLeftOut() throws {
    let dialog = try #require(
      Dialog(answering: try invite([("Contact", "<sip:al@h:5070;method=BYE;transport=tcp?Subject=x>")]), localTag: "t"))
    #expect(dialog.routing.requestURI == "sip:al@h:5070;transport=tcp")
  }

  @Test func aRequestWithinADialogIsComplete() throws {
    var dialog = try #require(Dialog(answering: try invite([("Record-Route", "<sip:p1>")]), localTag: "t"))
    let writer = MessageWriter(
      UserAgentIdentity(
        name: "b", addressOfRecord: "sip:bo@b", contact: Endpoint(host: "10.0.0.2", port: 5070, transport: .udp),
        mediaAddress: "10.0.0.2"))
    let bye = try writer.request(
      .bye, sequence: dialog.nextSequence(), in: dialog, branch: "z9hG4bK9", transport: .udp)
    #expect(bye.findings.isEmpty)
    #expect(bye.startLine == .request(.bye, uri: "sip:p1"))
    #expect(bye.values(of: "Route") == ["<sip:al@10.0.0.1>"])
    #expect(bye.fromTag == "t")
    #expect(bye.toTag == "f")
    #expect(bye.sequence == CommandSequence(number: 1, method: .bye))
  }
}
