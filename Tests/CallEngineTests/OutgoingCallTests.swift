import Instant
import Testing

@testable import CallEngine

@Suite struct OutgoingCallTests {
  @Test("dial, early media, answer, remote end (CK-11, CK-21, invariant 18)")
  func ordinaryCall() {
    var bench = Bench()
    let start = ActionKind.start(alice)
    #expect(
      bench.send(.user(.dial(alice, freshUUID: uuid)), at: 0) == [
        .request(RequestID(1), [RequestedAction(id: ActionID(1), call: uuid, kind: start)]),
        .changeState(uuid, from: nil, to: .requesting, end: nil),
      ])
    #expect(bench.send(.requestCompleted(RequestID(1), .accepted), at: 5) == [])
    #expect(
      bench.send(.perform(CallAction(id: ActionID(1), call: uuid, kind: start, transaction: 1)), at: 5) == [
        .reportUpdated(uuid, CallUpdate(handle: alice.uri, caller: "Alice")),
        .setAudioPlan(AudioPlan(isConfigured: true)), .invite(localLeg, alice),
        .setTimer(.watchdog(ActionID(1)), at: milliseconds(10_005)),
      ])
    #expect(
      bench.send(.invitationSent(localLeg, key)) == [
        .fulfil(ActionID(1)), .reportStartedConnecting(uuid), .cancelTimer(.watchdog(ActionID(1))),
        .changeState(uuid, from: .requesting, to: .dialing, end: nil),
      ])
    #expect(
      bench.send(.audioActivated) == [.setAudioPlan(AudioPlan(isConfigured: true, legs: [localLeg]))])
    bench.send(.progress(localLeg, .trying))
    #expect(
      bench.send(.progress(localLeg, .earlyMedia)) == [.changeState(uuid, from: .dialing, to: .ringback, end: nil)])
    #expect(
      bench.send(.answered(localLeg)) == [
        .reportConnected(uuid),
        .setAudioPlan(AudioPlan(isConfigured: true, legs: [localLeg], microphoneIsOpen: true)),
        .changeState(uuid, from: .ringback, to: .active, end: nil),
      ])
    #expect(
      bench.send(.legEnded(localLeg, .remoteHangUp)) == [
        .setAudioPlan(.off), .reportEnded(uuid, .remoteEnded),
        .changeState(uuid, from: .active, to: .ended, end: .reported(.remoteEnded)),
      ])
    #expect(bench.coordinator.isQuiescent)
  }

  @Test(
    "the final status decides the reason (CK-20)",
    arguments: [
      (486, EndedReason.remoteEnded), (600, .remoteEnded), (603, .remoteEnded), (408, .unanswered),
      (480, .unanswered), (404, .failed), (500, .failed),
    ])
  func refusals(status: Int, reason: EndedReason) {
    var bench = Bench(Path.ringback)
    #expect(bench.send(.legEnded(localLeg, .rejected(status: status))).contains(.reportEnded(uuid, reason)))
  }

  @Test(
    "End in every phase is fulfilled at once and never reported",
    arguments: [
      Path.dialled, Path.startAccepted, Path.starting, Path.dialing, Path.ringback, Path.outgoingActive,
    ])
  func endInEveryPhase(path: [CoordinatorInput]) {
    var bench = Bench(path)
    let hasLeg = bench.coordinator.calls.first?.leg != nil
    let commands = bench.send(action(9, .end))
    #expect(commands.contains(fulfil(9)))
    #expect(commands.contains(.hangUp(localLeg)) == hasLeg)
    #expect(commands.last == .changeState(uuid, from: bench.state(in: commands), to: .ended, end: .local))
    #expect(!commands.contains { if case .reportEnded = $0 { true } else { false } })
  }

  @Test("a refused request ends the call and tells the user (CK-8)")
  func startRefused() {
    var bench = Bench(Path.dialled)
    let commands = bench.send(.requestCompleted(RequestID(1), .refused(.unknownCallProvider)))
    #expect(commands.last == .changeState(uuid, from: .requesting, to: .ended, end: .reported(.failed)))
    guard case .refuseIntent(.dial(alice, freshUUID: uuid), _)? = commands.first else {
      Issue.record("the wish was not refused: \(commands)")
      return
    }
    #expect(bench.coordinator.isQuiescent)
  }

  @Test(
    "an end asked for while the Start is pending waits behind it, and nothing is sent (react-native-callkeep#312, invariant 45)"
  )
  func endBehindStart() {
    var bench = Bench(Path.dialled)
    #expect(
      bench.send(.user(.end(uuid))) == [.changeState(uuid, from: .requesting, to: .ending, end: nil)])
    #expect(
      bench.send(.requestCompleted(RequestID(1), .accepted)) == [
        .request(RequestID(2), [RequestedAction(id: ActionID(2), call: uuid, kind: .end)])
      ])
    let start = CallAction(id: ActionID(1), call: uuid, kind: .start(alice), transaction: 1)
    let commands = bench.send(.perform(start))
    #expect(!commands.contains { if case .invite = $0 { true } else { false } })
    bench.send(.requestCompleted(RequestID(2), .accepted))
    let end = CallAction(id: ActionID(2), call: uuid, kind: .end, transaction: 2)
    #expect(bench.send(.perform(end)).starts(with: [.fail(ActionID(1)), .fulfil(ActionID(2))]))
    #expect(bench.coordinator.isQuiescent)
  }

  @Test(
    "an end that CallKit refuses is carried out all the same and reported once (twilio/voice-callkit-quickstart-swift#6)",
    arguments: [RequestError.unknownCallProvider, .unknownCallUUID])
  func endRefused(error: RequestError) {
    var bench = Bench(Path.outgoingActive + [.user(.end(uuid))])
    #expect(
      bench.send(.requestCompleted(RequestID(2), .refused(error))) == [
        .setAudioPlan(.off), .hangUp(localLeg), .reportEnded(uuid, .remoteEnded),
        .changeState(uuid, from: .ending, to: .ended, end: .reported(.remoteEnded)),
      ])
  }

  @Test("a Start whose invitation cannot be sent fails; that closes the call (invariant 7)")
  func startFails() {
    var bench = Bench(Path.starting)
    let commands = bench.send(.legEnded(localLeg, .failure))
    #expect(commands.contains(.fail(ActionID(1))))
    #expect(!commands.contains(.reportEnded(uuid, .failed)))
    #expect(bench.coordinator.isQuiescent)
  }

  @Test("a Start for a call that is over fails; the UUID is not revived (invariant 3)")
  func lateStart() {
    var bench = Bench(Path.dialled + [action(9, .end), .requestCompleted(RequestID(1), .accepted)])
    #expect(bench.send(action(1, .start(alice))) == [fail(1)])
  }

  @Test("answer and end in the app become requests")
  func requestsFromTheApp() {
    var bench = Bench(Path.ringing)
    #expect(
      bench.send(.user(.answer(uuid))) == [
        .request(RequestID(1), [RequestedAction(id: ActionID(1), call: uuid, kind: .answer)])
      ])
    #expect(isIgnored(bench.send(.user(.answer(uuid)))))
    #expect(bench.send(.user(.end(uuid))).contains(.changeState(uuid, from: .ringing, to: .ending, end: nil)))
    // The Answer that was already under way is not carried out against the later wish.
    #expect(!bench.send(action(1, .answer)).contains(.accept(remoteLeg)))
  }
}

extension Bench {
  /// The state that the last change in some commands came from.
  func state(in commands: [CoordinatorCommand]) -> CallState? {
    if case .changeState(_, from: let old, to: _, end: _)? = commands.last { return old }
    return nil
  }
}
