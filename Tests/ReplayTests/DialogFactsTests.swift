import Instant
import Testing
import Timeline

@testable import Replay

/// What the messages of one Call-ID say of its dialog, where several branches answer and where it is used again.
@Suite struct DialogFactsTests {
  /// `> INVITE 1 a`: direction at the phone, method or status, number, and the tag of the other side; `*` for none. The
  /// phone's own tag is `p`. A session stands behind them: `offer sendrecv`.
  private func message(_ line: String, id: Int, method: String = "INVITE") -> MessageFacts {
    let words = line.split(separator: " ").map(String.init)
    let isSent = words[0] == ">"
    let status = Int(words[1].prefix { $0 != "/" })
    let remote = words[3] == "*" ? nil : words[3]
    let phoneIsRequester = isSent == (status == nil)
    var message = MessageFacts(
      id: id, from: isSent ? "phone" : "alice", to: isSent ? "alice" : "phone",
      method: status == nil ? words[1] : words[1].split(separator: "/").dropFirst().first.map(String.init) ?? method,
      status: status, callID: "k", sequence: Int(words[2]) ?? 0)
    message.fromTag = phoneIsRequester ? "p" : remote
    message.toTag = phoneIsRequester ? remote : words.contains("new") ? nil : "p"
    if let role = words.compactMap(MessageFacts.Session.Role.init).first, let direction = words.last {
      message.session = .init(role: role, direction: direction)
    }
    return message
  }

  private func facts(_ lines: [String]) -> DialogFacts {
    var facts = DialogFacts()
    for (place, line) in lines.enumerated() { facts.take(message(line, id: place + 1), phone: "phone") }
    return facts
  }

  private static let ringing = [
    "> INVITE 1 * offer sendrecv", "< 180 1 desk", "< 180 1 cell", "< 183 1 desk answer sendonly",
  ]
  private static let answered = ringing + ["< 200 1 cell answer sendrecv", "> ACK 1 cell"]

  @Test func beforeTheAnswerTheLastBranchIsKnown() {
    #expect((2...4).map { facts(Array(Self.ringing.prefix($0))).remoteTag } == ["desk", "cell", "desk"])
    #expect(facts(Self.ringing).stage == .early)
    #expect(facts(Self.ringing).media.direction == nil)
  }

  /// Whatever comes from or goes to another branch (RFC 3261 13.2.2.4).
  @Test(arguments: [
    [], ["< 180 1 desk"], ["< 183 1 third answer inactive"], ["< 200 1 desk answer inactive"],
    ["< 200 1 desk answer inactive", "> ACK 1 desk", "> BYE 2 desk", "< 200/BYE 2 desk"],
    ["< 200 1 third offer sendonly", "> ACK 1 third answer recvonly"], ["< BYE 1 desk"],
    ["< INVITE 1 desk offer inactive", "> 200 1 desk answer inactive", "< ACK 1 desk"], ["< INVITE 9 cell new"],
    ["< 487 1 desk"], ["> CANCEL 1 *"],
  ])
  func theBranchThatAnswersFirstIsTheDialog(others: [String]) {
    let facts = facts(Self.answered + others)
    #expect(facts.remoteTag == "cell")
    #expect(facts.localTag == "p")
    #expect(facts.stage == .confirmed)
    #expect(facts.media.direction == "sendrecv")
    let held = self.facts(Self.answered + others + ["> INVITE 2 cell offer sendonly", "< 200 2 cell answer recvonly"])
    #expect(held.media.direction == "sendonly")
    #expect(self.facts(Self.answered + others + ["> BYE 2 cell"]).stage == .over)
  }

  /// An early answer counts for the branch that gave it.
  @Test func anEarlyAnswerIsThatOfItsBranch() {
    #expect(facts(Self.ringing + ["< 200 1 desk"]).media.direction == "recvonly")
    #expect(facts(Self.ringing + ["< 183 1 cell answer inactive", "< 200 1 desk"]).media.direction == "recvonly")
    #expect(facts(Self.ringing + ["< 200 1 cell"]).media.direction == nil)
  }

  @Test(arguments: [["> BYE 2 cell"], ["< BYE 1 cell", "> 200/BYE 1 cell"]])
  func aCallIDCanBeUsedAgainOnceItsDialogIsOver(end: [String]) {
    #expect(facts(Self.answered + end).remoteTag == "cell")
    let again = facts(Self.answered + end + ["< INVITE 1 other new offer sendonly", "> 200 1 other answer recvonly"])
    #expect(again.remoteTag == "other")
    #expect(again.stage == .confirmed)
    #expect(again.media.direction == "recvonly")
    // The same INVITE once more is no new one.
    var repeated = facts(Self.answered + end)
    repeated.take(message(Self.answered[0], id: 1), phone: "phone")
    #expect(repeated.remoteTag == "cell")
    #expect(facts(["> INVITE 1 *", "< 486 1 desk", "> INVITE 1 *", "< 200 1 cell"]).stage == .confirmed)
  }

  /// An INVITE with Replaces is taken for a call of its own until the phone has seen whose it is.
  @Test(arguments: ["c1", "call-1"])
  func aDialogIsKnownWhateverCallItsMessagesWereTakenFor(name: String) {
    var book = CallBook(phone: "phone")
    func take(_ event: Event, of call: String) {
      book.take(Record(number: 1, instant: .zero, from: "phone", call: CallLabel(name: call, uuid: "u"), event: event))
    }
    func take(_ line: String, of call: String, callID: String) {
      var facts = message(line, id: 1)
      facts.callID = callID
      let phase: SIPEvent.Phase = facts.from == "phone" ? .sent(bytes: []) : .arrived
      take(.sip(SIPEvent(phase: phase, message: facts)), of: call)
    }
    take("< INVITE 1 a new offer sendrecv", of: "c1", callID: "old")
    take("> 200 1 a answer sendrecv", of: "c1", callID: "old")
    take("< INVITE 1 b new offer sendonly", of: name, callID: "new")
    take("> 200 1 b answer recvonly", of: "c1", callID: "new")
    var media: String? { book["c1"].flatMap { book.property("media", of: $0) } }
    #expect(media == "sendrecv")
    take(.rebinding(from: "old", to: "new"), of: "c1")
    #expect(media == "recvonly")
  }
}
