import Instant
import Testing

@testable import SIP

/// INVITEs that are to take the place of a session of ours at its other side (RFC 3891).
@Suite struct UserAgentReplacingTests {
  private let old = SessionID(.local, 1)
  private let new = SessionID(.local, 2)
  private static let policy = UserAgentPolicy(replacesAuthorisation: .anyone)

  /// What an INVITE says of replacing.
  private func replacing(_ invite: SIPMessage?) -> [String] {
    (invite?.values(of: "Require") ?? []) + (invite?.values(of: "Replaces") ?? [])
  }

  private func replace(_ session: SessionID, by new: SessionID, in bench: inout UserAgentBench) -> [String] {
    bench.perform(.invite(new, target: "sip:peer@10.0.0.2", callID: "new", replacing: session))
    #expect(bench.last("INVITE")?.callID == "new")
    return replacing(bench.last("INVITE"))
  }

  @Test(arguments: ConfirmedCall.Role.allCases) func aConfirmedSessionIsNamedAsTheOtherSideSeesIt(
    role: ConfirmedCall.Role
  ) throws {
    var call = try ConfirmedCall(role)
    let dialog = try #require(call.bench.agent.sessions[call.session]?.dialog?.id)
    let said = replace(call.session, by: new, in: &call.bench)
    #expect(said == ["replaces", "\(dialog.callID);to-tag=peer;from-tag=\(dialog.localTag)"])
    #expect(call.bench.ends.isEmpty)
    // The old session is as it was.
    try call.receive(.options)
    #expect(call.news().last == "200 OPTIONS")
  }

  struct Row: Sendable, CustomTestStringConvertible {
    /// The tags of provisional responses in order, and the final one.
    var rang: [String?] = []
    var answered: String??
    /// The tag that is named; `nil` if none is.
    var named: String?
    var testDescription: String { "\(rang) \(String(describing: answered))" }
  }

  @Test(arguments: [
    Row(), Row(rang: [nil]), Row(rang: ["a"], named: "a"), Row(rang: ["a", "b"], named: "b"),
    Row(rang: ["a", "b", "a"], named: "a"), Row(rang: ["a"], answered: "a", named: "a"),
    Row(rang: ["a", "b"], answered: "c", named: "c"), Row(rang: ["a"], answered: .some(nil), named: "0"),
  ]) func theOtherSidesTagIsNamed(row: Row) throws {
    var bench = UserAgentBench()
    bench.perform(.invite(old, target: "sip:peer@10.0.0.2", callID: "K1"))
    let invite = try #require(bench.last("INVITE"))
    bench.receive(try bench.response(100, to: invite, tag: "hop"))
    for tag in row.rang { bench.receive(try bench.response(180, to: invite, tag: tag)) }
    if let tag = row.answered {
      bench.receive(try bench.response(200, to: invite, tag: tag, body: UserAgentBench.offer))
    }
    let said = replace(old, by: new, in: &bench)
    #expect(said == (row.named.map { ["replaces", "K1;to-tag=\($0);from-tag=\(invite.fromTag ?? "")"] } ?? []))
    #expect(bench.ends.isEmpty)
  }

  enum NoMore: CaseIterable { case unknown, hungUp, cancelled, refused, bye, ringingHere }

  @Test(arguments: NoMore.allCases) func whatCannotBeReplacedIsNot(state: NoMore) throws {
    var bench = UserAgentBench()
    bench.perform(.invite(old, target: "sip:peer@10.0.0.2", callID: "K1"))
    let invite = try #require(bench.last("INVITE"))
    let body: String? = [.hungUp, .bye].contains(state) ? UserAgentBench.offer : nil
    bench.receive(try bench.response(body == nil ? 180 : 200, to: invite, body: body))
    var replaced = old
    switch state {
    case .unknown: replaced = SessionID(.local, 9)
    case .hungUp, .cancelled: bench.perform(.hangUp(old))
    case .refused: bench.receive(try bench.response(486, to: invite))
    case .bye: bench.receive(try bench.request(.bye, callID: "K1", toTag: invite.fromTag))
    case .ringingHere:
      bench.receive(try bench.request(.invite, body: UserAgentBench.offer))
      replaced = SessionID(.remote, 1)
      bench.perform(.ring(replaced))
    }
    #expect(replace(replaced, by: new, in: &bench) == [])
  }

  /// A 2xx of ours has confirmed the dialog for the other side as well.
  @Test func aSessionThatWeHaveAcceptedIsReplaced() throws {
    var bench = UserAgentBench()
    bench.receive(try bench.request(.invite, body: UserAgentBench.offer))
    bench.perform(.accept(SessionID(.remote, 1)))
    let tag = try #require(bench.last("200 INVITE")?.toTag)
    let said = replace(SessionID(.remote, 1), by: new, in: &bench)
    #expect(said == ["replaces", "call@peer;to-tag=peer;from-tag=\(tag)"])
  }

  /// A Call-ID that would be read as something else in Replaces is not written into it.
  @Test(arguments: ["a;to-tag=x", "a,b", "a b"]) func aCallIDThatReplacesCannotHoldIsNotNamed(callID: String) throws {
    var bench = UserAgentBench()
    bench.receive(try bench.request(.invite, callID: callID, body: UserAgentBench.offer))
    bench.perform(.accept(SessionID(.remote, 1)))
    #expect(replace(SessionID(.remote, 1), by: new, in: &bench) == [])
  }

  @Test func whatIsReplacedIsSaidToEveryTarget() throws {
    var call = try ConfirmedCall(.caller)
    call.bench.perform(
      .invite(new, target: "sip:peer@10.0.0.2", callID: "K1", fallbackCallID: "K2", replacing: call.session))
    let said = replacing(call.bench.last("INVITE"))
    #expect(said.count == 2)
    for (status, contact) in [(302, "<sip:b@10.0.0.2>"), (488, nil)] as [(Int, String?)] {
      let invite = try #require(call.bench.last("INVITE"))
      let headers = try call.bench.response(status, to: invite).headers.filter { $0.name != "Contact" }
      call.bench.receive(
        try SIPMessage(
          .response(status: status, reason: "R"), headers: headers + (contact.map { [("Contact", $0)] } ?? [])))
      #expect(call.bench.last("INVITE") != invite)
      #expect(replacing(call.bench.last("INVITE")) == said)
    }
    #expect(call.bench.last("INVITE")?.callID == "K2")
  }

  /// The other side, where it is an agent like this one, takes it for what it is.
  @Test(arguments: [true, false]) func theOtherSideFindsTheSession(isConfirmed: Bool) throws {
    var (here, there) = (UserAgentBench(name: "here"), UserAgentBench(name: "there", policy: Self.policy))
    /// Carries what was sent since then to the other one.
    func carry(_ from: UserAgentBench, _ place: inout Int, to other: inout UserAgentBench) {
      for sent in from.sent[place...] { other.receive(sent.message) }
      place = from.sent.count
    }
    var (out, back) = (0, 0)
    here.perform(.invite(old, target: "sip:peer@10.0.0.2", callID: "K1"))
    carry(here, &out, to: &there)
    there.perform(isConfirmed ? .accept(SessionID(.remote, 1)) : .ring(SessionID(.remote, 1)))
    carry(there, &back, to: &here)
    carry(here, &out, to: &there)
    here.perform(.invite(new, target: "sip:peer@10.0.0.2", callID: "K2", replacing: old))
    carry(here, &out, to: &there)
    let replaced = there.events.compactMap { if case .invited(_, let invitation) = $0 { invitation } else { nil } }
    if isConfirmed {
      #expect(replaced.map(\.replaces) == [nil, SessionID(.remote, 1)])
    } else {
      #expect(replaced.count == 1)
      #expect(there.names.last == "481 INVITE")
      carry(there, &back, to: &here)
      #expect(here.events.last == .ended(new, .rejected(status: 481)))
      #expect(here.agent.sessionCount == 2)
    }
  }
}
