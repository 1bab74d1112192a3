import Instant
import Testing

@testable import SIP

/// REFERs of ours: what they say, and what comes of their response.
@Suite struct UserAgentTransferorTests {
  typealias Role = ConfirmedCall.Role

  // MARK: What is sent

  @Test(arguments: Role.allCases, [Transport.udp, .tcp]) func aREFERNamesTheTargetAndUs(
    role: Role, transport: Transport
  ) throws {
    var call = try ReferringCall(role, over: transport)
    call.refer(to: .uri("sip:carol@10.0.0.3", name: "Carol \"C\""))
    #expect(call.news() == ["REFER"])
    let sent = try #require(call.bench.sent.last)
    #expect(sent.transmission.origin == .decision)
    #expect(sent.transmission.destination == Endpoint(host: "10.0.0.2", port: 5060, transport: transport))
    let refer = sent.message
    #expect(refer.startLine == .request(.refer, uri: "sip:peer@10.0.0.2"))
    #expect(refer.value(of: "Refer-To") == #""Carol \"C\"" <sip:carol@10.0.0.3>"#)
    #expect(refer.value(of: "Referred-By") == "<sip:phone@example.com>")
    #expect(refer.contacts.first?.sipURI?.host == "10.0.0.1")
    #expect(refer.toTag == "peer")
    #expect(refer.sequence?.number == (role == .caller ? 2 : 1))
    #expect(refer.body.isEmpty)
    #expect(refer.findings.isEmpty)
    #expect(call.states() == [])
    #expect(call.bench.agent.referralCount == 1)
  }

  @Test func theReplacesIsThatOfTheOtherSession() throws {
    var call = try ReferringCall()
    let other = try call.addSession(callID: "k2@10.0.0.1")
    let tag = try #require(call.bench.last("INVITE")?.fromTag)
    call.refer(to: .session(other))
    let refer = try #require(call.bench.last("REFER"))
    let uri = "sip:carol@10.0.0.3:5070;transport=udp"
    #expect(
      refer.value(of: "Refer-To") == "<\(uri)?Replaces=k2%4010.0.0.1%3Bto-tag%3Dtarget%3Bfrom-tag%3D\(tag)>")
    #expect(refer.findings.isEmpty)
    // It goes within the first session.
    #expect(refer.toTag == "peer")
    #expect(refer.callID != "k2@10.0.0.1")
  }

  /// RFC 3261 25.1: every character that a Call-ID may have.
  @Test(
    arguments: [
      "a", "a@b.example", "-.!%*_+`'~()<>:\\\"/[]?{}@-.!%*_+`'~()<>:\\\"/[]?{}", "%40@%",
      "f81d4fae-7dec-11d0-a765-00a0c91e6bf6@foo.bar.com",
    ], ["target", "0", "a.b-c!%*_+`'~", nil])
  func aCallIDIsReadBackAsItWasWritten(callID: String, tag: String?) throws {
    var call = try ReferringCall()
    let other = try call.addSession(callID: callID, tag: tag)
    let ours = try #require(call.bench.last("INVITE")?.fromTag)
    call.refer(to: .session(other))
    let refer = try #require(call.bench.last("REFER"))
    #expect(refer.findings.filter(\.isFatal).isEmpty)
    let referTo = try ReferTo(of: refer)
    #expect(referTo.target == "sip:carol@10.0.0.3:5070;transport=udp")
    #expect(
      referTo.replaces.flatMap { Replaces($0) } == Replaces(callID: callID, toTag: tag ?? "0", fromTag: ours))
    // Only what may stand there: RFC 3261 25.1, `hvalue`.
    let value = try #require(refer.value(of: "Refer-To")?.split(separator: "=").last)
    #expect(
      value.dropLast().utf8.allSatisfy {
        Characters.isLetter($0) || Characters.isDigit($0) || "-_.!~*'()[]/?:+$%".utf8.contains($0)
      })
  }

  /// RFC 3261 19.1.1: a Contact in a dialog has neither headers nor method.
  @Test(
    arguments: [
      ("<sip:carol@10.0.0.3?Subject=x&Replaces=y>", "sip:carol@10.0.0.3"),
      ("<sip:carol@10.0.0.3;method=BYE;gr=1?Route=x>", "sip:carol@10.0.0.3;gr=1"),
      ("<sips:c@[2001:db8::1]:99;gr>;expires=9", "sips:c@[2001:db8::1]:99;gr"),
      ("sip:carol@10.0.0.3", "sip:carol@10.0.0.3"),
      ("<sip:10.0.0.3>", "sip:10.0.0.3"),
    ])
  func theContactIsTakenWithoutWhatMustNotBeRepeated(contact: String, uri: String) throws {
    var call = try ReferringCall()
    let other = try call.addSession(callID: "k2", contact: contact)
    call.refer(to: .session(other))
    let value = try #require(call.bench.last("REFER")?.value(of: "Refer-To"))
    #expect(value.hasPrefix("<\(uri)?Replaces=k2%3Bto-tag%3Dtarget%3Bfrom-tag%3D"))
    #expect(value.filter { $0 == "?" }.count == 1)
  }

  // MARK: What cannot be sent

  @Test(
    arguments: [
      "", "carol", "sip:", "tel:+1", "http://example.com", "sip:a@h x", "sip:a@h>", "sip:a@h;x>y", "sip:a@h;method=BYE",
      "sip:a@h?Replaces=x", "sip:a@h\r\nX: y", "sip:a\0@h", "<sip:a@h>", "sip:a@h:99999", "sip:a@h:1:2",
    ])
  func aURIThatNobodyCanCallIsRefused(uri: String) throws {
    var call = try ReferringCall()
    call.refer(to: .uri(uri, name: nil))
    #expect(call.states() == [.refused(status: nil)])
    #expect(call.news() == [])
    #expect(call.bench.agent.referralCount == 0)
    // The numbers of the dialog go on without a gap.
    call.refer(2)
    #expect(call.bench.last("REFER")?.sequence?.number == 2)
  }

  @Test(arguments: ["sip:a@h;method=INVITE", "sip:a@h?Subject=x", "sips:a@h", "SIP:a@h", "sip:a@h;transport=tcp"])
  func aURIThatCanBeCalledIsWrittenAsItIs(uri: String) throws {
    var call = try ReferringCall()
    call.refer(to: .uri(uri, name: ""))
    #expect(call.bench.last("REFER")?.value(of: "Refer-To") == "\"\" <\(uri)>")
  }

  /// A name is what it was, or the REFER is not sent; no name adds to the message.
  @Test(
    arguments: [
      "Carol", "\"", "\\", "a\\\"<sip:x@y>;z=1", "\u{e9} \u{1F600}", "a, b", "a\r\nX: y", "\0", "\u{7}\u{7f}", "%41",
      ">",
      String(repeating: "x", count: 2_000_000),
    ])
  func aNameIsReadBackAsItWasWritten(name: String) throws {
    var call = try ReferringCall()
    call.refer(to: .uri("sip:carol@10.0.0.3", name: name))
    guard let refer = call.bench.last("REFER") else {
      return #expect(call.states() == [.refused(status: nil)])
    }
    let referTo = try ReferTo(of: refer)
    #expect(referTo.displayName == name.replacing("\r\n", with: " "))
    #expect(referTo.target == "sip:carol@10.0.0.3")
    #expect(referTo.replaces == nil)
    #expect(refer.value(of: "X") == nil)
  }

  enum Unable: CaseIterable {
    case unknown, ringing, rung, calling, hungUp, over, accepting
  }

  /// A session in which no REFER can be sent, or whose other side has nobody to be replaced.
  private func unable(_ state: Unable, in call: inout ReferringCall) throws -> SessionID {
    let out = SessionID(.local, 7)
    switch state {
    case .unknown: return out
    case .calling, .ringing:
      call.bench.perform(.invite(out, target: "sip:carol@10.0.0.3", callID: nil))
      if state == .ringing {
        call.bench.receive(try call.bench.response(180, to: try #require(call.bench.last("INVITE"))))
      }
      return out
    case .rung, .accepting:
      call.bench.receive(try call.bench.request(.invite, callID: "in@peer", body: UserAgentBench.offer))
      let id = SessionID(.remote, call.session.origin == .remote ? 2 : 1)
      call.bench.perform(state == .rung ? .ring(id) : .accept(id))
      return id
    case .hungUp, .over:
      let other = try call.addSession(7)
      call.bench.perform(.hangUp(other))
      if state == .over { call.bench.receive(try call.bench.response(200, to: try #require(call.bench.last("BYE")))) }
      return other
    }
  }

  @Test(arguments: Unable.allCases, Role.allCases) func noREFERLeavesASessionThatIsNotConfirmed(
    state: Unable, role: Role
  ) throws {
    var call = try ReferringCall(role)
    let id = try unable(state, in: &call)
    _ = call.news()
    call.bench.perform(.refer(id, ReferringCall.id(1), to: ReferringCall.target))
    #expect(call.states() == [.refused(status: nil)])
    #expect(call.news() == [])
    #expect(call.bench.agent.referralCount == 0)
  }

  @Test(arguments: Unable.allCases, Role.allCases) func nobodyIsReferredToASessionThatIsNotConfirmed(
    state: Unable, role: Role
  ) throws {
    var call = try ReferringCall(role)
    let id = try unable(state, in: &call)
    _ = call.news()
    call.refer(to: .session(id))
    #expect(call.states() == [.refused(status: nil)])
    #expect(call.news() == [])
  }

  @Test func nobodyIsReferredToItselfOrToWhatCannotBeNamed() throws {
    var call = try ReferringCall()
    call.refer(to: .session(call.session))
    #expect(call.states() == [.refused(status: nil)])
    // In Replaces its Call-ID would end at the semicolon.
    let other = try call.addSession(callID: "a;b@c")
    call.refer(2, to: .session(other))
    #expect(call.states(of: 2) == [.refused(status: nil)])
    let third = try call.addSession(3, contact: "<tel:+1>")
    call.refer(3, to: .session(third))
    #expect(call.states(of: 3) == [.refused(status: nil)])
    #expect(call.news() == [])
  }

  /// The owner has the names of its REFERs from one place.
  @Test func aNameThatIsInUseOrNotOursIsNoREFER() throws {
    var call = try ReferringCall()
    call.refer()
    call.refer()
    call.bench.perform(.refer(call.session, ReferralID(.remote, 1), to: ReferringCall.target))
    #expect(call.news() == ["REFER"])
    #expect(call.bench.drops.count == 2)
    // It has gone well before its response came.
    try call.notify(200, "terminated;reason=noresource")
    #expect(call.states() == [.accepted, .ended(status: 200)])
    call.refer()
    #expect(call.news() == ["200 NOTIFY"])
    try call.answer(202)
    call.refer()
    #expect(call.news() == ["REFER"])
    #expect(call.states() == [.accepted, .ended(status: 200)])
  }

  // MARK: The response

  @Test(arguments: [200, 202, 204, 299], Role.allCases) func everySuccessIsAcceptance(status: Int, role: Role) throws {
    var call = try ReferringCall(role)
    call.refer()
    try call.answer(100)
    #expect(call.states() == [])
    try call.answer(status)
    try call.answer(status)
    #expect(call.states() == [.accepted])
    #expect(call.bench.ends.isEmpty)
  }

  @Test(
    arguments: [300, 302, 400, 401, 403, 405, 420, 480, 486, 488, 489, 500, 501, 503, 600, 603, 699], Role.allCases)
  func aRefusalLeavesTheSession(status: Int, role: Role) throws {
    var call = try ReferringCall(role)
    call.refer()
    try call.answer(status)
    #expect(call.states() == [.refused(status: status)])
    #expect(call.bench.agent.referralCount == 0)
    call.bench.run(.seconds(100))
    #expect(call.states().count == 1)
    #expect(call.news() == ["REFER"])
    #expect(call.bench.ends.isEmpty)
    try call.call.receive(.bye)
    call.bench.runOut()
    #expect(call.bench.isEmpty)
  }

  /// RFC 3261 12.2.1.2, RFC 5057 5.1.
  @Test(
    arguments: [404, 408, 410, 416, 481, 482, 483, 484, 485, 502, 604, nil] as [Int?], [Transport.udp, .tcp])
  func suchAResponseOrNoneEndsTheSession(status: Int?, transport: Transport) throws {
    var call = try ReferringCall(.callee, over: transport)
    call.refer()
    if let status { try call.answer(status) } else { call.bench.run(.seconds(32)) }
    #expect(call.states() == [.refused(status: status)])
    #expect(call.bench.ends == [.failed])
    #expect(call.bench.names.last == "BYE")
    // The owner learns what became of the REFER first.
    #expect(call.bench.events.last == .referral(ReferringCall.id(1), .refused(status: status)))
    call.bench.runOut()
    #expect(call.states().count == 1)
    #expect(call.bench.ends == [.failed])
    #expect(call.bench.isEmpty)
  }

  @Test func aREFERThatGetsLostIsSentAgain() throws {
    var call = try ReferringCall()
    call.refer()
    call.bench.run(.milliseconds(2_000))
    #expect(call.bench.times(of: "REFER") == [0, 500, 1_500])
  }

  /// RFC 4488 4.
  @Test(arguments: [("false", true), ("FALSE;x=y", true), ("true", false), ("false, false", false)])
  func theOtherSideMayReportNothing(value: String, isSilent: Bool) throws {
    var call = try ReferringCall()
    call.refer()
    try call.answer(200, headers: [("Refer-Sub", value)])
    #expect(call.states() == (isSilent ? [.accepted, .unknown] : [.accepted]))
    #expect(call.bench.agent.referralCount == (isSilent ? 0 : 1))
    try call.notify(200, "terminated")
    #expect(call.states().last == (isSilent ? .unknown : .ended(status: 200)))
    #expect(call.news() == ["REFER", isSilent ? "481 NOTIFY" : "200 NOTIFY"])
  }

  @Test func a2xxRefreshesTheTarget() throws {
    var call = try ReferringCall()
    call.refer()
    let refer = try #require(call.bench.last("REFER"))
    let response = try call.bench.response(202, to: refer)
    call.bench.receive(
      try SIPMessage(
        response.startLine,
        headers: response.headers.map { $0.name == "Contact" ? ("Contact", "<sip:moved@10.0.0.7:5070>") : $0 }))
    call.bench.perform(.hangUp(call.session))
    #expect(call.bench.last("BYE")?.startLine == .request(.bye, uri: "sip:moved@10.0.0.7:5070"))
  }

  /// Whatever has become of the session, the response to the REFER still says what becomes of that.
  @Test(arguments: [202, 481, 603, nil] as [Int?], [true, false])
  func theResponseCountsAfterTheSession(status: Int?, hangsUp: Bool) throws {
    var call = try ReferringCall()
    call.refer()
    if hangsUp {
      call.bench.perform(.hangUp(call.session))
      try call.call.answer("BYE", 200)
    } else {
      try call.call.receive(.bye)
    }
    let ends = call.bench.ends
    #expect(ends == [hangsUp ? .local : .remoteBye])
    if let status { try call.answer(status) }
    call.bench.runOut()
    #expect(call.states() == (status == 202 ? [.accepted, .unknown] : [.refused(status: status)]))
    #expect(call.bench.ends == ends)
    #expect(call.bench.isEmpty)
  }
}
