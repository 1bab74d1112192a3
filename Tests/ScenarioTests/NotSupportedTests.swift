import Testing

@testable import Scenario

/// What the language has and the program does not support yet is recognised: it is neither unknown nor passed over.
@Suite struct NotSupportedTests {
  /// A word table, and lines in which `WORD` stands where a word of it can.
  static let places: [(table: WordTable, line: String)] = [
    (Vocabulary.lineStarts, "WORD"),
    (Vocabulary.lineStarts, "WORD x y, z"),
    (Vocabulary.actorVerbs, "@0s pbx WORD"),
    (Vocabulary.actorVerbs, "pbx WORD"),
    (Vocabulary.userVerbs, "@0s user WORD c1"),
    (Vocabulary.userVerbs, "user ends c1, WORD c1"),
    (Vocabulary.states, "expect c1 becomes WORD"),
    (Vocabulary.states, "expect c1 is active or WORD"),
    (Vocabulary.invariantStates, "always at-most 1 call WORD"),
    (Vocabulary.invariantStates, "always audio is active implies some call WORD"),
    (Vocabulary.actions, "expect c1 action WORD is pending"),
    (Vocabulary.actions, "expect within 1s phone requests WORD c1"),
    (Vocabulary.updates, "expect phone updates c1 WORD on"),
    (Vocabulary.properties, "expect c1 has WORD \"x\""),
    (Vocabulary.audioStates, "expect audio is WORD"),
    (Vocabulary.deviceStates, "expect phone is WORD"),
    (Vocabulary.sentMethods, "@0s pbx -> phone WORD c1"),
    (Vocabulary.sentContents, "@0s pbx -> phone WORD x"),
    (Vocabulary.transports, "peer q sip:q@h transport WORD"),
    (Vocabulary.effects, "fault f: WORD first phone -> pbx any"),
    (Vocabulary.settings, "  WORD x"),
  ]

  static let lines: [String] = places.flatMap { place in
    place.table.planned.map { place.line.replacing("WORD", with: $0) }
  }

  @Test(arguments: lines)
  func aPlannedWordIsRecognisedAndRefused(line: String) {
    let above = line.hasPrefix(" ") ? "callsim 1\ncall c1\ndevice phone sip:bob@10.0.0.2\n" : preamble
    let (file, diagnostics) = ScenarioFile.parse(Array((above + line + "\n").utf8), named: "x.call")
    #expect(file == nil)
    #expect(diagnostics.map(\.code) == ["S040"], "\(line)")
    #expect(diagnostics.first?.title.hasPrefix("not supported yet: ") ?? false)
  }

  @Test(arguments: [
    "push c1 to phone from pbx", "push c1 to phone malformed", "@0s user ends c1 force",
    "@0s pbx -> phone raw chunks 1, 2",
    "system activates audio", "@0s system resets phone", "+1s system loses network",
    "fault f: drop first phone -> pbx any before pbx -> phone any", "expect phone -> pbx BYE before.c1",
    "expect before.c1 is ended", "expect any becomes ended", "expect phone requests end any", "always no-lost-calls",
    "@1.5s user ends c1", "expect within 0.2ms c1 is ended", "network latency 1.5ms..2ms",
    "fault f: drop first phone -> pbx 200 to a", "fault f: drop first phone -> pbx 200 with \"A: b\"",
    "fault f: drop first phone -> pbx 200 retransmit",
  ])
  func aPlannedFormIsRecognisedAndRefused(line: String) {
    #expect(codes(line + "\n") == ["S040"], "\(line)")
  }

  /// The other way round: whatever a table has as supported is no unknown word in its place.
  @Test func aSupportedWordIsNeitherUnknownNorRefused() {
    for place in Self.places where place.table != Vocabulary.lineStarts {
      for word in place.table.supported {
        let found = codes(place.line.replacing("WORD", with: word) + "\n")
        #expect(!found.contains("S021") && !found.contains("S040"), "\(place.line): \(word)")
      }
    }
  }

  @Test func tablesNameEachWordOnce() {
    for (table, _) in Self.places { #expect(Set(table.all).count == table.all.count, "\(table.subject)") }
  }

  @Test(arguments: [("1.5s", "write `1500ms`"), ("0.2ms", "write `200us`"), ("0.5us", "the smallest unit is `1us`")])
  func aFractionIsToldInWholeUnits(text: String, help: String) {
    let (_, diagnostics) = ScenarioFile.parse(Array((preamble + "@\(text) user ends c1\n").utf8), named: "x.call")
    #expect(diagnostics.first?.help == help)
  }
}
