import Instant
import Testing
import Timeline

@testable import Rendering

@Suite struct LadderChartTests {
  private static let cast = Cast(phone: "phone", peers: ["pbx"], calls: ["c1"], hasUser: true)
  private static let heading = Heading(title: "a call", caseName: nil, params: [], seed: 1)

  private func ladder(_ records: [Record], cast: Cast = cast, width: Int = 80, isASCII: Bool = false) throws -> [String]
  {
    var chart = try LadderChart(of: cast, width: width, isASCII: isASCII)
    let summary = JSONLines.Summary(outcome: "held", exitCode: 0, end: .zero, records: records.count, diagnostics: [])
    return chart.opening(Self.heading) + records.flatMap { chart.lines(for: $0) } + chart.closing(summary)
  }

  private static let sample: [Record] = [
    Samples.record("push", "phone", number: 1, at: 0, event: .push(PushEvent(callID: nil, caller: "Alice"))),
    Samples.state(2, at: 0, nil, "ringing"),
    Samples.record("user", "phone", number: 3, event: .user(UserEvent(verb: "answers"))),
    Samples.record(
      "user", "phone", number: 4, call: CallLabel(name: "x9"), event: .user(UserEvent(verb: "ends", inApp: true))),
    Samples.sip(5, .sent(bytes: []), Samples.message(1, session: .init(role: .offer, direction: "sendrecv"))),
    Samples.sip(6, .arrived, Samples.message(1, session: .init(role: .offer, direction: "sendrecv")), causes: [5]),
    reply(7, .sent(bytes: [])),
    Samples.record("network", number: 8, event: .fault(FaultEvent(name: "f1", effect: "drop"))),
    reply(9, at: 410_000, .lost("fault f1")),
    reply(10, at: 900_000, .sent(bytes: []), origin: .retransmission),
    reply(11, at: 910_000, .arrived, origin: .retransmission),
    Samples.record("pbx", number: 12, at: 910_000, call: nil, event: .lifecycle(.vanishes)),
    Samples.sip(13, at: 920_000, .dropped("late"), Samples.message(3, method: "BYE")),
    Samples.record("pbx", number: 14, at: 930_000, call: nil, event: .lifecycle(.returns)),
    Samples.record(number: 15, at: 940_000, event: .state(old: "ringing", new: "ended", reason: "local")),
    Samples.record(number: 16, at: 940_000, event: .ignored("over")),
  ]

  private static func reply(
    _ number: Int, at microseconds: Int64 = 400_000, _ phase: SIPEvent.Phase, origin: MessageFacts.Origin = .decision
  ) -> Record {
    var message = Samples.message(2, status: 200, session: .init(role: .answer, direction: "sendrecv"), origin: origin)
    message.reason = "OK"
    return Samples.record(
      "phone", "pbx", number: number, at: microseconds, event: .sip(SIPEvent(phase: phase, message: message)))
  }

  private static let drawn = """
    # "a call" seed 1
                user   system                phone                  pbx  c1
       0.000     │       │─VoIP push, caller…─▶│                     │   ●
       0.000     │       │                     │                     │   ringing
       0.400     │───────┼─ answers ──────────▶│                     │   ●
       0.400     │───── x9: ends in app ──────▶│                     │   ┊
       0.400     │       │                     │◀──INVITE (sendrecv)─│   ●
       0.400     │       │                     │─200 OK (sendrecv)╌╌╌│   ●
       0.400     │       │                     ├ fault f1: drop      │   ●
       0.410     │       │                     │─200 OK lost: faul…─x│   ●
       0.900     │       │                     │─200 OK again (sen…╌╌│   ●
       0.910     │       │                     │╌200 OK again (sen…─▶│   ●
       0.910     │       │                     │            vanishes ┤   ┊
       0.920     │       │                     ├ BYE dropped: late   ╎   ●
       0.930     │       │                     │             returns ┤   ┊
       0.940     │       │                     ├ reason local        │   ended
       0.940     │       │                     ├ ignored: over       │   ●
    """

  @Test("arrows, what is on its way, what is lost, notes, and the states beside")
  func sample() throws {
    let lines = try ladder(Self.sample)
    let expected = Self.drawn.split(separator: "\n").map(String.init)
    #expect(lines == expected, "\(lines.joined(separator: "\n"))")
  }

  @Test("in ASCII the signs and the ellipsis are ASCII")
  func asciiSample() throws {
    let lines = try ladder(Array(Self.sample.prefix(8)), isASCII: true)
    #expect(
      Array(lines.dropFirst()) == [
        "            user   system                phone                  pbx  c1",
        "   0.000     |       |-VoIP push, calle..->|                     |   *",
        "   0.000     |       |                     |                     |   ringing",
        "   0.400     |-------+- answers ---------->|                     |   *",
        "   0.400     |----- x9: ends in app ------>|                     |   :",
        "   0.400     |       |                     |<--INVITE (sendrecv)-|   *",
        "   0.400     |       |                     |-200 OK (sendrecv)~~~|   *",
        "   0.400     |       |                     * fault f1: drop      |   *",
      ])
  }

  @Test("a message that sets out at one instant and arrives at another is told apart from one that does both")
  func latency() throws {
    let whole = try ladder([Samples.sip(1, .sent(bytes: [])), Samples.sip(2, .arrived, causes: [1])])
    let apart = try ladder([Samples.sip(1, .sent(bytes: [])), Samples.sip(2, at: 410_000, .arrived, causes: [1])])
    #expect(whole.count == 3)
    #expect(apart.count == 4)
    #expect(whole[2].contains("◀") && !whole[2].contains("╌"))
    #expect(apart[2].contains("╌") && !apart[2].contains("◀"))
    #expect(apart[3].contains("╌") && apart[3].contains("◀"))
  }

  @Test("a phone without a network cannot be reached, whoever took it away")
  func network() throws {
    func record(_ number: Int, _ from: String, _ to: String?, _ event: LifecycleEvent) -> Record {
      Samples.record(from, to, number: number, call: nil, event: .lifecycle(event))
    }
    for (from, to) in [("system", "phone"), ("phone", nil)] as [(String, String?)] {
      let lines = try ladder([
        record(1, from, to, .networkLost), Samples.sip(2, .lost("no network")), record(3, from, to, .networkRestored),
      ])
      #expect(lines[2].contains("network lost") && !lines[2].contains("╎"))
      #expect(lines[3].contains("╎"))
      #expect(lines[4].contains("network restored") && !lines[4].contains("╎"))
    }
  }

  @Test("what a request or a response carries is named where it is not the usual role")
  func roles() {
    let offer = MessageFacts.Session(role: .offer, direction: "sendonly")
    let answer = MessageFacts.Session(role: .answer, direction: "recvonly")
    #expect(RecordWords.label(of: Samples.message(session: offer)) == "INVITE (sendonly)")
    #expect(RecordWords.label(of: Samples.message(method: "ACK", session: answer)) == "ACK (answer recvonly)")
    #expect(RecordWords.label(of: Samples.message(status: 200, session: answer)) == "200 (recvonly)")
    #expect(RecordWords.label(of: Samples.message(method: "BYE", status: 481)) == "481 to BYE")
    #expect(RecordWords.label(of: Samples.message(status: 200, session: offer)) == "200 (offer sendonly)")
    #expect(RecordWords.label(of: Samples.message(method: ""), fate: "lost: x") == "unreadable lost: x")
    #expect(RecordWords.label(of: Samples.report(1, 486), fate: "lost: x") == "NOTIFY reporting 486 lost: x")
  }

  @Test("a ladder that has no room says how much it needs, and has it with so much")
  func narrow() throws {
    for cast in Self.casts {
      let least = LadderChart.leastWidth(for: cast)
      #expect(throws: LadderTooNarrow(needed: least)) { _ = try LadderChart(of: cast, width: least - 1) }
      #expect(throws: LadderTooNarrow(needed: least)) { _ = try LadderChart(of: cast, width: .min / 2) }
      let lines = try ladder(Samples.everything, cast: cast, width: least)
      #expect(lines.dropFirst().map { Columns.width(of: $0) }.max() ?? 0 <= least)
      _ = try ladder(Samples.everything, cast: cast, width: .max)
    }
  }

  // MARK: Properties

  /// Few and many actors and calls, and names that are long, wide, hostile or empty.
  private static let casts: [Cast] = [
    cast, Cast(phone: "phone", peers: [], calls: [], hasUser: false),
    Cast(phone: "p", peers: (1...9).map { "peer\($0)" }, calls: (1...6).map { "c\($0)" }, hasUser: true),
    Cast(
      phone: "the-telephone-in-the-hall", peers: ["gatekeeper-of-all-gates", "電話交換機", "a\u{1B}[2J"],
      calls: ["a-call-with-a-long-name", "通話"], hasUser: true),
    Cast(phone: "", peers: ["", "e\u{301}\u{302}"], calls: [""], hasUser: false),
  ]

  private static let words = [
    "", "x", "Alice", "電話をかける人の名前", "e\u{301}\u{302}\u{303}", "\u{1B}[2J\u{7}", "a\r\nb", "\u{202E}evil", "👨‍👩‍👧 family",
    String(repeating: "long ", count: 60), "\u{301}", "\0", "│▶",
  ]

  /// Every kind of record with every word in the names of its actors, of its call, and in what it says.
  private static func hostile(_ cast: Cast, _ random: inout some RandomNumberGenerator) -> [Record] {
    let actors = ["user", "system", "push", "network", cast.phone] + cast.peers + words
    let calls = cast.calls + words
    var at: Int64 = 0
    return (0..<200).map { number in
      var record = Samples.everything[number % Samples.everything.count]
      at += Int64.random(in: 0...3, using: &random) * 7_000_001
      record.number = number + 1
      record.instant = Instant(microseconds: at)
      record.from = actors.randomElement(using: &random) ?? ""
      record.to = Bool.random(using: &random) ? nil : actors.randomElement(using: &random)
      record.call = Bool.random(using: &random) ? nil : calls.randomElement(using: &random).map { CallLabel(name: $0) }
      let word = words.randomElement(using: &random) ?? ""
      switch record.event {
      case .sip(var event):
        event.message.reason = word
        event.message.method = Bool.random(using: &random) ? word : event.message.method
        record.event = .sip(event)
      case .state(let old, let new, _): record.event = .state(old: old, new: new + word, reason: word)
      case .push: record.event = .push(PushEvent(callID: word, caller: word))
      case .ignored: record.event = .ignored(word)
      default: break
      }
      return record
    }
  }

  @Test("no line is wider than the width, no control character gets through, and every record has its line")
  func width() throws {
    var random = Xorshift(state: 0x5EED)
    for cast in Self.casts {
      for _ in 0..<8 {
        let width = LadderChart.leastWidth(for: cast) + Int.random(in: 0...90, using: &random)
        let records = Self.hostile(cast, &random)
        for isASCII in [false, true] {
          let lines = try ladder(records, cast: cast, width: width, isASCII: isASCII)
          var text = TextTimeline()
          let shown = records.flatMap { text.lines(for: $0) } + text.finish()
          #expect(lines.count == shown.count + 2)
          for line in lines {
            #expect(Columns.width(of: line) <= width, "\(line)")
            #expect(!line.unicodeScalars.contains { $0.value < 32 || $0.value == 0x7F || $0.value == 0x202E })
            if isASCII { #expect(line.utf8.allSatisfy { $0 < 127 }) }
          }
          // The times are those of the text, line by line.
          #expect(zip(lines.dropFirst(2), shown).allSatisfy { $0.prefix(11).trimmed == $1.prefix(11).trimmed })
        }
      }
    }
  }

  @Test("a heading that is wider than the ladder is cut, and what is hostile in it is written out")
  func longHeading() throws {
    for title in Self.words {
      let heading = Heading(
        title: title, caseName: title, params: (1...20).map { ("p\($0)", title) }, seed: .max)
      let lines = try LadderChart(of: Self.cast, width: 70).opening(heading)
      #expect(Columns.width(of: lines[0]) <= 70)
      #expect(!lines[0].unicodeScalars.contains { $0.value < 32 || $0.value == 0x202E })
    }
  }

  @Test("every method and status is whole on its arrow at the least width")
  func methods() throws {
    let least = LadderChart.leastWidth(for: Self.cast)
    for method in ["INVITE", "ACK", "BYE", "CANCEL", "OPTIONS", "SUBSCRIBE", "INFO", "UPDATE"] {
      let line = try ladder([Samples.sip(1, .arrived, Samples.message(method: method))], width: least)[2]
      #expect(line.contains(method), "\(line)")
    }
    let line = try ladder([Samples.sip(1, .lost("x"), Samples.message(status: 200))], width: least)[2]
    #expect(line.contains("200"))
  }
}

extension Substring {
  fileprivate var trimmed: String { split(separator: " ").joined() }
}

/// A small generator, the same in every run.
private struct Xorshift: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
}
