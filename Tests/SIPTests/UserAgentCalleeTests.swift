import Instant
import Testing

@testable import SIP

/// Sessions that the other side begins.
@Suite struct UserAgentCalleeTests {
  private let session = SessionID(.remote, 1)
  private static let schedule: [Int64] = [
    0, 500, 1_500, 3_500, 7_500, 11_500, 15_500, 19_500, 23_500, 27_500, 31_500,
  ]

  /// A bench at which an INVITE has arrived; its branch is `z9hG4bKfirst`.
  private func invited(
    body: String? = UserAgentBench.offer, headers: [(name: String, value: String)] = []
  ) throws -> (UserAgentBench, SIPMessage) {
    var bench = UserAgentBench()
    let invite = try bench.request(.invite, branch: "z9hG4bKfirst", headers: headers, body: body)
    bench.receive(invite)
    return (bench, invite)
  }

  private func tag(_ bench: UserAgentBench) throws -> String { try #require(bench.sent.last?.message.toTag) }

  /// A bench whose 200 was sent, and our tag.
  private func accepted(body: String? = UserAgentBench.offer) throws -> (UserAgentBench, String) {
    var (bench, _) = try invited(body: body)
    bench.perform(.ring(session))
    bench.perform(.accept(session))
    return (bench, try tag(bench))
  }

  private func confirmed() throws -> (UserAgentBench, String) {
    var (bench, tag) = try accepted()
    bench.receive(try bench.request(.ack, toTag: tag))
    return (bench, tag)
  }

  @Test func anAnsweredCallIsHungUpByUs() throws {
    var (bench, _) = try confirmed()
    bench.perform(.hangUp(session))
    #expect(bench.names == ["180 INVITE", "200 INVITE", "BYE"])
    #expect(bench.ends.isEmpty)
    bench.receive(try bench.response(200, to: try #require(bench.last("BYE"))))
    #expect(bench.ends == [.local])
    #expect(bench.agent.sessionCount == 0)
    bench.runOut()
    #expect(bench.isEmpty)
    #expect(bench.names.count == 3)
  }

  @Test func anAnsweredCallIsHungUpByTheCaller() throws {
    var (bench, tag) = try confirmed()
    bench.receive(try bench.request(.bye, sequence: 2, toTag: tag))
    #expect(bench.names == ["180 INVITE", "200 INVITE", "200 BYE"])
    #expect(bench.ends == [.remoteBye])
    bench.perform(.hangUp(session))
    bench.runOut()
    #expect(bench.isEmpty)
    #expect(bench.ends == [.remoteBye])
  }

  @Test func theDialogOfA2xxIsComplete() throws {
    var (bench, _) = try invited(headers: [("Record-Route", "<sip:a;lr>, <sip:b;lr>")])
    bench.perform(.accept(session))
    let success = try #require(bench.last("200 INVITE"))
    #expect(success.values(of: "Record-Route") == ["<sip:a;lr>", "<sip:b;lr>"])
    #expect(success.contacts.first?.uri == "sip:phone@10.0.0.1")
    #expect(success.sessionDescription?.audio?.formats == ["0"])
    bench.receive(try bench.request(.ack, toTag: try tag(bench)))
    bench.perform(.hangUp(session))
    let bye = try #require(bench.sent.last)
    #expect(bye.message.values(of: "Route") == ["<sip:a;lr>", "<sip:b;lr>"])
    #expect(bye.transmission.destination.host == "a")
  }

  @Test(arguments: [302, 480, 486, 603]) func aDeclinedCallRepeatsItsAnswerUntilTheACK(status: Int) throws {
    var (bench, _) = try invited()
    bench.perform(.reject(session, status: status))
    #expect(bench.ends == [.local])
    #expect(bench.agent.sessionCount == 0)
    var unacknowledged = bench
    bench.run(.milliseconds(600))
    bench.receive(try bench.request(.ack, toTag: try tag(bench), branch: "z9hG4bKfirst"))
    bench.runOut()
    #expect(bench.names == ["\(status) INVITE", "\(status) INVITE"])
    #expect(bench.isEmpty)
    unacknowledged.runOut()
    #expect(unacknowledged.times(of: "\(status) INVITE") == Self.schedule)
    #expect(unacknowledged.isEmpty)
  }

  @Test func aCancelledCallEndsWith487AndItsCause() throws {
    var (bench, _) = try invited()
    bench.perform(.ring(session))
    let cancel = try bench.request(
      .cancel, branch: "z9hG4bKfirst", headers: [("Reason", "Q.850;cause=16, SIP ;cause=200 ;text=\"Elsewhere\"")])
    bench.receive(cancel)
    #expect(bench.names == ["180 INVITE", "200 CANCEL", "487 INVITE"])
    #expect(Set(bench.sent.map(\.message.toTag)).count == 1)
    #expect(bench.ends == [.cancelled(reasonCause: 200)])
    bench.receive(cancel)
    #expect(bench.names.last == "200 CANCEL")
    bench.perform(.accept(session))
    bench.perform(.hangUp(session))
    bench.runOut()
    #expect(bench.ends.count == 1)
    #expect(bench.isEmpty)
  }

  /// A quoted string is no parameter (RFC 3326 2).
  @Test(arguments: [
    ("SIP;text=\"was;cause=603;before\";cause=200", 200), ("sip ; CAUSE = 600", 600), ("SIP;cause=200;cause=603", 200),
    ("Q.850;cause=16;text=\"a, SIP;cause=603\", SIP;cause=200", 200),
  ])
  func theCauseIsReadFromTheParameters(reason: String, cause: Int) throws {
    var (bench, _) = try invited()
    bench.receive(try bench.request(.cancel, branch: "z9hG4bKfirst", headers: [("Reason", reason)]))
    #expect(bench.ends == [.cancelled(reasonCause: cause)])
  }

  @Test(arguments: [nil, "Q.850;cause=16", "SIP;text=\"x\"", "SIP;cause=x", "SIP;text=\"cause=200"] as [String?])
  func aCancelWithoutACauseForSIPHasNone(reason: String?) throws {
    var (bench, _) = try invited()
    bench.receive(
      try bench.request(.cancel, branch: "z9hG4bKfirst", headers: reason.map { [("Reason", $0)] } ?? []))
    #expect(bench.ends == [.cancelled(reasonCause: nil)])
  }

  @Test func aCancelAfterThe200ChangesNothing() throws {
    var (bench, tag) = try accepted()
    bench.receive(try bench.request(.cancel, branch: "z9hG4bKfirst"))
    #expect(bench.names.last == "200 CANCEL")
    #expect(bench.ends.isEmpty)
    bench.receive(try bench.request(.ack, toTag: tag))
    #expect(bench.events.last == .acknowledged(session))
  }

  @Test func aCancelOfNothingIs481() throws {
    var bench = UserAgentBench()
    bench.receive(try bench.request(.cancel))
    #expect(bench.names == ["481 CANCEL"])
    bench.runOut()
    #expect(bench.isEmpty)
  }

  @Test func byeWaitsForTheACK() throws {
    var (bench, tag) = try accepted()
    bench.perform(.hangUp(session))
    bench.run(.milliseconds(100))
    #expect(bench.names == ["180 INVITE", "200 INVITE"])
    bench.receive(try bench.request(.ack, toTag: tag))
    #expect(bench.names == ["180 INVITE", "200 INVITE", "BYE"])
    bench.receive(try bench.response(200, to: try #require(bench.last("BYE"))))
    #expect(bench.ends == [.local])
    bench.runOut()
    #expect(bench.isEmpty)
  }

  @Test(arguments: [false, true]) func a200WithoutACKIsRepeatedFor32SecondsThenBYE(hangsUp: Bool) throws {
    var (bench, _) = try accepted()
    if hangsUp { bench.perform(.hangUp(session)) }
    bench.runOut()
    #expect(bench.times(of: "200 INVITE") == Self.schedule)
    #expect(bench.times(of: "BYE").first == 32_000)
    #expect(
      bench.times(of: "BYE").map { $0 - 32_000 } == Self.schedule)
    #expect(bench.ends == [hangsUp ? .local : .unacknowledged])
    #expect(bench.isEmpty)
  }

  @Test func theACKStopsTheRepetitionOfThe200() throws {
    var (bench, tag) = try accepted()
    bench.run(.milliseconds(1_600))
    bench.receive(try bench.request(.ack, toTag: tag))
    bench.receive(try bench.request(.ack, toTag: tag))
    bench.run(.seconds(60))
    #expect(bench.times(of: "200 INVITE") == [0, 500, 1_500])
    #expect(bench.events.filter { $0 == .acknowledged(session) }.count == 1)
    #expect(bench.agent.sessionCount == 1)
  }

  @Test func anACKOfAnotherNumberOrThatCannotBeReadIsNone() throws {
    var (bench, tag) = try accepted()
    bench.receive(try bench.request(.ack, sequence: 2, toTag: tag))
    bench.receive(try bench.request(.ack, toTag: tag, headers: [("Max-Forwards", "x")]))
    bench.receive(try bench.request(.ack, toTag: "other"))
    #expect(!bench.events.contains(.acknowledged(session)))
    #expect(bench.drops.count == 3)
  }

  @Test func theAnswerToALateOfferComesWithTheACK() throws {
    var (bench, tag) = try accepted(body: nil)
    #expect(bench.last("200 INVITE")?.sessionDescription?.audio?.formats == ["0", "8", "101"])
    #expect(bench.agreements.isEmpty)
    bench.receive(try bench.request(.ack, toTag: tag, body: UserAgentBench.offer))
    #expect(bench.events.suffix(2) == [.negotiated(session, SessionMedia()), .acknowledged(session)])
  }

  @Test(arguments: [nil, "m=audio 0 RTP/AVP 0\r\n", "m=video 9 RTP/AVP 31\r\n", "no description"] as [String?])
  func anUnusableAnswerToALateOfferEndsTheCall(body: String?) throws {
    var (bench, tag) = try accepted(body: nil)
    bench.receive(try bench.request(.ack, toTag: tag, body: body))
    #expect(bench.names.last == "BYE")
    #expect(bench.drops == ["the answer is missing or cannot be used"])
    #expect(bench.ends == [.failed])
    bench.runOut()
    #expect(bench.ends.count == 1)
    #expect(bench.isEmpty)
  }

  @Test func aRepeatedInviteIsAbsorbed() throws {
    var (bench, invite) = try invited()
    bench.receive(invite)
    #expect(bench.names.isEmpty)
    bench.perform(.ring(session))
    bench.receive(invite)
    #expect(bench.names == ["180 INVITE", "180 INVITE"])
    bench.perform(.accept(session))
    bench.receive(invite)
    #expect(bench.names == ["180 INVITE", "180 INVITE", "200 INVITE"])
    #expect(bench.events.count { if case .invited = $0 { true } else { false } } == 1)
  }

  @Test func aMergedInviteIs482() throws {
    var (bench, _) = try invited()
    bench.receive(try bench.request(.invite, branch: "z9hG4bKsecond", body: UserAgentBench.offer))
    #expect(bench.names == ["482 INVITE"])
    #expect(bench.agent.sessionCount == 1)
    bench.receive(try bench.request(.invite, branch: "z9hG4bKthird", headers: [("CSeq", "2 INVITE")]))
    #expect(bench.names == ["482 INVITE"])
  }

  @Test func trying100OnlyWhenNothingElseLeftWithin200ms() throws {
    var (bench, _) = try invited(headers: [("Timestamp", "54")])
    var rung = bench
    rung.run(.milliseconds(199))
    rung.perform(.ring(session))
    rung.run(.seconds(59))
    #expect(rung.names == ["180 INVITE"])
    rung.run(.seconds(2))
    #expect(rung.names == ["180 INVITE", "180 INVITE"])
    bench.run(.milliseconds(199))
    #expect(bench.names.isEmpty)
    bench.run(.milliseconds(1))
    #expect(bench.names == ["100 INVITE"])
    #expect(bench.sent.first?.message.toTag == nil)
    #expect(bench.sent.first?.message.value(of: "Timestamp") == "54")
    bench.perform(.reject(session, status: 486))
    bench.receive(try bench.request(.ack, toTag: try tag(bench), branch: "z9hG4bKfirst"))
    bench.runOut()
    #expect(bench.isEmpty)
  }

  @Test func hangingUpAnInviteIs480() throws {
    var (bench, _) = try invited()
    bench.perform(.hangUp(session))
    #expect(bench.names == ["480 INVITE"])
    #expect(bench.ends == [.local])
  }

  @Test func aReInviteThatCannotBeTakenIs488AndLeavesTheSession() throws {
    var (bench, tag) = try confirmed()
    bench.receive(
      try bench.request(.invite, sequence: 2, toTag: tag, branch: "z9hG4bKre", body: "m=audio 9 RTP/AVP 18\r\n"))
    bench.receive(try bench.request(.ack, sequence: 2, toTag: tag, branch: "z9hG4bKre"))
    #expect(bench.names.last == "488 INVITE")
    bench.receive(try bench.request(.invite, sequence: 1, toTag: tag, body: UserAgentBench.offer))
    #expect(bench.names.last == "500 INVITE")
    #expect(bench.ends.isEmpty)
    bench.receive(try bench.request(.bye, sequence: 3, toTag: tag))
    #expect(bench.ends == [.remoteBye])
    bench.receive(try bench.request(.invite, sequence: 4, toTag: tag, body: UserAgentBench.offer))
    #expect(bench.names.last == "481 INVITE")
  }

  @Test func aReInviteBeforeTheFirstIsDoneIsPutOff() throws {
    var (bench, _) = try invited()
    bench.perform(.ring(session))
    let tag = try tag(bench)
    bench.receive(try bench.request(.invite, sequence: 2, toTag: tag, body: UserAgentBench.offer))
    #expect(bench.names.last == "500 INVITE")
    #expect(bench.sent.last?.message.value(of: "Retry-After") != nil)
    #expect(bench.ends.isEmpty)
  }

  /// RFC 5407 3.1.4: the re-INVITE shows that the 2xx has arrived, and its own 2xx takes the place of that one.
  @Test func aReInviteBeforeTheFirstACKIsAnswered() throws {
    var (bench, _) = try invited()
    bench.perform(.accept(session))
    let tag = try tag(bench)
    bench.receive(try bench.request(.invite, sequence: 2, toTag: tag, body: UserAgentBench.offer + "a=sendonly\r\n"))
    #expect(bench.names == ["200 INVITE", "200 INVITE"])
    #expect(bench.last("200 INVITE")?.sequence?.number == 2)
    #expect(bench.last("200 INVITE")?.sessionDescription?.audioDirection == .recvonly)
    #expect(bench.agreements.map(\.isHeldThere) == [false, true])
    // The first ACK is late and acknowledges nothing that is repeated.
    bench.receive(try bench.request(.ack, sequence: 1, toTag: tag))
    #expect(!bench.events.contains(.acknowledged(session)))
    bench.run(.milliseconds(600))
    #expect(bench.last("200 INVITE")?.sequence?.number == 2)
    #expect(bench.names.count == 3)
    bench.receive(try bench.request(.ack, sequence: 2, toTag: tag))
    #expect(bench.events.contains(.acknowledged(session)))
    bench.perform(.hangUp(session))
    #expect(bench.names.last == "BYE")
    bench.receive(try bench.response(200, to: #require(bench.last("BYE"))))
    #expect(bench.ends == [.local])
    bench.runOut()
    #expect(bench.isEmpty)
  }

  /// RFC 5407 3.1.5: the ACK is to bring the answer to our offer. And who has hung up takes no offers.
  @Test(arguments: [false, true]) func aReInviteBeforeTheFirstACKMayBeTooEarly(hasHungUp: Bool) throws {
    var bench = UserAgentBench()
    bench.receive(try bench.request(.invite, branch: "z9hG4bKfirst", body: hasHungUp ? UserAgentBench.offer : nil))
    bench.perform(.accept(session))
    if hasHungUp { bench.perform(.hangUp(session)) }
    let tag = try tag(bench)
    bench.receive(try bench.request(.invite, sequence: 2, toTag: tag, branch: "z9hG4bKx", body: UserAgentBench.offer))
    #expect(bench.names == ["200 INVITE", "491 INVITE"])
    bench.receive(try bench.request(.ack, sequence: 2, toTag: tag, branch: "z9hG4bKx"))
    bench.receive(try bench.request(.ack, toTag: tag, body: hasHungUp ? nil : UserAgentBench.offer))
    #expect(bench.events.contains(.acknowledged(session)))
    #expect(bench.names.last == (hasHungUp ? "BYE" : "491 INVITE"))
  }

  @Test func aByeBeforeTheAnswerEndsTheInviteToo() throws {
    var (bench, _) = try invited()
    bench.perform(.ring(session))
    bench.receive(try bench.request(.bye, sequence: 2, toTag: try tag(bench)))
    #expect(bench.names == ["180 INVITE", "200 BYE", "487 INVITE"])
    #expect(bench.ends == [.remoteBye])
  }

  @Test func aByeOutOfOrderIs500AndAByeOfNothing481() throws {
    var bench = UserAgentBench()
    bench.receive(try bench.request(.invite, sequence: 7, body: UserAgentBench.offer))
    bench.perform(.accept(session))
    let tag = try tag(bench)
    bench.receive(try bench.request(.ack, sequence: 7, toTag: tag))
    bench.receive(try bench.request(.bye, sequence: 6, toTag: tag))
    #expect(bench.names.last == "500 BYE")
    #expect(bench.ends.isEmpty)
    bench.receive(try bench.request(.bye, sequence: 8, toTag: "other"))
    #expect(bench.names.last == "481 BYE")
  }

  @Test func crossingByesEndTheSessionOnce() throws {
    var (bench, tag) = try confirmed()
    bench.perform(.hangUp(session))
    bench.receive(try bench.request(.bye, sequence: 2, toTag: tag))
    #expect(bench.names.suffix(2) == ["BYE", "200 BYE"])
    #expect(bench.ends.isEmpty)
    bench.receive(try bench.response(481, to: try #require(bench.last("BYE"))))
    #expect(bench.ends == [.local])
    bench.runOut()
    #expect(bench.isEmpty)
  }

  @Test func aByeGoesBackWhereTheInviteCameFromIfTheContactIsNoPlace() throws {
    var (bench, _) = try invited(headers: [("Contact", "<tel:+1555>")])
    bench.perform(.accept(session))
    bench.receive(try bench.request(.ack, toTag: try tag(bench)))
    bench.perform(.hangUp(session))
    #expect(bench.names.last == "BYE")
    #expect(bench.sent.last?.transmission.destination == UserAgentBench.peer)
  }
}
