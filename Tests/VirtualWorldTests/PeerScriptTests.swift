import Instant
import SIP
import SimulationKernel
import Testing
import Timeline

@testable import VirtualWorld

/// What the script may say to a peer: changed templates, raw bytes, and what is refused.
@Suite struct PeerScriptTests {
  @Test func headersAreReplacedAddedAndLeftOut() throws {
    var loop = PeerLoop()
    try loop.send(
      "alice", .request(method: "INVITE"), session: .offer,
      headers: [
        ("f", "\"Alice\" <sip:a@example.com>"), ("P-Asserted-Identity", "<sip:x@y>"), ("max-forwards", "7"),
        ("P-Asserted-Identity", "<tel:+1>"),
      ],
      omitted: ["m", "ALLOW"])
    let invite = try #require(loop.message("INVITE"))
    #expect(invite.from?.displayName == "Alice" && invite.from?.uri == "sip:a@example.com")
    #expect(invite.fromTag == "alice-1")
    #expect(invite.values(of: "From").count == 1)
    #expect(invite.values(of: "Max-Forwards") == ["7"])
    #expect(invite.values(of: "P-Asserted-Identity") == ["<sip:x@y>", "<tel:+1>"])
    #expect(invite.contacts.isEmpty && invite.value(of: "Allow") == nil)
  }

  @Test func theCallIDOfTheLineGoesBeforeThatOfTheCall() throws {
    var loop = PeerLoop()
    try loop.send("alice", .request(method: "INVITE"), overriding: "other@example.com")
    #expect(loop.message("INVITE")?.callID == "other@example.com")
  }

  @Test func anOverwrittenFieldCannotAddAnother() throws {
    var loop = PeerLoop()
    try loop.send("alice", .request(method: "INVITE"), headers: [("Subject", "x\r\nContact: <sip:evil@x>")])
    #expect(loop.message("INVITE")?.contacts.count == 1)
  }

  @Test func aTemplateWithoutItsViaGoesOutWithoutATransaction() throws {
    var loop = PeerLoop()
    try loop.send("alice", .request(method: "INVITE"), omitted: ["Via"])
    loop.run(for: .seconds(60))
    #expect(loop.flow == ["alice INVITE raw"])
    #expect(loop.drops.count == 1)
  }

  @Test func aLabelAloneSaysWhichCallIsMeant() throws {
    var loop = PeerLoop()
    for callID in ["a", "b"] {
      try loop.send("alice", .request(method: "INVITE"), session: .offer, callID: callID)
      loop.run(for: .milliseconds(10))
      try loop.send("bob", .response(status: 200), .message(#require(loop.number("INVITE"))), session: .answer)
      loop.run(for: .milliseconds(10))
    }
    let number = try #require(loop.number("bob 200 INVITE"))
    try loop.send("alice", .request(method: "ACK"), .message(number), callID: nil)
    #expect(loop.message("alice ACK")?.callID == "b")
    #expect(throws: StimulusRefusal.self) {
      try loop.send("alice", .request(method: "ACK"), .message(99), callID: nil)
    }
    try loop.send("alice", .request(method: "INVITE"), session: .offer, callID: "c")
    try loop.send("alice", .request(method: "CANCEL"), .message(99), callID: nil)
    #expect(loop.message("alice CANCEL")?.callID == "c")
  }

  // MARK: - Raw

  private static func rawInvite(_ branch: String = "z9hG4bKraw1") -> [UInt8] {
    Array(
      """
      INVITE sip:bob@10.0.0.2 SIP/2.0\r
      Via: SIP/2.0/UDP 10.0.0.1:5060;branch=\(branch)\r
      Max-Forwards: 70\r
      From: "A" <sip:alice@example.com>;tag=raw\r
      To: <sip:bob@example.com>\r
      Call-ID: c1@example.com\r
      CSeq: 41 INVITE\r
      Contact: <sip:raw@10.0.0.1:5060>\r
      Content-Length: 0\r
      \r

      """.utf8)
  }

  @Test func aRawInviteBeginsATransactionThatNeverRepeatsIt() throws {
    var loop = PeerLoop()
    try loop.send("alice", .raw(Self.rawInvite()))
    loop.run(for: .seconds(20))
    #expect(loop.log == ["0.000 alice INVITE raw"])
    try loop.send("bob", .response(status: 486))
    loop.run(for: .seconds(1))
    #expect(loop.flow == ["alice INVITE raw", "bob 486 INVITE", "alice ACK"])
  }

  @Test func templatesGoOnWithADialogThatRawTextBegan() throws {
    var loop = PeerLoop()
    try loop.send("alice", .raw(Self.rawInvite()))
    loop.run(for: .milliseconds(20))
    try loop.send("bob", .response(status: 200), session: .offer)
    loop.run(for: .milliseconds(20))
    try loop.send("alice", .request(method: "ACK"), session: .answer)
    loop.run(for: .milliseconds(20))
    try loop.send("alice", .request(method: "BYE"))
    loop.run(for: .milliseconds(20))
    let bye = try #require(loop.message("BYE"))
    #expect(bye.fromTag == "raw" && bye.sequence?.number == 42)
    #expect(bye.from?.displayName == "A")
    #expect(loop.message("ACK")?.sequence?.number == 41)
    #expect(!loop.log.contains { $0.hasSuffix("again") })
  }

  @Test func aRawResponseAnswersButIsNotRepeated() throws {
    var loop = PeerLoop()
    try loop.send("alice", .request(method: "INVITE"), session: .offer)
    loop.run(for: .milliseconds(10))
    let invite = try #require(loop.message("INVITE"))
    let response = try SIPMessage(
      .response(status: 200, reason: "Raw"),
      headers: ["Via", "From", "Call-ID", "CSeq"].map { ($0, invite.value(of: $0) ?? "") } + [
        ("To", "<sip:bob@example.com>;tag=rawtag"), ("Contact", "<sip:rawbob@10.0.0.2>"),
      ])
    loop.lost = [1]
    try loop.send("bob", .raw(response.bytes))
    loop.run(for: .seconds(3))
    #expect(!loop.flow.dropFirst(2).contains { $0.hasPrefix("bob") })
    try loop.send("bob", .request(method: "BYE"))
    #expect(loop.message("bob BYE")?.fromTag == "rawtag")
    #expect(throws: StimulusRefusal("bob has no unanswered request of the call c1")) {
      try loop.send("bob", .response(status: 200))
    }
  }

  @Test func aRawAcknowledgementStopsTheRepetition() throws {
    var loop = PeerLoop(automatic: ["alice"])
    try loop.send("alice", .request(method: "INVITE"), session: .offer)
    loop.run(for: .milliseconds(10))
    try loop.send("bob", .response(status: 200), session: .answer)
    loop.run(for: .milliseconds(9))
    loop.run(for: .seconds(3))
    let acknowledgement = try #require(loop.message("ACK"))
    #expect(loop.flow == ["alice INVITE", "bob 200 INVITE", "alice ACK"])
    try loop.send("alice", .raw(acknowledgement.bytes))
    #expect(loop.flow.last == "alice ACK raw")
    loop.run(for: .seconds(3))
    #expect(loop.flow.count == 4)
  }

  @Test(arguments: ["", "\r\n\r\n", "nonsense", "INVITE sip:x SIP/2.0\r\n\r\n", "INVITE x SIP/2.0\r\nVia: \r\n\r\n"])
  func malformedBytesGoOutAndBeginNothing(text: String) throws {
    var loop = PeerLoop()
    try loop.send("alice", .raw(Array(text.utf8)))
    #expect(loop.peers["alice"]?.isBlank ?? false)
    #expect(loop.log.count == 1)
    loop.run(for: .seconds(60))
    #expect(!loop.log.dropFirst().contains { $0.contains("alice") })
  }

  // MARK: - Refusals

  @Test(arguments: [
    (PeerMessage.Content.response(status: 200), PeerMessage.Subject.call("c1"), "no unanswered request of the call c1"),
    (.response(status: 200), .message(99), "has not received this request"),
    (.response(status: 200), .none, "name its label or its call"),
    (.response(status: 99), .call("c1"), "no status"),
    (.response(status: 700), .call("c1"), "no status"),
    (.request(method: "BYE"), .call("c1"), "no dialog"),
    (.request(method: "ACK"), .call("c1"), "sent no INVITE"),
    (.request(method: "CANCEL"), .call("c1"), "could cancel"),
    (.request(method: "re-INVITE"), .call("c1"), "no confirmed dialog"),
    (.request(method: "IN VITE"), .call("c1"), "cannot write"),
    (.request(method: ""), .call("c1"), "cannot write"),
  ])
  func whatCannotBeSentIsRefused(content: PeerMessage.Content, subject: PeerMessage.Subject, why: String) {
    var loop = PeerLoop()
    let before = loop.peers["alice"]
    let sentence = refusal(&loop, content, subject)
    #expect(sentence?.contains(why) ?? false)
    #expect(loop.peers["alice"] == before)
    #expect(loop.isIdle)
  }

  @Test func aRequestIsAnsweredFinallyOnce() throws {
    var loop = PeerLoop()
    try loop.send("bob", .request(method: "INVITE"), session: .offer)
    loop.run(for: .milliseconds(10))
    let number = try #require(loop.number("INVITE"))
    try loop.send("alice", .response(status: 486), .message(number))
    let sentence = refusal(&loop, .response(status: 200), .message(number))
    #expect(sentence == "alice has answered this request finally already")
  }

  @Test func anAnswerNeedsAnOfferThatAllowsIt() throws {
    var loop = PeerLoop()
    try loop.send("bob", .request(method: "INVITE"))
    loop.run(for: .milliseconds(10))
    #expect(throws: StimulusRefusal.self) {
      try loop.send("alice", .response(status: 200), session: .answer)
    }
    loop = PeerLoop()
    try loop.send(
      "bob", .request(method: "INVITE"), session: MessageFacts.Session(role: .offer, direction: "sendonly"))
    loop.run(for: .milliseconds(10))
    #expect(throws: StimulusRefusal.self) {
      try loop.send("alice", .response(status: 200), session: .answer)
    }
    #expect(throws: StimulusRefusal.self) {
      try loop.send(
        "alice", .response(status: 200), session: MessageFacts.Session(role: .offer, direction: "sideways"))
    }
    try loop.send("alice", .response(status: 200), session: MessageFacts.Session(role: .answer, direction: "recvonly"))
    #expect(loop.flow.last == "alice 200 INVITE")
  }

  @Test func lengthsAreNotForTemplates() {
    var loop = PeerLoop()
    #expect(throws: StimulusRefusal.self) {
      try loop.send("alice", .request(method: "INVITE"), headers: [("l", "5")])
    }
    #expect(throws: StimulusRefusal.self) {
      try loop.send("alice", .request(method: "INVITE"), omitted: ["content-length"])
    }
    #expect(throws: StimulusRefusal.self) {
      try loop.send("alice", .request(method: "INVITE"), headers: [("a b", "5")])
    }
  }

  /// Whatever the script says in whatever order, a peer does it or refuses it.
  @Test(.timeLimit(.minutes(1)), arguments: 1...20) func anyOrderOfStimuliIsSurvived(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var loop = PeerLoop(automatic: seed.isMultiple(of: 3) ? ["bob"] : [], transport: seed % 5 == 0 ? .tcp : .udp)
    let methods = ["INVITE", "re-INVITE", "ACK", "CANCEL", "BYE", "OPTIONS", "UPDATE", "INFO", "REFER", "X"]
    let statuses = [100, 180, 183, 200, 202, 302, 401, 481, 486, 487, 603]
    let sessions: [MessageFacts.Session?] = [
      nil, nil, .offer, .answer, MessageFacts.Session(role: .offer, direction: "inactive"),
    ]
    var refused = 0
    for _ in 0..<120 {
      func pick<Value>(_ values: [Value]) -> Value { values[Int(generator.number(in: 0...Int64(values.count - 1)))] }
      let content: PeerMessage.Content =
        switch generator.number(in: 0...9) {
        case 0...4: .request(method: pick(methods))
        case 5...8: .response(status: pick(statuses))
        default: .raw(loop.messages.isEmpty ? Self.rawInvite() : pick(loop.messages).bytes)
        }
      let subject: PeerMessage.Subject =
        switch generator.number(in: 0...3) {
        case 0: .message(Int(generator.number(in: 1...Int64(loop.messages.count + 1))))
        case 1: .none
        default: .call("c1")
        }
      if generator.number(in: 0...5) == 0 { loop.lost.insert(loop.log.count) }
      if generator.number(in: 0...5) == 0 { loop.doubled.insert(loop.log.count) }
      do {
        try loop.send(pick(["alice", "bob"]), content, subject, session: pick(sessions))
      } catch {
        refused += 1
      }
      loop.run(for: .milliseconds(generator.number(in: 0...700)))
    }
    #expect(refused < 120)
    loop.runToTheEnd()
    #expect(loop.isIdle)
  }

  private func refusal(
    _ loop: inout PeerLoop, _ content: PeerMessage.Content, _ subject: PeerMessage.Subject
  ) -> String? {
    do {
      try loop.send("alice", content, subject)
      return nil
    } catch {
      return (error as? StimulusRefusal)?.why
    }
  }
}
