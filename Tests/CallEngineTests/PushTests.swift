import Testing

@testable import CallEngine

@Suite struct PushTests {
  @Test(
    "a push for a live call reports the same call again, and its refusal changes nothing (invariant 1, CK-18)",
    arguments: [Path.announced, Path.ringing, Path.active])
  func duplicatePush(path: [CoordinatorInput]) {
    var bench = Bench(path)
    let before = bench.coordinator.calls.map(\.presentation)
    let commands = bench.send(push(key, third))
    #expect(commands.count == 1)
    guard case .reportIncoming(uuid, _)? = commands.first else {
      Issue.record("not the same call: \(commands)")
      return
    }
    #expect(isIgnored(bench.send(.reportCompleted(uuid, .refused(.callUUIDAlreadyExists)))))
    #expect(bench.coordinator.calls.map(\.presentation) == before)
  }

  @Test(
    "a push for a call that is over is reported and, once accepted, ended with what became of it (CK-17)",
    arguments: [
      ([CoordinatorInput.legEnded(remoteLeg, .cancelled(nil))], EndedReason.remoteEnded),
      ([.legEnded(remoteLeg, .cancelled(.answered))], .answeredElsewhere),
      ([action(1, .end), .legEnded(remoteLeg, .local)], .declinedElsewhere),
    ])
  func latePush(ending: [CoordinatorInput], reason: EndedReason) {
    var bench = Bench([invitation(fresh: uuid), .reportCompleted(uuid, .accepted)] + ending)
    #expect(bench.send(push(key, third)) == [.reportIncoming(third, CallUpdate(caller: "Alice"))])
    #expect(
      bench.send(.reportCompleted(third, .accepted)) == [
        .reportEnded(third, reason), .changeState(third, from: nil, to: .ended, end: .reported(reason)),
      ])
    #expect(bench.coordinator.isQuiescent)
  }

  @Test("no invitation binds to a push that names none (PK-11)")
  func pushWithoutReference() {
    var bench = Bench([push(nil), .reportCompleted(uuid, .accepted)])
    #expect(
      bench.send(invitation()).first
        == .reportIncoming(other, CallUpdate(handle: alice.uri, caller: "Alice")))
    #expect(bench.send(.timerFired(.placeholder(uuid))).contains(.reportEnded(uuid, .unanswered)))
  }

  @Test("an invitation binds to a placeholder only; another fork is a call of its own (invariant 6)")
  func secondFork() {
    var bench = Bench(Path.active)
    #expect(
      bench.send(invitation(key, otherLeg)).first
        == .reportIncoming(other, CallUpdate(handle: alice.uri, caller: "Alice")))
    bench.send(.reportCompleted(other, .accepted))
    // Ending one leaves the other alone (invariant 27).
    bench.send(.legEnded(otherLeg, .cancelled(nil)))
    #expect(bench.coordinator.calls.map(\.uuid) == [uuid])
    #expect(bench.coordinator.calls.first?.headline == .active)
  }
}
