import Testing

@testable import CallEngine

@Suite struct MuteTests {
  private func plan(open: Bool, _ leg: LegID = remoteLeg) -> CoordinatorCommand {
    .setAudioPlan(AudioPlan(isConfigured: true, legs: [leg], microphoneIsOpen: open))
  }

  @Test("CallKit mutes: the microphone closes, the unit runs on, nothing is asked of CallKit (CK-13)")
  func fromCallKit() {
    var bench = Bench(Path.active)
    #expect(bench.send(action(2, .setMuted(true))) == [plan(open: false), fulfil(2)])
    #expect(bench.send(action(3, .setMuted(true))) == [fulfil(3)])
    #expect(bench.send(action(4, .setMuted(false))) == [fulfil(4), plan(open: true)])
  }

  @Test("the app mutes: CallKit is asked once, and its action does it")
  func fromTheApp() {
    var bench = Bench(Path.active)
    let kind = ActionKind.setMuted(true)
    #expect(
      bench.send(.user(.setMuted(uuid, true)))
        == [.request(RequestID(1), [RequestedAction(id: ActionID(1), call: uuid, kind: kind)])])
    #expect(isIgnored(bench.send(.user(.setMuted(uuid, true)))))
    bench.send(.requestCompleted(RequestID(1), .accepted))
    let performed = CoordinatorInput.perform(CallAction(id: ActionID(1), call: uuid, kind: kind, transaction: 1))
    #expect(bench.send(performed) == [plan(open: false), .fulfil(ActionID(1))])
    #expect(isIgnored(bench.send(.user(.setMuted(uuid, true)))))
  }

  @Test("a call that is muted before it is connected begins with a closed microphone")
  func beforeTheAnswer() {
    var bench = Bench(Path.ringing + [action(2, .setMuted(true)), action(1, .answer), .acceptSent(remoteLeg)])
    #expect(bench.send(.audioActivated) == [plan(open: false)])
  }

  @Test("the un-mute that the system sends when a call connects is completed, and the call stays muted (CK-13)")
  func unmuteOnConnect() {
    var bench = Bench(Path.ringback + [.audioActivated, action(2, .setMuted(true)), .answered(localLeg)])
    let commands = bench.send(action(3, .setMuted(false)))
    #expect(commands.first == fulfil(3))
    #expect(bench.coordinator.audio.plan.microphoneIsOpen == false)
    let asked = RequestedAction(id: ActionID(2), call: uuid, kind: .setMuted(true))
    #expect(commands.last == .request(RequestID(2), [asked]))
    // Once: what comes then is the user's.
    bench.send(.requestCompleted(RequestID(2), .accepted))
    bench.send(.perform(CallAction(id: ActionID(2), call: uuid, kind: .setMuted(true), transaction: 2)))
    #expect(bench.send(action(4, .setMuted(false))) == [fulfil(4), plan(open: true, localLeg)])
  }

  @Test("an un-mute that comes later, or that the app asked for, is the user's")
  func laterUnmute() {
    var bench = Bench(Path.ringback + [.audioActivated, action(2, .setMuted(true)), .answered(localLeg)])
    #expect(bench.send(action(3, .setMuted(false)), at: 60_000).contains(plan(open: true, localLeg)))
    var asking = Bench(Path.ringback + [.audioActivated, action(2, .setMuted(true)), .answered(localLeg)])
    asking.send(all: [.user(.setMuted(uuid, false)), .requestCompleted(RequestID(2), .accepted)])
    let performed = CoordinatorInput.perform(
      CallAction(id: ActionID(2), call: uuid, kind: .setMuted(false), transaction: 1))
    #expect(asking.send(performed).contains(plan(open: true, localLeg)))
  }

  @Test("the un-mute of a call that is over fails (CK-10)")
  func afterTheEnd() {
    var bench = Bench(Path.active + [action(2, .setMuted(true)), action(3, .end), .legEnded(remoteLeg, .local)])
    #expect(bench.send(action(4, .setMuted(false))) == [fail(4)])
  }

  @Test("mute is a property of its call: the other one's microphone is open")
  func eachCallHasItsOwn() {
    var bench = Bench(Path.active + [action(2, .setMuted(true)), invitation(CallReference(callID: "L"), otherLeg)])
    bench.send(all: [
      .reportCompleted(other, .accepted), action(3, .setHeld(true)), action(4, .answer, other), .acceptSent(otherLeg),
    ])
    #expect(bench.coordinator.audio.plan.legs == [otherLeg])
    #expect(bench.coordinator.audio.plan.microphoneIsOpen)
  }
}
