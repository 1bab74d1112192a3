import CallEngine
import Instant
import SIP
import Testing
import Timeline

@testable import VirtualWorld

/// One INVITE that is answered under several To tags, as by the callees of a proxy that forks.
@Suite struct PeerForkTests {
  private func to(_ tag: String) -> [(name: String, value: String)] { [("To", "<sip:bob@example.com>;tag=\(tag)")] }

  private func invited() throws -> PeerLoop {
    var loop = PeerLoop()
    try loop.send("alice", .request(method: "INVITE"), session: .offer)
    loop.run(for: .milliseconds(10))
    return loop
  }

  private func answer(
    _ loop: inout PeerLoop, _ status: Int, _ tag: String, session: MessageFacts.Session? = nil
  ) throws {
    let invite = try #require(loop.number("alice INVITE"))
    try loop.send("bob", .response(status: status), .message(invite), session: session, headers: to(tag))
    loop.run(for: .milliseconds(10))
  }

  @Test(arguments: [["a", "b"], ["b", "a"]]) func theBranchThatAcceptsHasTheCall(ringing: [String]) throws {
    var loop = try invited()
    for tag in ringing { try answer(&loop, 180, tag) }
    try answer(&loop, 200, "b", session: .answer)
    try loop.send("alice", .request(method: "ACK"))
    #expect(loop.message("alice ACK")?.toTag == "b")
    loop.run(for: .seconds(40))
    #expect(loop.flow.last == "alice ACK")
    try loop.send("bob", .request(method: "BYE"))
    #expect(loop.message("bob BYE")?.fromTag == "b")
    loop.run(for: .milliseconds(10))
    try loop.send("alice", .response(status: 200))
    loop.run(for: .milliseconds(10))
    #expect(loop.isBlank)
  }

  @Test func aResponseWithoutATagHasThatOfTheOneBefore() throws {
    var loop = try invited()
    try answer(&loop, 180, "a")
    try loop.send("bob", .response(status: 200), session: .answer)
    #expect(loop.message("bob 200 INVITE")?.toTag == "a")
  }

  @Test func aRefusalEndsAllBranches() throws {
    var loop = try invited()
    for tag in ["a", "b"] { try answer(&loop, 180, tag) }
    try answer(&loop, 486, "c")
    loop.run(for: .seconds(40))
    #expect(loop.isBlank)
  }

  @Test func aCancelEndsAllBranches() throws {
    var loop = try invited()
    for tag in ["a", "b"] { try answer(&loop, 180, tag) }
    try loop.send("alice", .request(method: "CANCEL"))
    loop.run(for: .seconds(40))
    #expect(loop.message("bob 200 CANCEL")?.toTag == loop.message("bob 487 INVITE")?.toTag)
    #expect(loop.isBlank)
  }

  /// Both branches have accepted (RFC 3261 13.2.2.4): each 2xx is repeated until its own ACK comes.
  @Test func severalBranchesMayAccept() throws {
    var loop = try invited()
    try answer(&loop, 200, "a", session: .answer)
    let first = try #require(loop.number("bob 200 INVITE"))
    try answer(&loop, 200, "b", session: .answer)
    let second = try #require(loop.number("bob 200 INVITE"))
    #expect(first != second)
    try loop.send("alice", .request(method: "ACK"), .message(second))
    loop.run(for: .seconds(1))
    #expect(
      Set(loop.messages.filter { $0.method == .invite && $0.toTag != nil }.suffix(1).compactMap(\.toTag)) == ["a"])
    #expect(loop.peers["bob"]?.unacknowledged.count == 1)
    #expect(throws: StimulusRefusal.self) { try answer(&loop, 200, "a", session: .answer) }
    #expect(throws: StimulusRefusal.self) { try answer(&loop, 180, "c") }
    #expect(throws: StimulusRefusal.self) { try answer(&loop, 486, "c") }
  }

  @Test(arguments: ["a", "b"]) func aRequestNamesItsBranchByTheTag(tag: String) throws {
    var loop = try invited()
    for tag in ["a", "b"] { try answer(&loop, 200, tag, session: .answer) }
    try loop.send("bob", .request(method: "BYE"), headers: [("From", "<sip:bob@example.com>;tag=\(tag)")])
    #expect(loop.message("bob BYE")?.fromTag == tag)
    loop.run(for: .milliseconds(10))
    try loop.send("alice", .response(status: 200))
    loop.run(for: .milliseconds(10))
    let bob = try #require(loop.peers["bob"])
    #expect(bob.dialogs.count == 1 && bob.dialogs["c1@example.com"]?.localTag == (tag == "a" ? "b" : "a"))
  }

  @Test func theBytesOfTheScriptAreBranchesAsWell() throws {
    var loop = try invited()
    let invite = try #require(loop.message("alice INVITE"))
    for (tag, status) in [("a", 180), ("b", 200), ("c", 200)] {
      let response = try SIPMessage(
        .response(status: status, reason: "Raw"),
        headers: ["Via", "From", "Call-ID", "CSeq"].map { ($0, invite.value(of: $0) ?? "") }
          + to(tag) + [("Contact", "<sip:\(tag)@10.0.0.2>")])
      try loop.send("bob", .raw(response.bytes))
      loop.run(for: .milliseconds(10))
    }
    let bob = try #require(loop.peers["bob"])
    #expect(["b", "c"].allSatisfy { bob.dialogs.isUp("c1@example.com", localTag: $0) })
    #expect(!bob.dialogs.isUp("c1@example.com", localTag: "a"))
  }

  // MARK: - With a phone

  private func alice(_ content: PeerMessage.Content, _ subject: PeerMessage.Subject, tag: String? = nil) -> Stimulus {
    var session: MessageFacts.Session?
    if case .response(200) = content, tag != nil { session = .answer }
    return .message(
      PeerMessage(
        from: "alice", to: "phone", content: content, subject: subject, session: session,
        headers: tag.map { [("To", "<sip:alice@10.0.0.1:5060>;tag=\($0)")] } ?? []))
  }

  /// The phone takes the first branch that accepts, and hangs up on the second (RFC 3261 13.2.2.4).
  @Test func thePhoneKeepsOneOfTwo() throws {
    var simulation = Simulation(makeSetup(), coordinator: CallCoordinator())
    let dial = UserAct(.calls, call: "c1", argument: "sip:alice@10.0.0.1:5060")
    var records = try simulation.perform(.user([dial], inApp: true), line: nil)
    records += simulation.advance(to: .zero + .seconds(1))
    let invite = try #require(records.first { $0.sip?.message.summary == "INVITE" }?.sip?.message.id)
    for (status, tag) in [(180, "a"), (180, "b"), (200, "b"), (200, "a")] {
      records += try simulation.perform(alice(.response(status: status), .message(invite), tag: tag), line: nil)
      records += simulation.advance(to: simulation.now + .milliseconds(100))
    }
    func tags(_ method: String) -> [String] {
      records.compactMap { record in
        guard case .arrived? = record.sip?.phase, let message = record.sip?.message, message.method == method,
          message.status == nil, message.to == "alice"
        else { return nil }
        return message.toTag
      }
    }
    #expect(tags("ACK") == ["b", "a"])
    #expect(tags("BYE") == ["a"])
    let bye = try #require(records.last { $0.sip?.message.summary == "BYE" }?.sip?.message.id)
    records += try simulation.perform(alice(.response(status: 200), .message(bye)), line: nil)
    records += simulation.advance(to: simulation.now + .seconds(40))
    records += try simulation.perform(alice(.request(method: "BYE"), .call("c1")), line: nil)
    records += simulation.advance(to: simulation.now + .seconds(1))
    #expect(records.contains { $0.event == .state(old: "active", new: "ended", reason: "remote-ended") })
    #expect(simulation.world.peers.allSatisfy { $0.isBlank })
  }
}
