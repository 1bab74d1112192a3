import Instant
import Testing

@testable import SIP

/// Offering a session again as it is.
@Suite struct UserAgentRenewalTests {
  typealias Role = ConfirmedCall.Role

  private func call(_ role: Role = .caller, isHeld: Bool = false) throws -> ConfirmedCall {
    try ConfirmedCall(role, isHeld: isHeld)
  }

  /// The directions that our re-INVITEs have offered.
  private func offered(_ call: ConfirmedCall) -> [String] {
    call.bench.sent.filter { $0.name == "INVITE" && $0.message.toTag != nil }
      .compactMap { $0.message.sessionDescription?.audioDirection.rawValue }
  }

  @Test(arguments: Role.allCases, [false, true]) func theSessionIsOfferedAgainAsItIs(role: Role, isHeld: Bool) throws {
    var call = try call(role, isHeld: isHeld)
    let agreements = call.bench.agreements
    let last = try call.description(in: role == .callee && !isHeld ? "200 INVITE" : "INVITE")
    call.bench.perform(.renew(call.session))
    #expect(call.news() == ["INVITE"])
    let invite = try #require(call.bench.last("INVITE"))
    #expect(invite.toTag == "peer")
    #expect(invite.contacts.first?.uri == "sip:phone@10.0.0.1")
    // Nothing differs from what we sent last (RFC 3264 8).
    #expect(invite.sessionDescription == last)
    #expect(call.bench.agreements == agreements)
    try call.answer("INVITE", 200, body: ConfirmedCall.description(isHeld ? "recvonly" : nil))
    #expect(call.news() == ["ACK"])
    #expect(call.bench.agreements == agreements + [SessionMedia(isHeldHere: isHeld)])
    call.bench.run(.seconds(100))
    #expect(call.news() == [])
    #expect(call.bench.ends.isEmpty)
  }

  @Test func theAnswerIsWhatCounts() throws {
    var call = try call()
    call.bench.perform(.renew(call.session))
    try call.answer("INVITE", 200, body: ConfirmedCall.description("sendonly"))
    #expect(call.bench.agreements.last == SessionMedia(isHeldThere: true))
    call.bench.perform(.renew(call.session))
    // What we are willing to do does not depend on the other side (RFC 6337 5.3).
    #expect(try call.description(in: "INVITE").audioDirection == .sendrecv)
  }

  enum Unconfirmed: CaseIterable { case unknown, calling, rung, cancelling, invited, accepting, closing, closed }

  @Test(arguments: Unconfirmed.allCases) func beforeAndAfterThereIsNothingToRenew(state: Unconfirmed) throws {
    var bench = UserAgentBench()
    let (local, remote) = (SessionID(.local, 1), SessionID(.remote, 1))
    bench.perform(.invite(local, target: "sip:peer@10.0.0.2", callID: nil))
    let invite = try #require(bench.last("INVITE"))
    bench.receive(try bench.request(.invite, body: UserAgentBench.offer))
    var session = local
    switch state {
    case .unknown: session = SessionID(.local, 9)
    case .calling: break
    case .rung: bench.receive(try bench.response(180, to: invite))
    case .cancelling:
      bench.receive(try bench.response(180, to: invite))
      bench.perform(.hangUp(local))
    case .invited: session = remote
    case .accepting:
      session = remote
      bench.perform(.accept(remote))
    case .closing, .closed:
      bench.receive(try bench.response(200, to: invite, body: UserAgentBench.offer))
      bench.perform(.hangUp(local))
      if state == .closed { bench.receive(try bench.response(200, to: try #require(bench.last("BYE")))) }
    }
    let (names, events) = (bench.names, bench.events)
    bench.perform(.renew(session))
    #expect(bench.names == names)
    #expect(bench.events == events)
    #expect(bench.drops == ["the session is not in a state in which this can be done"])
    // It is not kept for later either.
    if state == .accepting {
      bench.receive(try bench.request(.ack, toTag: bench.last("200 INVITE")?.toTag))
      #expect(bench.names == names)
    }
  }

  // MARK: While something else is under way

  @Test func ourOwnOfferComesFirst() throws {
    var call = try call()
    call.bench.perform(.setHold(call.session, true))
    call.bench.perform(.renew(call.session))
    #expect(call.news() == ["INVITE"])
    try call.answer("INVITE", 200, body: ConfirmedCall.description("recvonly"))
    #expect(call.news() == ["ACK", "INVITE"])
    #expect(call.bench.agreements.count == 2)
    try call.answer("INVITE", 200, body: ConfirmedCall.description("recvonly"))
    #expect(call.news() == ["ACK"])
    #expect(call.bench.agreements.count == 3)
    #expect(offered(call) == ["sendonly", "sendonly"])
  }

  @Test(arguments: [200, 488]) func severalMeanwhileAreOne(status: Int) throws {
    var call = try call()
    for _ in 1...3 { call.bench.perform(.renew(call.session)) }
    #expect(call.news() == ["INVITE"])
    try call.answer("INVITE", status, body: status == 200 ? ConfirmedCall.description() : nil)
    #expect(call.news() == ["ACK", "INVITE"])
    try call.answer("INVITE", status, body: status == 200 ? ConfirmedCall.description() : nil)
    #expect(call.news() == ["ACK"])
    #expect(call.bench.agreements == [SessionMedia(), SessionMedia(), SessionMedia()])
    call.bench.run(.seconds(100))
    #expect(call.news() == [])
  }

  @Test(arguments: Role.allCases) func theirExchangeComesFirst(role: Role) throws {
    var call = try call(role)
    try call.receive(.invite, body: ConfirmedCall.description("sendonly"))
    call.bench.perform(.renew(call.session))
    #expect(call.news() == ["200 INVITE"])
    try call.receive(.ack)
    #expect(call.news() == ["INVITE"])
  }

  @Test(arguments: [true, false]) func theACKToOurRefusalComesFirst(isAcknowledged: Bool) throws {
    var call = try call()
    try call.receive(.invite, branch: "z9hG4bKx", body: "m=video 9 RTP/AVP 31\r\n")
    call.bench.perform(.renew(call.session))
    #expect(call.news() == ["488 INVITE"])
    if isAcknowledged {
      try call.receive(.ack, branch: "z9hG4bKx")
      #expect(call.news() == ["INVITE"])
    } else {
      call.bench.run(.seconds(32))
      #expect(call.bench.times(of: "INVITE").last == 32_000)
    }
  }

  // MARK: 491

  private func crossed(_ role: Role = .caller) throws -> ConfirmedCall {
    var call = try call(role)
    call.bench.perform(.renew(call.session))
    try call.receive(.invite, branch: "z9hG4bKx", body: ConfirmedCall.description())
    try call.receive(.ack, branch: "z9hG4bKx")
    try call.answer("INVITE", 491)
    #expect(call.news() == ["INVITE", "491 INVITE", "ACK"])
    #expect(call.bench.agreements.count == 1)
    return call
  }

  @Test(arguments: Role.allCases) func aCrossedOneGoesAgainAndTakesOthersWithIt(role: Role) throws {
    var call = try crossed(role)
    let range = Negotiation.glareWait(ownsCallID: role == .caller)
    #expect(call.bench.draws == [range])
    call.bench.perform(.renew(call.session))
    #expect(call.news() == [])
    call.bench.run(range.lowerBound)
    #expect(call.news() == ["INVITE"])
    try call.answer("INVITE", 491)
    call.bench.run(range.lowerBound)
    #expect(call.news() == ["ACK", "INVITE"])
    try call.answer("INVITE", 200, body: ConfirmedCall.description())
    #expect(call.bench.agreements == [SessionMedia(), SessionMedia()])
    call.bench.run(.seconds(100))
    #expect(call.news() == ["ACK"])
  }

  /// A hold that waits takes the renewal with it.
  @Test func itGoesWithAHoldThatWaits() throws {
    var call = try call()
    call.bench.perform(.setHold(call.session, true))
    try call.answer("INVITE", 491)
    call.bench.perform(.renew(call.session))
    #expect(call.news() == ["INVITE", "ACK"])
    call.bench.run(.milliseconds(2_100))
    try call.answer("INVITE", 200, body: ConfirmedCall.description("recvonly"))
    call.bench.run(.seconds(100))
    #expect(call.news() == ["INVITE", "ACK"])
    #expect(offered(call) == ["sendonly", "sendonly"])
  }

  enum Step: CaseIterable { case crosses, renews, comesBack }

  /// What ends the wait for a hold does not end that for a renewal, nor does it spare it (RFC 3261 14.1).
  @Test(arguments: [
    [Step.crosses, .renews, .comesBack], [.renews, .crosses, .comesBack], [.renews, .comesBack, .crosses],
  ])
  func itStillGoesWhenTheHoldIsNotWantedAnyMore(steps: [Step]) throws {
    var call = try call()
    call.bench.perform(.setHold(call.session, true))
    for step in steps {
      switch step {
      case .crosses: try call.answer("INVITE", 491)
      case .renews: call.bench.perform(.renew(call.session))
      case .comesBack: call.bench.perform(.setHold(call.session, false))
      }
    }
    // Whoever has come back hears so at once.
    #expect(call.bench.agreements == [SessionMedia(), SessionMedia()])
    #expect(call.news() == ["INVITE", "ACK"])
    call.bench.run(.milliseconds(2_100))
    #expect(call.news() == ["INVITE"])
    #expect(offered(call) == ["sendonly", "sendrecv"])
  }

  /// An exchange that begins after the wish renews the session, whoever offers; one that began before it does not.
  @Test(arguments: Role.allCases, [true, false]) func theirExchangeIsAsGood(role: Role, hasOffer: Bool) throws {
    var call = try crossed(role)
    let agreements = call.bench.agreements
    try call.receive(.invite, body: hasOffer ? ConfirmedCall.description() : nil)
    try call.receive(.ack, body: hasOffer ? nil : ConfirmedCall.description())
    #expect(call.news() == ["200 INVITE"])
    #expect(call.bench.agreements == agreements + [SessionMedia()])
    call.bench.run(.seconds(100))
    #expect(call.news() == [])
    call.bench.perform(.renew(call.session))
    #expect(call.news() == ["INVITE"])
  }

  @Test(arguments: Role.allCases) func theirExchangeThatBeganBeforeItIsNot(role: Role) throws {
    var call = try call(role)
    try call.receive(.invite)
    call.bench.perform(.renew(call.session))
    try call.receive(.ack, body: ConfirmedCall.description())
    #expect(call.news() == ["200 INVITE", "INVITE"])
  }

  @Test func aFurtherWishDuringTheirExchangeIsOpen() throws {
    var call = try crossed()
    try call.receive(.invite)
    call.bench.perform(.renew(call.session))
    try call.receive(.ack, body: ConfirmedCall.description())
    #expect(call.news() == ["200 INVITE"])
    call.bench.run(.milliseconds(2_100))
    #expect(call.news() == ["INVITE"])
  }

  /// Our answer to her offer brings the hold that is wanted.
  @Test func theirExchangeTakesAHoldWithIt() throws {
    var call = try crossed()
    call.bench.perform(.setHold(call.session, true))
    try call.receive(.invite, body: ConfirmedCall.description())
    try call.receive(.ack)
    #expect(call.isHeldHere == true)
    call.bench.run(.seconds(100))
    #expect(call.news() == ["200 INVITE"])
  }

  /// A refusal of ours is no exchange.
  @Test func whatWeRefuseRenewsNothing() throws {
    var call = try crossed()
    try call.receive(.invite, branch: "z9hG4bKy", body: "m=video 9 RTP/AVP 31\r\n")
    try call.receive(.ack, branch: "z9hG4bKy")
    #expect(call.news() == ["488 INVITE"])
    call.bench.run(.milliseconds(2_100))
    #expect(call.news() == ["INVITE"])
  }

  /// A crossed offer that was to hold and to renew goes again as a renewal when the owner has come back.
  @Test func itStillGoesAfterTheHoldThatWentWithItIsNotWantedAnyMore() throws {
    var call = try call()
    try call.receive(.invite, body: ConfirmedCall.description())
    call.bench.perform(.setHold(call.session, true))
    call.bench.perform(.renew(call.session))
    try call.receive(.ack)
    call.bench.perform(.setHold(call.session, false))
    try call.answer("INVITE", 491)
    call.bench.run(.milliseconds(2_100))
    #expect(call.news() == ["200 INVITE", "INVITE", "ACK", "INVITE"])
    #expect(offered(call) == ["sendonly", "sendrecv"])
  }

  @Test func theEndDuringTheWaitEndsItToo() throws {
    for hangsUp in [true, false] {
      var call = try crossed()
      if hangsUp { call.bench.perform(.hangUp(call.session)) } else { try call.receive(.bye) }
      call.bench.runOut()
      #expect(!call.news().contains("INVITE"))
      #expect(call.bench.isEmpty)
    }
  }

  // MARK: Refusals

  @Test(arguments: [300, 403, 415, 420, 486, 487, 488, 500, 503, 600, 606], [false, true])
  func aRefusalLeavesTheSessionAndIsTold(status: Int, isHeld: Bool) throws {
    var call = try call(.callee, isHeld: isHeld)
    let agreed = try #require(call.bench.agreements.last)
    let events = call.bench.events
    call.bench.perform(.renew(call.session))
    try call.answer("INVITE", status)
    #expect(call.bench.events == events + [.negotiated(call.session, agreed)])
    call.bench.run(.seconds(100))
    #expect(call.news() == ["INVITE", "ACK"])
    #expect(call.bench.ends.isEmpty)
  }

  @Test(arguments: [404, 405, 408, 410, 416, 480, 481, 482, 483, 484, 485, 501, 502, 604], Role.allCases)
  func suchARefusalEndsTheSession(status: Int, role: Role) throws {
    var call = try call(role)
    call.bench.perform(.renew(call.session))
    try call.answer("INVITE", status)
    #expect(call.news() == ["INVITE", "ACK", "BYE"])
    #expect(call.bench.ends == [.failed])
    call.bench.runOut()
    #expect(call.bench.isEmpty)
  }

  @Test(arguments: [nil, "m=audio 0 RTP/AVP 0\r\n"] as [String?]) func anUnusableAnswerEndsTheSession(body: String?)
    throws
  {
    var call = try call()
    call.bench.perform(.renew(call.session))
    try call.answer("INVITE", 200, body: body)
    #expect(call.bench.ends == [.failed])
  }

  @Test(arguments: Role.allCases) func noResponseEndsTheSession(role: Role) throws {
    var call = try call(role)
    call.bench.perform(.renew(call.session))
    call.bench.runOut()
    #expect(call.bench.times(of: "BYE").first == 32_000)
    #expect(call.bench.ends == [.failed])
    #expect(call.bench.isEmpty)
  }

  // MARK: Together with a wish to hold

  /// A wish that came later has not been asked for, and so not been refused.
  @Test(arguments: [200, 488]) func aWishThatComesLaterIsOfferedAfterIt(status: Int) throws {
    var call = try call()
    call.bench.perform(.renew(call.session))
    call.bench.perform(.setHold(call.session, true))
    #expect(call.news() == ["INVITE"])
    try call.answer("INVITE", status, body: status == 200 ? ConfirmedCall.description() : nil)
    #expect(call.news() == ["ACK", "INVITE"])
    #expect(call.bench.events.last == .negotiated(call.session, SessionMedia()))
    #expect(offered(call) == ["sendrecv", "sendonly"])
    try call.answer("INVITE", 488)
    #expect(call.bench.events.last == .holdRefused(call.session))
    call.bench.run(.seconds(100))
    #expect(call.news() == ["ACK"])
  }

  @Test func aWishThatWaitsWithItIsRefusedOnce() throws {
    var call = try call()
    try call.receive(.invite, body: ConfirmedCall.description())
    call.bench.perform(.renew(call.session))
    call.bench.perform(.setHold(call.session, true))
    try call.receive(.ack)
    let events = call.bench.events
    try call.answer("INVITE", 488)
    #expect(call.bench.events == events + [.holdRefused(call.session)])
    call.bench.run(.seconds(100))
    #expect(call.news() == ["200 INVITE", "INVITE", "ACK"])
    #expect(offered(call) == ["sendonly"])
  }

  /// A wish that was refused is not offered again by itself. A renewal asks for it all the same: it must not offer what
  /// the owner does not want.
  @Test(arguments: [200, 488]) func aRenewalAsksForARefusedWish(status: Int) throws {
    var call = try call()
    call.bench.perform(.setHold(call.session, true))
    try call.answer("INVITE", 488)
    call.bench.run(.seconds(100))
    #expect(offered(call) == ["sendonly"])
    let events = call.bench.events
    call.bench.perform(.renew(call.session))
    try call.answer("INVITE", status, body: status == 200 ? ConfirmedCall.description("recvonly") : nil)
    let held = UserAgentEvent.negotiated(call.session, SessionMedia(isHeldHere: true))
    #expect(call.bench.events == events + [status == 200 ? held : .holdRefused(call.session)])
    call.bench.run(.seconds(100))
    #expect(offered(call) == ["sendonly", "sendonly"])
  }

  /// A wish that is agreed on already is answered at the latest with the renewal.
  @Test(arguments: [200, 488, 491]) func aWishForWhatIsIsAnsweredWithIt(status: Int) throws {
    var call = try call()
    call.bench.perform(.renew(call.session))
    call.bench.perform(.setHold(call.session, false))
    try call.answer("INVITE", status, body: status == 200 ? ConfirmedCall.description() : nil)
    if status == 491 {
      call.bench.run(.milliseconds(2_100))
      try call.answer("INVITE", 200, body: ConfirmedCall.description())
    }
    #expect(call.bench.agreements == [SessionMedia(), SessionMedia()])
    #expect(!call.bench.events.contains(.holdRefused(call.session)))
    call.bench.run(.seconds(100))
    #expect(offered(call).count == (status == 491 ? 2 : 1))
  }
}
