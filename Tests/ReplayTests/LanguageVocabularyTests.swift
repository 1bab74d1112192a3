import CallEngine
import Instant
import SIP
import Testing
import Timeline
import VirtualWorld

@testable import Replay
@testable import Scenario

/// The language's words are those of the engine and the timeline: a check that names a word nobody says would only time
/// out.
@Suite struct LanguageVocabularyTests {
  @Test func states() {
    #expect(Set(Vocabulary.states.supported) == Set(CallState.allCases.map(\.rawValue)))
    #expect(Set(Vocabulary.invariantStates.supported) == Set(CallState.allCases.map(\.rawValue) + ["connected"]))
  }

  @Test func reasons() {
    #expect(Set(Vocabulary.reportReasons.supported) == Set(EndedReason.allCases.map(\.rawValue)))
    let ends = [CallEnd.local] + EndedReason.allCases.map(CallEnd.reported)
    #expect(Set(Vocabulary.reasons.supported) == Set(ends.map(\.word)))
  }

  @Test func actions() {
    #expect(Set(Vocabulary.actionStatuses.supported) == Set(ActionEvent.Status.allCases.map(\.rawValue)))
    let kinds: [ActionKind] = [
      .start(Party(uri: "sip:a@b")), .answer, .end, .setHeld(true), .setHeld(false), .setMuted(true), .setMuted(false),
      .playDTMF("1"),
    ]
    #expect(Vocabulary.actions.supported == kinds.map(\.word))
  }

  @Test func audio() {
    let plain = ["configures", "activates", "deactivates", "interrupted"]
    let events: [AudioEvent] = [.configures, .activates, .deactivates, .interrupted]
    #expect(events.map(\.word) == plain)
    #expect(Set(plain + ["is", "unit", "microphone"]) == Set(Vocabulary.audio.supported))
    let unit: [AudioEvent] = [.unitStarts, .unitStops, .unitFails(code: 1)]
    #expect(
      Set(unit.map(\.word) + ["unit runs", "unit is"]) == Set(Vocabulary.audioUnit.supported.map { "unit \($0)" }))
    let microphone: [AudioEvent] = [.microphoneOpens, .microphoneCloses]
    #expect(microphone.map(\.word) == Vocabulary.microphone.supported.map { "microphone \($0)" })
    #expect(Vocabulary.silenceCauses.supported == SilenceCause.allCases.map(\.rawValue))
  }

  @Test func transfers() {
    #expect(Vocabulary.transferPhases.supported == TransferEvent.Phase.allCases.map(\.rawValue))
    #expect(Vocabulary.transferStatuses.keys.allSatisfy(Vocabulary.transferPhases.contains))
  }

  @Test func wordsOfSettings() {
    #expect(Vocabulary.handovers.supported == PhoneSettings.AudioHandover.allCases.map(\.rawValue))
    #expect(Vocabulary.digitTransports.supported == PhoneSettings.DigitTransport.allCases.map(\.rawValue))
    #expect(Vocabulary.offers.supported == PhoneSettings.Offer.allCases.map(\.rawValue))
    #expect(Vocabulary.repairs.supported == EngineSettings.Repair.allCases.map(\.rawValue))
  }

  /// A line of the script with a word that the world does not take would be refused only in the run.
  @Test func whatTheSystemDoesCanBeCarriedOut() throws {
    let labels = LabelTable(phone: "phone", remembering: [:])
    let writer = StimulusWriter(
      plan: plan([]), labels: labels,
      values: Substitution(plan: plan([]), book: CallBook(phone: "phone"), labels: labels))
    var written: Set<Stimulus> = []
    for words in Vocabulary.systemActs.supported { written.insert(try #require(try writer.write(.system(words)))) }
    #expect(written.count == Vocabulary.systemActs.supported.count)
  }

  @Test func defaultsOfSettings() {
    let settings = EngineSettings()
    #expect(Vocabulary.placeholderDeadline == settings.placeholderDeadline)
    #expect(Vocabulary.actionWatchdog == settings.actionWatchdog)
    #expect(Vocabulary.systemActionLimit == PhoneSettings().systemActionLimit)
  }

  /// A setting that the phone does not know would be refused only in the run.
  @Test func everySettingHasAnEffect() {
    for (name, kind) in Vocabulary.settingValues {
      let values: [DeviceDeclaration.Setting.Value] =
        switch kind {
        case .duration: [.duration(.seconds(7))]
        case .flag: [.flag(true), .flag(false)]
        case .host: [.word("10.0.0.9")]
        case .choice(let table): table.supported.map { .word($0) }
        case .declineStatus: [.number(486)]
        case .count: [.number(1)]
        }
      let plain = PlannedWorld(plan([]), seed: 1)
      var worlds: Set<PlannedWorld> = []
      for value in values {
        var changed = plan([])
        changed.device.settings = [.init(name: name, value: value, range: range(1))]
        let world = PlannedWorld(changed, seed: 1)
        #expect(world.diagnostics == [], "\(name)")
        worlds.insert(world)
      }
      // Each word means something else, and one of them what holds without the setting.
      #expect(worlds.count == values.count, "\(name)")
      #expect(worlds.contains(plain) == (values.count > 1), "\(name)")
    }
  }

  @Test func transports() {
    for word in Vocabulary.transports.supported { #expect(Transport(rawValue: word) != nil, "\(word)") }
  }
}
