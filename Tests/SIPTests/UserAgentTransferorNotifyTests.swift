import Instant
import Testing

@testable import SIP

/// The reports on a REFER of ours: what is answered to them, and what the owner learns.
@Suite struct UserAgentTransferorNotifyTests {
  typealias Role = ConfirmedCall.Role

  // MARK: What the owner learns

  @Test(arguments: Role.allCases, [Transport.udp, .tcp]) func theWholeCourseIsTold(
    role: Role, transport: Transport
  ) throws {
    var call = try ReferringCall(role, over: transport)
    call.refer()
    try call.answer(202)
    try call.notify(100)
    try call.notify(180)
    try call.notify(200, "terminated;reason=noresource")
    #expect(
      call.states() == [.accepted, .progress(status: 100), .progress(status: 180), .ended(status: 200)])
    #expect(call.news() == ["REFER", "200 NOTIFY", "200 NOTIFY", "200 NOTIFY"])
    #expect(call.bench.agent.referralCount == 0)
    for sent in call.bench.sent where sent.name == "200 NOTIFY" {
      #expect(sent.transmission.origin == .rule)
      #expect(sent.message.findings.isEmpty)
    }
    // The session goes on: what becomes of it is the owner's decision.
    call.bench.run(.seconds(100))
    #expect(call.bench.ends.isEmpty)
    try call.call.receive(.bye)
    call.bench.runOut()
    #expect(call.bench.isEmpty)
  }

  struct Report: Sendable, CustomTestStringConvertible {
    var status: Int
    var state: String
    var told: [ReferralState]
    /// Whether the subscription goes on.
    var isOpen: Bool
    var testDescription: String { "\(status) \(state)" }
  }

  static let reports: [Report] = [
    Report(status: 100, state: "active;expires=60", told: [.progress(status: 100)], isOpen: true),
    Report(status: 199, state: "active", told: [.progress(status: 199)], isOpen: true),
    Report(status: 180, state: "ACTIVE ; x = y", told: [.progress(status: 180)], isOpen: true),
    Report(status: 180, state: "pending;expires=5;x", told: [.progress(status: 180)], isOpen: true),
    Report(status: 180, state: "some-day;expires=5", told: [.progress(status: 180)], isOpen: true),
    Report(status: 200, state: "active;expires=60", told: [.ended(status: 200)], isOpen: true),
    Report(status: 486, state: "pending", told: [.ended(status: 486)], isOpen: true),
    Report(status: 200, state: "terminated;reason=noresource", told: [.ended(status: 200)], isOpen: false),
    Report(status: 302, state: "terminated", told: [.ended(status: 302)], isOpen: false),
    Report(status: 699, state: "Terminated;reason=timeout", told: [.ended(status: 699)], isOpen: false),
    Report(status: 100, state: "terminated;reason=timeout", told: [.unknown], isOpen: false),
    Report(status: 180, state: "terminated;reason=giveup;retry-after=5", told: [.unknown], isOpen: false),
  ]

  @Test(arguments: reports) func aReportIsTold(report: Report) throws {
    var call = try ReferringCall.accepted()
    let told = call.states()
    try call.notify(report.status, report.state)
    #expect(call.news() == ["200 NOTIFY"])
    #expect(call.states() == told + report.told)
    try call.notify(183)
    #expect(call.news() == [report.isOpen ? "200 NOTIFY" : "481 NOTIFY"])
    let isLast = report.told.last?.isLast == true
    #expect(call.states() == told + report.told + (isLast ? [] : [.progress(status: 183)]))
    try call.notify(404, "terminated")
    #expect(call.news() == [report.isOpen ? "200 NOTIFY" : "481 NOTIFY"])
    #expect(call.states() == told + report.told + (isLast ? [] : [.progress(status: 183), .ended(status: 404)]))
    try call.notify(200, "terminated")
    #expect(call.news() == ["481 NOTIFY"])
    #expect(call.bench.agent.referralCount == 0)
  }

  /// A body may say more of the response than its status line (RFC 3515 2.4.5, RFC 3420 2).
  @Test(
    arguments: [
      "SIP/2.0 486 Busy Here", "SIP/2.0 486 Busy Here\r\n", "SIP/2.0 486 \r\n", "SIP/2.0 486", "sip/2.0 486 x\n",
      "SIP/2.0 486 Busy Here\r\nTo: <sip:c@h>;tag=1\r\nContact: <sip:c@h>\r\n",
      "SIP/2.0 486 Busy Here\r\nno header field", "SIP/2.0 486 B\r\nContent-Length: 3\r\n\r\nabc",
    ], ["message/sipfrag", "message/sipfrag;version=2.0", "Message/SIPFrag ; version=2.0"])
  func theStatusLineIsRead(body: String, type: String) throws {
    var call = try ReferringCall.accepted()
    try call.notify(0, "terminated", type: type, body: body)
    #expect(call.news() == ["200 NOTIFY"])
    #expect(call.states().last == .ended(status: 486))
  }

  // MARK: What is refused

  struct Refused: Sendable, CustomTestStringConvertible {
    var status: Int
    var event: String? = "refer"
    var state: String? = "active;expires=60"
    var type = "message/sipfrag"
    var headers: [String: String] = [:]
    var body: String? = "SIP/2.0 200 OK\r\n"
    /// A header field that the response must have.
    var says: [String: String] = [:]
    var testDescription: String { "\(status) \(event ?? "-") \(state ?? "-") \(type) \(headers) \(body ?? "-")" }
  }

  static let refusals: [Refused] =
    [nil, "", "presence", "REFER", "refer;id", "refer;id=", "refer;id=2;id=2", "refer x", "refer, refer", ";id=2"]
    .map { Refused(status: 489, event: $0, says: ["Allow-Events": "refer"]) }
    + ["refer;id=9", "refer;id=02", "refer;id=\"x y\""].map { Refused(status: 481, event: $0) }
    + [
      nil, "", ";expires=60", "active;expires", "active;expires=", "active;expires=x", "active;expires=-1",
      "active;expires=4294967296", "active;expires=99999999999999999999", "active;expires=1;expires=2",
      "active, active", "active expires=60",
    ].map { Refused(status: 400, state: $0) }
    + ["application/sdp", "message/sip", "text/plain;x=\"message/sipfrag\""]
    .map { Refused(status: 415, type: $0, says: ["Accept": "message/sipfrag"]) }
    + [
      "", "\r\nSIP/2.0 200 OK", "SIP/3.0 200 OK\r\n", "SIP/2.0 099 X\r\n", "SIP/2.0 700 X\r\n", "SIP/2.0 20 X",
      "SIP/2.0 2000 X", "SIP/2.0 abc X", "SIP/2.0", "HTTP/1.1 200 OK", "INVITE sip:a@h SIP/2.0\r\n",
      "Contact: <sip:a@h>",
    ].map { Refused(status: 400, body: $0) }
    + [
      Refused(status: 415, headers: ["Content-Encoding": "gzip"], says: ["Accept-Encoding": "identity"]),
      Refused(status: 420, headers: ["Require": "x"], says: ["Unsupported": "x"]),
      Refused(status: 400, headers: ["Replaces": "a;to-tag=b;from-tag=c"]),
    ]

  @Test(arguments: refusals) func aReportThatIsNoneIsRefusedAndChangesNothing(row: Refused) throws {
    var call = try ReferringCall.accepted()
    let events = call.bench.events
    try call.notify(
      200, row.state, event: row.event, type: row.type,
      headers: row.headers.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }, body: row.body)
    #expect(call.news() == ["\(row.status) NOTIFY"])
    #expect(call.bench.sent.last?.transmission.origin == .rule)
    let response = try #require(call.bench.sent.last?.message)
    for (name, value) in row.says { #expect(response.value(of: name) == value) }
    #expect(response.findings.isEmpty)
    #expect(call.bench.events == events)
    // It goes on as if nothing had come.
    try call.notify(200, "terminated")
    #expect(call.states().last == .ended(status: 200))
  }

  /// A body without a type is none that we understand; without a body nothing is reported (RFC 3515 2.4.5).
  @Test(arguments: [("", "400 NOTIFY"), ("SIP/2.0 200 OK\r\n", "415 NOTIFY")])
  func aReportWithoutATypeIsRefused(body: String, answer: String) throws {
    var call = try ReferringCall.accepted()
    let refer = try #require(call.refers.last)
    let request = try call.bench.request(
      .notify, sequence: 50, callID: refer.callID, toTag: refer.fromTag,
      headers: [("Event", "refer"), ("Subscription-State", "terminated")])
    call.bench.receive(try SIPMessage(request.startLine, headers: request.headers, body: Array(body.utf8)))
    #expect(call.news() == [answer])
    #expect(call.states() == [.accepted, .progress(status: 100)])
  }

  @Test func aReportOutOfOrderIs500AndOneThatComesAgainIsAnsweredAgain() throws {
    var call = try ReferringCall.accepted()
    try call.notify(180, branch: "z9hG4bKagain", number: 5)
    try call.notify(180, branch: "z9hG4bKagain", number: 5)
    try call.notify(183, number: 4)
    #expect(call.news() == ["200 NOTIFY", "200 NOTIFY", "500 NOTIFY"])
    #expect(call.states().suffix(2) == [.progress(status: 100), .progress(status: 180)])
  }

  @Test func nobodyIsReportedToWhoHasNotReferred() throws {
    var call = try ReferringCall()
    try call.notify(200)
    try call.notify(200, event: "presence")
    try call.notify(200, number: 1)
    call.bench.receive(try call.bench.request(.notify, headers: [("Event", "refer")]))
    call.bench.receive(try call.bench.request(.notify, toTag: "other", headers: [("Event", "refer")]))
    #expect(call.news() == ["481 NOTIFY", "489 NOTIFY", "500 NOTIFY", "481 NOTIFY", "481 NOTIFY"])
    #expect(call.states() == [])
    #expect(call.bench.ends.isEmpty)
  }

  @Test func aReportRefreshesTheTarget() throws {
    var call = try ReferringCall.accepted()
    try call.notify(180, headers: [("Contact", "<sip:moved@10.0.0.7:5070>")])
    call.bench.perform(.hangUp(call.session))
    let bye = try #require(call.bench.sent.last)
    #expect(bye.message.startLine == .request(.bye, uri: "sip:moved@10.0.0.7:5070"))
    #expect(bye.transmission.destination.host == "10.0.0.7")
  }

  // MARK: A report that is earlier than the response

  struct Early: Sendable, CustomTestStringConvertible {
    /// The response that comes then; `nil` for none.
    var response: Int?
    var report: Int
    var state: String
    var told: [ReferralState]
    var endsSession = false
    var testDescription: String { "\(report) \(state), then \(response.map(String.init) ?? "-")" }
  }

  static let early: [Early] = [
    Early(response: 202, report: 100, state: "active", told: [.progress(status: 100)]),
    Early(response: 202, report: 200, state: "active", told: [.ended(status: 200)]),
    Early(response: 202, report: 200, state: "terminated", told: [.ended(status: 200)]),
    Early(response: 202, report: 100, state: "terminated", told: [.unknown]),
    Early(response: nil, report: 100, state: "active;expires=99", told: [.progress(status: 100)]),
    Early(response: 408, report: 100, state: "active;expires=99", told: [.progress(status: 100)]),
    Early(response: nil, report: 486, state: "terminated", told: [.ended(status: 486)]),
    Early(response: 603, report: 100, state: "active", told: [.progress(status: 100), .refused(status: 603)]),
    Early(response: 603, report: 200, state: "terminated", told: [.ended(status: 200)]),
    Early(response: 603, report: 200, state: "active", told: [.ended(status: 200)]),
    Early(
      response: 481, report: 100, state: "active", told: [.progress(status: 100), .refused(status: 481)],
      endsSession: true),
    Early(response: 481, report: 200, state: "terminated", told: [.ended(status: 200)], endsSession: true),
  ]

  /// RFC 6665 4.1.2.4: it shows that the REFER was taken.
  @Test(arguments: early, Role.allCases) func aReportBeforeTheResponseIsAcceptance(row: Early, role: Role) throws {
    var call = try ReferringCall(role)
    call.refer()
    try call.notify(row.report, row.state)
    #expect(call.news() == ["REFER", "200 NOTIFY"])
    #expect(call.states().first == .accepted)
    if let response = row.response { try call.answer(response) } else { call.bench.run(.seconds(40)) }
    #expect(call.states() == [.accepted] + row.told)
    #expect(call.bench.ends == (row.endsSession ? [.failed] : []))
    call.bench.run(.seconds(200))
    #expect(call.states().filter(\.isLast).count == 1)
    #expect(call.bench.agent.referralCount == 0)
  }

  // MARK: Time

  /// RFC 6665 4.1.2.4: timer N is 64*T1 from the request on.
  @Test(arguments: Role.allCases) func withoutAReportTheOutcomeIsUnknown(role: Role) throws {
    var call = try ReferringCall(role)
    call.refer()
    call.bench.run(.milliseconds(300))
    try call.answer(202)
    call.bench.run(.milliseconds(31_699))
    #expect(call.states() == [.accepted])
    call.bench.run(.milliseconds(1))
    #expect(call.states() == [.accepted, .unknown])
    #expect(call.bench.agent.referralCount == 0)
    try call.notify(200)
    #expect(call.news() == ["REFER", "481 NOTIFY"])
    #expect(call.bench.ends.isEmpty)
  }

  /// Which timer its owner fires first at the end of the same 32 s is no matter.
  @Test(arguments: [202, 486, nil] as [Int?]) func aREFERWithoutResponseDoesNotEndByItsTimer(status: Int?) throws {
    var call = try ReferringCall()
    call.refer()
    call.bench.fire(.awaitNotification(ReferringCall.id(1)))
    #expect(call.states() == [])
    if let status { try call.answer(status) }
    call.bench.runOut()
    #expect(call.states() == (status == 202 ? [.accepted, .unknown] : [.refused(status: status)]))
  }

  @Test(arguments: [("active;expires=7", 7), ("active;expires=0", 0), ("pending;expires=100", 100), ("active", 60)])
  func theLastReportSaysHowLongIsWaited(state: String, seconds: Int64) throws {
    var call = try ReferringCall()
    call.refer()
    try call.answer(202)
    call.bench.run(.seconds(3))
    try call.notify(100, state)
    if seconds > 0 {
      call.bench.run(.seconds(seconds) - .milliseconds(1))
      #expect(call.states() == [.accepted, .progress(status: 100)])
    }
    call.bench.run(.milliseconds(1))
    #expect(call.states() == [.accepted, .progress(status: 100), .unknown])
    // The report that says so is on its way.
    call.bench.run(.seconds(31))
    try call.notify(180)
    try call.notify(200, "terminated;reason=timeout")
    try call.notify(200, "terminated;reason=timeout")
    #expect(call.news() == ["REFER", "200 NOTIFY", "200 NOTIFY", "200 NOTIFY", "481 NOTIFY"])
    #expect(call.states() == [.accepted, .progress(status: 100), .unknown])
  }

  @Test func aReportWithoutATimeLeavesIt() throws {
    var call = try ReferringCall()
    call.refer()
    try call.answer(202)
    try call.notify(100, "active;expires=100")
    call.bench.run(.seconds(90))
    try call.notify(180, "active")
    call.bench.run(.milliseconds(9_999))
    #expect(call.states().last == .progress(status: 180))
    call.bench.run(.milliseconds(1))
    #expect(call.states().last == .unknown)
  }

  /// What is kept when the owner knows the outcome answers reports and is forgotten.
  @Test func whatIsToldIsForgottenInTheEnd() throws {
    var call = try ReferringCall.accepted()
    try call.notify(200, "active;expires=4000000000")
    call.bench.run(.milliseconds(31_999))
    try call.notify(200, "active;expires=4000000000")
    #expect(call.bench.agent.referralCount == 1)
    call.bench.run(.milliseconds(1))
    #expect(call.bench.agent.referralCount == 0)
    try call.notify(200)
    #expect(call.news() == ["200 NOTIFY", "200 NOTIFY", "481 NOTIFY"])
    #expect(call.states() == [.accepted, .progress(status: 100), .ended(status: 200)])
  }

  // MARK: Several REFERs

  /// RFC 3515 2.4.6.
  @Test func reportsOnSeveralREFERsAreToldApart() throws {
    var call = try ReferringCall()
    for number in 1...3 {
      call.refer(number)
      try call.answer(202)
    }
    let numbers = call.refers.compactMap { $0.sequence?.number }
    #expect(numbers == [2, 3, 4])
    try call.notify(100, event: "refer;id=4")
    try call.notify(100)
    try call.notify(180, event: "refer;id=2")
    try call.notify(200, "terminated", event: "refer;id=3")
    try call.notify(486, "terminated")
    try call.notify(180, event: "refer;id=2")
    try call.notify(180)
    try call.notify(603, "terminated", event: "refer ; ID = \"4\"")
    #expect(call.states() == [.accepted, .progress(status: 100), .progress(status: 180), .ended(status: 486)])
    #expect(call.states(of: 2) == [.accepted, .ended(status: 200)])
    #expect(call.states(of: 3) == [.accepted, .progress(status: 100), .ended(status: 603)])
    #expect(call.news().suffix(3) == ["481 NOTIFY", "481 NOTIFY", "200 NOTIFY"])
    #expect(call.bench.agent.referralCount == 0)
    // A further one is not the first because none is open.
    call.refer(4)
    try call.answer(202)
    try call.notify(200)
    #expect(call.news() == ["REFER", "481 NOTIFY"])
    try call.notify(200, "terminated", event: "refer;id=5")
    #expect(call.states(of: 4) == [.accepted, .ended(status: 200)])
  }

  @Test func severalREFERsMayWaitForTheirResponseAtOnce() throws {
    var call = try ReferringCall()
    for number in 1...3 { call.refer(number) }
    try call.answer(202, to: 2)
    try call.answer(603, to: 3)
    try call.answer(200, to: 1)
    try call.notify(200, "terminated", event: "refer;id=3")
    try call.notify(200, "terminated")
    #expect(call.states() == [.accepted, .ended(status: 200)])
    #expect(call.states(of: 2) == [.accepted, .ended(status: 200)])
    #expect(call.states(of: 3) == [.refused(status: 603)])
  }

  /// The other side need not have counted a REFER that it refused.
  @Test(arguments: [true, false]) func afterARefusedREFERTheNextOneMayBeTheFirst(atOnce: Bool) throws {
    var call = try ReferringCall()
    call.refer(1)
    if !atOnce { try call.answer(603) }
    call.refer(2)
    call.refer(3)
    if atOnce { try call.answer(603, to: 1) }
    try call.answer(202, to: 2)
    try call.answer(202, to: 3)
    try call.notify(180)
    try call.notify(183, event: "refer;id=3")
    #expect(call.states(of: 2) == [.accepted, .progress(status: 180), .progress(status: 183)])
    #expect(call.states(of: 3) == [.accepted])
    // The first one stays the first.
    try call.notify(200, "terminated")
    try call.notify(200, "terminated")
    #expect(call.news().suffix(2) == ["200 NOTIFY", "481 NOTIFY"])
    #expect(call.states(of: 3) == [.accepted])
  }

  // MARK: After the session

  @Test(arguments: Role.allCases, [true, false]) func theSubscriptionOutlivesTheSession(
    role: Role, hangsUp: Bool
  ) throws {
    var call = try ReferringCall.accepted(role)
    if hangsUp {
      call.bench.perform(.hangUp(call.session))
      try call.notify(180)
      try call.call.answer("BYE", 200)
    } else {
      try call.call.receive(.bye)
      try call.notify(180)
    }
    call.bench.run(.seconds(50))
    #expect(call.bench.agent.sessionCount == 0)
    #expect(call.bench.agent.referralCount == 1)
    _ = call.news()
    try call.notify(183, number: 1)
    try call.notify(183, event: "presence")
    try call.notify(183, event: "refer;id=99")
    try call.call.receive(.info)
    try call.notify(200, "terminated;reason=noresource")
    try call.notify(200, "terminated;reason=noresource")
    #expect(
      call.news() == ["500 NOTIFY", "489 NOTIFY", "481 NOTIFY", "481 INFO", "200 NOTIFY", "481 NOTIFY"])
    #expect(
      call.states() == [.accepted, .progress(status: 100), .progress(status: 180), .ended(status: 200)])
    #expect(call.bench.ends == [hangsUp ? .local : .remoteBye])
    call.bench.runOut()
    #expect(call.bench.isEmpty)
  }

  /// Both sides refer within one dialog, which both subscriptions need when the session is over.
  @Test(arguments: [true, false]) func bothSidesMayRefer(oursEndsFirst: Bool) throws {
    var call = try ReferringCall.accepted(.callee)
    try call.call.receive(.refer, headers: [("Refer-To", "<sip:dave@10.0.0.4>")])
    call.bench.perform(.answerReferral(ReferralID(.remote, 1), accepts: true))
    try call.call.answer("NOTIFY", 200)
    try call.call.receive(.bye)
    #expect(call.bench.agent.referralCount == 2)
    for isOurs in [oursEndsFirst, !oursEndsFirst] {
      if isOurs {
        try call.notify(200, "terminated", headers: [("Contact", "<sip:moved@10.0.0.7>")])
      } else {
        call.bench.perform(.reportReferral(ReferralID(.remote, 1), status: 200))
        try call.call.answer("NOTIFY", 200)
      }
    }
    #expect(call.states().last == .ended(status: 200))
    let last = try #require(call.bench.last("NOTIFY"))
    #expect(last.startLine == .request(.notify, uri: oursEndsFirst ? "sip:moved@10.0.0.7" : "sip:peer@10.0.0.2"))
    #expect(last.sequence?.number == 3)
    call.bench.runOut()
    #expect(call.bench.isEmpty)
  }

  @Test func aNewProcessKnowsNoREFERs() throws {
    var call = try ReferringCall.accepted()
    call.refer(2)
    call.bench.agent.restart()
    #expect(call.bench.agent.referralCount == 0)
    try call.notify(200)
    try call.answer(202)
    #expect(call.states() == [.accepted, .progress(status: 100)])
    #expect(call.bench.agent.referrals.requests.isEmpty)
  }

  /// The dialog is gone, and with it every subscription in it (RFC 5057 5.1); where only the session is over, they go on.
  @Test(arguments: [(404, true), (481, false)]) func aDialogThatIsGoneBringsNoReports(status: Int, isGone: Bool) throws
  {
    var call = try ReferringCall.accepted()
    let before = call.states()
    call.bench.perform(.renew(call.session))
    try call.call.answer("INVITE", status)
    #expect(call.bench.ends == [.failed])
    #expect(call.states() == before + (isGone ? [.unknown] : []))
    try call.notify(200, "terminated;reason=noresource")
    #expect(call.bench.names.last == (isGone ? "481 NOTIFY" : "200 NOTIFY"))
    #expect(call.states() == before + [isGone ? .unknown : .ended(status: 200)])
    call.bench.runOut()
    #expect(call.bench.isEmpty)
  }
}
