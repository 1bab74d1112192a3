import Instant
import Testing

@testable import SIP

/// The user agent as target of Replaces (RFC 3891 3).
@Suite struct UserAgentReplacesTests {
  private static let referrer = "<sip:peer@example.com>"
  private let old = SessionID(.local, 1)

  /// An INVITE of a third party.
  private static func invite(
    _ bench: inout UserAgentBench, replaces: [String], referredBy: String? = referrer, branch: String? = nil,
    method: SIP.Method = .invite, headers: [(name: String, value: String)] = []
  ) throws -> SIPMessage {
    try bench.request(
      method, callID: "carol@10.0.0.3", branch: branch,
      headers: [("From", "<sip:carol@example.com>;tag=carol"), ("Contact", "<sip:carol@10.0.0.3>")]
        + replaces.map { ("Replaces", $0) } + (referredBy.map { [("Referred-By", $0)] } ?? []) + headers,
      body: method == .invite ? UserAgentBench.offer : nil)
  }

  private func invitations(_ bench: UserAgentBench) -> [SessionInvitation] {
    bench.events.compactMap { if case .invited(_, let invitation) = $0 { invitation } else { nil } }
  }

  /// Our call to the peer, and the value that means its dialog.
  private func calling(
    _ answers: [Int], over transport: Transport = .udp, policy: UserAgentPolicy = UserAgentPolicy()
  ) throws -> (bench: UserAgentBench, invite: SIPMessage, value: String) {
    var bench = UserAgentBench(transport: transport, policy: policy)
    bench.perform(.invite(old, target: "sip:peer@example.com", callID: "K1"))
    let invite = try #require(bench.last("INVITE"))
    for status in answers {
      bench.receive(try bench.response(status, to: invite, body: status == 200 ? UserAgentBench.offer : nil))
    }
    return (bench, invite, "K1;to-tag=\(try #require(invite.fromTag));from-tag=peer")
  }

  /// The call goes on as if nothing had been.
  private func expectUntouched(_ bench: inout UserAgentBench, _ invite: SIPMessage) throws {
    #expect(bench.ends.isEmpty)
    bench.receive(try bench.request(.options, sequence: 7, callID: "K1", toTag: invite.fromTag))
    #expect(bench.names.last == "200 OPTIONS")
    bench.perform(.hangUp(old))
    #expect(bench.names.last == "BYE")
  }

  @Test(arguments: [Transport.udp, .tcp], [[180], [183], [200], [180, 200]])
  func aSessionIsReplaced(transport: Transport, answers: [Int]) throws {
    var (bench, _, value) = try calling(answers, over: transport)
    let carol = Endpoint(host: "10.0.0.3", port: 5060, transport: transport)
    bench.receive(try Self.invite(&bench, replaces: [value], headers: [("Require", "replaces")]), from: carol)
    #expect(
      invitations(bench) == [
        SessionInvitation(
          callID: "carol@10.0.0.3", remoteURI: "sip:carol@example.com", remoteName: nil, hasOffer: true,
          replaces: old, referredBy: "sip:peer@example.com")
      ])
    let new = SessionID(.remote, 1)
    let isConfirmed = answers.contains(200)
    bench.perform(.accept(new))
    #expect(bench.names.last == "200 INVITE")
    #expect(bench.ends.isEmpty)
    bench.perform(.hangUp(old))
    #expect(bench.names.last == (isConfirmed ? "BYE" : "CANCEL"))
    let tag = try #require(bench.last("200 INVITE")?.toTag)
    bench.receive(
      try bench.request(
        .ack, callID: "carol@10.0.0.3", toTag: tag, headers: [("From", "<sip:carol@example.com>;tag=carol")]),
      from: carol)
    #expect(bench.events.contains(.acknowledged(new)))
    bench.perform(.hangUp(new))
    bench.runOut()
    #expect(bench.ends.sorted { "\($0)" < "\($1)" } == [.local, .local])
    #expect(bench.isEmpty)
  }

  @Test(arguments: ConfirmedCall.Role.allCases) func eitherSideOfACallCanBeReplaced(role: ConfirmedCall.Role) throws {
    var call = try ConfirmedCall(role)
    let dialog = try #require(call.bench.agent.dialogs.keys.first)
    let remote = try #require(call.bench.agent.sessions[call.session]?.dialog?.remoteAddress.uri)
    let value = "\(dialog.callID);from-tag=\(dialog.remoteTag);to-tag=\(dialog.localTag)"
    call.bench.receive(try Self.invite(&call.bench, replaces: [value], referredBy: "<\(remote)>"))
    #expect(invitations(call.bench).last?.replaces == call.session)
  }

  struct Refusal: Sendable, CustomTestStringConvertible {
    var status: Int
    /// With `$to` for our tag.
    var values: [String] = ["K1;to-tag=$to;from-tag=peer"]
    var answers: [Int] = [200]
    var referredBy: String? = UserAgentReplacesTests.referrer
    var headers: [(name: String, value: String)] = []
    var testDescription: String { "\(status) \(values) \(answers) \(referredBy ?? "-")" }
  }

  @Test(arguments: [
    // What cannot be read, or says two things.
    Refusal(status: 400, values: ["K1;to-tag=$to;from-tag=peer", "K1;to-tag=$to;from-tag=peer"]),
    Refusal(status: 400, values: ["K1;to-tag=$to;from-tag=peer, K1;to-tag=$to;from-tag=peer"]),
    Refusal(status: 400, headers: [("Join", "K1;to-tag=x;from-tag=peer")]),
    Refusal(status: 400, values: [""]), Refusal(status: 400, values: ["K1"]),
    Refusal(status: 400, values: ["K1;to-tag=$to"]), Refusal(status: 400, values: ["K1;from-tag=peer"]),
    Refusal(status: 400, values: ["K1;to-tag=$to;to-tag=$to;from-tag=peer"]),
    // What means none of our dialogs.
    Refusal(status: 481, values: ["K1;to-tag=peer;from-tag=$to"]),
    Refusal(status: 481, values: ["K2;to-tag=$to;from-tag=peer"]),
    Refusal(status: 481, values: ["K1;to-tag=$to;from-tag=other"]),
    Refusal(status: 481, values: ["K1;to-tag=$to;from-tag=0"]), Refusal(status: 481, answers: []),
    Refusal(status: 481, answers: [100]),
    // Only what is early.
    Refusal(status: 486, values: ["K1;to-tag=$to;from-tag=peer;early-only"]),
    Refusal(status: 486, values: ["K1;Early-Only;to-tag=$to;x=y;from-tag=peer"]),
    // Who did not refer.
    Refusal(status: 403, referredBy: nil), Refusal(status: 403, referredBy: "<sip:carol@example.com>"),
    Refusal(status: 403, referredBy: "<sip:peer@example.com:5060>"), Refusal(status: 403, referredBy: "nonsense"),
    Refusal(status: 403, headers: [("Referred-By", UserAgentReplacesTests.referrer)]),
    Refusal(status: 403, referredBy: UserAgentReplacesTests.referrer + ", <sip:mallory@example.com>"),
    Refusal(status: 403, values: ["K1;to-tag=$to;from-tag=peer;early-only"], referredBy: nil),
    Refusal(status: 403, answers: [180], referredBy: nil),
  ]) func aRefusalLeavesTheSessionAsItIs(row: Refusal) throws {
    var (bench, invite, _) = try calling(row.answers)
    let events = bench.events
    let values = row.values.map { $0.split(separator: "$to", omittingEmptySubsequences: false) }
      .map { $0.joined(separator: invite.fromTag ?? "") }
    bench.receive(try Self.invite(&bench, replaces: values, referredBy: row.referredBy, headers: row.headers))
    #expect(bench.names.last == "\(row.status) INVITE")
    #expect(bench.events == events)
    #expect(bench.agent.sessionCount == 1)
    if row.answers == [200] { try expectUntouched(&bench, invite) } else { bench.perform(.hangUp(old)) }
    bench.runOut()
    #expect(bench.isEmpty)
  }

  @Test(arguments: [
    "K1;to-tag=$;from-tag=peer", "K1 ; from-tag = peer ; To-Tag = $", "K1;x;to-tag=$;from-tag=peer;y=\";\"",
  ])
  func theValueMayBeWrittenInManyWays(text: String) throws {
    var (bench, invite, _) = try calling([200])
    let value = text.split(separator: "$", omittingEmptySubsequences: false).joined(separator: invite.fromTag ?? "")
    bench.receive(try Self.invite(&bench, replaces: [value]))
    #expect(invitations(bench).last?.replaces == old)
  }

  @Test(arguments: [
    "<sip:peer@example.com>", "sip:peer@EXAMPLE.com", "\"P\" <sip:%70eer@example.com;x=1>;cid=\"20@h\"",
  ]) func theReferrerIsComparedAsAURI(text: String) throws {
    for name in ["Referred-By", "b"] {
      var (bench, _, value) = try calling([200])
      bench.receive(try Self.invite(&bench, replaces: [value], referredBy: nil, headers: [(name, text)]))
      #expect(invitations(bench).last?.replaces == old)
    }
  }

  /// Who is replaced may do it herself, from another place or after a restart (RFC 3891 3).
  @Test(
    arguments: [
      ("<sip:peer@example.com>", true), ("\"P\" <sip:%70eer@EXAMPLE.com>", true),
      ("<sip:peer@example.com:5060>", false),
      ("<sip:peer@example.org>", false), ("<sip:other@example.com>", false), ("<tel:+491234>", false),
    ], [[180], [200]]) func theOtherSideMayReplaceItself(from: (text: String, isAllowed: Bool), answers: [Int]) throws
  {
    for referredBy in [nil, "<sip:mallory@example.com>"] {
      var (bench, _, value) = try calling(answers)
      bench.receive(
        try bench.request(
          .invite, callID: "again",
          headers: [("From", "\(from.text);tag=anew"), ("Replaces", value)]
            + (referredBy.map { [("Referred-By", $0)] } ?? []), body: UserAgentBench.offer))
      #expect(invitations(bench).last?.replaces == (from.isAllowed ? old : nil))
      #expect((bench.names.last == "403 INVITE") == !from.isAllowed)
    }
  }

  /// Whom we are talking with is who called us, too; our own name is nobody's right.
  @Test(arguments: ConfirmedCall.Role.allCases, [true, false])
  func theOtherSideIsNotUs(role: ConfirmedCall.Role, isOther: Bool) throws {
    var call = try ConfirmedCall(role)
    let dialog = try #require(call.bench.agent.sessions[call.session]?.dialog)
    let from = isOther ? dialog.remoteAddress.uri : call.bench.agent.identity.addressOfRecord
    let value = "\(dialog.id.callID);from-tag=\(dialog.id.remoteTag);to-tag=\(dialog.id.localTag)"
    call.bench.receive(
      try call.bench.request(
        .invite, callID: "again", headers: [("From", "<\(from)>;tag=anew"), ("Replaces", value)],
        body: UserAgentBench.offer))
    #expect(invitations(call.bench).last?.replaces == (isOther ? call.session : nil))
  }

  @Test func whoeverMayReplaceIfThePolicySaysSo() throws {
    var (bench, _, value) = try calling([200], policy: UserAgentPolicy(replacesAuthorisation: .anyone))
    bench.receive(try Self.invite(&bench, replaces: [value], referredBy: nil))
    #expect(invitations(bench).last?.replaces == old)
  }

  @Test func anEarlyDialogThatWeAreCalledInIsNotReplaced() throws {
    var bench = UserAgentBench()
    bench.receive(try bench.request(.invite, body: UserAgentBench.offer))
    bench.perform(.ring(SessionID(.remote, 1)))
    let tag = try #require(bench.last("180 INVITE")?.toTag)
    bench.receive(try Self.invite(&bench, replaces: ["call@peer;to-tag=\(tag);from-tag=peer"]))
    #expect(bench.names.last == "481 INVITE")
    bench.perform(.accept(SessionID(.remote, 1)))
    #expect(bench.names.last == "200 INVITE")
    // The 2xx has confirmed the dialog for us; the ACK is still to come.
    let again = try bench.request(
      .invite, callID: "dave",
      headers: [
        ("From", "<sip:dave@example.com>;tag=dave"), ("Replaces", "call@peer;to-tag=\(tag);from-tag=peer"),
        ("Referred-By", Self.referrer),
      ], body: UserAgentBench.offer)
    bench.receive(again)
    #expect(invitations(bench).last?.replaces == SessionID(.remote, 1))
  }

  /// A tag of 0 also means none (RFC 3891 3), and two matches are none.
  @Test func aTagOfZeroMeansNoneToo() throws {
    for (tags, status) in [([nil], 0), (["0"], 0), ([nil, "0"], 481)] as [([String?], Int)] {
      var (bench, invite, _) = try calling([])
      for tag in tags { bench.receive(try bench.response(180, to: invite, tag: tag)) }
      bench.receive(try Self.invite(&bench, replaces: ["K1;to-tag=\(invite.fromTag ?? "");from-tag=0"]))
      if status == 0 {
        #expect(invitations(bench).last?.replaces == old)
      } else {
        #expect(bench.names.last == "481 INVITE")
      }
    }
  }

  @Test(arguments: [SIP.Method.bye, .options, .info, .cancel]) func inAnotherRequestItIsWrong(method: SIP.Method) throws
  {
    var (bench, invite, value) = try calling([200])
    bench.receive(
      try bench.request(method, sequence: 7, callID: "K1", toTag: invite.fromTag, headers: [("Replaces", value)]))
    #expect(bench.names.last == "400 \(method)")
    try expectUntouched(&bench, invite)
  }

  @Test func aReINVITEReplacesNothing() throws {
    var call = try ConfirmedCall(.callee)
    try call.receive(.invite, headers: [("Replaces", "x;to-tag=a;from-tag=b")], body: UserAgentBench.offer)
    #expect(call.news() == ["400 INVITE"])
    try call.receive(.invite, body: UserAgentBench.offer)
    #expect(call.news() == ["200 INVITE"])
  }

  // MARK: Dialogs that have ended

  enum End: CaseIterable { case bye, hungUp, closing, cancelled, refused, redirected, loserOfForks }

  @Test(arguments: End.allCases) func aDialogThatHasEndedIsDeclinedUntilItIsForgotten(end: End) throws {
    var (bench, invite, value) = try calling([.bye, .hungUp, .closing].contains(end) ? [200] : [180])
    switch end {
    case .bye: bench.receive(try bench.request(.bye, sequence: 7, callID: "K1", toTag: invite.fromTag))
    case .hungUp:
      bench.perform(.hangUp(old))
      bench.receive(try bench.response(200, to: try #require(bench.last("BYE"))))
    case .closing, .cancelled: bench.perform(.hangUp(old))
    case .refused: bench.receive(try bench.response(486, to: invite))
    case .redirected:
      let headers = try bench.response(302, to: invite).headers.filter { $0.name != "Contact" }
      bench.receive(
        try SIPMessage(
          .response(status: 302, reason: "R"), headers: headers + [("Contact", "<sip:dave@10.0.0.4>")]))
    case .loserOfForks: bench.receive(try bench.response(200, to: invite, tag: "winner", body: UserAgentBench.offer))
    }
    let invitation = try Self.invite(&bench, replaces: [value])
    bench.receive(invitation)
    #expect(bench.names.last == "603 INVITE")
    bench.run(.seconds(200))
    bench.receive(
      try bench.request(
        .invite, callID: "late",
        headers: [
          ("From", "<sip:carol@example.com>;tag=c2"), ("Replaces", value), ("Referred-By", Self.referrer),
        ], body: UserAgentBench.offer))
    #expect(bench.names.last == "481 INVITE")
    #expect(invitations(bench).isEmpty)
  }

  @Test func theMemoryLasts64TimesT1() throws {
    for (milliseconds, status) in [(31_999, "603 INVITE"), (32_000, "481 INVITE")] as [(Int64, String)] {
      var (bench, invite, value) = try calling([200])
      bench.receive(try bench.request(.bye, sequence: 7, callID: "K1", toTag: invite.fromTag))
      bench.run(.milliseconds(milliseconds))
      bench.receive(try Self.invite(&bench, replaces: [value]))
      #expect(bench.names.last == status)
    }
  }

  @Test func theMemoryIsBounded() throws {
    var (bench, invite, _) = try calling([])
    for number in 0..<200 { bench.receive(try bench.response(180, to: invite, tag: "t\(number)")) }
    bench.receive(try bench.response(486, to: invite))
    #expect(bench.agent.endedDialogs.count == EndedDialogs.limit)
    bench.runOut()
    #expect(bench.agent.endedDialogs.count == 0)
    #expect(bench.isEmpty)
  }

  // MARK: Crossing

  @Test func aCANCELOfTheNewINVITELeavesTheOldSession() throws {
    var (bench, invite, value) = try calling([200])
    bench.receive(try Self.invite(&bench, replaces: [value], branch: "z9hG4bKnew"))
    bench.receive(try bench.request(.cancel, callID: "carol@10.0.0.3", branch: "z9hG4bKnew"))
    #expect(bench.names.suffix(2) == ["200 CANCEL", "487 INVITE"])
    #expect(bench.ends == [.cancelled(reasonCause: nil)])
    bench.receive(try bench.request(.options, sequence: 7, callID: "K1", toTag: invite.fromTag))
    #expect(bench.names.last == "200 OPTIONS")
  }

  @Test func aBYEInTheOldSessionLeavesTheNewOne() throws {
    var (bench, invite, value) = try calling([200])
    bench.receive(try Self.invite(&bench, replaces: [value]))
    bench.receive(try bench.request(.bye, sequence: 7, callID: "K1", toTag: invite.fromTag))
    #expect(bench.ends == [.remoteBye])
    bench.perform(.accept(SessionID(.remote, 1)))
    #expect(bench.names.last == "200 INVITE")
  }

  @Test func theHoldIsKept() throws {
    var (bench, _, value) = try calling([200])
    bench.receive(try Self.invite(&bench, replaces: [value]))
    bench.perform(.setHold(SessionID(.remote, 1), true))
    bench.perform(.accept(SessionID(.remote, 1)))
    #expect(bench.last("200 INVITE")?.sessionDescription?.audioDirection == .sendonly)
    #expect(bench.agreements.last?.isHeldHere == true)
  }

  @Test func theAgentSaysThatItUnderstandsReplaces() throws {
    var (bench, invite, _) = try calling([200])
    #expect(invite.values(of: "Supported") == ["replaces"])
    bench.receive(try bench.request(.options, callID: "o"))
    #expect(bench.last("200 OPTIONS")?.values(of: "Supported") == ["replaces"])
    bench.receive(
      try bench.request(.invite, callID: "i", headers: [("Require", "Replaces")], body: UserAgentBench.offer))
    #expect(invitations(bench).last?.replaces == nil)
    bench.perform(.accept(SessionID(.remote, 1)))
    #expect(bench.last("200 INVITE")?.values(of: "Supported") == ["replaces"])
    bench.receive(
      try bench.request(
        .invite, callID: "j", headers: [("Require", "replaces, 100rel")], body: UserAgentBench.offer))
    #expect(bench.last("420 INVITE")?.values(of: "Unsupported") == ["100rel"])
  }
}
