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
    (Vocabulary.systemActs, "@0s system WORD"),
    (Vocabulary.systemActs, "system WORD phone"),
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
    (Vocabulary.transferPhases, "expect c1 transfer WORD"),
    (Vocabulary.transports, "peer q sip:q@h transport WORD"),
    (Vocabulary.effects, "fault f: WORD first phone -> pbx any"),
    (Vocabulary.settings, "  WORD x"),
  ]

  static let lines: [String] = places.flatMap { place in
    place.table.planned.map { place.line.replacing("WORD", with: $0) }
  }

  /// The words of the language, apart from the tables that are to have them.
  static let words: [(table: WordTable, words: String)] = [
    (
      Vocabulary.lineStarts,
      "scenario tags why seed mode ignore param device peer network call let use template examples row label fault on "
        + "push user system expect never always eventually in-order parallel optional repeat end case insert explore "
        + "shuffle bound check with without call-id callsim"
    ),
    (Vocabulary.actorVerbs, "-> vanishes returns"),
    (
      Vocabulary.userVerbs,
      "answers declines ends holds resumes swaps mutes unmutes presses calls transfers merges splits"
    ),
    (
      Vocabulary.invariantStates,
      "ringing answering requesting dialing ringback connecting active holding held held-by-remote held-both resuming "
        + "transferring ending ended connected"
    ),
    (Vocabulary.actions, "start answer end hold unhold mute unmute dtmf group"),
    (Vocabulary.actionStatuses, "pending fulfilled failed timed-out"),
    (Vocabulary.reasons, "failed remote-ended unanswered answered-elsewhere declined-elsewhere local"),
    (Vocabulary.reports, "incoming connecting connected ended"), (Vocabulary.updates, "caller handle video"),
    (Vocabulary.properties, "call-id dialog caller handle mute media dtmf"),
    (
      Vocabulary.systemActs,
      "activates~audio deactivates~audio interrupts~audio ends~interruption fails~unit changes resets cellular suspends "
        + "resumes kills launches loses~network restores~network"
    ),
    (Vocabulary.audio, "configures activates deactivates interrupted is unit microphone"),
    (Vocabulary.audioStates, "active inactive configured interrupted silent"),
    (Vocabulary.silenceCauses, "not-activated deactivated interrupted not-configured unit-failed unit-off"),
    (Vocabulary.audioUnit, "starts stops fails runs is"), (Vocabulary.microphone, "opens closes"),
    (Vocabulary.flows, "outgoing-established incoming-established"),
    (Vocabulary.activations, "automatic manual"), (Vocabulary.handovers, "none cycle"),
    (Vocabulary.digitTransports, "events info events-else-info"),
    (Vocabulary.offers, "rtp srtp-else-rtp"), (Vocabulary.repairs, "new-invite replaces"),
    (Vocabulary.transferPhases, "accepted progress succeeded failed refused unknown"),
    (Vocabulary.deviceStates, "running suspended killed"), (Vocabulary.transports, "udp tcp tls"),
    (Vocabulary.directions, "sendrecv sendonly recvonly inactive"),
    (Vocabulary.effects, "drop delay duplicate reorder corrupt"), (Vocabulary.occurrences, "first every nth"),
    (Vocabulary.quantifiers, "some each"), (Vocabulary.scopes, "within until between"),
    (Vocabulary.paramTypes, "duration int flag text code"), (Vocabulary.modes, "exhaustive loose"),
    (Vocabulary.peerOptions, "host transport auto"), (Vocabulary.sentContents, "raw template"),
    (
      Vocabulary.sentMethods,
      "INVITE ACK BYE CANCEL OPTIONS re-INVITE REGISTER INFO MESSAGE NOTIFY PRACK PUBLISH REFER SUBSCRIBE UPDATE"
    ),
    (
      Vocabulary.settings,
      "profile max-groups max-calls-per-group supports placeholder-deadline ring-timeout action-watchdog "
        + "system-action-limit report-delay action-delay activation-delay activation host transport registrar "
        + "decline-status do-not-disturb audio-handover unhold-after-cellular duplicate-push late-invite replaces-bye "
        + "transaction-delivery failed-answer-closes busy-reason transfer-hold push-strikes answer-in-flight-after-end "
        + "dtmf resume-after-local-end resume-remaining-call offer repair"
    ),
  ]

  @Test func everyWordOfTheLanguageIsSupportedOrPlanned() {
    for (table, words) in Self.words {
      #expect(
        Set(table.all) == Set(words.split(separator: " ").map { String($0).replacing("~", with: " ") }),
        "\(table.subject)")
    }
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
    "@0s system resets phone", "+1s system changes network",
    "fault f: drop first phone -> pbx any before pbx -> phone any",
    "expect before.c1 is ended", "expect any becomes ended", "expect phone requests end any", "always no-lost-calls",
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
}
