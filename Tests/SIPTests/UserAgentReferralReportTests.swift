import Instant
import Testing

@testable import SIP

/// What is reported on a referral, when, and until when.
@Suite struct UserAgentReferralReportTests {
  typealias Role = ConfirmedCall.Role

  private func call(_ role: Role = .callee, over transport: Transport = .udp) throws -> ReferredCall {
    try ReferredCall.accepted(role, over: transport)
  }

  // MARK: Reports

  @Test(arguments: Role.allCases, [Transport.udp, .tcp]) func theOutcomeIsReportedOnce(
    role: Role, transport: Transport
  ) throws {
    var call = try call(role, over: transport)
    call.bench.run(.milliseconds(10_500))
    call.report(180)
    try call.answerNotify()
    call.report(486)
    call.report(200)
    call.report(180)
    try call.answerNotify()
    #expect(call.news() == ["NOTIFY", "NOTIFY"])
    #expect(
      call.reports == [
        "active;expires=60 | SIP/2.0 100 Trying", "active;expires=50 | SIP/2.0 180 Ringing",
        "terminated;reason=noresource | SIP/2.0 486 Busy Here",
      ])
    #expect(call.bench.agent.referralCount == 0)
    call.bench.run(.seconds(100))
    #expect(call.news() == [])
    #expect(call.bench.ends.isEmpty)
    try call.call.receive(.bye)
    call.bench.runOut()
    #expect(call.bench.isEmpty)
  }

  @Test(arguments: [0, 99, 700, -1]) func whatIsNoStatusIsNotReported(status: Int) throws {
    var call = try call()
    call.report(status)
    #expect(call.news() == [])
    #expect(call.bench.agent.referralCount == 1)
  }

  @Test func nothingIsReportedBeforeTheAnswer() throws {
    var call = try ReferredCall()
    call.report(200)
    try call.refer()
    call.report(200)
    #expect(call.news() == [])
    call.accept()
    #expect(call.reports == ["active;expires=60 | SIP/2.0 100 Trying"])
  }

  /// Of the reports that wait only the newest is worth it.
  @Test func oneNOTIFYIsOutAtATime() throws {
    var call = try ReferredCall()
    try call.refer()
    call.accept()
    for status in [180, 181, 183] { call.report(status) }
    #expect(call.news() == ["200 REFER", "NOTIFY"])
    try call.answerNotify(100)
    #expect(call.news() == [])
    try call.answerNotify()
    #expect(call.news() == ["NOTIFY"])
    call.report(182)
    call.report(200)
    try call.answerNotify()
    try call.answerNotify()
    #expect(
      call.reports == [
        "active;expires=60 | SIP/2.0 100 Trying", "active;expires=60 | SIP/2.0 183 Session Progress",
        "terminated;reason=noresource | SIP/2.0 200 OK",
      ])
    #expect(call.bench.agent.referralCount == 0)
  }

  /// RFC 3515 2.4.6.
  @Test(arguments: Role.allCases) func furtherREFERsAreToldApart(role: Role) throws {
    var call = try ReferredCall(role)
    try call.refer()
    try call.refer(number: 7)
    try call.refer(to: nil, number: 8)
    try call.refer(number: 9)
    for number in 1...3 { call.accept(number) }
    let notifies = call.bench.sent.filter { $0.name == "NOTIFY" }.map(\.message)
    #expect(notifies.map { $0.value(of: "Event") } == ["refer", "refer;id=7", "refer;id=9"])
    for notify in notifies { call.bench.receive(try call.bench.response(200, to: notify)) }
    call.report(200, on: 2)
    #expect(call.bench.last("NOTIFY")?.value(of: "Event") == "refer;id=7")
    try call.answerNotify()
    #expect(call.bench.agent.referralCount == 2)
    call.report(486, on: 1)
    #expect(call.bench.last("NOTIFY")?.value(of: "Event") == "refer")
  }

  /// A refused REFER counts as the first one all the same, since its sender may number them.
  @Test func afterARefusedREFERTheNextOneHasItsNumber() throws {
    var call = try ReferredCall()
    try call.refer(to: nil)
    try call.refer(number: 7)
    call.accept()
    #expect(call.bench.last("NOTIFY")?.value(of: "Event") == "refer;id=7")
  }

  // MARK: Its end

  /// RFC 6665 4.1.3: what is known last is told, with the reason that it is not the outcome.
  @Test(arguments: [nil, 180] as [Int?]) func withoutAnOutcomeTheSubscriptionEndsAfterAMinute(status: Int?) throws {
    var call = try call()
    if let status {
      call.report(status)
      try call.answerNotify()
    }
    _ = call.news()
    call.bench.run(.milliseconds(59_999))
    #expect(call.news() == [])
    call.bench.run(.milliseconds(1))
    #expect(call.news() == ["NOTIFY"])
    let line = status == nil ? "100 Trying" : "180 Ringing"
    #expect(call.reports.last == "terminated;reason=timeout | SIP/2.0 \(line)")
    call.report(200)
    try call.answerNotify()
    #expect(call.news() == [])
    #expect(call.bench.agent.referralCount == 0)
    #expect(call.bench.ends.isEmpty)
  }

  @Test func withoutSubscriptionAReferralIsForgottenAfterAMinuteToo() throws {
    var call = try ReferredCall.accepted(headers: [("Refer-Sub", "false")])
    #expect(call.bench.agent.referralCount == 1)
    call.bench.run(.seconds(60))
    #expect(call.news() == [])
    #expect(call.bench.agent.referralCount == 0)
  }

  /// The session is not what the NOTIFY was about (RFC 6665 4.2.2, RFC 5057 5.1).
  @Test(arguments: [481, 489, 408, 404, 501, nil] as [Int?], Role.allCases)
  func aLostSubscriptionLeavesTheSession(status: Int?, role: Role) throws {
    var call = try ReferredCall(role)
    try call.refer()
    call.accept()
    call.report(180)
    if let status { try call.answerNotify(status) } else { call.bench.run(.seconds(32)) }
    #expect(call.reports.count == 1)
    call.bench.perform(.inviteReferred(ReferredCall.transferred, ReferralID(.remote, 1), callID: "new"))
    #expect(call.bench.last("INVITE")?.callID == "new")
    call.report(200)
    #expect(call.reports.count == 1)
    #expect(call.bench.agent.referralCount == 0)
    #expect(call.bench.ends.isEmpty)
    call.bench.perform(.hangUp(call.call.session))
    #expect(call.bench.sent.last?.name == "BYE")
  }

  @Test(arguments: [400, 403, 500, 503, 603]) func anotherRefusalLeavesTheSubscription(status: Int) throws {
    var call = try ReferredCall()
    try call.refer()
    call.accept()
    try call.answerNotify(status)
    call.report(200)
    #expect(call.reports.count == 2)
  }

  @Test func aNOTIFYThatGetsLostIsSentAgain() throws {
    var call = try ReferredCall()
    try call.refer()
    call.accept()
    call.bench.run(.milliseconds(2_000))
    #expect(call.bench.times(of: "NOTIFY") == [0, 500, 1_500])
    call.report(200)
    try call.answerNotify()
    #expect(call.reports.last == "terminated;reason=noresource | SIP/2.0 200 OK")
    // The last one is never answered.
    call.bench.run(.seconds(40))
    #expect(call.bench.agent.referralCount == 0)
    #expect(call.bench.ends.isEmpty)
  }

  // MARK: The session's end

  @Test(arguments: Role.allCases, [true, false]) func theSubscriptionOutlivesTheSession(
    role: Role, hangsUp: Bool
  ) throws {
    var call = try call(role)
    let first = try #require(call.bench.last("NOTIFY"))
    if hangsUp {
      call.bench.perform(.hangUp(call.call.session))
      call.report(180)
      try call.answerNotify()
      try call.call.answer("BYE", 200)
    } else {
      try call.call.receive(.bye)
      call.report(180)
      try call.answerNotify()
    }
    call.bench.run(.seconds(50))
    #expect(call.bench.agent.sessionCount == 0)
    #expect(call.bench.agent.referralCount == 1)
    call.report(200)
    let last = try #require(call.bench.last("NOTIFY"))
    #expect(last.callID == first.callID)
    #expect(last.fromTag == first.fromTag)
    #expect(last.toTag == first.toTag)
    let start = role == .caller ? 2 : 1
    #expect(call.sequences == Array(start...start + (hangsUp ? 3 : 2)))
    try call.answerNotify()
    #expect(call.bench.ends == [hangsUp ? .local : .remoteBye])
    call.bench.runOut()
    #expect(call.bench.isEmpty)
  }

  @Test func severalSubscriptionsShareTheNumbersOfTheirDialog() throws {
    var call = try ReferredCall()
    try call.refer()
    try call.refer()
    call.accept(1)
    call.accept(2)
    for sent in call.bench.sent where sent.name == "NOTIFY" {
      call.bench.receive(try call.bench.response(200, to: sent.message))
    }
    call.bench.perform(.setHold(call.call.session, true))
    try call.call.answer("INVITE", 200, body: ConfirmedCall.description("recvonly"))
    try call.call.receive(.bye)
    call.report(200, on: 1)
    try call.answerNotify()
    #expect(call.bench.agent.referralCount == 1)
    call.report(486, on: 2)
    try call.answerNotify()
    #expect(call.sequences == [1, 2, 3, 4, 5])
    call.bench.runOut()
    #expect(call.bench.isEmpty)
  }

  @Test(arguments: Role.allCases, [Transport.udp, .tcp]) func whateverIsLeftIsForgottenInTheEnd(
    role: Role, transport: Transport
  ) throws {
    var call = try ReferredCall(role, over: transport)
    for number in 1...3 {
      try call.refer()
      if number > 1 { call.accept(number) }
    }
    call.report(180, on: 2)
    try call.call.receive(.bye)
    #expect(call.bench.agent.referralCount == 2)
    call.bench.runOut()
    #expect(call.bench.isEmpty)
  }

  @Test func aNewProcessKnowsNoReferrals() throws {
    var call = try call()
    call.bench.agent.restart()
    #expect(call.bench.agent.referralCount == 0)
    call.report(200)
    #expect(call.news() == [])
  }
}
