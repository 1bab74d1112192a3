import Instant
import Testing

@testable import SIP

/// INVITEs of the other side within a session, and what crosses them.
@Suite struct UserAgentReInviteTests {
  typealias Role = ConfirmedCall.Role
  private static let schedule: [Int64] = [
    0, 500, 1_500, 3_500, 7_500, 11_500, 15_500, 19_500, 23_500, 27_500, 31_500,
  ]

  private func call(_ role: Role = .callee, isHeld: Bool = false) throws -> ConfirmedCall {
    try ConfirmedCall(role, isHeld: isHeld)
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var isHeld: Bool
    var offered: String?
    var address = "10.0.0.2"
    var answered: String
    var isHeldThere: Bool
    var testDescription: String { "held \(isHeld), \(offered ?? "-") \(address)" }
  }

  /// RFC 3264 6.1 and 8.4.
  static let rows: [Row] = [
    Row(isHeld: false, offered: nil, answered: "sendrecv", isHeldThere: false),
    Row(isHeld: false, offered: "sendrecv", answered: "sendrecv", isHeldThere: false),
    Row(isHeld: false, offered: "sendonly", answered: "recvonly", isHeldThere: true),
    Row(isHeld: false, offered: "recvonly", answered: "sendonly", isHeldThere: false),
    Row(isHeld: false, offered: "inactive", answered: "inactive", isHeldThere: true),
    Row(isHeld: true, offered: nil, answered: "sendonly", isHeldThere: false),
    Row(isHeld: true, offered: "sendrecv", answered: "sendonly", isHeldThere: false),
    Row(isHeld: true, offered: "sendonly", answered: "inactive", isHeldThere: true),
    Row(isHeld: true, offered: "recvonly", answered: "sendonly", isHeldThere: false),
    Row(isHeld: true, offered: "inactive", answered: "inactive", isHeldThere: true),
    Row(isHeld: false, offered: nil, address: "0.0.0.0", answered: "sendrecv", isHeldThere: true),
    Row(isHeld: false, offered: "sendrecv", address: "0.0.0.0", answered: "sendrecv", isHeldThere: true),
    Row(isHeld: false, offered: "sendonly", address: "0.0.0.0", answered: "recvonly", isHeldThere: true),
    Row(isHeld: true, offered: nil, address: "0.0.0.0", answered: "sendonly", isHeldThere: true),
  ]

  @Test(arguments: rows, Role.allCases) func theAnswerGoesByTheOfferAndTheWish(row: Row, role: Role) throws {
    var call = try call(role, isHeld: row.isHeld)
    let exchanges = call.bench.agreements.count
    try call.receive(.invite, body: ConfirmedCall.description(row.offered, address: row.address))
    #expect(call.news() == ["200 INVITE"])
    #expect(try call.description(in: "200 INVITE").audioDirection.rawValue == row.answered)
    #expect(call.bench.last("200 INVITE")?.contacts.first?.uri == "sip:phone@10.0.0.1")
    #expect(call.bench.agreements.count == exchanges + 1)
    #expect(call.isHeldHere == row.isHeld)
    #expect(call.isHeldThere == row.isHeldThere)
    let events = call.bench.events
    try call.receive(.ack)
    #expect(call.bench.events == events)
    call.bench.run(.seconds(100))
    #expect(call.news() == [])
    #expect(call.bench.ends.isEmpty)
  }

  @Test func eachNewDescriptionHasTheNextVersion() throws {
    var call = try call()
    var versions: [String?] = []
    for direction in ["sendonly", "sendonly", "sendrecv", "sendrecv"] {
      try call.receive(.invite, body: ConfirmedCall.description(direction))
      versions.append(try call.description(in: "200 INVITE").origin?.version)
      try call.receive(.ack)
    }
    #expect(versions == ["2", "2", "3", "3"])
    #expect(call.bench.agreements.count == 5)
  }

  // MARK: Late offers

  @Test(arguments: [false, true]) func aReInviteWithoutOfferIsAnsweredWithOne(isHeld: Bool) throws {
    var call = try call(isHeld: isHeld)
    let exchanges = call.bench.agreements.count
    try call.receive(.invite)
    #expect(call.news() == ["200 INVITE"])
    #expect(try call.description(in: "200 INVITE").audioDirection == (isHeld ? .sendonly : .sendrecv))
    #expect(call.bench.agreements.count == exchanges)
    try call.receive(.invite, body: ConfirmedCall.description())
    #expect(call.news() == ["491 INVITE"])
    try call.receive(.ack, number: 2, body: ConfirmedCall.description(isHeld ? "inactive" : "sendonly"))
    #expect(call.bench.agreements.count == exchanges + 1)
    #expect(call.isHeldHere == isHeld)
    #expect(call.isHeldThere == true)
    #expect(call.bench.events.last == .negotiated(call.session, SessionMedia(isHeldHere: isHeld, isHeldThere: true)))
  }

  @Test func aWishDuringALateOfferIsOfferedAfterTheACK() throws {
    var call = try call()
    try call.receive(.invite)
    call.bench.perform(.setHold(call.session, true))
    call.bench.perform(.setHold(call.session, false))
    call.bench.perform(.setHold(call.session, true))
    #expect(call.news() == ["200 INVITE"])
    #expect(call.bench.agreements.count == 1)
    try call.receive(.ack, body: ConfirmedCall.description())
    #expect(call.bench.agreements == [SessionMedia(), SessionMedia()])
    #expect(call.news() == ["INVITE"])
    #expect(try call.description(in: "INVITE").audioDirection == .sendonly)
  }

  @Test(arguments: [nil, "m=audio 0 RTP/AVP 0\r\n", "m=audio 4 RTP/AVP 18\r\n"] as [String?])
  func anUnusableAnswerToALateOfferEndsTheSession(body: String?) throws {
    var call = try call()
    try call.receive(.invite)
    try call.receive(.ack, body: body)
    #expect(call.news() == ["200 INVITE", "BYE"])
    #expect(call.bench.ends == [.failed])
    call.bench.runOut()
    #expect(call.bench.isEmpty)
  }

  // MARK: Refusals

  @Test(arguments: [
    (488, "application/sdp", "no description"), (488, "application/sdp", "m=audio 9 RTP/AVP 18\r\n"),
    (415, "text/plain", "hello"),
  ])
  func whatCannotBeTakenLeavesTheSession(status: Int, type: String, body: String) throws {
    var call = try call(isHeld: true)
    let events = call.bench.events
    try call.receive(
      .invite, branch: "z9hG4bKx", headers: [("Content-Type", type), ("Contact", "<sip:elsewhere@10.9.9.9>")],
      body: body)
    try call.receive(.ack, branch: "z9hG4bKx")
    #expect(call.news() == ["\(status) INVITE"])
    #expect(call.bench.events == events)
    call.bench.perform(.hangUp(call.session))
    #expect(call.bench.sent.last?.transmission.destination.host == "10.0.0.2")
  }

  @Test func whileOurOfferIsOutTheirsIs491() throws {
    var call = try call()
    call.bench.perform(.setHold(call.session, true))
    try call.receive(.invite, body: ConfirmedCall.description())
    try call.receive(.invite)
    #expect(call.news() == ["INVITE", "491 INVITE", "491 INVITE"])
    try call.answer("INVITE", 200, body: ConfirmedCall.description("recvonly"))
    #expect(call.isHeldHere == true)
  }

  @Test func aReInviteOutOfOrderIs500() throws {
    var call = try call()
    try call.receive(.invite, body: ConfirmedCall.description())
    try call.receive(.ack)
    try call.receive(.invite, number: 1, body: ConfirmedCall.description("sendonly"))
    #expect(call.news() == ["200 INVITE", "500 INVITE"])
    #expect(call.isHeldThere == false)
  }

  /// RFC 3261 14.1: no INVITE of ours while one of theirs has not come to its end, which a refused one does by its ACK.
  @Test(arguments: [true, false]) func ourOfferWaitsForTheACKToOurRefusal(isAcknowledged: Bool) throws {
    var call = try call()
    try call.receive(.invite, branch: "z9hG4bKx", body: "m=video 9 RTP/AVP 31\r\n")
    call.bench.perform(.setHold(call.session, true))
    #expect(call.news() == ["488 INVITE"])
    if isAcknowledged {
      try call.receive(.ack, branch: "z9hG4bKx")
      #expect(call.news() == ["INVITE"])
    } else {
      call.bench.run(.seconds(32))
      #expect(call.bench.times(of: "INVITE") == [32_000])
    }
  }

  // MARK: The ACK

  @Test func ourOfferWaitsForTheACKToOur200() throws {
    var call = try call()
    try call.receive(.invite, body: ConfirmedCall.description("sendonly"))
    call.bench.perform(.setHold(call.session, true))
    #expect(call.news() == ["200 INVITE"])
    try call.receive(.ack, number: 1)
    #expect(call.news() == [])
    try call.receive(.ack)
    #expect(call.news() == ["INVITE"])
    try call.answer("INVITE", 200, body: ConfirmedCall.description("inactive"))
    #expect(call.bench.agreements.last == SessionMedia(isHeldHere: true, isHeldThere: true))
  }

  @Test(arguments: Role.allCases) func a200WithoutACKIsRepeatedFor32SecondsThenBYE(role: Role) throws {
    var call = try call(role)
    let first = call.bench.times(of: "200 INVITE").count
    try call.receive(.invite, body: ConfirmedCall.description())
    call.bench.runOut()
    #expect(Array(call.bench.times(of: "200 INVITE").dropFirst(first)) == Self.schedule)
    #expect(call.bench.times(of: "BYE").first == 32_000)
    #expect(call.bench.ends == [.unacknowledged])
    #expect(call.bench.isEmpty)
  }

  @Test func anACKAfterARepetitionEndsIt() throws {
    var call = try call()
    try call.receive(.invite, body: ConfirmedCall.description())
    call.bench.run(.milliseconds(1_600))
    try call.receive(.ack)
    call.bench.run(.seconds(100))
    #expect(call.news() == ["200 INVITE", "200 INVITE", "200 INVITE"])
    #expect(call.bench.ends.isEmpty)
  }

  /// RFC 5407 3.1.4: a further INVITE shows that the 200 has arrived.
  @Test func aReInviteThatOvertakesTheACKIsAnswered() throws {
    var call = try call()
    try call.receive(.invite, body: ConfirmedCall.description("sendonly"))
    call.bench.run(.milliseconds(400))
    try call.receive(.invite, body: ConfirmedCall.description("sendrecv"))
    #expect(call.news() == ["200 INVITE", "200 INVITE"])
    #expect(call.isHeldThere == false)
    try call.receive(.ack, number: 2)
    call.bench.run(.milliseconds(600))
    #expect(call.news() == ["200 INVITE"])
    #expect(call.bench.last("200 INVITE")?.sequence?.number == 3)
    try call.receive(.ack, number: 3)
    call.bench.run(.seconds(100))
    #expect(call.news() == [])
    #expect(call.bench.ends.isEmpty)
  }

  /// RFC 3261 15 has only the callee wait for the ACK that confirms the dialog to the caller.
  @Test(arguments: Role.allCases) func hangingUpDoesNotWaitForTheACKToAReInvite(role: Role) throws {
    var call = try call(role)
    try call.receive(.invite, body: ConfirmedCall.description())
    call.bench.perform(.hangUp(call.session))
    #expect(call.news() == ["200 INVITE", "BYE"])
    call.bench.run(.seconds(1))
    #expect(call.news() == ["BYE"])
    try call.receive(.ack)
    try call.receive(.invite)
    #expect(call.news() == ["481 INVITE"])
    try call.answer("BYE", 200)
    #expect(call.bench.ends == [.local])
    call.bench.runOut()
    #expect(call.bench.isEmpty)
  }

  // MARK: The target

  @Test(arguments: Role.allCases) func aContactIsTheNewTarget(role: Role) throws {
    var call = try call(role)
    call.bench.perform(.setHold(call.session, true))
    try call.answer(
      "INVITE", 200, headers: [("m", "<sip:ignored@10.0.0.4>")], body: ConfirmedCall.description("recvonly"))
    try call.receive(.invite, headers: [("Contact", "<sip:second@10.0.0.3>")], body: ConfirmedCall.description())
    try call.receive(.ack)
    call.bench.perform(.setHold(call.session, false))
    let invite = try #require(call.bench.sent.last)
    #expect(invite.message.startLine == .request(.invite, uri: "sip:second@10.0.0.3"))
    #expect(invite.transmission.destination.host == "10.0.0.3")
    let response = try SIPMessage(
      .response(status: 200, reason: "OK"),
      headers: invite.message.headers.filter { ["Via", "From", "To", "Call-ID", "CSeq"].contains($0.name) }
        + [("Contact", "<sip:third@10.0.0.5>"), ("Content-Type", "application/sdp")],
      body: Array(ConfirmedCall.description().utf8))
    call.bench.receive(response)
    for name in ["ACK", "BYE"] {
      if name == "BYE" { call.bench.perform(.hangUp(call.session)) }
      #expect(call.bench.sent.last?.transmission.destination.host == "10.0.0.5")
      #expect(call.bench.sent.last?.message.startLine == .request(SIP.Method(name), uri: "sip:third@10.0.0.5"))
    }
  }

  // MARK: The end meets an offer

  enum Late: CaseIterable { case success, refusal, gone, nothing }

  /// Whatever comes to our re-INVITE after the end means nothing, but a 2xx is acknowledged, each time.
  @Test(arguments: Role.allCases, Late.allCases) func theEndMeetsOurOffer(role: Role, late: Late) throws {
    for hangsUp in [true, false] {
      var call = try call(role)
      call.bench.perform(.setHold(call.session, true))
      if hangsUp { call.bench.perform(.hangUp(call.session)) } else { try call.receive(.bye) }
      #expect(call.news() == ["INVITE", hangsUp ? "BYE" : "200 BYE"])
      if hangsUp { try call.answer("BYE", 200) }
      #expect(call.bench.ends == [hangsUp ? .local : .remoteBye])
      let events = call.bench.events
      switch late {
      case .success:
        for _ in 1...2 { try call.answer("INVITE", 200, body: ConfirmedCall.description("recvonly")) }
        #expect(call.news() == ["ACK", "ACK"])
      case .refusal:
        try call.answer("INVITE", 487)
        #expect(call.news() == ["ACK"])
      case .gone:
        try call.answer("INVITE", 481)
        #expect(call.news() == ["ACK"])
      case .nothing:
        try call.answer("INVITE", 100)
      }
      call.bench.runOut()
      #expect(call.bench.events == events)
      #expect(call.bench.isEmpty)
    }
  }

  @Test func theirByeEndsTheRepetitionOfOur200() throws {
    var call = try call()
    try call.receive(.invite, body: ConfirmedCall.description())
    try call.receive(.bye)
    call.bench.runOut()
    #expect(call.news() == ["200 INVITE", "200 BYE"])
    #expect(call.bench.ends == [.remoteBye])
    #expect(call.bench.isEmpty)
  }

  @Test func wishesAfterTheEndAreDropped() throws {
    var call = try call()
    call.bench.perform(.hangUp(call.session))
    call.bench.perform(.setHold(call.session, true))
    call.bench.perform(.setHold(SessionID(.local, 7), true))
    #expect(call.bench.drops.count == 2)
    #expect(call.news() == ["BYE"])
  }
}
