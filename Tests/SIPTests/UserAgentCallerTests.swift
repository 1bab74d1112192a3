import Instant
import Testing

@testable import SIP

/// Sessions that the owner begins.
@Suite struct UserAgentCallerTests {
  private let session = SessionID(.local, 1)

  private func calling() throws -> (UserAgentBench, SIPMessage) {
    var bench = UserAgentBench()
    bench.perform(.invite(session, target: "sip:peer@10.0.0.2", callID: nil))
    return (bench, try #require(bench.last("INVITE")))
  }

  private func confirmed() throws -> (UserAgentBench, SIPMessage) {
    var (bench, invite) = try calling()
    bench.receive(try bench.response(200, to: invite, body: UserAgentBench.offer))
    return (bench, invite)
  }

  private func answer(_ bench: inout UserAgentBench, _ name: String, _ status: Int) throws {
    bench.receive(try bench.response(status, to: try #require(bench.last(name))))
  }

  @Test func aCallIsAnsweredAndHungUp() throws {
    var (bench, invite) = try calling()
    for (status, body) in [(100, nil), (180, nil), (183, UserAgentBench.offer)] as [(Int, String?)] {
      bench.receive(try bench.response(status, to: invite, tag: status == 100 ? nil : "peer", body: body))
    }
    bench.receive(try bench.response(200, to: invite, body: UserAgentBench.offer))
    #expect(
      bench.events == [
        .inviteSent(session, callID: invite.callID), .provisional(session, status: 100, hasSession: false),
        .provisional(session, status: 180, hasSession: false), .provisional(session, status: 183, hasSession: true),
        .answered(session), .negotiated(session, SessionMedia()),
      ])
    #expect(bench.names == ["INVITE", "ACK"])
    let ack = try #require(bench.last("ACK"))
    #expect(ack.toTag == "peer")
    #expect(ack.sequence?.number == invite.sequence?.number)
    #expect(ack.topVia?.branch != invite.topVia?.branch)
    bench.perform(.hangUp(session))
    let bye = try #require(bench.last("BYE"))
    #expect(bye.sequence?.number == 2)
    try answer(&bench, "BYE", 200)
    #expect(bench.ends == [.local])
    bench.runOut()
    #expect(bench.isEmpty)
  }

  @Test func theCalleeHangsUp() throws {
    var (bench, invite) = try confirmed()
    bench.receive(
      try bench.request(.bye, callID: invite.callID, toTag: invite.fromTag))
    #expect(bench.names == ["INVITE", "ACK", "200 BYE"])
    #expect(bench.ends == [.remoteBye])
    bench.runOut()
    #expect(bench.isEmpty)
  }

  @Test func everyRepeated2xxDrawsTheSameACK() throws {
    var (bench, invite) = try confirmed()
    let success = try bench.response(200, to: invite, body: UserAgentBench.offer)
    bench.run(.seconds(1))
    bench.receive(success)
    #expect(bench.names == ["INVITE", "ACK", "ACK"])
    #expect(bench.sent[1].message == bench.sent[2].message)
    bench.perform(.hangUp(session))
    bench.receive(success)
    try answer(&bench, "BYE", 200)
    bench.receive(success)
    #expect(bench.names == ["INVITE", "ACK", "ACK", "BYE", "ACK", "ACK"])
    #expect(bench.events.count { $0 == .answered(session) } == 1)
    bench.runOut()
    #expect(bench.isEmpty)
  }

  @Test func aSecondForkIsAcknowledgedAndEnded() throws {
    var (bench, invite) = try confirmed()
    let fork = try bench.response(200, to: invite, tag: "fork", body: UserAgentBench.offer)
    bench.receive(fork)
    #expect(bench.names == ["INVITE", "ACK", "ACK", "BYE"])
    #expect(bench.sent.suffix(2).allSatisfy { $0.message.toTag == "fork" })
    bench.receive(fork)
    #expect(bench.names.last == "ACK")
    try answer(&bench, "BYE", 200)
    #expect(bench.ends.isEmpty)
    bench.perform(.hangUp(session))
    try answer(&bench, "BYE", 200)
    bench.runOut()
    #expect(bench.ends == [.local])
    #expect(bench.isEmpty)
  }

  @Test func aForkThatAnswersAfterTheEndIsEndedToo() throws {
    var (bench, invite) = try confirmed()
    bench.perform(.hangUp(session))
    try answer(&bench, "BYE", 200)
    bench.receive(try bench.response(200, to: invite, tag: "fork", body: UserAgentBench.offer))
    #expect(bench.names.suffix(2) == ["ACK", "BYE"])
    #expect(bench.ends == [.local])
    bench.runOut()
    #expect(bench.isEmpty)
  }

  @Test func a2xxWithoutTagMakesADialogWithAnEmptyOne() throws {
    var (bench, invite) = try calling()
    bench.receive(try bench.response(200, to: invite, tag: nil, body: UserAgentBench.offer))
    #expect(bench.names == ["INVITE", "ACK"])
    #expect(bench.events.contains(.answered(session)))
    #expect(bench.last("ACK")?.toTag == nil)
    bench.perform(.hangUp(session))
    try answer(&bench, "BYE", 200)
    bench.runOut()
    #expect(bench.isEmpty)
  }

  @Test(arguments: [300, 404, 486, 503, 603]) func aRefusalIsAcknowledgedEachTime(status: Int) throws {
    var (bench, invite) = try calling()
    let refusal = try bench.response(status, to: invite)
    bench.receive(refusal)
    bench.receive(refusal)
    #expect(bench.names == ["INVITE", "ACK", "ACK"])
    #expect(bench.last("ACK")?.topVia?.branch == invite.topVia?.branch)
    #expect(bench.ends == [.rejected(status: status)])
    #expect(bench.sent[1].message == bench.sent[2].message)
    bench.runOut()
    #expect(bench.isEmpty)
  }

  @Test func withoutAnyResponseTheCallTimesOut() throws {
    var (bench, _) = try calling()
    bench.runOut()
    #expect(bench.times(of: "INVITE") == [0, 500, 1_500, 3_500, 7_500, 15_500, 31_500])
    #expect(bench.ends == [.timedOut])
    #expect(bench.isEmpty)
  }

  @Test func anAnswerThatCannotBeUsedEndsTheCall() throws {
    for body in [nil, "m=audio 0 RTP/AVP 0\r\n"] as [String?] {
      var (bench, invite) = try calling()
      bench.receive(try bench.response(200, to: invite, body: body))
      #expect(bench.names == ["INVITE", "ACK", "BYE"])
      #expect(bench.drops == ["the answer is missing or cannot be used"])
      bench.runOut()
      #expect(bench.ends == [.failed])
      #expect(bench.isEmpty)
    }
  }

  @Test func aTargetThatCannotBeReachedFails() {
    var bench = UserAgentBench()
    bench.perform(.invite(session, target: "tel:+1555", callID: nil))
    #expect(bench.drops == ["the INVITE leads nowhere or cannot be written"])
    #expect(bench.ends == [.failed])
    #expect(bench.isEmpty)
  }

  // MARK: Hanging up before the answer

  @Test func cancelWaitsForAProvisional() throws {
    var (bench, invite) = try calling()
    bench.perform(.hangUp(session))
    bench.perform(.hangUp(session))
    #expect(bench.names == ["INVITE"])
    bench.receive(try bench.response(180, to: invite))
    #expect(bench.names == ["INVITE", "CANCEL"])
    let cancel = try #require(bench.last("CANCEL"))
    #expect(cancel.value(of: "Via") == invite.value(of: "Via"))
    #expect(cancel.toTag == nil)
    try answer(&bench, "CANCEL", 200)
    #expect(bench.ends.isEmpty)
    bench.receive(try bench.response(487, to: invite))
    #expect(bench.names == ["INVITE", "CANCEL", "ACK"])
    #expect(bench.ends == [.local])
    bench.runOut()
    #expect(bench.isEmpty)
  }

  @Test func withoutAProvisionalThereIsNoCancel() throws {
    var (bench, _) = try calling()
    bench.perform(.hangUp(session))
    bench.runOut()
    #expect(Set(bench.names) == ["INVITE"])
    #expect(bench.ends == [.local])
    #expect(bench.isEmpty)
  }

  @Test(arguments: [false, true]) func a200ThatCrossesTheHangUpIsAcknowledgedAndEnded(hasCancelled: Bool) throws {
    var (bench, invite) = try calling()
    if hasCancelled { bench.receive(try bench.response(180, to: invite)) }
    bench.perform(.hangUp(session))
    bench.receive(try bench.response(200, to: invite, body: UserAgentBench.offer))
    #expect(bench.names == (hasCancelled ? ["INVITE", "CANCEL", "ACK", "BYE"] : ["INVITE", "ACK", "BYE"]))
    try answer(&bench, "BYE", 200)
    #expect(bench.ends == [.local])
    #expect(!bench.events.contains(.answered(session)))
    bench.runOut()
    #expect(bench.isEmpty)
  }

  @Test(arguments: [nil, 200, 481] as [Int?]) func withoutAFinalResponseACancelledCallEndsAfter32Seconds(
    status: Int?
  ) throws {
    var (bench, invite) = try calling()
    bench.receive(try bench.response(180, to: invite))
    bench.run(.seconds(10))
    bench.perform(.hangUp(session))
    if let status { try answer(&bench, "CANCEL", status) }
    bench.run(.milliseconds(31_999))
    #expect(bench.ends.isEmpty)
    bench.run(.milliseconds(1))
    #expect(bench.ends == [.local])
    bench.runOut()
    #expect(bench.isEmpty)
    bench.receive(try bench.response(200, to: invite, body: UserAgentBench.offer))
    #expect(bench.names.last != "ACK")
  }

  @Test func anUnansweredByeIsRepeatedAndGivenUp() throws {
    var (bench, _) = try confirmed()
    bench.perform(.hangUp(session))
    bench.runOut()
    #expect(
      bench.times(of: "BYE") == [
        0, 500, 1_500, 3_500, 7_500, 11_500, 15_500, 19_500, 23_500, 27_500, 31_500,
      ])
    #expect(bench.ends == [.local])
    #expect(bench.isEmpty)
  }

  @Test func crossingByesEndTheSessionOnce() throws {
    var (bench, invite) = try confirmed()
    bench.perform(.hangUp(session))
    bench.receive(try bench.request(.bye, callID: invite.callID, toTag: invite.fromTag))
    #expect(bench.names == ["INVITE", "ACK", "BYE", "200 BYE"])
    #expect(bench.ends.isEmpty)
    bench.runOut()
    #expect(bench.ends == [.local])
    #expect(bench.isEmpty)
  }

  @Test func responsesForSomeoneElseAreDropped() throws {
    var (bench, invite) = try calling()
    let via = invite.value(of: "Via") ?? ""
    bench.receive(try bench.response(200, to: invite, headers: [("Via", via)], body: UserAgentBench.offer))
    bench.receive(try bench.response(200, to: invite, headers: [("Max-Forwards", "x")], body: UserAgentBench.offer))
    #expect(bench.names == ["INVITE"])
    #expect(bench.drops.count == 2)
  }

  @Test func commandsThatMeanNothingAreDropped() throws {
    var (bench, _) = try confirmed()
    let events = bench.events
    for command in [
      UserAgentCommand.ring(session), .accept(session), .reject(session, status: 486),
      .invite(session, target: "sip:a@b", callID: nil), .hangUp(SessionID(.remote, 9)),
    ] { bench.perform(command) }
    #expect(bench.drops.count == 5)
    #expect(bench.names == ["INVITE", "ACK"])
    #expect(bench.events == events)
  }
}
