import Instant
import Testing
import Timeline

@testable import Replay
@testable import Scenario

/// What the records say about a call's media, its digits and its silence, whoever makes them.
@Suite struct CallBookTests {
  /// A message of c1 at the phone. `>` leads from the phone; then method or status, number, and what the session
  /// description is: `> INVITE 1 offer sendonly`, `< 200 1 answer recvonly`, `< INVITE/200 1` for a response to another.
  private func record(_ line: String, method: String, number: Int = 1, again: Bool = false) -> Record {
    let words = line.split(separator: " ").map(String.init)
    let isSent = words[0] == ">"
    let status = Int(words[1])
    var message = MessageFacts(
      id: number, from: isSent ? "phone" : "pbx", to: isSent ? "pbx" : "phone",
      method: status == nil ? words[1] : method,
      status: status, callID: "k", sequence: Int(words[2]) ?? 0, origin: again ? .retransmission : .decision)
    if words.count == 5, let role = MessageFacts.Session.Role(rawValue: words[3]) {
      message.session = .init(role: role, direction: words[4])
    }
    return Record(
      number: number, instant: .zero, from: message.from, to: message.to, call: CallLabel(name: "c1"),
      event: .sip(SIPEvent(phase: isSent ? .sent(bytes: []) : .arrived, message: message)))
  }

  private func media(_ lines: [String]) -> String? {
    var book = CallBook(phone: "phone")
    for line in lines { book.take(record(line, method: "INVITE")) }
    return book["c1"].flatMap { book.dialog(of: $0).media.direction }
  }

  @Test(arguments: [
    // The phone answers, and is answered.
    (["< INVITE 1 offer sendrecv"], nil), (["< INVITE 1 offer sendrecv", "> 200 1 answer sendrecv"], "sendrecv"),
    (["< INVITE 1 offer sendonly", "> 200 1 answer recvonly"], "recvonly"),
    (["> INVITE 1 offer sendonly", "< 200 1 answer recvonly"], "sendonly"),
    (["> INVITE 1 offer sendrecv", "< 200 1 answer sendonly"], "recvonly"),
    (["> INVITE 1 offer sendrecv", "< 200 1 answer inactive"], "inactive"),
    // What was not offered is not agreed on.
    (["> INVITE 1 offer sendonly", "< 200 1 answer sendrecv"], "sendonly"),
    (["< INVITE 1 offer recvonly", "> 200 1 answer sendrecv"], "sendonly"),
    (["> INVITE 1 offer sendonly", "< 200 1 answer sendonly"], "inactive"),
    // A late offer.
    (["< INVITE 1", "> 200 1 offer sendrecv"], nil),
    (["< INVITE 1", "> 200 1 offer sendrecv", "< ACK 1 answer sendonly"], "recvonly"),
    (["> INVITE 1", "< 200 1 offer sendonly", "> ACK 1 answer recvonly"], "recvonly"),
    (["< INVITE 1", "> 200 1 offer sendrecv", "< ACK 1"], nil),
    // A provisional answer, which the 2xx confirms.
    (["> INVITE 1 offer sendrecv", "< 183 1 answer sendrecv"], nil),
    (["> INVITE 1 offer sendrecv", "< 183 1 answer sendonly", "< 200 1"], "recvonly"),
    (["> INVITE 1 offer sendrecv", "< 183 1 answer sendonly", "< 200 1 answer sendrecv"], "sendrecv"),
    (["> INVITE 1 offer sendrecv", "< 183 1 answer sendonly", "< 486 1"], nil),
    (["> INVITE 1 offer sendrecv", "< 200 1"], nil),
  ])
  func anExchangeGivesTheDirection(lines: [String], direction: String?) {
    #expect(media(lines) == direction)
  }

  private static let established = ["> INVITE 1 offer sendrecv", "< 200 1 answer sendrecv", "> ACK 1"]

  @Test(arguments: [
    (["> INVITE 2 offer sendonly"], "sendrecv"), (["> INVITE 2 offer sendonly", "< 491 2", "> ACK 2"], "sendrecv"),
    (["> INVITE 2 offer sendonly", "< 488 2", "< 200 2 answer recvonly"], "sendrecv"),
    (["> INVITE 2 offer sendonly", "< 200 2 answer recvonly"], "sendonly"),
    // Both sides count for themselves.
    (["< INVITE 1 offer sendonly", "> 200 1 answer recvonly"], "recvonly"),
    // They cross: one is refused, the other one taken.
    (["> INVITE 2 offer sendonly", "< INVITE 1 offer sendonly", "> 491 1", "< 200 2 answer recvonly"], "sendonly"),
    // What comes again is no news.
    (
      ["> INVITE 2 offer sendonly", "< 200 2 answer recvonly", "> INVITE 1 offer sendrecv", "< 200 1 answer sendrecv"],
      "sendonly"
    ),
    (
      ["< INVITE 7 offer sendonly", "< INVITE 7 offer sendrecv", "> 200 7 answer recvonly", "> 200 7 answer inactive"],
      "recvonly"
    ),
    // Other messages change nothing.
    (["< INFO 1 offer inactive"], "sendrecv"),
  ])
  func aFurtherExchangeChangesTheDirection(lines: [String], direction: String?) {
    #expect(media(Self.established + lines) == direction)
  }

  @Test func anUpdateIsAnExchangeToo() {
    var book = CallBook(phone: "phone")
    for line in Self.established { book.take(record(line, method: "INVITE")) }
    for line in ["< UPDATE 1 offer sendonly", "> 200 1 answer recvonly"] { book.take(record(line, method: "UPDATE")) }
    #expect(book["c1"].flatMap { book.dialog(of: $0).media.direction } == "recvonly")
  }

  @Test func aMessageThatIsLostIsNoNews() {
    var book = CallBook(phone: "phone")
    for line in Self.established { book.take(record(line, method: "INVITE")) }
    book.take(record("> INVITE 2 offer sendonly", method: "INVITE"))
    var lost = record("< 200 2 answer recvonly", method: "INVITE")
    if case .sip(var event) = lost.event {
      event.phase = .lost("fault f1")
      lost.event = .sip(event)
    }
    book.take(lost)
    #expect(book["c1"].flatMap { book.dialog(of: $0).media.direction } == "sendrecv")
  }

  // MARK: Digits

  private func info(_ type: String, _ body: String, _ sequence: Int, again: Bool = false) -> Record {
    let text =
      "INFO sip:pbx@10.0.0.1 SIP/2.0\r\nVia: SIP/2.0/UDP 10.0.0.2;branch=z9hG4bK\(sequence)\r\nMax-Forwards: 70\r\n"
      + "From: <sip:bob@10.0.0.2>;tag=a\r\nTo: <sip:pbx@10.0.0.1>;tag=b\r\nCall-ID: k\r\nCSeq: \(sequence) INFO\r\n"
      + "Content-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    var record = record("> INFO \(sequence)", method: "INFO", again: again)
    if case .sip(var event) = record.event {
      event.phase = .sent(bytes: Array(text.utf8))
      record.event = .sip(event)
    }
    return record
  }

  private func digits(_ records: [Record]) -> String? {
    var book = CallBook(phone: "phone")
    for record in records { book.take(record) }
    return book["c1"]?.digits.sent
  }

  @Test(arguments: [
    ("application/dtmf-relay", "Signal=5\r\nDuration=160\r\n", "5"), ("application/dtmf-relay", "signal= #\n", "#"),
    ("Application/DTMF-Relay;x=y", "Duration=1\r\nSignal=A", "A"), ("application/dtmf", "7\r\n", "7"),
    ("text/plain", "Signal=5\r\n", ""), ("application/dtmf-relay", "Duration=160\r\n", ""),
    ("application/dtmf-relay", "", ""),
  ])
  func anInfoThatIsTakenHasSentItsDigit(type: String, body: String, digit: String) {
    #expect(digits([info(type, body, 3)]) == "")
    #expect(digits([info(type, body, 3), record("< 200 3", method: "INFO")]) == digit)
    #expect(digits([info(type, body, 3), record("< 415 3", method: "INFO")]) == "")
    #expect(digits([info(type, body, 3), record("< 100 3", method: "INFO")]) == "")
    #expect(digits([info(type, body, 3), record("< 200 4", method: "INFO")]) == "")
    let again = [info(type, body, 3), info(type, body, 3, again: true)]
    #expect(digits(again + [record("< 200 3", method: "INFO"), record("< 200 3", method: "INFO")]) == digit)
  }

  @Test func digitsCountWhenTheirSendingIsOver() {
    func event(_ media: MediaEvent, call: String = "c1") -> Record {
      Record(number: 1, instant: .zero, from: "phone", call: CallLabel(name: call), event: .media(media))
    }
    let ends = ["1", "#"].map { event(.digitEnds($0, duration: .milliseconds(100))) }
    #expect(digits([event(.digitStarts("1")), ends[0], event(.digitStarts("#"))]) == "1")
    #expect(digits(ends) == "1#")
    #expect(digits(ends + [event(.digitEnds("9", duration: .milliseconds(100)), call: "c2")]) == "1#")
  }

  /// A digit that was cut need not be recognized (ITU-T Q.24).
  @Test(arguments: [(0, ""), (1, ""), (39, ""), (40, "7"), (100, "7")] as [(Int64, String)])
  func aDigitThatWasCutTooShortWasNotSent(milliseconds: Int64, sent: String) {
    let end = MediaEvent.digitEnds("7", duration: .milliseconds(milliseconds))
    #expect(
      digits([Record(number: 1, instant: .zero, from: "phone", call: CallLabel(name: "c1"), event: .media(end))])
        == sent)
  }

  // MARK: Actions and audio

  private let answers = user(.answers(call: "c1"))

  private func holds(_ observation: Observation, _ happenings: [ScriptedWorld.Happening]) -> Bool {
    judged([block(.at(.zero), answers, [expect(within: ms(500), observation)])], happenings).outcome == .held
  }

  @Test func muteIsTheLastThatWasFulfilled() {
    let muted = Observation.has(call: "c1", property: "mute", value: text("on"))
    let open = Observation.has(call: "c1", property: "mute", value: text("off"))
    let asked = happens(1, action(1, "mute", .pending))
    let done = happens(2, action(1, "mute", .fulfilled))
    #expect(!holds(muted, [asked]) && holds(open, [asked]))
    #expect(holds(muted, [asked, done]))
    #expect(!holds(muted, [asked, happens(2, action(1, "mute", .failed))]))
    let again = [happens(3, action(2, "unmute", .pending)), happens(3, action(2, "unmute", .fulfilled))]
    let verdict = judged(
      [block(.at(.zero), answers), block(.at(ms(9)), .start, [expect(open)])], [asked, done] + again)
    #expect(verdict.outcome == .held)
  }

  @Test func silenceIsThatOfSomeCall() {
    let silent = happens(1, .audio(.silent(cause: .notActivated)))
    let other = happens(2, .audio(.silent(cause: .unitOff)), call: "c2")
    func asks(_ observation: Observation, after happenings: [ScriptedWorld.Happening]) -> Bool {
      let blocks = [block(.at(.zero), answers), block(.at(ms(100)), answers, [expect(observation)])]
      return judged(blocks, happenings).outcome == .held
    }
    #expect(!asks(.audioIsSilent(cause: nil), after: []))
    #expect(asks(.audioIsSilent(cause: nil), after: [silent]))
    #expect(asks(.audioIsSilent(cause: "not-activated"), after: [silent, other]))
    #expect(asks(.audioIsSilent(cause: "unit-off"), after: [silent, other]))
    #expect(!asks(.audioIsSilent(cause: "interrupted"), after: [silent, other]))
    // A new cause takes the place of the old one; to be heard and to be over end it.
    #expect(
      !asks(.audioIsSilent(cause: "not-activated"), after: [silent, happens(2, .audio(.silent(cause: .unitOff)))]))
    #expect(!asks(.audioIsSilent(cause: nil), after: [silent, happens(2, .audio(.heard))]))
    #expect(asks(.audioIsSilent(cause: nil), after: [silent, happens(2, .audio(.heard), call: "c2")]))
    #expect(!asks(.audioIsSilent(cause: nil), after: [silent, becomes(2, "ended")]))
  }

  /// The phone says only what changes: a call that is held was not heard before, and is not after, without a word.
  @Test func aCallThatIsHeldOrOverIsNotSilent() {
    func silences(_ records: [Record]) -> [SilenceCause] {
      var book = CallBook(phone: "phone")
      book.take(happening(.audio(.silent(cause: .notActivated))))
      for record in records { book.take(record) }
      return book.silences.map(\.cause)
    }
    func happening(_ event: Event) -> Record {
      Record(number: 1, instant: .zero, from: "phone", call: CallLabel(name: "c1"), event: event)
    }
    func completes(_ kind: String, _ id: Int) -> [Record] {
      [ActionEvent.Status.pending, .fulfilled].map {
        happening(.action(ActionEvent(id: id, kind: kind, status: $0, origin: .user)))
      }
    }
    let heldThere = [
      record("< INVITE 1 offer sendonly", method: ""), record("> 200 1 answer recvonly", method: "INVITE"),
    ]
    let resumedThere = [
      record("< INVITE 2 offer sendrecv", method: ""), record("> 200 2 answer sendrecv", method: "INVITE"),
    ]
    #expect(silences([]) == [.notActivated])
    #expect(silences(completes("hold", 1)) == [])
    #expect(silences(completes("hold", 1) + completes("unhold", 2)) == [.notActivated])
    #expect(silences(heldThere) == [])
    #expect(silences(heldThere + resumedThere) == [.notActivated])
    #expect(silences([happening(.state(old: "active", new: "ending", reason: nil))]) == [])
    #expect(silences([happening(.lifecycle(.killed(reason: "memory")))]) == [])
  }

  @Test func anInterruptionEndsByItsEndOrByAnActivation() {
    func asks(_ observation: Observation, _ events: [AudioEvent]) -> Bool {
      let blocks = [block(.at(.zero), answers), block(.at(ms(100)), answers, [expect(observation)])]
      return judged(blocks, events.map { happens(1, .audio($0), call: nil) }).outcome == .held
    }
    #expect(!asks(.audioIs("interrupted"), [.activates]))
    #expect(asks(.audioIs("interrupted"), [.activates, .interrupted]))
    #expect(asks(.audioIs("inactive"), [.activates, .interrupted]))
    #expect(asks(.audioUnitIs(running: false), [.activates, .unitStarts, .interrupted]))
    #expect(!asks(.audioIs("interrupted"), [.activates, .interrupted, .interruptionEnds]))
    #expect(!asks(.audioIs("interrupted"), [.activates, .interrupted, .activates]))
    #expect(asks(.audioIs("interrupted"), [.activates, .interrupted, .interrupted]))
    // What is not active cannot be interrupted.
    #expect(!asks(.audioIs("interrupted"), [.interrupted]))
    #expect(!asks(.audioIs("interrupted"), [.activates, .deactivates, .interrupted]))
  }

  @Test(arguments: [
    ("interrupted", AudioEvent.interrupted), ("unit fails", .unitFails(code: 561_017_449)),
    ("microphone opens", .microphoneOpens), ("microphone closes", .microphoneCloses),
  ])
  func whatAudioDoesIsObserved(word: String, event: AudioEvent) {
    #expect(holds(.audio(word), [happens(1, .audio(event), call: nil)]))
    #expect(!holds(.audio(word), [happens(1, .audio(.activates), call: nil)]))
  }
}
