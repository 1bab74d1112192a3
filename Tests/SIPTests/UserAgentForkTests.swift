import Instant
import Testing

@testable import SIP

/// INVITEs of ours that a proxy has forked (RFC 3261 12.1, 13.2.2.4, 16.7).
@Suite struct UserAgentForkTests {
  private let session = SessionID(.local, 1)

  /// A call for which A rings and B has early media.
  private func forked(callID: String? = nil) throws -> (UserAgentBench, SIPMessage) {
    var bench = UserAgentBench(policy: UserAgentPolicy(replacesAuthorisation: .anyone))
    bench.perform(.invite(session, target: "sip:peer@10.0.0.2", callID: callID))
    let invite = try #require(bench.last("INVITE"))
    bench.receive(try answer(&bench, invite, 180, "a"))
    bench.receive(try answer(&bench, invite, 183, "b", body: UserAgentBench.offer))
    return (bench, invite)
  }

  /// A response of a fork, which is reached at an address of its own.
  private func answer(
    _ bench: inout UserAgentBench, _ invite: SIPMessage, _ status: Int, _ fork: String, body: String? = nil
  ) throws -> SIPMessage {
    let full = try bench.response(status, to: invite, tag: fork, body: body)
    return try SIPMessage(
      full.startLine,
      headers: full.headers.map { $0.name == "Contact" ? ($0.name, "<sip:\(fork)@10.0.1.1>") : ($0.name, $0.value) },
      body: Array(full.body))
  }

  /// Has somebody call us in the place of an early or confirmed dialog with a fork.
  private func replace(_ fork: String, _ number: Int, in bench: inout UserAgentBench) throws {
    let invite = try #require(bench.last("INVITE"))
    bench.receive(
      try bench.request(
        .invite, callID: "third\(number)",
        headers: [
          ("From", "<sip:carol@example.com>;tag=carol\(number)"),
          ("Replaces", "\(invite.callID);to-tag=\(invite.fromTag ?? "");from-tag=\(fork)"),
        ], body: UserAgentBench.offer))
  }

  private func replaced(_ bench: UserAgentBench) -> [SessionID?] {
    bench.events.compactMap { if case .invited(_, let invitation) = $0 { .some(invitation.replaces) } else { nil } }
  }

  @Test(arguments: ["a", "b", "c"]) func whoeverAnswersFirstHasTheCall(winner: String) throws {
    var (bench, invite) = try forked()
    #expect(
      bench.events.dropFirst() == [
        .provisional(session, status: 180, hasSession: false), .provisional(session, status: 183, hasSession: true),
      ])
    let success = try answer(&bench, invite, 200, winner, body: UserAgentBench.offer)
    bench.receive(success)
    #expect(bench.events.suffix(2) == [.answered(session), .negotiated(session, SessionMedia())])
    #expect(bench.names == ["INVITE", "ACK"])
    #expect(bench.last("ACK")?.toTag == winner)
    #expect(bench.last("ACK")?.startLine == .request(.ack, uri: "sip:\(winner)@10.0.1.1"))
    let events = bench.events
    // What the others say now means nothing, and whoever of them answers is thanked and hung up.
    for other in ["a", "b", "c", "d"] where other != winner {
      bench.receive(try answer(&bench, invite, 180, other))
      let late = try answer(&bench, invite, 200, other, body: UserAgentBench.offer)
      let place = bench.sent.count
      bench.receive(late)
      bench.receive(late)
      bench.receive(success)
      #expect(bench.names[place...] == ["ACK", "BYE", "ACK", "ACK"])
      #expect(bench.sent[place...].map(\.message.toTag) == [other, other, other, winner])
      #expect(bench.sent[place...].map(\.message.sequence?.number) == [1, 2, 1, 1])
      #expect(bench.last("BYE")?.startLine == .request(.bye, uri: "sip:\(other)@10.0.1.1"))
    }
    #expect(bench.events == events)
    // The call goes on with the one that has it.
    bench.perform(.setHold(session, true))
    #expect(bench.last("INVITE")?.toTag == winner)
    #expect(bench.last("INVITE")?.sequence?.number == 2)
    bench.receive(
      try bench.response(200, to: try #require(bench.last("INVITE")), body: ConfirmedCall.description("recvonly")))
    bench.perform(.hangUp(session))
    #expect(bench.last("BYE")?.toTag == winner)
    bench.receive(try bench.response(200, to: try #require(bench.last("BYE"))))
    #expect(bench.ends == [.local])
    bench.runOut()
    #expect(bench.ends == [.local])
    #expect(bench.isEmpty)
  }

  /// A BYE of a fork that has lost ends nothing.
  @Test func onlyWhoHasTheCallEndsIt() throws {
    var (bench, invite) = try forked(callID: "K1")
    for fork in ["b", "a"] {
      bench.receive(try answer(&bench, invite, 200, fork, body: UserAgentBench.offer))
    }
    for (fork, status) in [("a", 481), ("b", 200)] {
      bench.receive(
        try bench.request(
          .bye, callID: "K1", toTag: invite.fromTag, headers: [("From", "<sip:peer@example.com>;tag=\(fork)")]))
      #expect(bench.names.last == "\(status) BYE")
    }
    #expect(bench.ends == [.remoteBye])
  }

  /// An answer of the one that has the call which cannot be used ends it, though another one has rung.
  @Test func anUnusableAnswerEndsTheCall() throws {
    var (bench, invite) = try forked()
    bench.receive(try answer(&bench, invite, 200, "a"))
    #expect(bench.ends == [.failed])
    #expect(bench.last("BYE")?.toTag == "a")
    let place = bench.sent.count
    bench.receive(try answer(&bench, invite, 200, "b", body: UserAgentBench.offer))
    #expect(bench.names[place...] == ["ACK", "BYE"])
    bench.runOut()
    #expect(bench.ends == [.failed])
    #expect(bench.isEmpty)
  }

  @Test(arguments: [["a"], ["b"], ["c"], ["b", "a", "c"]]) func answersThatCrossTheCANCELAreEnded(forks: [String])
    throws
  {
    var (bench, invite) = try forked()
    bench.perform(.hangUp(session))
    #expect(bench.names == ["INVITE", "CANCEL"])
    for fork in forks {
      let place = bench.sent.count
      bench.receive(try answer(&bench, invite, 200, fork, body: UserAgentBench.offer))
      #expect(bench.names[place...] == ["ACK", "BYE"])
      #expect(bench.sent[place...].allSatisfy { $0.message.toTag == fork })
    }
    bench.receive(try bench.response(200, to: try #require(bench.sent.first { $0.name == "BYE" }?.message)))
    #expect(bench.ends == [.local])
    #expect(!bench.events.contains(.answered(session)))
    bench.runOut()
    #expect(bench.ends == [.local])
    #expect(bench.isEmpty)
  }

  @Test func aRefusalEndsEveryEarlyDialog() throws {
    var (bench, invite) = try forked()
    bench.receive(try answer(&bench, invite, 486, "a"))
    #expect(bench.ends == [.rejected(status: 486)])
    for (number, fork) in ["a", "b"].enumerated() {
      try replace(fork, number, in: &bench)
      #expect(bench.names.last == "603 INVITE")
    }
    bench.runOut()
    #expect(bench.isEmpty)
  }

  // MARK: Replaces

  @Test func everyEarlyDialogCanBeReplaced() throws {
    var (bench, invite) = try forked()
    for (number, fork) in ["a", "b"].enumerated() { try replace(fork, number, in: &bench) }
    #expect(replaced(bench) == [session, session])
    try replace("c", 2, in: &bench)
    #expect(bench.names.last == "481 INVITE")
    bench.receive(try answer(&bench, invite, 180, "c"))
    try replace("c", 3, in: &bench)
    #expect(replaced(bench) == [session, session, session])
  }

  @Test(arguments: ["a", "b", "c"]) func afterTheAnswerOnlyItsDialogCanBeReplaced(winner: String) throws {
    var (bench, invite) = try forked()
    bench.receive(try answer(&bench, invite, 200, winner, body: UserAgentBench.offer))
    for (number, fork) in ["a", "b"].enumerated() where fork != winner {
      try replace(fork, number, in: &bench)
      #expect(bench.names.last == "603 INVITE")
    }
    bench.receive(try answer(&bench, invite, 200, "late", body: UserAgentBench.offer))
    try replace("late", 7, in: &bench)
    #expect(bench.names.last == "603 INVITE")
    try replace(winner, 8, in: &bench)
    #expect(replaced(bench) == [session])
  }
}
