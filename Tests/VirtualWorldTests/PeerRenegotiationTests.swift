import Instant
import SIP
import Testing
import Timeline

@testable import VirtualWorld

/// A peer within a dialog: re-INVITE and INFO, by itself and by script.
@Suite struct PeerRenegotiationTests {
  /// Alice has called bob; both have automatic answers where they are named.
  private func established(automatic: Set<String> = []) throws -> PeerLoop {
    var loop = PeerLoop(automatic: automatic, answersAfter: .zero)
    try loop.send("alice", .request(method: "INVITE"), session: .offer)
    loop.run(for: .milliseconds(10))
    if !automatic.contains("bob") { try loop.send("bob", .response(status: 200), session: .answer) }
    loop.run(for: .milliseconds(10))
    if !automatic.contains("alice") { try loop.send("alice", .request(method: "ACK")) }
    loop.run(for: .milliseconds(980))
    return loop
  }

  private func session(_ role: MessageFacts.Session.Role, _ direction: String) -> MessageFacts.Session {
    MessageFacts.Session(role: role, direction: direction)
  }

  private func description(_ loop: PeerLoop, _ summary: String) throws -> SessionDescription {
    try #require(loop.message(summary).flatMap { SessionDescription(reading: $0.body) })
  }

  // MARK: By itself

  @Test(arguments: [
    ("sendrecv", SessionDescription.Direction.sendrecv), ("sendonly", .recvonly), ("recvonly", .sendonly),
    ("inactive", .inactive),
  ])
  func anAutomaticPeerAnswersAnOfferByItsDirection(offered: String, answered: SessionDescription.Direction) throws {
    var loop = try established(automatic: ["alice", "bob"])
    try loop.send("alice", .request(method: "re-INVITE"), session: session(.offer, offered))
    loop.runToTheEnd()
    #expect(loop.flow.suffix(3) == ["alice INVITE", "bob 200 INVITE", "alice ACK"])
    #expect(try description(loop, "bob 200 INVITE").audioDirection == answered)
  }

  @Test func anAutomaticPeerOffersWhereNothingIsOffered() throws {
    var loop = try established(automatic: ["alice", "bob"])
    try loop.send("alice", .request(method: "re-INVITE"))
    loop.runToTheEnd()
    #expect(try description(loop, "bob 200 INVITE").audioDirection == .sendrecv)
    #expect(try description(loop, "alice ACK").audioDirection == .sendrecv)
  }

  @Test func anAutomaticPeerRefusesAnOfferWithinADialogThatItHasForgotten() throws {
    var loop = try established(automatic: ["alice", "bob"])
    try loop.send("alice", .request(method: "re-INVITE"), session: session(.offer, "sendonly"))
    loop.run(for: .seconds(1))
    let offer = try #require(loop.message("alice INVITE"))
    try loop.send("bob", .request(method: "BYE"))
    loop.run(for: .seconds(1))
    // One like it has been on its way for longer than the BYE.
    let branch = try #require(offer.topVia?.branch)
    let text = String(decoding: offer.bytes, as: UTF8.self).replacing(branch, with: branch + "late")
    try loop.send("alice", .raw(Array(text.utf8)))
    loop.runToTheEnd()
    #expect(loop.flow.contains("bob 481 INVITE"))
    #expect(loop.peers["bob"]?.isBlank == true)
  }

  @Test func anAutomaticPeerTakesEveryInfo() throws {
    var loop = try established(automatic: ["bob"])
    for _ in 1...3 {
      try loop.send("alice", .request(method: "INFO"))
      loop.run(for: .seconds(1))
    }
    #expect(loop.flow.suffix(6) == Array(repeating: ["alice INFO", "bob 200 INFO"], count: 3).flatMap { $0 })
  }

  /// It is the script's decision whether and when an offer is made again.
  @Test func anAutomaticPeerDoesNotRepeatAnOfferThatWasRefused() throws {
    var loop = try established(automatic: ["alice"])
    try loop.send("alice", .request(method: "re-INVITE"), session: .offer)
    loop.run(for: .milliseconds(10))
    try loop.send("bob", .response(status: 491))
    loop.runToTheEnd()
    #expect(loop.flow.suffix(3) == ["alice INVITE", "bob 491 INVITE", "alice ACK"])
    #expect(loop.isIdle)
    // The dialog goes on.
    try loop.send("alice", .request(method: "BYE"))
  }

  // MARK: By script

  @Test(arguments: ["alice", "bob"]) func aReInviteBelongsToItsDialog(sender: String) throws {
    var loop = try established()
    let other = sender == "alice" ? "bob" : "alice"
    let before = try description(loop, sender == "alice" ? "alice INVITE" : "bob 200 INVITE")
    let own = try #require(loop.message(sender == "alice" ? "alice INVITE" : "bob 200 INVITE"))
    try loop.send(sender, .request(method: "re-INVITE"), session: session(.offer, "sendonly"))
    loop.run(for: .milliseconds(10))
    let invite = try #require(loop.message("\(sender) INVITE"))
    #expect(invite.startLine == .request(.invite, uri: "sip:\(other)@10.0.0.\(other == "bob" ? 2 : 1):5060"))
    #expect(invite.contacts.first?.uri == own.contacts.first?.uri)
    #expect(invite.fromTag == (sender == "alice" ? own.fromTag : own.toTag))
    #expect(invite.toTag == (sender == "alice" ? loop.message("bob 200 INVITE")?.toTag : own.fromTag))
    #expect(invite.sequence?.number == (sender == "alice" ? 2 : 1))
    let offer = try description(loop, "\(sender) INVITE")
    #expect(offer.audioDirection == .sendonly)
    #expect(offer.origin?.sessionID == before.origin?.sessionID)
    #expect(offer.origin?.version == "2")

    try loop.send(other, .response(status: 200), session: session(.answer, "recvonly"))
    loop.run(for: .milliseconds(10))
    try loop.send(sender, .request(method: "ACK"))
    loop.runToTheEnd()
    #expect(loop.isIdle)
    #expect(loop.flow.suffix(3) == ["\(sender) INVITE", "\(other) 200 INVITE", "\(sender) ACK"])
    let success = try #require(loop.message("\(other) 200 INVITE"))
    let acknowledgement = try #require(loop.message("\(sender) ACK"))
    // The tags stay those of the dialog.
    #expect(success.toTag == invite.toTag && success.fromTag == invite.fromTag)
    #expect(acknowledgement.toTag == invite.toTag && acknowledgement.fromTag == invite.fromTag)
    #expect(acknowledgement.sequence?.number == invite.sequence?.number)
    #expect(acknowledgement.topVia?.branch != invite.topVia?.branch)
    #expect(loop.messages.flatMap(\.findings) == [])
  }

  @Test func everyOfferAndAnswerThatDiffersHasAVersionOfItsOwn() throws {
    var loop = try established()
    var versions: [String?] = []
    for (offered, answered) in [("sendonly", "recvonly"), ("sendonly", "recvonly"), ("sendrecv", "sendrecv")] {
      try loop.send("alice", .request(method: "re-INVITE"), session: session(.offer, offered))
      loop.run(for: .milliseconds(10))
      try loop.send("bob", .response(status: 200), session: session(.answer, answered))
      loop.run(for: .milliseconds(10))
      try loop.send("alice", .request(method: "ACK"))
      loop.run(for: .seconds(1))
      versions.append(try description(loop, "alice INVITE").origin?.version)
      versions.append(try description(loop, "bob 200 INVITE").origin?.version)
    }
    #expect(versions == ["2", "2", "2", "2", "3", "3"])
  }

  @Test func theAcknowledgementOfAReInviteStopsItsRepetition() throws {
    var loop = try established()
    try loop.send("alice", .request(method: "re-INVITE"), session: session(.offer, "sendonly"))
    loop.run(for: .milliseconds(10))
    try loop.send("bob", .response(status: 200), session: session(.answer, "recvonly"))
    loop.run(for: .milliseconds(600))
    #expect(loop.flow.suffix(2) == ["bob 200 INVITE", "bob 200 INVITE again"])
    let number = try #require(loop.number("bob 200 INVITE"))
    try loop.send("alice", .request(method: "ACK"), .message(number))
    loop.runToTheEnd()
    #expect(loop.flow.filter { $0 == "alice ACK" }.count == 2)
    #expect(loop.flow.last == "alice ACK")
  }

  @Test(arguments: [200, 405, 481]) func anInfoIsAnsweredByScript(status: Int) throws {
    var loop = try established()
    try loop.send("alice", .request(method: "INFO"))
    loop.run(for: .milliseconds(10))
    try loop.send("bob", .response(status: status), .message(try #require(loop.number("alice INFO"))))
    loop.runToTheEnd()
    #expect(loop.flow.suffix(2) == ["alice INFO", "bob \(status) INFO"])
    let (info, response) = (loop.message("alice INFO"), loop.message("bob \(status) INFO"))
    #expect(info?.toTag == response?.toTag && info?.sequence?.number == 2)
  }

  @Test func aReInviteNeedsAConfirmedDialog() throws {
    var loop = PeerLoop()
    try loop.send("alice", .request(method: "INVITE"), session: .offer)
    loop.run(for: .milliseconds(10))
    try loop.send("bob", .response(status: 180))
    loop.run(for: .milliseconds(10))
    #expect(throws: StimulusRefusal.self) {
      try loop.send("alice", .request(method: "re-INVITE"), session: .offer)
    }
  }
}
