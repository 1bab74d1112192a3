import Instant
import Testing

@testable import SIP

/// Holding and resuming by re-INVITEs of our own.
@Suite struct UserAgentHoldTests {
  typealias Role = ConfirmedCall.Role

  /// A call that we hold; our offer was answered with `recvonly`.
  private func held(_ role: Role = .caller) throws -> ConfirmedCall {
    var call = try ConfirmedCall(role)
    call.bench.perform(.setHold(call.session, true))
    try call.answer("INVITE", 200, body: ConfirmedCall.description("recvonly"))
    #expect(call.news() == ["INVITE", "ACK"])
    return call
  }

  /// A 2xx is acknowledged again while it may come again, and no longer is anything kept for that.
  @Test func acknowledgementsAreForgottenWithTheirTransactions() throws {
    var call = try held()
    for direction in [nil, "recvonly", nil] {
      call.bench.perform(.setHold(call.session, direction != nil))
      try call.answer("INVITE", 200, body: ConfirmedCall.description(direction))
    }
    try call.answer("INVITE", 200, body: ConfirmedCall.description())
    #expect(call.news() == ["INVITE", "ACK", "INVITE", "ACK", "INVITE", "ACK", "ACK"])
    #expect(call.bench.agent.sessions[call.session]?.acknowledgements.count == 5)
    call.bench.run(.seconds(33))
    #expect(call.bench.agent.sessions[call.session]?.acknowledgements == [:])
  }

  @Test(arguments: Role.allCases) func holdOffersSendonlyAndResumeSendrecv(role: Role) throws {
    var call = try ConfirmedCall(role)
    #expect(call.bench.agreements == [SessionMedia()])
    let number = role == .caller ? 2 : 1
    for (index, (isHeld, direction, answer)) in [(true, "sendonly", "recvonly"), (false, "sendrecv", "sendrecv")]
      .enumerated()
    {
      call.bench.perform(.setHold(call.session, isHeld))
      let invite = try #require(call.bench.last("INVITE"))
      #expect(invite.sequence?.number == number + index)
      #expect(invite.contacts.first?.uri == "sip:phone@10.0.0.1")
      #expect(invite.toTag == "peer")
      let offer = try call.description(in: "INVITE")
      #expect(offer.audioDirection.rawValue == direction)
      #expect(offer.origin?.version == "\(2 + index)")
      try call.answer("INVITE", 100)
      #expect(call.bench.agreements.count == 1 + index)
      try call.answer("INVITE", 200, body: ConfirmedCall.description(answer))
      #expect(call.news() == ["INVITE", "ACK"])
      let ack = try #require(call.bench.last("ACK"))
      #expect(ack.sequence?.number == number + index)
      #expect(ack.topVia?.branch != invite.topVia?.branch)
      #expect(call.isHeldHere == isHeld)
      #expect(call.bench.agreements.count == 2 + index)
    }
    call.bench.perform(.hangUp(call.session))
    #expect(call.bench.last("BYE")?.sequence?.number == number + 2)
    try call.answer("BYE", 200)
    call.bench.runOut()
    #expect(call.bench.isEmpty)
  }

  @Test(arguments: Role.allCases) func aWishThatIsAgreedOnIsAnsweredAtOnce(role: Role) throws {
    var call = try held(role)
    call.bench.perform(.setHold(call.session, true))
    #expect(call.bench.agreements.count == 3)
    #expect(call.isHeldHere == true)
    #expect(call.news() == [])
  }

  /// An answer that does not receive, or whose address is 0.0.0.0, holds us (RFC 3264 6.1, 8.4).
  @Test(
    arguments: [
      (true, "recvonly", "10.0.0.2", false), (true, "inactive", "10.0.0.2", true),
      (true, "sendrecv", "10.0.0.2", false),
      (true, "recvonly", "0.0.0.0", true), (false, "sendrecv", "10.0.0.2", false),
      (false, "sendonly", "10.0.0.2", true),
      (false, "inactive", "10.0.0.2", true), (false, "recvonly", "10.0.0.2", false), (false, nil, "0.0.0.0", true),
      (false, nil, "10.0.0.2", false),
    ] as [(Bool, String?, String, Bool)])
  func theAnswerSaysWhetherTheOtherSideHolds(isHeld: Bool, answer: String?, address: String, isHeldThere: Bool) throws {
    var call = isHeld ? try ConfirmedCall(.caller) : try held()
    call.bench.perform(.setHold(call.session, isHeld))
    try call.answer("INVITE", 200, body: ConfirmedCall.description(answer, address: address))
    #expect(call.isHeldHere == isHeld)
    #expect(call.isHeldThere == isHeldThere)
  }

  @Test(arguments: [("0 101", nil), ("0 96", "96"), ("0 101", "101"), ("0", "101")] as [(String, String?)])
  func telephoneEventIsAgreedOnIfBothHaveIt(formats: String, mapped: String?) throws {
    let body =
      ConfirmedCall.description(formats: formats) + (mapped.map { "a=rtpmap:\($0) telephone-event/8000\r\n" } ?? "")
    let expected = formats == "0 \(mapped ?? "")" ? mapped.flatMap { Int($0) } : nil
    for role in Role.allCases {
      #expect(try ConfirmedCall(role, body: body).bench.agreements.last?.telephoneEvent == expected)
    }
  }

  // MARK: Wishes that change

  @Test func theLastWishCountsAfterTheAnswer() throws {
    var call = try ConfirmedCall(.callee)
    call.bench.perform(.setHold(call.session, true))
    call.bench.perform(.setHold(call.session, false))
    #expect(call.news() == ["INVITE"])
    #expect(call.bench.agreements.count == 1)
    try call.answer("INVITE", 200, body: ConfirmedCall.description("recvonly"))
    #expect(call.news() == ["ACK", "INVITE"])
    #expect(call.isHeldHere == true)
    try call.answer("INVITE", 200, body: ConfirmedCall.description("sendrecv"))
    #expect(call.news() == ["ACK"])
    #expect(call.isHeldHere == false)
    call.bench.runOut()
    #expect(call.news() == [])
  }

  @Test(arguments: [488, 491]) func aRefusalOfWhatIsNotWantedAnyMoreIsNone(status: Int) throws {
    var call = try ConfirmedCall(.caller)
    call.bench.perform(.setHold(call.session, true))
    call.bench.perform(.setHold(call.session, false))
    try call.answer("INVITE", status)
    #expect(call.bench.agreements == [SessionMedia(), SessionMedia()])
    #expect(!call.bench.events.contains(.holdRefused(call.session)))
    call.bench.runOut()
    #expect(call.bench.names.filter { $0 == "INVITE" }.count == 2)
  }

  @Test func aWishBeforeTheAnswerIsOfferedAfterIt() throws {
    var bench = UserAgentBench()
    let id = SessionID(.local, 1)
    bench.perform(.invite(id, target: "sip:peer@10.0.0.2", callID: nil))
    bench.perform(.setHold(id, true))
    #expect(bench.names == ["INVITE"])
    bench.receive(try bench.response(200, to: try #require(bench.last("INVITE")), body: UserAgentBench.offer))
    #expect(bench.names == ["INVITE", "ACK", "INVITE"])
    #expect(bench.events.suffix(2) == [.answered(id), .negotiated(id, SessionMedia())])
  }

  @Test func aWishBeforeTheAcceptIsInTheAnswerAndOneAfterItWaitsForTheACK() throws {
    var bench = UserAgentBench()
    let id = SessionID(.remote, 1)
    bench.receive(try bench.request(.invite, body: UserAgentBench.offer))
    bench.perform(.setHold(id, true))
    bench.perform(.accept(id))
    #expect(bench.last("200 INVITE")?.sessionDescription?.audioDirection == .sendonly)
    #expect(bench.events.suffix(2) == [.acceptSent(id), .negotiated(id, SessionMedia(isHeldHere: true))])
    bench.perform(.setHold(id, false))
    #expect(bench.names == ["200 INVITE"])
    bench.receive(try bench.request(.ack, toTag: bench.last("200 INVITE")?.toTag))
    #expect(bench.names == ["200 INVITE", "INVITE"])
    #expect(bench.last("INVITE")?.sessionDescription?.audioDirection == .sendrecv)
    #expect(bench.events.last == .acknowledged(id))
  }

  /// RFC 3261 14.1: a refused INVITE of the other side is under way until its ACK, whenever it came.
  @Test(arguments: [false, true]) func aWishWaitsForTheACKToWhatWasRefusedBeforeTheFirstACK(isAccepted: Bool) throws {
    var bench = UserAgentBench()
    let id = SessionID(.remote, 1)
    // Our offer in the 2xx stands against the re-INVITE.
    bench.receive(try bench.request(.invite, body: isAccepted ? nil : UserAgentBench.offer))
    bench.perform(isAccepted ? .accept(id) : .ring(id))
    let tag = bench.sent.last?.message.toTag
    let early = try bench.request(.invite, sequence: 2, toTag: tag, branch: "z9hG4bKx", body: UserAgentBench.offer)
    bench.receive(early)
    if !isAccepted { bench.perform(.accept(id)) }
    bench.receive(try bench.request(.ack, toTag: tag, body: isAccepted ? UserAgentBench.offer : nil))
    bench.perform(.setHold(id, true))
    #expect(bench.names.last == (isAccepted ? "491 INVITE" : "200 INVITE"))
    bench.receive(try bench.request(.ack, sequence: 2, toTag: tag, branch: "z9hG4bKx"))
    #expect(bench.names.last == "INVITE")
  }

  // MARK: 491

  /// RFC 3261 14.1: 2.1 to 4 s for the side that made the Call-ID, 0 to 2 s for the other, in steps of 10 ms.
  @Test(arguments: Role.allCases) func crossedOffersWait(role: Role) throws {
    var call = try ConfirmedCall(role)
    call.bench.perform(.setHold(call.session, true))
    let first = try call.description(in: "INVITE")
    try call.receive(.invite, branch: "z9hG4bKx", body: ConfirmedCall.description())
    try call.receive(.ack, branch: "z9hG4bKx")
    #expect(call.news() == ["INVITE", "491 INVITE"])
    try call.answer("INVITE", 491)
    #expect(call.news() == ["ACK"])
    let range: ClosedRange<Span> = role == .caller ? .milliseconds(2_100) ... .seconds(4) : .zero ... .seconds(2)
    #expect(call.bench.draws == [range])
    call.bench.perform(.setHold(call.session, true))
    #expect(call.news() == [])
    call.bench.run(range.lowerBound)
    #expect(call.news() == ["INVITE"])
    // Nothing differs from what we sent last (RFC 3264 8).
    #expect(try call.description(in: "INVITE") == first)
    #expect(call.bench.last("INVITE")?.sequence?.number == (role == .caller ? 3 : 2))
    try call.answer("INVITE", 200, body: ConfirmedCall.description("recvonly"))
    #expect(call.isHeldHere == true)
    #expect(!call.bench.events.contains(.holdRefused(call.session)))
  }

  private func waiting() throws -> ConfirmedCall {
    var call = try ConfirmedCall(.caller)
    call.bench.perform(.setHold(call.session, true))
    try call.answer("INVITE", 491)
    _ = call.news()
    return call
  }

  @Test func anOfferOfTheOtherSideThatBringsTheHoldEndsTheWait() throws {
    var call = try waiting()
    call.bench.run(.seconds(1))
    try call.receive(.invite, body: ConfirmedCall.description())
    #expect(call.news() == ["200 INVITE"])
    #expect(try call.description(in: "200 INVITE").audioDirection == .sendonly)
    #expect(call.isHeldHere == true)
    try call.receive(.ack)
    var resumed = call
    call.bench.run(.seconds(100))
    #expect(call.news() == [])
    resumed.bench.perform(.setHold(call.session, false))
    #expect(resumed.news() == ["INVITE"])
  }

  @Test func aLateOfferThatBringsTheHoldEndsTheWaitWithTheACK() throws {
    var call = try waiting()
    try call.receive(.invite)
    #expect(try call.description(in: "200 INVITE").audioDirection == .sendonly)
    call.bench.run(.milliseconds(2_200))
    #expect(call.news() == ["200 INVITE", "200 INVITE", "200 INVITE"])
    try call.receive(.ack, body: ConfirmedCall.description("recvonly"))
    #expect(call.isHeldHere == true)
    call.bench.run(.seconds(100))
    #expect(call.news() == [])
  }

  @Test func resumingDuringTheWaitEndsIt() throws {
    var call = try waiting()
    call.bench.perform(.setHold(call.session, false))
    #expect(call.bench.agreements == [SessionMedia(), SessionMedia()])
    call.bench.run(.seconds(100))
    #expect(call.news() == [])
  }

  @Test func theEndDuringTheWaitEndsItToo() throws {
    for hangsUp in [true, false] {
      var call = try waiting()
      if hangsUp { call.bench.perform(.hangUp(call.session)) } else { try call.receive(.bye) }
      call.bench.runOut()
      #expect(!call.news().contains("INVITE"))
      #expect(call.bench.isEmpty)
    }
  }

  // MARK: Refusals

  @Test(arguments: [300, 400, 401, 403, 406, 415, 420, 486, 487, 488, 500, 503, 600, 603, 606])
  func aRefusedHoldIsToldOnceAndLeavesTheSession(status: Int) throws {
    var call = try ConfirmedCall(.callee)
    call.bench.perform(.setHold(call.session, true))
    try call.answer("INVITE", status)
    #expect(call.bench.events.last == .holdRefused(call.session))
    call.bench.run(.seconds(100))
    #expect(call.news() == ["INVITE", "ACK"])
    #expect(call.bench.ends.isEmpty)
    let refused = try call.description(in: "INVITE")
    call.bench.perform(.setHold(call.session, true))
    #expect(call.news() == ["INVITE"])
    #expect(try call.description(in: "INVITE") == refused)
    try call.answer("INVITE", status)
    #expect(call.bench.events.filter { $0 == .holdRefused(call.session) }.count == 2)
    call.bench.perform(.setHold(call.session, false))
    #expect(call.bench.events.last == .negotiated(call.session, SessionMedia()))
    #expect(call.news() == ["ACK"])
  }

  /// Nothing has changed that could change the answer.
  @Test func aRefusedHoldIsNotOfferedAgainAfterARefusalOfOurs() throws {
    var call = try ConfirmedCall(.caller)
    call.bench.perform(.setHold(call.session, true))
    try call.answer("INVITE", 488)
    try call.receive(.invite, branch: "z9hG4bKx", body: "m=video 9 RTP/AVP 31\r\n")
    try call.receive(.ack, branch: "z9hG4bKx")
    call.bench.run(.seconds(100))
    #expect(call.news() == ["INVITE", "ACK", "488 INVITE"])
  }

  @Test func aRefusedHoldComesWithTheOtherSidesNextOffer() throws {
    var call = try ConfirmedCall(.caller)
    call.bench.perform(.setHold(call.session, true))
    try call.answer("INVITE", 488)
    try call.receive(.invite, body: ConfirmedCall.description("sendrecv"))
    #expect(try call.description(in: "200 INVITE").audioDirection == .sendonly)
    #expect(call.isHeldHere == true)
  }

  /// 408 and 481 end the dialog (RFC 3261 12.2.1.2), the others by RFC 5057 5.1.
  @Test(arguments: [404, 405, 408, 410, 416, 480, 481, 482, 483, 484, 485, 501, 502, 604], Role.allCases)
  func suchARefusalEndsTheSession(status: Int, role: Role) throws {
    var call = try ConfirmedCall(role)
    call.bench.perform(.setHold(call.session, true))
    try call.answer("INVITE", status)
    #expect(call.news() == ["INVITE", "ACK", "BYE"])
    #expect(call.bench.ends == [.failed])
    try call.answer("BYE", 481)
    call.bench.runOut()
    #expect(call.bench.ends == [.failed])
    #expect(call.bench.isEmpty)
  }

  @Test(arguments: Role.allCases) func noResponseEndsTheSession(role: Role) throws {
    var call = try ConfirmedCall(role)
    call.bench.perform(.setHold(call.session, true))
    call.bench.runOut()
    #expect(call.bench.times(of: "INVITE").suffix(7) == [0, 500, 1_500, 3_500, 7_500, 15_500, 31_500])
    #expect(call.bench.times(of: "BYE").first == 32_000)
    #expect(call.bench.ends == [.failed])
    #expect(call.bench.isEmpty)
  }

  @Test(
    arguments: [
      nil, "m=audio 0 RTP/AVP 0\r\n", "m=video 9 RTP/AVP 31\r\n", "m=audio 9 RTP/AVP 18\r\n", "no description",
    ] as [String?])
  func anAnswerThatCannotBeUsedEndsTheSession(body: String?) throws {
    var call = try ConfirmedCall(.callee)
    call.bench.perform(.setHold(call.session, true))
    try call.answer("INVITE", 200, body: body)
    #expect(call.news() == ["INVITE", "ACK", "BYE"])
    #expect(call.bench.drops == ["the answer is missing or cannot be used"])
    #expect(call.bench.ends == [.failed])
    #expect(call.bench.agreements.count == 1)
    call.bench.runOut()
    #expect(call.bench.isEmpty)
  }

  /// The other side's Contact may leave room for a BYE only.
  @Test func aRequestThatWouldBeTooLongIsNotSent() throws {
    let id = SessionID(.remote, 1)
    func call(padding: Int) throws -> UserAgentBench {
      var bench = UserAgentBench()
      let contact = "<sip:\(String(repeating: "p", count: padding))@10.0.0.2>"
      bench.receive(try bench.request(.invite, headers: [("Contact", contact)]))
      bench.perform(.accept(id))
      bench.receive(try bench.request(.ack, toTag: bench.last("200 INVITE")?.toTag, body: UserAgentBench.offer))
      return bench
    }
    // The request line of a BYE is as long as a line may be.
    let rest = "BYE sip:@10.0.0.2 SIP/2.0".utf8.count
    var bench = try call(padding: MessageLimits.standard.fieldLength - rest)
    bench.perform(.sendDigit(id, "1", lasting: .milliseconds(100)))
    #expect(bench.events.last == .infoAnswered(id, status: nil))
    bench.perform(.setHold(id, true))
    #expect(bench.names == ["200 INVITE", "BYE"])
    #expect(bench.ends == [.failed])
  }

  // MARK: Offers after other offers

  /// RFC 3264 8: as many streams as before, in the same places.
  @Test func aFurtherOfferKeepsThePlacesOfTheStreams() throws {
    let body = "v=0\r\nc=IN IP4 h\r\nt=0 0\r\nm=video 9 RTP/AVP 31\r\nm=audio 4 RTP/AVP 8 96\r\na=recvonly\r\n"
    var call = try ConfirmedCall(.callee, body: body + "a=rtpmap:96 telephone-event/8000\r\n")
    #expect(try call.description(in: "200 INVITE").audioDirection == .sendonly)
    call.bench.perform(.setHold(call.session, true))
    // The wish is another one, but the description the same, and so is its version (RFC 3264 8).
    let same = try call.description(in: "INVITE")
    #expect(same == (try call.description(in: "200 INVITE")))
    try call.answer("INVITE", 200, body: body)
    #expect(call.isHeldHere == true)
    call.bench.perform(.setHold(call.session, false))
    let offer = try call.description(in: "INVITE")
    #expect(offer.media.map(\.port) == [0, 40_000])
    #expect(offer.media.last?.formats == ["8", "96"])
    #expect(offer.audioDirection == .sendrecv)
    #expect(offer.origin?.version == "2")
    // An answer with the stream in another place cannot be used.
    try call.answer("INVITE", 200, body: ConfirmedCall.description(formats: "8"))
    #expect(call.bench.ends == [.failed])
  }

  @Test func everyRepeated200DrawsTheACKOfItsInvite() throws {
    var call = try ConfirmedCall(.caller)
    let first = try #require(call.bench.last("INVITE"))
    call.bench.perform(.setHold(call.session, true))
    let second = try #require(call.bench.last("INVITE"))
    for _ in 1...2 {
      call.bench.receive(try call.bench.response(200, to: second, body: ConfirmedCall.description("recvonly")))
      call.bench.receive(try call.bench.response(200, to: first, body: UserAgentBench.offer))
    }
    #expect(call.news() == ["INVITE", "ACK", "ACK", "ACK", "ACK"])
    #expect(call.bench.sent.suffix(4).map(\.message.sequence?.number) == [2, 1, 2, 1])
    #expect(Set(call.bench.sent.suffix(4).map(\.message)).count == 2)
    #expect(call.bench.agreements.count == 2)
  }
}
