import Instant
import Testing

@testable import SIP

/// REFER: which ones are taken, how they are answered, and whom they have us call.
@Suite struct UserAgentReferralTests {
  typealias Role = ConfirmedCall.Role

  // MARK: Taken and answered

  @Test(arguments: Role.allCases, [Transport.udp, .tcp]) func aREFERIsToldAndAccepted(
    role: Role, transport: Transport
  ) throws {
    var call = try ReferredCall(role, over: transport)
    try call.refer(to: "\"Carol \\\"C\\\"\" <sip:carol@10.0.0.3;user=phone?Subject=x>;p=1")
    #expect(call.news() == [])
    #expect(call.referrals == [Referral(target: "sip:carol@10.0.0.3;user=phone", targetName: "Carol \"C\"")])
    call.accept()
    #expect(call.news() == ["200 REFER", "NOTIFY"])
    let response = try #require(call.bench.last("200 REFER"))
    #expect(response.value(of: "Contact") == call.bench.agent.writer.contact)
    #expect(response.value(of: "Refer-Sub") == nil)
    let notify = try #require(call.bench.last("NOTIFY"))
    #expect(notify.value(of: "Event") == "refer")
    #expect(notify.value(of: "Subscription-State") == "active;expires=60")
    #expect(notify.value(of: "Content-Type") == "message/sipfrag;version=2.0")
    #expect(notify.value(of: "Contact") == call.bench.agent.writer.contact)
    #expect(String(decoding: notify.body, as: UTF8.self) == "SIP/2.0 100 Trying\r\n")
    #expect(notify.toTag == "peer")
    #expect(notify.sequence?.number == (role == .caller ? 2 : 1))
    #expect(notify.findings.isEmpty)
    #expect(call.bench.ends.isEmpty)
  }

  @Test func aREFERIsDeclined() throws {
    var call = try ReferredCall()
    try call.refer()
    call.bench.perform(.answerReferral(ReferralID(.remote, 1), accepts: false))
    #expect(call.news() == ["603 REFER"])
    #expect(call.bench.agent.referralCount == 0)
    call.accept()
    call.report(200)
    call.bench.run(.seconds(100))
    #expect(call.news() == [])
    #expect(call.bench.ends.isEmpty)
  }

  /// The other side need not send it again: it waits 500 ms before it would.
  @Test func anOwnerThatDoesNotAnswerDeclines() throws {
    var call = try ReferredCall()
    try call.refer()
    call.bench.run(.milliseconds(199))
    #expect(call.news() == [])
    call.bench.run(.milliseconds(1))
    #expect(call.news() == ["603 REFER"])
    call.accept()
    call.bench.run(.seconds(100))
    #expect(call.news() == [])
    #expect(call.bench.agent.referralCount == 0)
  }

  @Test func aREFERThatComesAgainIsAnsweredAgain() throws {
    var call = try ReferredCall()
    try call.refer(branch: "z9hG4bKagain", number: 2)
    try call.refer(branch: "z9hG4bKagain", number: 2)
    #expect(call.news() == [])
    call.accept()
    try call.refer(branch: "z9hG4bKagain", number: 2)
    #expect(call.news() == ["200 REFER", "NOTIFY", "200 REFER"])
    #expect(call.referrals.count == 1)
    #expect(call.bench.agent.referralCount == 1)
  }

  /// RFC 4488 4.
  @Test(arguments: [("false", true), ("FALSE;x=y", true), ("true", false), ("false, false", false), ("", false)])
  func aREFERMayAskForNoReports(value: String, isGranted: Bool) throws {
    var call = try ReferredCall()
    try call.refer(headers: [("Refer-Sub", value)])
    call.accept()
    #expect(call.bench.last("200 REFER")?.values(of: "Refer-Sub") == (isGranted ? ["false"] : []))
    if !isGranted { try call.answerNotify() }
    call.report(180)
    if !isGranted { try call.answerNotify() }
    call.report(200)
    if !isGranted { try call.answerNotify() }
    #expect(call.news() == ["200 REFER"] + (isGranted ? [] : ["NOTIFY", "NOTIFY", "NOTIFY"]))
    #expect(call.bench.agent.referralCount == 0)
  }

  @Test func aREFERRefreshesTheTarget() throws {
    var call = try ReferredCall()
    try call.refer(headers: [("Contact", "<sip:moved@10.0.0.7:5070>")])
    call.accept()
    let notify = try #require(call.bench.sent.last)
    #expect(notify.message.startLine == .request(.notify, uri: "sip:moved@10.0.0.7:5070"))
    #expect(notify.transmission.destination.host == "10.0.0.7")
    call.bench.perform(.hangUp(call.call.session))
    #expect(call.bench.sent.last?.message.startLine == .request(.bye, uri: "sip:moved@10.0.0.7:5070"))
  }

  // MARK: Refused

  struct Refused: Sendable, CustomTestStringConvertible {
    var status: Int
    var to: String?
    var headers: [String: String] = [:]
    var body: String?
    var testDescription: String { "\(status) \(to ?? "-") \(headers)" }
  }

  @Test(arguments: [
    Refused(status: 400),
    Refused(status: 400, to: ""),
    Refused(status: 400, to: "<>"),
    Refused(status: 400, to: "carol"),
    Refused(status: 400, to: "<sip:>"),
    Refused(status: 400, to: "<sip:carol@>"),
    Refused(status: 400, to: "<sip:carol@10.0.0.3"),
    Refused(status: 400, to: "<sip:carol@10.0.0.3:99999>"),
    Refused(status: 400, to: "<sip:carol@10.0.0.3> x"),
    Refused(status: 400, to: "<sip:carol@10.0.0.3>, <sip:dave@10.0.0.4>"),
    Refused(status: 400, to: "sip:carol@10.0.0.3,sip:dave@10.0.0.4"),
    Refused(status: 400, to: "sip:carol@10.0.0.3?Replaces=a%3Bto-tag%3Db%3Bfrom-tag%3Dc"),
    Refused(status: 400, to: "<sip:carol@10.0.0.3?Replaces>"),
    Refused(status: 400, to: "<sip:carol@10.0.0.3?Replaces=a>"),
    Refused(status: 400, to: "<sip:carol@10.0.0.3?Replaces=a%3Bto-tag%3Db%3Bfrom-tag%3>"),
    Refused(status: 400, to: "<sip:carol@10.0.0.3?Replaces=a%3Bto-tag%3Db%3Bfrom-tag%3Dc%0D%0AX:%20y>"),
    Refused(status: 400, to: "<sip:carol@10.0.0.3?Replaces=a%FF%3Bto-tag%3Db%3Bfrom-tag%3Dc>"),
    Refused(
      status: 400,
      to: "<sip:carol@10.0.0.3?Replaces=a%3Bto-tag%3Db%3Bfrom-tag%3Dc&replaces=a%3Bto-tag%3Db%3Bfrom-tag%3Dc>"),
    Refused(status: 416, to: "<tel:+4930123>"),
    Refused(status: 416, to: "http://example.com/"),
    Refused(status: 416, to: "<mailto:carol@example.com>"),
    Refused(status: 403, to: "<sip:carol@10.0.0.3;method=BYE>"),
    Refused(status: 400, to: ReferredCall.target, headers: ["Referred-By": "nobody <"]),
    Refused(status: 400, to: ReferredCall.target, headers: ["Replaces": "a;to-tag=b;from-tag=c"]),
    Refused(status: 420, to: ReferredCall.target, headers: ["Require": "nothing-we-know"]),
    Refused(status: 415, to: ReferredCall.target, headers: ["Content-Type": "text/plain"], body: "x"),
    Refused(status: 415, to: ReferredCall.target, headers: ["Content-Encoding": "gzip"], body: "x"),
  ])
  func aREFERThatCannotBeServedIsRefused(refused: Refused) throws {
    var call = try ReferredCall()
    let headers = refused.headers.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
    try call.refer(to: refused.to, headers: headers, body: refused.body)
    #expect(call.news() == ["\(refused.status) REFER"])
    #expect(call.referrals.isEmpty)
    #expect(call.bench.agent.referralCount == 0)
    #expect(call.bench.ends.isEmpty)
  }

  @Test func twoReferToFieldsAreRefused() throws {
    var call = try ReferredCall()
    try call.refer(headers: [("r", "<sip:dave@10.0.0.4>")])
    #expect(call.news() == ["400 REFER"])
  }

  @Test(arguments: [
    ("sip:carol@10.0.0.3", "sip:carol@10.0.0.3"), ("<sips:carol@10.0.0.3>", "sips:carol@10.0.0.3"),
    ("<SIP:carol@10.0.0.3;method=INVITE>", "sip:carol@10.0.0.3"), ("sip:carol@10.0.0.3;x=y", "sip:carol@10.0.0.3"),
    ("<sip:10.0.0.3>;a;b=\"c,d\"", "sip:10.0.0.3"),
  ]) func allFormsOfReferToAreRead(value: String, target: String) throws {
    var call = try ReferredCall()
    try call.refer(to: value)
    #expect(call.referrals.map(\.target) == [target])
  }

  @Test func aBodyThatIsOptionalIsPassedOver() throws {
    var call = try ReferredCall()
    try call.refer(
      headers: [("Content-Type", "text/plain"), ("Content-Disposition", "render; handling=optional")], body: "x")
    #expect(call.referrals.count == 1)
  }

  @Test func outsideOfADialogAREFERIsRefused() throws {
    var bench = UserAgentBench()
    bench.receive(try bench.request(.refer, headers: [("Refer-To", ReferredCall.target)]))
    bench.receive(try bench.request(.refer, toTag: "unknown", headers: [("Refer-To", ReferredCall.target)]))
    #expect(bench.names == ["403 REFER", "481 REFER"])
    bench.runOut()
    #expect(bench.isEmpty)
  }

  /// We have not talked yet.
  @Test func withinAnEarlyDialogAREFERIsRefused() throws {
    var bench = UserAgentBench()
    bench.receive(try bench.request(.invite, body: UserAgentBench.offer))
    bench.perform(.ring(SessionID(.remote, 1)))
    let tag = bench.last("180 INVITE")?.toTag
    bench.receive(try bench.request(.refer, sequence: 2, toTag: tag, headers: [("Refer-To", ReferredCall.target)]))
    #expect(bench.names == ["180 INVITE", "403 REFER"])
    bench.perform(.accept(SessionID(.remote, 1)))
    // It may overtake the ACK.
    bench.receive(try bench.request(.refer, sequence: 3, toTag: tag, headers: [("Refer-To", ReferredCall.target)]))
    bench.perform(.answerReferral(ReferralID(.remote, 1), accepts: true))
    #expect(bench.names.suffix(3) == ["200 INVITE", "200 REFER", "NOTIFY"])
  }

  @Test func aREFERWithAnOldNumberIsRefused() throws {
    var call = try ReferredCall()
    try call.call.receive(.info, number: 9)
    try call.refer(number: 8)
    #expect(call.news() == ["200 INFO", "500 REFER"])
    #expect(call.referrals.isEmpty)
  }

  @Test(arguments: Role.allCases) func aREFERThatMeetsOurBYEIsRefused(role: Role) throws {
    var call = try ReferredCall(role)
    call.bench.perform(.hangUp(call.call.session))
    try call.refer()
    #expect(call.news() == ["BYE", "481 REFER"])
    try call.call.answer("BYE", 200)
    call.bench.runOut()
    #expect(call.bench.isEmpty)
  }

  /// RFC 5407 3.3.3.
  @Test(arguments: [true, false]) func theEndDeclinesWhatWaits(hangsUp: Bool) throws {
    var call = try ReferredCall()
    try call.refer()
    try call.refer()
    if hangsUp { call.bench.perform(.hangUp(call.call.session)) } else { try call.call.receive(.bye) }
    #expect(call.news() == [hangsUp ? "BYE" : "200 BYE", "603 REFER", "603 REFER"])
    call.accept()
    if hangsUp { try call.call.answer("BYE", 200) }
    #expect(call.bench.agent.referralCount == 0)
    call.bench.runOut()
    #expect(call.news() == [])
    #expect(call.bench.isEmpty)
  }

  @Test func aNOTIFYMeetsNoSubscription() throws {
    var call = try ReferredCall()
    try call.call.receive(.notify, headers: [("Event", "refer"), ("Subscription-State", "active")])
    #expect(call.news() == ["481 NOTIFY"])
    #expect(call.bench.ends.isEmpty)
  }

  @Test func allowNamesWhatIsServed() throws {
    var bench = UserAgentBench()
    bench.receive(try bench.request(.options))
    let allowed = try #require(bench.last("200 OPTIONS")?.values(of: "Allow"))
    #expect(allowed == ["INVITE", "ACK", "CANCEL", "BYE", "OPTIONS", "INFO", "REFER", "NOTIFY"])
  }
}
