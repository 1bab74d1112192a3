import Instant
import Testing

@testable import SIP

/// Redirects to our INVITE (RFC 3261 8.1.3.4).
@Suite struct UserAgentRedirectTests {
  private let session = SessionID(.local, 1)

  private func calling(
    _ target: String = "sip:peer@10.0.0.2", transport: Transport = .udp, policy: UserAgentPolicy = UserAgentPolicy()
  ) throws -> UserAgentBench {
    var bench = UserAgentBench(transport: transport, policy: policy)
    bench.perform(.invite(session, target: target, callID: nil))
    _ = try #require(bench.last("INVITE"))
    return bench
  }

  /// Lets the target that was tried last answer.
  private func answer(
    _ bench: inout UserAgentBench, _ status: Int, _ contacts: [String] = [], tag: String? = "peer", body: String? = nil
  ) throws {
    let invite = try #require(bench.last("INVITE"))
    let full = try bench.response(status, to: invite, tag: tag, body: body)
    var headers = full.headers.filter { $0.name != "Contact" || contacts.isEmpty && status < 300 }
    headers += contacts.map { ("Contact", $0) }
    bench.receive(try SIPMessage(full.startLine, headers: headers, body: Array(full.body)))
  }

  private func targets(_ bench: UserAgentBench) -> [String] {
    var seen: Set<String> = []
    return bench.sent.filter { $0.name == "INVITE" && seen.insert($0.message.topVia?.branch ?? "").inserted }
      .compactMap { if case .request(_, let uri) = $0.message.startLine { uri } else { nil } }
  }

  private func told(_ bench: UserAgentBench) -> [String] {
    bench.events.compactMap { if case .redirected(_, let target) = $0 { target } else { nil } }
  }

  @Test(arguments: [Transport.udp, .tcp]) func theINVITEGoesToTheNewTarget(transport: Transport) throws {
    var bench = try calling(transport: transport)
    let first = try #require(bench.last("INVITE"))
    try answer(&bench, 180, tag: "early")
    try answer(&bench, 302, ["<sip:carol@10.0.0.3>"], tag: "moved")
    #expect(bench.names == ["INVITE", "ACK", "INVITE"])
    #expect(told(bench) == ["sip:carol@10.0.0.3"])
    let second = try #require(bench.last("INVITE"))
    #expect(second.startLine == .request(.invite, uri: "sip:carol@10.0.0.3"))
    for name in ["From", "To", "Call-ID", "Contact"] { #expect(second.value(of: name) == first.value(of: name)) }
    #expect(second.toTag == nil)
    #expect((first.sequence?.number, second.sequence?.number) == (1, 2))
    #expect(second.topVia?.branch != first.topVia?.branch)
    #expect(second.body == first.body)
    #expect(
      bench.sent.last?.transmission.destination == Endpoint(host: "10.0.0.3", port: 5060, transport: transport))
    // The ACK to the 302 is the first INVITE's.
    #expect(bench.last("ACK")?.topVia?.branch == first.topVia?.branch)
    try answer(&bench, 180, tag: "carol")
    try answer(&bench, 200, tag: "carol", body: UserAgentBench.offer)
    #expect(bench.last("ACK")?.sequence?.number == 2)
    #expect(bench.last("ACK")?.toTag == "carol")
    #expect(bench.events.filter { $0 == .answered(session) }.count == 1)
    #expect(bench.events.count { if case .inviteSent = $0 { true } else { false } } == 1)
    // The dialog goes on from the number of the INVITE that was answered.
    bench.perform(.setHold(session, true))
    #expect(bench.last("INVITE")?.sequence?.number == 3)
    bench.perform(.hangUp(session))
    #expect(bench.last("BYE")?.sequence?.number == 4)
    bench.runOut()
    #expect(bench.ends == [.local])
    #expect(bench.isEmpty)
  }

  /// 305 and 380 are refusals; an unknown 3xx counts as 300.
  @Test(arguments: [(300, true), (301, true), (302, true), (305, false), (380, false), (399, true)])
  func whichRedirectsAreFollowed(status: Int, isFollowed: Bool) throws {
    var bench = try calling()
    try answer(&bench, status, ["<sip:carol@10.0.0.3>"])
    #expect(told(bench) == (isFollowed ? ["sip:carol@10.0.0.3"] : []))
    #expect(bench.ends == (isFollowed ? [] : [.rejected(status: status)]))
    if isFollowed { try answer(&bench, 486) }
    bench.runOut()
    #expect(bench.ends == [.rejected(status: isFollowed ? 486 : status)])
    #expect(bench.isEmpty)
  }

  @Test func theSettingTurnsItOff() throws {
    var bench = try calling(policy: UserAgentPolicy(followsRedirects: false))
    try answer(&bench, 302, ["<sip:carol@10.0.0.3>"])
    #expect(bench.ends == [.rejected(status: 302)])
    #expect(bench.names == ["INVITE", "ACK"])
  }

  struct Contacts: Sendable {
    var values: [String]
    /// The user parts in order of the attempts.
    var order: [String]
  }

  @Test(arguments: [
    Contacts(values: ["<sip:a@h>", "<sip:b@h>"], order: ["a", "b"]),
    Contacts(values: ["<sip:a@h>, <sip:b@h>;q=1.000", "sip:c@h"], order: ["a", "b", "c"]),
    Contacts(values: ["<sip:a@h>;q=0.1, <sip:b@h>;q=0.9", "<sip:c@h>;q=0.5"], order: ["b", "c", "a"]),
    Contacts(values: ["<sip:a@h>;q=0, <sip:b@h>;q=0.001, <sip:c@h>;Q=0.01"], order: ["c", "b", "a"]),
    Contacts(values: ["\"x, <y>\" <sip:a@h;lr>;q=0.5, \"z\" <sip:b@h>;q=0.5"], order: ["a", "b"]),
    // A q that cannot be read counts as none.
    Contacts(values: ["<sip:a@h>;q=0.9, <sip:b@h>;q=2, <sip:c@h>;q=x, <sip:d@h>;q"], order: ["b", "c", "d", "a"]),
    Contacts(values: ["<sip:a@h>;q=0.9, <sip:b@h>;q=0.1234, <sip:c@h>;q=1.5"], order: ["b", "c", "a"]),
    // Once is enough, and the first target was tried.
    Contacts(values: ["<sip:a@h>, <sip:a@H>, <sip:%61@h;x=1>, <sip:peer@10.0.0.2>"], order: ["a"]),
    Contacts(values: ["<sip:a@h>, <sip:A@h>, <sip:a@h:5060>, <sip:a@h;transport=tcp>"], order: ["a", "A", "a", "a"]),
    // Nothing to send an INVITE to.
    Contacts(values: ["*"], order: []), Contacts(values: [], order: []),
    Contacts(values: ["<tel:+1555>", "<http://h/>, <mailto:a@h>", "<sip:a@h:99999>"], order: []),
    Contacts(values: ["<sip:a%25@h;x=y>, <tel:+1>;q=1, <sip:b@h>;q=0.5"], order: ["a%25", "b"]),
    Contacts(
      values: ["<sip:a@h;method=BYE>, <sip:b@h;method=INVITE?Subject=x>, <sip:c@h?Route=x>"], order: ["b", "c"]),
  ]) func targetsAreTriedInOrder(row: Contacts) throws {
    var bench = try calling()
    try answer(&bench, 302, row.values)
    while bench.ends.isEmpty { try answer(&bench, 404) }
    let users = targets(bench).dropFirst().compactMap { SIPURI($0)?.user }
    #expect(users == row.order)
    #expect(told(bench) == Array(targets(bench).dropFirst()))
    #expect(targets(bench).allSatisfy { !$0.contains("?") && !$0.contains("method") })
    #expect(bench.ends == [.rejected(status: row.order.isEmpty ? 302 : 404)])
    bench.runOut()
    #expect(bench.isEmpty)
  }

  /// A response that cannot be read is dropped as a whole, so that its transaction waits on.
  @Test(arguments: ["<sip:>", "<sip:a@h", "\"a <sip:a@h>"]) func aRedirectThatCannotBeReadIsDropped(text: String) throws
  {
    var bench = try calling()
    try answer(&bench, 302, [text, "<sip:b@h>"])
    #expect(bench.names == ["INVITE"])
    #expect(bench.drops.count == 1)
    bench.runOut()
    #expect(bench.ends == [.timedOut])
    #expect(bench.isEmpty)
  }

  @Test func aSecureCallStaysSecure() throws {
    var bench = try calling("sips:peer@10.0.0.2", transport: .tls)
    try answer(&bench, 302, ["<sip:carol@10.0.0.3>, <sips:dave@10.0.0.4>"])
    #expect(told(bench) == ["sips:dave@10.0.0.4"])
  }

  @Test(arguments: [600, 603, 606]) func a6xxEndsTheSearch(status: Int) throws {
    var bench = try calling()
    try answer(&bench, 302, ["<sip:a@h>, <sip:b@h>"])
    try answer(&bench, status)
    #expect(targets(bench).count == 2)
    #expect(bench.ends == [.rejected(status: status)])
  }

  @Test func redirectsInARingEnd() throws {
    var bench = try calling()
    try answer(&bench, 302, ["<sip:a@h>"])
    try answer(&bench, 301, ["<sip:b@h>"])
    try answer(&bench, 302, ["<sip:peer@10.0.0.2>, <sip:a@h>"])
    #expect(targets(bench).count == 3)
    #expect(bench.ends == [.rejected(status: 302)])
    bench.runOut()
    #expect(bench.isEmpty)
  }

  @Test func aChainThatGrowsEndsAtTheLimit() throws {
    var bench = try calling()
    var number = 0
    while bench.ends.isEmpty {
      number += 1
      try answer(&bench, 302, (0..<100).map { "<sip:u\(number)x\($0)@h>" })
    }
    #expect(targets(bench).count == TargetSet.limit)
    #expect(Set(targets(bench)).count == TargetSet.limit)
    #expect(bench.sent.filter { $0.name == "INVITE" }.map { $0.message.sequence?.number } == Array(1...8))
    #expect(bench.ends == [.rejected(status: 302)])
  }

  @Test func aTargetThatDoesNotAnswerIsPassed() throws {
    var bench = try calling()
    try answer(&bench, 302, ["<sip:a@h>, <sip:b@h>"])
    bench.run(.seconds(33))
    #expect(targets(bench).last == "sip:b@h")
    #expect(bench.ends.isEmpty)
    bench.runOut()
    #expect(bench.ends == [.timedOut])
    #expect(bench.isEmpty)
  }

  // MARK: Crossing

  enum Moment: CaseIterable { case called, rang, redirected, newRang }

  @Test(arguments: [Transport.udp, .tcp], Moment.allCases)
  func hangingUpWorksAtEveryMoment(transport: Transport, moment: Moment) throws {
    var bench = try calling(transport: transport)
    func step(_ reached: Moment, _ bench: inout UserAgentBench) {
      if reached == moment { bench.perform(.hangUp(session)) }
    }
    step(.called, &bench)
    try answer(&bench, 180, tag: "early")
    step(.rang, &bench)
    try answer(&bench, 302, ["<sip:carol@10.0.0.3>"])
    step(.redirected, &bench)
    let isRedirected = moment == .redirected || moment == .newRang
    #expect(targets(bench).count == (isRedirected ? 2 : 1))
    if isRedirected {
      #expect(!bench.names.contains("CANCEL"))
      try answer(&bench, 180, tag: "carol")
      step(.newRang, &bench)
      #expect(bench.last("CANCEL")?.sequence?.number == 2)
      #expect(bench.last("CANCEL")?.topVia?.branch == bench.last("INVITE")?.topVia?.branch)
      // A redirect after CANCEL is not followed.
      try answer(&bench, 302, ["<sip:dave@10.0.0.4>"])
    }
    #expect(targets(bench).count == (isRedirected ? 2 : 1))
    #expect(bench.ends == [.local])
    bench.runOut()
    #expect(bench.ends == [.local])
    #expect(bench.isEmpty)
  }

  @Test func the302ThatComesAgainIsAcknowledgedOnly() throws {
    var bench = try calling()
    let refusal = try bench.response(302, to: try #require(bench.last("INVITE")), headers: [])
    bench.receive(refusal)
    bench.receive(refusal)
    // It names the first target itself.
    #expect(bench.names == ["INVITE", "ACK", "ACK"])
    #expect(bench.ends == [.rejected(status: 302)])
    var other = try calling()
    let first = try #require(other.last("INVITE"))
    let moved = try SIPMessage(
      .response(status: 302, reason: "R"),
      headers: try other.response(302, to: first).headers.filter { $0.name != "Contact" }
        + [("Contact", "<sip:carol@10.0.0.3>")])
    for _ in 1...3 { other.receive(moved) }
    #expect(other.names == ["INVITE", "ACK", "INVITE", "ACK", "ACK"])
    #expect(told(other).count == 1)
  }

  /// A proxy may forward a 2xx of a fork after the 302 of another one.
  @Test(arguments: [false, true]) func aLate2xxOfAnEarlierTargetIsAcknowledgedAndEnded(isAnswered: Bool) throws {
    var bench = try calling()
    let first = try #require(bench.last("INVITE"))
    try answer(&bench, 302, ["<sip:carol@10.0.0.3>"])
    if isAnswered { try answer(&bench, 200, tag: "carol", body: UserAgentBench.offer) }
    let place = bench.sent.count
    let late = try bench.response(200, to: first, tag: "late", body: UserAgentBench.offer)
    bench.receive(late)
    bench.receive(late)
    #expect(bench.names[place...] == ["ACK", "BYE", "ACK"])
    #expect(bench.sent[place...].allSatisfy { $0.message.toTag == "late" })
    #expect(bench.sent[place...].map { $0.message.sequence?.number } == [1, 2, 1])
    #expect(bench.ends.isEmpty)
    if !isAnswered { try answer(&bench, 200, tag: "carol", body: UserAgentBench.offer) }
    #expect(bench.events.contains(.answered(session)))
    bench.perform(.hangUp(session))
    #expect(bench.last("BYE")?.toTag == "carol")
    bench.runOut()
    #expect(bench.ends == [.local])
    #expect(bench.isEmpty)
  }

  @Test func aWishToHoldLivesThroughARedirect() throws {
    var bench = try calling()
    bench.perform(.setHold(session, true))
    try answer(&bench, 302, ["<sip:carol@10.0.0.3>"])
    try answer(&bench, 200, tag: "carol", body: UserAgentBench.offer)
    #expect(bench.names == ["INVITE", "ACK", "INVITE", "ACK", "INVITE"])
    #expect(bench.last("INVITE")?.sessionDescription?.audioDirection == .sendonly)
  }

  @Test func aReINVITEIsNotRedirected() throws {
    var call = try ConfirmedCall(.caller)
    call.bench.perform(.setHold(call.session, true))
    try call.answer("INVITE", 302, headers: [("Contact", "<sip:carol@10.0.0.3>")])
    #expect(call.bench.events.last == .holdRefused(call.session))
    #expect(call.news() == ["INVITE", "ACK"])
  }
}
