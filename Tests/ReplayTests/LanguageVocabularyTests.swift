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
    let kinds: [ActionKind] = [.start(Party(uri: "sip:a@b")), .answer, .end]
    #expect(Vocabulary.actions.supported == kinds.map(\.word))
  }

  @Test func audio() {
    let plain = ["configures", "activates", "deactivates"]
    let events: [AudioEvent] = [.configures, .activates, .deactivates]
    #expect(events.map(\.word) == plain)
    #expect(Set(plain + ["is", "unit"]) == Set(Vocabulary.audio.supported))
    #expect(Set(["starts", "stops"]).isSubset(of: Vocabulary.audioUnit.supported))
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
      let value: DeviceDeclaration.Setting.Value =
        switch kind {
        case .duration: .duration(.seconds(7))
        case .flag: .flag(true)
        case .host: .word("10.0.0.9")
        case .transport: .word("tcp")
        case .declineStatus: .number(486)
        case .count: .number(1)
        }
      var changed = plan([])
      changed.device.settings = [.init(name: name, value: value, range: range(1))]
      let (plain, world) = (PlannedWorld(plan([]), seed: 1), PlannedWorld(changed, seed: 1))
      #expect(world.diagnostics == [], "\(name)")
      #expect(world.setup != plain.setup || world.engine != plain.engine, "\(name)")
    }
  }

  @Test func transports() {
    for word in Vocabulary.transports.supported { #expect(Transport(rawValue: word) != nil, "\(word)") }
  }
}
