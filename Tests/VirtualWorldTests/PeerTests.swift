import Instant
import SIP
import Testing
import Timeline

@testable import VirtualWorld

@Suite struct PeerTests {
  private static let call = [
    "alice INVITE", "bob 180 INVITE", "bob 200 INVITE", "alice ACK", "alice BYE", "bob 200 BYE",
  ]

  @Test(arguments: Transport.allCases) func aCallIsMadeAnsweredAndEnded(transport: Transport) throws {
    var loop = PeerLoop(transport: transport)
    try loop.establish()
    try loop.send("alice", .request(method: "BYE"))
    loop.run(for: .milliseconds(10))
    try loop.send("bob", .response(status: 200))
    loop.run(for: .milliseconds(10))
    #expect(loop.flow == Self.call)
    loop.runToTheEnd()
    #expect(loop.isIdle)
    #expect(loop.flow == Self.call)
    #expect(loop.isBlank)
    #expect(loop.messages.flatMap(\.findings) == [])
  }

  @Test func messagesOfACallBelongTogether() throws {
    var loop = PeerLoop()
    try loop.establish()
    try loop.send("bob", .request(method: "BYE"))
    let invite = try #require(loop.message("alice INVITE"))
    let ringing = try #require(loop.message("bob 180 INVITE"))
    let success = try #require(loop.message("bob 200 INVITE"))
    let acknowledgement = try #require(loop.message("alice ACK"))
    let bye = try #require(loop.message("bob BYE"))
    #expect(invite.callID == "c1@example.com")
    #expect(invite.startLine == .request(.invite, uri: "sip:bob@example.com"))
    #expect(invite.contacts.first?.uri == "sip:alice@10.0.0.1:5060")
    #expect(invite.toTag == nil && invite.fromTag != nil)
    #expect(ringing.toTag != nil && ringing.toTag == success.toTag)
    #expect(acknowledgement.toTag == success.toTag && acknowledgement.fromTag == invite.fromTag)
    #expect(acknowledgement.topVia?.branch != invite.topVia?.branch)
    #expect(acknowledgement.sequence == CommandSequence(number: 1, method: .ack))
    #expect(acknowledgement.startLine == .request(.ack, uri: "sip:bob@10.0.0.2:5060"))
    #expect(bye.fromTag == success.toTag && bye.toTag == invite.fromTag)
    #expect(bye.startLine == .request(.bye, uri: "sip:alice@10.0.0.1:5060"))
    #expect(SessionDescription(reading: invite.body)?.audioDirection == .sendrecv)
    #expect(SessionDescription(reading: success.body)?.audioDirection == .sendrecv)
    #expect(ringing.body.isEmpty)
  }

  @Test func anAutomaticPeerTakesTheObviousDecisions() throws {
    var loop = PeerLoop(automatic: ["alice", "bob"])
    try loop.send("alice", .request(method: "INVITE"), session: .offer)
    loop.run(for: .seconds(2))
    try loop.send("alice", .request(method: "BYE"))
    loop.runToTheEnd()
    #expect(loop.isIdle)
    #expect(
      loop.log == [
        "0.000 alice INVITE", "0.010 bob 180 INVITE", "1.010 bob 200 INVITE", "1.020 alice ACK", "2.000 alice BYE",
        "2.010 bob 200 BYE",
      ])
    #expect(loop.isBlank)
  }

  @Test func theScriptGoesBeforeTheAutomaticDecision() throws {
    var loop = PeerLoop(automatic: ["bob"])
    try loop.send("alice", .request(method: "INVITE"), session: .offer)
    loop.run(for: .milliseconds(500))
    try loop.send("bob", .response(status: 486))
    loop.runToTheEnd()
    #expect(loop.isIdle)
    #expect(loop.flow == ["alice INVITE", "bob 180 INVITE", "bob 486 INVITE", "alice ACK"])
  }

  @Test func anAutomaticPeerAnswersALateOfferInTheAcknowledgement() throws {
    var loop = PeerLoop(automatic: ["alice", "bob"])
    try loop.send("alice", .request(method: "INVITE"))
    loop.run(for: .seconds(2))
    let success = try #require(loop.message("bob 200 INVITE"))
    let acknowledgement = try #require(loop.message("alice ACK"))
    #expect(SessionDescription(reading: success.body) != nil)
    #expect(SessionDescription(reading: acknowledgement.body)?.audioDirection == .sendrecv)
  }

  @Test func anAutomaticPeerKnowsOnlyItsDialogs() throws {
    var loop = PeerLoop(automatic: ["bob"])
    try loop.send(
      "alice", .request(method: "OPTIONS"), headers: [("To", "<sip:bob@example.com>;tag=other")])
    loop.runToTheEnd()
    #expect(loop.isIdle)
    #expect(loop.flow == ["alice OPTIONS", "bob 481 OPTIONS"])
  }

  @Test func anAutomaticPeerRefusesAnInviteThatCrossesItsOwn() throws {
    var loop = PeerLoop(automatic: ["alice", "bob"], answersAfter: .zero)
    try loop.send("alice", .request(method: "INVITE"), session: .offer)
    loop.run(for: .seconds(1))
    try loop.send("alice", .request(method: "re-INVITE"), session: .offer)
    try loop.send("bob", .request(method: "re-INVITE"), session: .offer)
    loop.run(for: .seconds(1))
    #expect(
      loop.flow.dropFirst(4) == [
        "alice INVITE", "bob INVITE", "bob 491 INVITE", "alice 491 INVITE", "alice ACK", "bob ACK",
      ])
    #expect(loop.peers.values.allSatisfy { $0.dialogs.count == 1 })
  }

  @Test func withoutTheScriptAPeerDecidesNothing() throws {
    var loop = PeerLoop(transport: .tcp)
    try loop.send("alice", .request(method: "INVITE"), session: .offer)
    loop.run(for: .seconds(60))
    #expect(loop.flow == ["alice INVITE"])
  }

  @Test func cancelEndsTheInvite() throws {
    var loop = PeerLoop()
    try loop.send("alice", .request(method: "INVITE"), session: .offer)
    loop.run(for: .milliseconds(20))
    try loop.send("bob", .response(status: 180))
    loop.run(for: .milliseconds(20))
    try loop.send("alice", .request(method: "CANCEL"))
    loop.runToTheEnd()
    #expect(loop.isIdle)
    #expect(
      loop.flow == [
        "alice INVITE", "bob 180 INVITE", "alice CANCEL", "bob 200 CANCEL", "bob 487 INVITE", "alice ACK",
      ])
    let invite = try #require(loop.message("alice INVITE"))
    let cancel = try #require(loop.message("alice CANCEL"))
    #expect(cancel.topVia == invite.topVia && cancel.sequence?.number == 1 && cancel.toTag == nil)
    #expect(loop.message("bob 487 INVITE")?.toTag == loop.message("bob 180 INVITE")?.toTag)
    #expect(loop.message("bob 200 CANCEL")?.toTag == loop.message("bob 180 INVITE")?.toTag)
    #expect(loop.isBlank)
  }

  @Test func cancelThatComesTooLateChangesNothing() throws {
    var loop = PeerLoop()
    try loop.establish()
    try loop.send("alice", .request(method: "CANCEL"))
    loop.run(for: .seconds(1))
    #expect(loop.flow.suffix(2) == ["alice CANCEL", "bob 200 CANCEL"])
    #expect(loop.peers["bob"]?.dialogs.count == 1)
  }

  @Test func aDuplicatedInviteIsAbsorbed() throws {
    var loop = PeerLoop()
    loop.doubled = [0]
    try loop.send("alice", .request(method: "INVITE"), session: .offer)
    loop.run(for: .milliseconds(20))
    #expect(loop.flow == ["alice INVITE"])
    try loop.send("bob", .response(status: 486))
    loop.runToTheEnd()
    #expect(loop.isIdle)
    #expect(loop.flow == ["alice INVITE", "bob 486 INVITE", "alice ACK"])
  }

  @Test func aLostSuccessIsRepeatedUntilItIsAcknowledged() throws {
    var loop = PeerLoop(automatic: ["alice"])
    loop.lost = [1, 2, 3]
    try loop.send("alice", .request(method: "INVITE"), session: .offer)
    loop.run(for: .milliseconds(10))
    try loop.send("bob", .response(status: 200), session: .answer)
    loop.run(for: .seconds(5))
    let successes = loop.log.filter { $0.contains("bob 200 INVITE") }
    #expect(
      successes == [
        "0.010 bob 200 INVITE", "0.510 bob 200 INVITE again", "1.510 bob 200 INVITE again",
      ])
    #expect(loop.log.last?.hasSuffix("alice ACK") ?? false)
  }

  @Test func anUnacknowledgedSuccessIsGivenUpAfter64T1() throws {
    var loop = PeerLoop()
    try loop.send("alice", .request(method: "INVITE"), session: .offer)
    loop.run(for: .milliseconds(10))
    try loop.send("bob", .response(status: 200), session: .answer)
    loop.runToTheEnd()
    #expect(loop.isIdle)
    let instants = loop.log.filter { $0.contains("bob 200") }.map { String($0.prefix { $0 != " " }) }
    #expect(
      instants == [
        "0.010", "0.510", "1.510", "3.510", "7.510", "11.510", "15.510", "19.510", "23.510", "27.510", "31.510",
      ])
    #expect(loop.peers["bob"]?.unacknowledged.isEmpty ?? false)
  }

  @Test func anAcknowledgementOnceGivenIsRepeated() throws {
    var loop = PeerLoop()
    loop.lost = [3]
    try loop.establish()
    loop.run(for: .seconds(5))
    #expect(
      loop.flow.dropFirst(3) == ["alice ACK", "bob 200 INVITE again", "alice ACK again"])
  }

  @Test func aSecondInviteOfADialogRenegotiates() throws {
    var loop = PeerLoop()
    try loop.establish()
    try loop.send(
      "bob", .request(method: "re-INVITE"), session: MessageFacts.Session(role: .offer, direction: "sendonly"))
    loop.run(for: .milliseconds(10))
    try loop.send("alice", .response(status: 200), session: MessageFacts.Session(role: .answer, direction: "recvonly"))
    loop.run(for: .milliseconds(10))
    try loop.send("bob", .request(method: "ACK"), .message(#require(loop.number("alice 200 INVITE"))))
    loop.run(for: .seconds(40))
    #expect(loop.flow.dropFirst(4) == ["bob INVITE", "alice 200 INVITE", "bob ACK"])
    let invite = try #require(loop.message("bob INVITE"))
    #expect(invite.toTag != nil && invite.fromTag != nil)
    let first = try #require(loop.message("bob 200 INVITE").flatMap { SessionDescription(reading: $0.body) })
    let second = try #require(SessionDescription(reading: invite.body))
    #expect(first.origin?.version == "1" && second.origin?.version == "2")
    #expect(first.origin?.sessionID == second.origin?.sessionID)
    #expect(first.audio?.port == second.audio?.port)
  }

  @Test func everyOtherMethodWorksWithinADialog() throws {
    var loop = PeerLoop()
    try loop.establish()
    for (index, method) in ["OPTIONS", "INFO", "UPDATE", "MESSAGE", "NOTIFY", "REFER", "PUBLISH"].enumerated() {
      try loop.send("alice", .request(method: method))
      loop.run(for: .milliseconds(10))
      try loop.send("bob", .response(status: 200), .message(#require(loop.number("alice \(method)"))))
      loop.run(for: .milliseconds(10))
      #expect(loop.message("alice \(method)")?.sequence?.number == index + 2)
      #expect(loop.message("alice \(method)")?.toTag != nil)
      #expect(loop.flow.last == "bob 200 \(method)")
    }
  }

  @Test func aRequestOutsideOfAnyCallLeavesNothing() throws {
    var loop = PeerLoop()
    try loop.send("alice", .request(method: "OPTIONS"), .none, callID: nil)
    loop.run(for: .milliseconds(10))
    try loop.send("bob", .response(status: 200), .message(#require(loop.number("alice OPTIONS"))), callID: nil)
    loop.runToTheEnd()
    #expect(loop.isIdle)
    #expect(loop.flow == ["alice OPTIONS", "bob 200 OPTIONS"])
    #expect(loop.message("bob 200 OPTIONS")?.toTag != nil)
    #expect(loop.isBlank)
  }

  @Test func manyCallsLeaveNothingBehind() throws {
    var loop = PeerLoop(automatic: ["alice", "bob"], answersAfter: .zero)
    for number in 0..<200 {
      let callID = "c\(number)@example.com"
      try loop.send("alice", .request(method: "INVITE"), session: .offer, callID: callID)
      loop.run(for: .milliseconds(100))
      try loop.send("alice", .request(method: "BYE"), callID: callID)
      loop.run(for: .milliseconds(100))
    }
    #expect(loop.flow.filter { $0 == "bob 200 BYE" }.count == 200)
    #expect(loop.isBlank)
    loop.runToTheEnd()
    #expect(loop.isIdle)
    #expect(loop.peers.values.map(\.transactions.count) == [0, 0])
  }
}
