import Instant
import SIP
import Testing
import Timeline

@testable import VirtualWorld

/// A peer that was asked by REFER to call somebody reports on it: bob, to alice.
@Suite struct PeerReferralTests {
  private static let referTo = [(name: "Refer-To", value: "<sip:carol@10.0.0.3>")]

  /// Two peers in a call in which alice has sent so many REFERs, each answered with 202.
  private func referred(times count: Int = 1, status: Int? = 202) throws -> PeerLoop {
    var loop = PeerLoop()
    try loop.establish()
    for _ in 0..<count {
      try loop.send("alice", .request(method: "REFER"), headers: Self.referTo)
      loop.run(for: .milliseconds(10))
      guard let status else { continue }
      try loop.send("bob", .response(status: status))
      loop.run(for: .milliseconds(10))
    }
    return loop
  }

  private func hangUp(_ loop: inout PeerLoop, by peer: String) throws {
    try loop.send(peer, .request(method: "BYE"))
    loop.run(for: .milliseconds(10))
    try loop.send(peer == "bob" ? "alice" : "bob", .response(status: 200))
    loop.run(for: .milliseconds(10))
  }

  /// Sends a NOTIFY that alice takes.
  private func notify(
    _ loop: inout PeerLoop, _ status: Int?, headers: [(name: String, value: String)] = []
  ) throws -> SIPMessage {
    try loop.send("bob", .request(method: "NOTIFY"), fragment: status, headers: headers)
    let notification = try #require(loop.message("bob NOTIFY"))
    loop.run(for: .milliseconds(10))
    try loop.send("alice", .response(status: 200))
    loop.run(for: .milliseconds(10))
    return notification
  }

  @Test(arguments: [
    (100, "SIP/2.0 100 Trying\r\n", "active;expires=60"), (180, "SIP/2.0 180 Ringing\r\n", "active;expires=60"),
    (200, "SIP/2.0 200 OK\r\n", "terminated;reason=noresource"),
    (486, "SIP/2.0 486 Busy Here\r\n", "terminated;reason=noresource"),
  ])
  func aReportSaysHowFarItIs(status: Int, body: String, state: String) throws {
    var loop = try referred()
    let notification = try notify(&loop, status)
    #expect(notification.body.elementsEqual(body.utf8))
    #expect(notification.sipFragmentStatus == status)
    #expect(notification.value(of: "Subscription-State") == state)
    #expect(notification.value(of: "Event") == "refer")
    #expect(notification.fromTag == loop.message("bob 202 REFER")?.toTag)
    #expect(notification.toTag == loop.message("alice REFER")?.fromTag)
    #expect(notification.contacts.count == 1)
  }

  @Test func aNotificationWithoutReportHasNoBody() throws {
    var loop = try referred()
    let notification = try notify(&loop, nil)
    #expect(notification.body.isEmpty && notification.value(of: "Content-Type") == nil)
    #expect(notification.value(of: "Subscription-State") == "active;expires=60")
  }

  @Test func aReportMayGoBeforeTheAnswer() throws {
    var loop = try referred(status: nil)
    _ = try notify(&loop, 100)
    try loop.send("bob", .response(status: 202), .message(#require(loop.number("alice REFER"))))
    #expect(loop.flow.suffix(4) == ["alice REFER", "bob NOTIFY", "alice 200 NOTIFY", "bob 202 REFER"])
  }

  /// RFC 3515 2.4.6: from the second REFER on Event says which one is meant.
  @Test func reportsNameTheirRequestFromTheSecondOn() throws {
    var loop = try referred(times: 2)
    let second = try #require(loop.message("alice REFER")?.sequence?.number)
    #expect(try notify(&loop, 100).value(of: "Event") == "refer;id=\(second)")
    #expect(try notify(&loop, 200).value(of: "Event") == "refer;id=\(second)")
    #expect(try notify(&loop, 503).value(of: "Event") == "refer")
  }

  @Test func theScriptCanReportOnAnyRequest() throws {
    var loop = try referred(times: 2)
    _ = try notify(&loop, 200, headers: [("Event", "refer")])
    let second = try #require(loop.message("alice REFER")?.sequence?.number)
    try hangUp(&loop, by: "alice")
    #expect(try notify(&loop, 200).value(of: "Event") == "refer;id=\(second)")
    #expect(loop.isBlank)
  }

  // MARK: - Beyond the end of the session (RFC 5057 5.1)

  @Test(arguments: ["alice", "bob"]) func reportsOutliveTheSession(whoHangsUp: String) throws {
    var loop = try referred()
    let tag = loop.message("bob 202 REFER")?.toTag
    try hangUp(&loop, by: whoHangsUp)
    #expect(try notify(&loop, 180).fromTag == tag)
    let last = try notify(&loop, 200)
    #expect(last.fromTag == tag && last.toTag != nil)
    #expect(loop.isBlank)
    #expect(throws: StimulusRefusal.self) { try loop.send("bob", .request(method: "NOTIFY"), fragment: 200) }
  }

  @Test(arguments: ["BYE", "INFO", "re-INVITE", "UPDATE"]) func nothingElseDoes(method: String) throws {
    var loop = try referred()
    try hangUp(&loop, by: "alice")
    #expect(throws: StimulusRefusal.self) { try loop.send("bob", .request(method: method)) }
  }

  @Test func aRequestThatWaitsForItsAnswerIsAnsweredAfterTheEnd() throws {
    var loop = try referred(status: nil)
    try hangUp(&loop, by: "bob")
    try loop.send("bob", .response(status: 202), .message(#require(loop.number("alice REFER"))))
    _ = try notify(&loop, 100)
    _ = try notify(&loop, 486)
    #expect(loop.isBlank)
  }

  @Test(arguments: ["refused", "without subscription", "report refused"]) func noReportIsLeftToSend(after how: String)
    throws
  {
    var loop = try referred(status: how == "refused" ? 603 : nil)
    switch how {
    case "without subscription":
      try loop.send("bob", .response(status: 202), headers: [("Refer-Sub", "false")])
    case "report refused":
      try loop.send("bob", .response(status: 202))
      try loop.send("bob", .request(method: "NOTIFY"), fragment: 100)
      loop.run(for: .milliseconds(10))
      try loop.send("alice", .response(status: 481))
    default: break
    }
    loop.run(for: .milliseconds(10))
    try hangUp(&loop, by: "alice")
    #expect(loop.isBlank)
  }

  @Test func aNewCallUnderTheSameCallIDHasADialogOfItsOwn() throws {
    var loop = try referred()
    let tag = loop.message("bob 202 REFER")?.toTag
    try hangUp(&loop, by: "alice")
    try loop.establish()
    #expect(loop.message("bob 200 INVITE")?.toTag != tag)
    #expect(try notify(&loop, 200).fromTag == tag)
    try loop.send("bob", .request(method: "BYE"))
    #expect(loop.message("bob BYE")?.fromTag == loop.message("bob 200 INVITE")?.toTag)
  }

  // MARK: - Automatic peers, and what cannot be said

  @Test func anAutomaticPeerDeclines() throws {
    var loop = PeerLoop(automatic: ["bob"], answersAfter: .zero)
    try loop.send("alice", .request(method: "INVITE"), session: .offer)
    loop.run(for: .milliseconds(30))
    try loop.send("alice", .request(method: "ACK"))
    try loop.send("alice", .request(method: "REFER"), headers: Self.referTo)
    loop.run(for: .seconds(1))
    #expect(loop.flow.suffix(2) == ["alice REFER", "bob 603 REFER"])
  }

  @Test(arguments: [(99, false), (700, false), (200, true)])
  func aReportThatCannotBeIsRefused(status: Int, alsoOffers: Bool) throws {
    var loop = try referred()
    let before = loop.peers
    #expect(throws: StimulusRefusal.self) {
      try loop.send("bob", .request(method: "NOTIFY"), session: alsoOffers ? .offer : nil, fragment: status)
    }
    #expect(loop.peers == before)
  }

  @Test func thereIsNoReportOutsideOfADialog() throws {
    var loop = PeerLoop()
    #expect(throws: StimulusRefusal.self) { try loop.send("bob", .request(method: "NOTIFY"), fragment: 100) }
  }
}
