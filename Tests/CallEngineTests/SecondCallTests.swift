import Testing

@testable import CallEngine

@Suite struct SecondCallTests {
  private static let second = [
    invitation(CallReference(callID: "L"), otherLeg), .reportCompleted(other, .accepted),
  ]
  private let held = MediaState(isHeldHere: true)

  private func plan(_ leg: LegID) -> CoordinatorCommand {
    .setAudioPlan(AudioPlan(isConfigured: true, legs: [leg], microphoneIsOpen: true))
  }

  @Test("ringing does not touch the call that goes on")
  func ringing() {
    var bench = Bench(Path.active)
    let first = bench.send(Self.second[0])
    #expect(first == [.reportIncoming(other, CallUpdate(handle: alice.uri, caller: "Alice"))])
    #expect(bench.send(Self.second[1]).first == .ring(otherLeg))
    #expect(bench.coordinator.audio.plan.legs == [remoteLeg])
  }

  @Test("Hold & Accept, swap, swap back (CK-32)")
  func holdAndAccept() {
    var bench = Bench(Path.active + Self.second)
    #expect(bench.send(action(2, .setHeld(true))).contains(.setLocalHold(remoteLeg, true)))
    let answered = bench.send(action(3, .answer, other))
    // The session is set up anew for the second call, under no running unit.
    #expect(
      answered.starts(with: [.setAudioPlan(.off), .setAudioPlan(AudioPlan(isConfigured: true)), .accept(otherLeg)]))
    #expect(bench.send(.acceptSent(otherLeg)).contains(plan(otherLeg)))
    bench.send(all: [.acknowledged(otherLeg), .negotiated(remoteLeg, held)])
    bench.send(action(4, .setHeld(true), other))
    bench.send(action(5, .setHeld(false)))
    bench.send(.negotiated(otherLeg, held))
    let back = bench.send(.negotiated(remoteLeg, MediaState()))
    #expect(back.contains(fulfil(5)))
    #expect(back.contains(plan(remoteLeg)))
    #expect(bench.coordinator.calls.map(\.headline) == [.active, .held])
  }

  @Test("a swap whose un-hold is refused leaves both held and resumes nothing by itself")
  func refusedSwap() {
    var bench = Bench(Path.active + Self.second + [action(2, .setHeld(true)), action(3, .answer, other)])
    bench.send(all: [.acceptSent(otherLeg), .acknowledged(otherLeg), .negotiated(remoteLeg, held)])
    bench.send(all: [action(4, .setHeld(true), other), action(5, .setHeld(false)), .negotiated(otherLeg, held)])
    #expect(bench.send(.localHoldRefused(remoteLeg)).contains(fail(5)))
    #expect(bench.coordinator.calls.map(\.headline) == [.held, .held])
    #expect(bench.coordinator.audio.plan.unitRuns == false)
  }

  @Test("End & Accept (CK-32)")
  func endAndAccept() {
    var bench = Bench(Path.active + Self.second)
    #expect(bench.send(action(2, .end)).contains(.hangUp(remoteLeg)))
    #expect(bench.send(action(3, .answer, other)).contains(.accept(otherLeg)))
    #expect(bench.send(.acceptSent(otherLeg)).contains(plan(otherLeg)))
  }

  @Test("a call that ends leaves the held one held, unless the app's policy resumes it", arguments: [false, true])
  func remainingCall(resumes: Bool) {
    var settings = EngineSettings()
    settings.resumesRemainingCall = resumes
    var bench = Bench()
    bench.coordinator = CallCoordinator(settings: settings)
    bench.send(all: Path.held + Self.second + [action(3, .answer, other), .acceptSent(otherLeg)])
    let commands = bench.send(.legEnded(otherLeg, .remoteHangUp))
    let asked = RequestedAction(id: ActionID(1), call: uuid, kind: .setHeld(false))
    #expect(commands.contains(.request(RequestID(1), [asked])) == resumes)
    #expect(bench.coordinator.calls.first?.headline == .held)
  }

  @Test("dialling while a call goes on holds it first, as a transaction of its own (CK-33, LP-14)")
  func dialling() {
    var bench = Bench(Path.active)
    let dialled = bench.send(.user(.dial(alice, freshUUID: third)))
    let hold = RequestedAction(id: ActionID(1), call: uuid, kind: .setHeld(true))
    #expect(
      dialled == [.request(RequestID(1), [hold]), .changeState(third, from: nil, to: .requesting, end: nil)])
    #expect(bench.send(.requestCompleted(RequestID(1), .accepted)) == [])
    let performed = bench.send(
      .perform(CallAction(id: ActionID(1), call: uuid, kind: .setHeld(true), transaction: 1)))
    let start = RequestedAction(id: ActionID(2), call: third, kind: .start(alice))
    #expect(performed.contains(.fulfil(ActionID(1))))
    #expect(performed.contains(.request(RequestID(2), [start])))
  }

  @Test("a call that is connected while another one waits for its place is held too (CK-33)")
  func floorTakenMeanwhile() {
    // The second call is answered in the app before the system shows it, and the first is accepted meanwhile.
    var bench = Bench(Path.accepting + [Self.second[0], .user(.answer(other))])
    bench.send(.acceptSent(remoteLeg))
    let hold = RequestedAction(id: ActionID(1), call: uuid, kind: .setHeld(true))
    #expect(bench.send(Self.second[1]).contains(.request(RequestID(1), [hold])))
    #expect(
      !bench.send(.requestCompleted(RequestID(1), .accepted)).contains { if case .request = $0 { true } else { false } }
    )
    let answer = RequestedAction(id: ActionID(2), call: other, kind: .answer)
    #expect(
      bench.send(.perform(CallAction(id: ActionID(1), call: uuid, kind: .setHeld(true), transaction: 1)))
        .contains(.request(RequestID(2), [answer])))
  }

  @Test("nothing is held for a second call that the system does not show")
  func holdsNothingForWhatIsRefused() {
    var bench = Bench(Path.active + [Self.second[0], .user(.answer(other))])
    bench.send(.reportCompleted(other, .refused(.filteredByDoNotDisturb)))
    #expect(bench.coordinator.calls.first?.headline == .active)
    #expect(bench.coordinator.requests.isEmpty)
  }

  @Test("a hold that CallKit refuses takes the second call with it")
  func diallingRefused() {
    var bench = Bench(Path.active + [.user(.dial(alice, freshUUID: third))])
    let commands = bench.send(.requestCompleted(RequestID(1), .refused(.unknown)))
    #expect(commands.contains { if case .refuseIntent(.dial, _) = $0 { true } else { false } })
    #expect(commands.contains(.changeState(third, from: .requesting, to: .ended, end: .reported(.failed))))
    #expect(bench.coordinator.calls.map(\.uuid) == [uuid])
  }

  @Test("a swap in the app holds the one call before it resumes the other")
  func swapInTheApp() {
    var bench = Bench(Path.held + Self.second + [action(3, .answer, other), .acceptSent(otherLeg)])
    bench.send(.acknowledged(otherLeg))
    let hold = RequestedAction(id: ActionID(1), call: other, kind: .setHeld(true))
    #expect(bench.send(.user(.swap(hold: other, resume: uuid))) == [.request(RequestID(1), [hold])])
    bench.send(.requestCompleted(RequestID(1), .accepted))
    let resume = RequestedAction(id: ActionID(2), call: uuid, kind: .setHeld(false))
    #expect(
      bench.send(.perform(CallAction(id: ActionID(1), call: other, kind: .setHeld(true), transaction: 1)))
        .contains(.request(RequestID(2), [resume])))
  }
}
