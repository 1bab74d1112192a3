import Instant
import SIP
import Testing
import Timeline

@testable import VirtualWorld

/// What a peer learns from messages whose tags are those of none of its dialogs: nothing.
@Suite struct PeerDialogTests {
  private static let methods = ["BYE", "INFO", "re-INVITE", "NOTIFY", "OPTIONS", "REFER", "UPDATE"]

  /// A call of alice and bob, who answers by himself what the script does not.
  private func established() throws -> PeerLoop {
    var loop = PeerLoop(automatic: ["bob"])
    try loop.establish()
    return loop
  }

  @Test(arguments: methods) func aRequestWithAnUnknownTagTeachesNothing(method: String) throws {
    var loop = try established()
    let before = loop.peers["bob"]?.dialogs
    try loop.send(
      "alice", .request(method: method),
      headers: [("To", "<sip:bob@example.com>;tag=nobody"), ("Refer-To", "<sip:carol@10.0.0.3>")])
    loop.run(for: .seconds(1))
    #expect(loop.flow.contains("bob 481 \(method == "re-INVITE" ? "INVITE" : method)"))
    #expect(loop.peers["bob"]?.dialogs == before)
  }

  @Test(arguments: methods) func neitherDoesOneThatIsSentUnderAnUnknownTag(method: String) throws {
    var loop = try established()
    let before = try #require(loop.peers["bob"]?.dialogs)
    let sequence = before[before.main("c1@example.com")]?.localSequence
    try loop.send(
      "bob", .request(method: method),
      headers: [("From", "<sip:bob@example.com>;tag=nobody"), ("Refer-To", "<sip:carol@10.0.0.3>")])
    let sent = try #require(loop.messages.last)
    #expect(sent.fromTag == "nobody" && sent.sequence?.number == (sequence ?? 0) + 1)
    loop.run(for: .milliseconds(10))
    try loop.send("alice", .response(status: 481))
    loop.run(for: .seconds(1))
    #expect(loop.peers["bob"]?.dialogs == before)
    // The next one under the tag of the call has the number that was not used.
    try loop.send("bob", .request(method: "INFO"))
    #expect(loop.messages.last?.sequence?.number == (sequence ?? 0) + 1)
  }

  @Test func anACKWithAnUnknownTagAcknowledgesNothing() throws {
    var loop = PeerLoop()
    try loop.send("alice", .request(method: "INVITE"), session: .offer)
    loop.run(for: .milliseconds(10))
    try loop.send("bob", .response(status: 200), session: .answer)
    loop.run(for: .milliseconds(10))
    try loop.send("alice", .request(method: "ACK"), headers: [("To", "<sip:bob@example.com>;tag=nobody")])
    loop.run(for: .milliseconds(10))
    #expect(loop.drops == ["an ACK that belongs to no dialog"])
    #expect(loop.peers["bob"]?.unacknowledged.count == 1)
  }

  @Test func anINVITEUnderAnotherTagBeginsAnotherDialog() throws {
    var loop = PeerLoop()
    for tag in ["a", "b"] {
      try loop.send(
        "alice", .request(method: "INVITE"), session: .offer,
        headers: [("From", "<sip:alice@example.com>;tag=\(tag)")])
    }
    let dialogs = try #require(loop.peers["alice"]?.dialogs)
    #expect(dialogs.count == 2)
    for tag in ["a", "b"] { #expect(dialogs[dialogs.named("c1@example.com", tag)]?.sentInvite?.message.fromTag == tag) }
    #expect(dialogs.named("c1@example.com", "c") == nil)
  }

  /// What is known of a dialog is gone with it, and is not written into another one.
  @Test func whatHasEndedStaysEnded() throws {
    var dialogs = PeerDialogs()
    let first = dialogs.begin(PeerDialog(callID: "x"))
    let second = dialogs.begin(PeerDialog(callID: "x"))
    dialogs[second]?.isConfirmed = true
    #expect(dialogs.main("x") == second)
    _ = dialogs.end(first)
    var stale = PeerDialog(callID: "x")
    stale.localSequence = 9
    dialogs[first] = stale
    #expect(dialogs[first] == nil && dialogs.count == 1 && dialogs[second]?.localSequence == 0)
    dialogs[nil] = stale
    #expect(dialogs.count == 1)
    _ = dialogs.end(second)
    #expect(dialogs.isEmpty)
  }
}
