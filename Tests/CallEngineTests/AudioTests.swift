import Testing

@testable import CallEngine

@Suite struct AudioTests {
  private let configured = AudioPlan(isConfigured: true)
  private let running = AudioPlan(isConfigured: true, legs: [remoteLeg], microphoneIsOpen: true)

  @Test("the unit stops with the session and a new activation sets it up anew (AV-9, invariant 32)")
  func activationComesAndGoes() {
    var bench = Bench(Path.active)
    #expect(bench.send(.audioDeactivated) == [.setAudioPlan(.off)])
    #expect(isIgnored(bench.send(.audioDeactivated)))
    #expect(bench.send(.audioActivated) == [.setAudioPlan(configured), .setAudioPlan(running)])
  }

  @Test("a second activation makes one new unit and changes nothing else (CK-27, invariant 33)")
  func secondActivation() {
    var bench = Bench(Path.active)
    var rebuilt = running
    rebuilt.unit = 1
    #expect(bench.send(.audioActivated) == [.setAudioPlan(rebuilt)])
    var idle = Bench(Path.ringing + [.audioActivated])
    #expect(isIgnored(idle.send(.audioActivated)))
  }

  @Test("an interruption stops the unit, and its end starts nothing: activation does (AV-7, CK-24)")
  func interruption() {
    var bench = Bench(Path.active)
    #expect(bench.send(.interruptionBegan) == [.setAudioPlan(.off)])
    #expect(isIgnored(bench.send(.interruptionBegan)))
    #expect(isIgnored(bench.send(.interruptionEnded)))
    #expect(bench.send(.audioActivated) == [.setAudioPlan(configured), .setAudioPlan(running)])
  }

  @Test("a unit that cannot be started is tried once more, then with the next activation (AV-4)")
  func unitFails() {
    var bench = Bench(Path.active)
    #expect(
      bench.send(.unitFailed(code: 561_015_905), at: 100)
        == [.setAudioPlan(configured), .setTimer(.audioRetry, at: milliseconds(1_100))])
    #expect(bench.send(.timerFired(.audioRetry), at: 1_100) == [.setAudioPlan(running)])
    #expect(bench.send(.unitFailed(code: 561_015_905)) == [.setAudioPlan(configured)])
    #expect(isIgnored(bench.send(.unitFailed(code: 1))))
    bench.send(.audioDeactivated)
    #expect(bench.send(.audioActivated).last == .setAudioPlan(running))
    // The next failure has its own second try, and the call's end takes the timer away.
    #expect(bench.send(.unitFailed(code: 1), at: 2_000).contains(.setTimer(.audioRetry, at: milliseconds(3_000))))
    #expect(bench.send(.legEnded(remoteLeg, .remoteHangUp)).contains(.cancelTimer(.audioRetry)))
    #expect(bench.coordinator.isQuiescent)
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
