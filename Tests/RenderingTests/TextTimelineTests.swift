import Instant
import Testing
import Timeline

@testable import Rendering

@Suite struct TextTimelineTests {
  private func lines(_ records: [Record], isASCII: Bool = false, showsMessages: Bool = false) -> [String] {
    var timeline = TextTimeline(style: .init(isASCII: isASCII, showsMessages: showsMessages))
    return records.flatMap { timeline.lines(for: $0) } + timeline.finish()
  }

  private static let everything = """
       0.400    push    ──▶ phone                 c1                 VoIP push, caller Alice, Call-ID inv-1@10.0.0.1
       0.400    push    ──▶ phone                 c1                 VoIP push
       0.400    user    ──▶ phone                 c1                 answers
       0.400    user    ──▶ phone                                    calls sip:carol@10.0.0.3 in app
       0.400    system  ──▶ phone                 c1                 answer pending
       0.400    system  ──▶ phone                 c1                 end pending, asked by the app
       0.400    phone   ──▶ system                c1                 end fulfilled
       0.400    phone   ──▶ system                c1                 start failed
       0.400    system  ──▶ phone                 c1                 answer timed-out
       0.400    phone   ──▶ system                c1                 reports incoming 7A3C…9A11, caller Zoë, handle sip:zoe@10.0.0.4
       0.400    phone   ──▶ system                c1                 reports incoming 7A3C…9A11
       0.400    phone   ──▶ system                c1                 updates, caller Alice
       0.400    phone   ──▶ system                c1                 reports connecting
       0.400    phone   ──▶ system                c1                 reports connected
       0.400    phone   ──▶ system                c1                 reports ended, reason remote-ended
       0.400    system  ──▶ phone                 c1                 report accepted
       0.400    system  ──▶ phone                 c1                 report refused: callUUIDAlreadyExists
       0.400    phone   ──▶ system                c1                 requests end, start
       0.400    system  ──▶ phone                 c1                 request accepted
       0.400    system  ──▶ phone                 c1                 request refused: unknownCallUUID
       0.400    phone                                                audio session configured
       0.400    system  ──▶ phone                                    audio session activated
       0.400    system  ──▶ phone                                    audio session deactivated
       0.400    phone                                                audio unit starts
       0.400    phone                                                audio unit stops
       0.400    pbx     ──▶ phone   INVITE        c1                 sent, offer sendrecv
       0.400    pbx     ──▶ phone   unreadable    c1                 sent
       0.400    pbx     ──▶ phone   200           c1                 arrived, answer recvonly
       0.400    pbx     ──▶ phone   200 BYE       c1                 arrived
       0.400    pbx     ──▶ phone   re-INVITE     c1                 lost: fault f1, again
       0.400    pbx     ──▶ phone   BYE           c1                 dropped: no such dialog
       0.400    phone                             c1                 timer watchdog set, due 10.400
       0.400    phone                             c1                 timer watchdog fired
       0.400    phone                             c1                 timer watchdog cancelled
       0.400    phone                             c1  ringing        new
       0.400    phone                             c1  ended          was ringing, reason local
       0.400    system  ──▶ phone                                    app launched by push
       0.400    system  ──▶ phone                                    app killed: no call was reported for a push
       0.400    system  ──▶ phone                                    network lost
       0.400    system  ──▶ phone                                    network restored
       0.400    user    ──▶ phone                 c1                 transfers to sip:carol@10.0.0.3 in app
       0.400    phone                             c1                 transfer succeeded
       0.400    phone                             c1                 transfer failed, 486
       0.400    pbx     ──▶ phone   NOTIFY        c1                 arrived, reporting 180
       0.400    network                           c1                 fault f1: delay by 25ms
       0.400    phone                             c1                 ignored: the call is over
    """

  @Test("every kind of record has its words and keeps the columns")
  func everyKind() {
    let expected = Self.everything.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let printed = lines(Samples.everything)
    #expect(printed.count == expected.count)
    for (printed, expected) in zip(printed, expected) { #expect(printed == expected) }
  }

  @Test("in ASCII no byte is above 126, whatever the names are")
  func ascii() {
    let ascii = Self.everything.replacing("──▶", with: "-->").replacing("…", with: "..")
      .replacing("Zoë", with: "Zo\\xC3\\xAB")
    #expect(lines(Samples.everything, isASCII: true).joined(separator: "\n") == ascii)
    let named = Samples.record(
      "zentrale-süd", "☎", call: CallLabel(name: "é"), event: .state(old: nil, new: "läutet", reason: "\u{7F}"))
    let text = lines([named], isASCII: true).joined()
    #expect(text.utf8.allSatisfy { (32...126).contains($0) }, "\(text)")
    #expect(text.contains("\\xE2\\x98\\x8E"))
  }

  @Test("a line end in a name does not break the line")
  func lineEndsInNames() {
    let push = Samples.record("push", "phone", event: .push(PushEvent(callID: nil, caller: "A\r\nB\u{1B}[2J")))
    #expect(
      lines([push]) == [
        "   0.400    push    ──▶ phone                 c1                 VoIP push, caller A\\x0D\\x0AB\\x1B[2J"
      ])
  }

  @Test("a message that arrives at the instant of its sending is one line")
  func noLatency() {
    let records = [Samples.sip(1, .sent(bytes: [])), Samples.sip(2, .arrived, causes: [1])]
    #expect(lines(records) == ["   0.400    pbx     ──▶ phone   INVITE        c1"])
  }

  @Test("a message that arrives later is two lines, the first of them printed before")
  func latency() {
    var timeline = TextTimeline()
    #expect(timeline.lines(for: Samples.sip(1, .sent(bytes: []))) == [])
    #expect(
      timeline.lines(for: Samples.sip(2, at: 410_000, .arrived, causes: [1])) == [
        "   0.400    pbx     ──▶ phone   INVITE        c1                 sent"
      ])
    #expect(timeline.finish() == ["   0.410    pbx     ──▶ phone   INVITE        c1                 arrived"])
    #expect(timeline.finish() == [])
  }

  @Test("a message that is lost or dropped at the instant of its sending stays two lines")
  func lostAndDropped() {
    let lost = [Samples.sip(1, .sent(bytes: [])), Samples.sip(2, .lost("fault f1"), causes: [1])]
    #expect(words(lines(lost)) == ["sent", "lost: fault f1"])
    let dropped = [
      Samples.sip(1, .sent(bytes: [])), Samples.sip(2, .arrived, causes: [1]),
      Samples.sip(3, .dropped("no such dialog"), causes: [2]),
    ]
    #expect(words(lines(dropped)) == ["", "dropped: no such dialog"])
  }

  @Test("several messages at one instant are joined with their own arrivals")
  func severalMessages() {
    let records = [
      Samples.sip(1, .sent(bytes: []), Samples.message(1, method: "INVITE")),
      Samples.sip(2, .sent(bytes: []), Samples.message(2, method: "CANCEL")),
      Samples.sip(3, .sent(bytes: []), Samples.message(3, method: "BYE")),
      Samples.sip(4, .arrived, Samples.message(3, method: "BYE"), causes: [3]),
      Samples.sip(5, .arrived, Samples.message(1, method: "INVITE"), causes: [1]),
    ]
    #expect(
      lines(records) == [
        "   0.400    pbx     ──▶ phone   INVITE        c1",
        "   0.400    pbx     ──▶ phone   CANCEL        c1                 sent",
        "   0.400    pbx     ──▶ phone   BYE           c1",
      ])
  }

  @Test("a second copy has a line of its own, and a retransmission is not taken for what arrives")
  func copies() {
    let copies = [
      Samples.sip(1, .sent(bytes: [])), Samples.sip(2, .arrived, causes: [1]), Samples.sip(3, .arrived, causes: [1]),
    ]
    #expect(words(lines(copies)) == ["", "arrived"])
    let again = Samples.message(origin: .retransmission)
    let crossing = [
      Samples.sip(1, at: 100_000, .sent(bytes: [])), Samples.sip(2, .sent(bytes: []), again),
      Samples.sip(3, .arrived, causes: [1]),
    ]
    #expect(words(lines(crossing)) == ["sent", "sent, again", "arrived"])
  }

  @Test("the state column shows the state of the call: new, changed, and nothing once it has ended")
  func states() {
    let records = [
      Samples.record(event: .ignored("a")),
      Samples.state(2, nil, "ringing"),
      Samples.record(event: .ignored("b")),
      Samples.record(call: CallLabel(name: "c2"), event: .ignored("another call")),
      Samples.record(call: nil, event: .ignored("no call")),
      Samples.state(3, "ringing", "active"),
      Samples.state(4, "active", "ended"),
      Samples.record(event: .ignored("c")),
    ]
    let column = lines(records).map { line in
      String(line.dropFirst(50).prefix(14)).replacing(" ", with: "")
    }
    #expect(column == ["", "ringing", "ringing", "", "", "active", "ended", ""])
  }

  @Test(
    "the columns keep their place from microseconds to hours",
    arguments: [
      (0, "   0.000    "), (1, "   0.000001 "), (400_125, "   0.400125 "), (15_000_000, "  15.000    "),
      (3_600_000_001, "3600.000001 "),
    ] as [(Int64, String)])
  func times(microseconds: Int64, text: String) {
    let line = lines([Samples.record(at: microseconds, event: .ignored("x"))]).joined()
    #expect(String(line.prefix(17)) == text + "phone")
  }

  @Test("names longer than their column are not cut")
  func longNames() {
    let record = Samples.record("gatekeeper-of-all", "switchboard", event: .ignored("x"))
    #expect(
      lines([record]) == ["   0.400    gatekeeper-of-all ──▶ switchboard               c1                 ignored: x"])
  }

  @Test("a message stands under the line of its sending, and only once")
  func messages() {
    let bytes = Array("BYE sip:a SIP/2.0\r\nFrom: J\u{FC}r\r\n\r\n".utf8) + [0xFF, 0x00, 0x61]
    let records = [Samples.sip(1, .sent(bytes: bytes)), Samples.sip(2, at: 500_000, .arrived, causes: [1])]
    #expect(
      lines(records, showsMessages: true) == [
        "   0.400    pbx     ──▶ phone   INVITE        c1                 sent",
        "            │ BYE sip:a SIP/2.0", "            │ From: Jür", "            │", "            │ \\xFF\\x00a",
        "   0.500    pbx     ──▶ phone   INVITE        c1                 arrived",
      ])
    #expect(lines(records).count == 2)
    let ascii = lines(records, isASCII: true, showsMessages: true)
    #expect(ascii.count == 6)
    #expect(ascii.joined().utf8.allSatisfy { (32...126).contains($0) })
  }

  @Test("the heading names the scenario, the case, the params in their order, and the seed")
  func heading() {
    let plain = Heading(title: "a call", caseName: nil, params: [], seed: 1)
    #expect(TextTimeline().header(of: plain) == "# \"a call\" seed 1")
    let full = Heading(
      title: "zwölf", caseName: "late\n", params: [("gap", "4s"), ("answer", "no")], seed: .max)
    #expect(
      TextTimeline().header(of: full) == "# \"zwölf\" case \"late\\x0A\" gap=4s answer=no seed 18446744073709551615")
    #expect(TextTimeline(style: .init(isASCII: true)).header(of: full).hasPrefix("# \"zw\\xC3\\xB6lf\" case"))
  }

  /// The last column.
  private func words(_ lines: [String]) -> [String] { lines.map { String($0.dropFirst(65)) } }
}
