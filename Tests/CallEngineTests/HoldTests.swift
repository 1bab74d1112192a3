import Instant
import Testing

@testable import CallEngine

@Suite struct HoldTests {
  private let held = MediaState(isHeldHere: true)
  private let running = AudioPlan(isConfigured: true, legs: [remoteLeg], microphoneIsOpen: true)
  private let idle = AudioPlan(isConfigured: true)

  @Test("the unit stops, the other side is asked, the hold is complete at once (CK-12)")
  func hold() {
    var bench = Bench(Path.active)
    #expect(
      bench.send(action(2, .setHeld(true))) == [
        .setAudioPlan(idle), .setLocalHold(remoteLeg, true), fulfil(2),
        .changeState(uuid, from: .active, to: .holding, end: nil),
      ])
    #expect(bench.send(.negotiated(remoteLeg, held)) == [.changeState(uuid, from: .holding, to: .held, end: nil)])
    // A second hold is complete as it is.
    #expect(bench.send(action(3, .setHeld(true))) == [fulfil(3)])
  }

  @Test("an un-hold waits for the other side's consent and not for the audio session (CK-25, invariant 19)")
  func resume() {
    var bench = Bench(Path.held + [.audioDeactivated])
    #expect(
      bench.send(action(3, .setHeld(false)), at: 1_000) == [
        .setLocalHold(remoteLeg, false), .setTimer(.watchdog(ActionID(-3)), at: milliseconds(11_000)),
        .changeState(uuid, from: .held, to: .resuming, end: nil),
      ])
    #expect(
      bench.send(.negotiated(remoteLeg, MediaState())) == [
        fulfil(3), .cancelTimer(.watchdog(ActionID(-3))),
        .changeState(uuid, from: .resuming, to: .active, end: nil),
      ])
    #expect(bench.send(.audioActivated) == [.setAudioPlan(idle), .setAudioPlan(running)])
  }

  @Test("an un-hold asked for while the hold is under way waits for both")
  func resumeDuringHold() {
    var bench = Bench(Path.active + [action(2, .setHeld(true))])
    let commands = bench.send(action(3, .setHeld(false)))
    #expect(commands.first == .setLocalHold(remoteLeg, false))
    #expect(commands.contains(.changeState(uuid, from: .holding, to: .resuming, end: nil)))
    // The answer to the hold comes first.
    #expect(bench.send(.negotiated(remoteLeg, held)) == [])
    #expect(bench.send(.negotiated(remoteLeg, MediaState())).contains(fulfil(3)))
  }

  @Test("nothing was negotiated: the wish is as things are, and complete")
  func resumeBeforeAnything() {
    var bench = Bench(Path.active + [action(2, .setHeld(true)), action(3, .setHeld(false))])
    // Signalling has cancelled what it waited for.
    let commands = bench.send(.negotiated(remoteLeg, MediaState()))
    #expect(commands.contains(fulfil(3)))
    #expect(commands.contains(.setAudioPlan(running)))
  }

  @Test("a refused un-hold fails, the call stays held, and signalling is told so")
  func refusedResume() {
    var bench = Bench(Path.held + [action(3, .setHeld(false))])
    #expect(
      bench.send(.localHoldRefused(remoteLeg)) == [
        .setLocalHold(remoteLeg, true), fail(3), .cancelTimer(.watchdog(ActionID(-3))),
        .changeState(uuid, from: .resuming, to: .held, end: nil),
      ])
    // It can be tried again.
    bench.send(.negotiated(remoteLeg, held))
    #expect(bench.send(action(4, .setHeld(false))).first == .setLocalHold(remoteLeg, false))
  }

  @Test("a refused hold is a hold all the same: the call is not fed")
  func refusedHold() {
    var bench = Bench(Path.active + [action(2, .setHeld(true))])
    #expect(bench.send(.localHoldRefused(remoteLeg)) == [])
    #expect(bench.coordinator.audio.plan == idle)
    bench.send(action(3, .setHeld(false)))
    #expect(bench.send(.negotiated(remoteLeg, MediaState())).contains(fulfil(3)))
  }

  @Test("the watchdog fails an un-hold, and a consent that comes later is taken back")
  func watchdog() {
    var bench = Bench(Path.held + [action(3, .setHeld(false))])
    let commands = bench.send(.timerFired(.watchdog(ActionID(-3))))
    #expect(commands.contains(fail(3)))
    #expect(commands.contains(.setLocalHold(remoteLeg, true)))
    bench.send(.negotiated(remoteLeg, MediaState()))
    #expect(bench.coordinator.audio.plan == idle)
    #expect(bench.send(.negotiated(remoteLeg, held)) == [.changeState(uuid, from: .holding, to: .held, end: nil)])
  }

  @Test("an un-hold that the system has given up takes those beside it with it")
  func timedOutResume() {
    var bench = Bench(Path.held + [action(3, .setHeld(false)), action(4, .setHeld(false))])
    let commands = bench.send(.actionTimedOut(ActionID(-3)))
    #expect(commands.contains(fail(4)))
    #expect(!commands.contains(fail(3)))
    #expect(commands.contains(.setLocalHold(remoteLeg, true)))
  }

  @Test("a hold overtakes an un-hold that is not complete")
  func holdDuringResume() {
    var bench = Bench(Path.held + [action(3, .setHeld(false))])
    let commands = bench.send(action(4, .setHeld(true)))
    #expect(Array(commands.prefix(3)) == [.setLocalHold(remoteLeg, true), fail(3), fulfil(4)])
    #expect(commands.contains(.changeState(uuid, from: .resuming, to: .held, end: nil)))
  }

  @Test(
    "the headline says who holds; CallKit is told nothing of the other side (LP-18)",
    arguments: [
      (false, MediaState(isHeldThere: true), CallState.heldByRemote),
      (true, MediaState(isHeldHere: true, isHeldThere: true), .heldBoth), (true, MediaState(isHeldHere: true), .held),
      (true, MediaState(isHeldThere: true), .holding),
    ])
  func headlines(isHeld: Bool, media: MediaState, state: CallState) {
    var bench = Bench(Path.active)
    if isHeld { bench.send(action(2, .setHeld(true))) }
    let commands = bench.send(.negotiated(remoteLeg, media))
    #expect(bench.coordinator.calls.first?.headline == state)
    #expect(commands.allSatisfy { if case .changeState = $0 { true } else { false } })
  }

  @Test("the unit stays on while the other side holds")
  func heldByRemote() {
    var bench = Bench(Path.active)
    bench.send(.negotiated(remoteLeg, MediaState(isHeldThere: true)))
    #expect(bench.coordinator.audio.plan == running)
  }

  @Test("an open un-hold is completed when the call ends, before the end is reported (invariant 13)")
  func endDuringResume() {
    var bench = Bench(Path.held + [action(3, .setHeld(false))])
    let commands = bench.send(.legEnded(remoteLeg, .remoteHangUp))
    #expect(commands.firstIndex(of: fail(3))! < commands.firstIndex(of: .reportEnded(uuid, .remoteEnded))!)
    #expect(bench.coordinator.calls.isEmpty)
  }

  @Test(
    "there is nothing to hold before the call is up",
    arguments: [Path.ringing, Path.announced, Path.earlyAnswered, Path.dialing, Path.ringback, Path.accepting])
  func tooEarly(path: [CoordinatorInput]) {
    var bench = Bench(path)
    #expect(bench.send(action(5, .setHeld(true))) == [fail(5)])
    #expect(bench.send(action(6, .setHeld(false))) == [fail(6)])
  }
}
