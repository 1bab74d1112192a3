import Testing

@testable import CallEngine

@Suite struct AudioTests {
  private let configured = AudioPlan(isConfigured: true)
  private let running = AudioPlan(isConfigured: true, legs: [remoteLeg], microphoneIsOpen: true)

  @Test("activation and deactivation stop and start the unit and nothing else, however often they come (invariant 33)")
  func activationComesAndGoes() {
    var bench = Bench(Path.active)
    #expect(isIgnored(bench.send(.audioActivated)))
    #expect(bench.send(.audioDeactivated) == [.setAudioPlan(configured)])
    #expect(isIgnored(bench.send(.audioDeactivated)))
    #expect(bench.send(.audioActivated) == [.setAudioPlan(running)])
  }

  @Test("an active session alone starts nothing before an Answer or after the end (invariant 30)")
  func activationWithoutCall() {
    var bench = Bench(Path.ringing)
    #expect(bench.send(.audioActivated) == [])
    // Configured before the acceptance, started once it has left.
    #expect(bench.send(action(1, .answer)).starts(with: [.setAudioPlan(configured), .accept(remoteLeg)]))
    #expect(bench.send(.acceptSent(remoteLeg)).contains(.setAudioPlan(running)))
    #expect(bench.send(.legEnded(remoteLeg, .remoteHangUp)).first == .setAudioPlan(.off))
    bench.send(.audioDeactivated)
    #expect(bench.send(.audioActivated) == [])
  }

  @Test("one call at a time is heard (invariant 26)")
  func oneCallIsFed() {
    var bench = Bench(Path.active + [invitation(CallReference(callID: "L"), otherLeg)])
    bench.send(all: [.reportCompleted(other, .accepted), action(2, .answer, other)])
    let commands = bench.send(.acceptSent(otherLeg))
    let handedOver = AudioPlan(isConfigured: true, legs: [otherLeg], microphoneIsOpen: true)
    // The first is off before the second is on.
    #expect(commands.first == .setAudioPlan(configured))
    #expect(commands.contains(.setAudioPlan(handedOver)))
    #expect(bench.send(.legEnded(otherLeg, .remoteHangUp)).contains(.setAudioPlan(running)))
  }
}
