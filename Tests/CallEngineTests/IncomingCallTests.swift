import Instant
import Testing

@testable import CallEngine

@Suite struct IncomingCallTests {
  @Test("a call without push: reported, rung when shown, answered, ended by the user")
  func ordinaryCall() {
    var bench = Bench()
    #expect(
      bench.send(invitation(fresh: uuid), at: 0) == [
        .reportIncoming(uuid, CallUpdate(handle: alice.uri, caller: "Alice"))
      ])
    // 180 only for a call that the system shows (CK-15).
    #expect(
      bench.send(.reportCompleted(uuid, .accepted), at: 5) == [
        .ring(remoteLeg), .setTimer(.ring(uuid), at: milliseconds(45_005)),
        .changeState(uuid, from: nil, to: .ringing, end: nil),
      ])
    #expect(
      bench.send(action(1, .answer), at: 5_000) == [
        .setAudioPlan(AudioPlan(isConfigured: true)), .accept(remoteLeg),
        .cancelTimer(.ring(uuid)), .setTimer(.watchdog(ActionID(-1)), at: milliseconds(15_000)),
        .changeState(uuid, from: .ringing, to: .connecting, end: nil),
      ])
    #expect(bench.send(.acceptSent(remoteLeg)) == [fulfil(1), .cancelTimer(.watchdog(ActionID(-1)))])
    // Audio does not wait for the ACK.
    #expect(
      bench.send(.audioActivated, at: 5_020) == [
        .setAudioPlan(AudioPlan(isConfigured: true, legs: [remoteLeg], microphoneIsOpen: true))
      ])
    #expect(
      bench.send(.acknowledged(remoteLeg), at: 5_030) == [
        .changeState(uuid, from: .connecting, to: .active, end: nil)
      ])
    // The unit stops before the BYE; a local end is not reported (CK-20).
    #expect(
      bench.send(action(2, .end), at: 9_000) == [
        .setAudioPlan(.off), .hangUp(remoteLeg), fulfil(2),
        .changeState(uuid, from: .active, to: .ended, end: .local),
      ])
    bench.send(.legEnded(remoteLeg, .local))
    #expect(bench.coordinator.isQuiescent)
  }

  @Test("an early answer waits for its invitation and is accepted without ringing (CK-11, invariant 17)")
  func earlyAnswer() {
    var bench = Bench()
    #expect(
      bench.send(push(), at: 0) == [
        .reportIncoming(uuid, CallUpdate(caller: "Alice")),
        .setTimer(.placeholder(uuid), at: milliseconds(15_000)),
      ])
    #expect(
      bench.send(.reportCompleted(uuid, .accepted), at: 5) == [
        .changeState(uuid, from: nil, to: .ringing, end: nil)
      ])
    #expect(
      bench.send(action(1, .answer), at: 400) == [
        .setAudioPlan(AudioPlan(isConfigured: true)),
        .changeState(uuid, from: .ringing, to: .answering, end: nil),
      ])
    #expect(
      bench.send(invitation(), at: 1_900) == [
        .reportUpdated(uuid, CallUpdate(handle: alice.uri)), .accept(remoteLeg),
        .cancelTimer(.placeholder(uuid)), .setTimer(.watchdog(ActionID(-1)), at: milliseconds(11_900)),
        .changeState(uuid, from: .answering, to: .connecting, end: nil),
      ])
    #expect(bench.send(.acceptSent(remoteLeg)) == [fulfil(1), .cancelTimer(.watchdog(ActionID(-1)))])
  }

  @Test("the acceptance names the tap and the invitation, whichever came first")
  func acceptanceCauses() {
    var early = Bench(Path.earlyAnswered)
    let late = early.outputs(of: invitation())
    #expect(late.first { $0.command == .accept(remoteLeg) }?.causes == [3, 4])
    let sent = early.outputs(of: .acceptSent(remoteLeg))
    #expect(sent.first { $0.command == fulfil(1) }?.causes == [3, 4, 5])
    var ringing = Bench(Path.ringing)
    let tapped = ringing.outputs(of: action(1, .answer))
    #expect(tapped.first { $0.command == .accept(remoteLeg) }?.causes == [3, 4])
  }

  @Test("a placeholder whose invitation never comes fails its Answer, then reports (invariant 13, invariant 38)")
  func placeholderExpires() {
    var answered = Bench(Path.earlyAnswered)
    #expect(
      answered.send(.timerFired(.placeholder(uuid)), at: 15_000) == [
        .setAudioPlan(.off), fail(1), .reportEnded(uuid, .failed),
        .changeState(uuid, from: .answering, to: .ended, end: .reported(.failed)),
      ])
    // A time-out is not a decline: never a 6xx (invariant 22).
    #expect(answered.send(invitation(), at: 20_000) == [.reject(remoteLeg, .unavailable)])
    #expect(answered.coordinator.isQuiescent)
    var silent = Bench(Path.announced)
    #expect(silent.send(.timerFired(.placeholder(uuid)), at: 15_000).contains(.reportEnded(uuid, .unanswered)))
  }

  @Test("a decline before the invitation is kept, told to the first one, and consumed (invariant 22, invariant 23)")
  func declineBeforeInvitation() {
    var bench = Bench(Path.announced)
    #expect(
      bench.send(action(1, .end)) == [
        fulfil(1), .cancelTimer(.placeholder(uuid)), .changeState(uuid, from: .ringing, to: .ended, end: .local),
      ])
    let refusal = bench.outputs(of: invitation())
    #expect(refusal == [CoordinatorOutput(.reject(remoteLeg, .declined), causes: [1, 3, 4])])
    #expect(bench.send(invitation(key, otherLeg)) == [.reject(otherLeg, .unavailable)])
    #expect(bench.coordinator.isQuiescent)
  }

  @Test("a decline is forgotten after its life")
  func declineExpires() {
    var bench = Bench(Path.announced + [action(1, .end)])
    #expect(
      bench.send(invitation(), at: 60_000).first
        == .reportIncoming(
          other, CallUpdate(handle: alice.uri, caller: "Alice")))
  }

  @Test("End while the Answer waits: the Answer fails, the End is fulfilled, the caller hears a decline (invariant 17)")
  func endWhileAnswering() {
    var bench = Bench(Path.earlyAnswered)
    #expect(
      bench.send(action(2, .end)) == [
        .setAudioPlan(.off), fail(1), fulfil(2), .cancelTimer(.placeholder(uuid)),
        .changeState(uuid, from: .answering, to: .ended, end: .local),
      ])
    #expect(bench.send(invitation()) == [.reject(remoteLeg, .declined)])
  }

  @Test("End after the acceptance hangs up; it never becomes a rejection (invariant 17)")
  func endAfterAcceptance() {
    var accepting = Bench(Path.accepting)
    let commands = accepting.send(action(2, .end))
    #expect(commands.contains(.hangUp(remoteLeg)) && commands.contains(fail(1)) && commands.contains(fulfil(2)))
    #expect(isIgnored(accepting.send(.acceptSent(remoteLeg))))
    var connecting = Bench(Path.connecting)
    #expect(connecting.send(action(2, .end)).starts(with: [.setAudioPlan(.off), .hangUp(remoteLeg), fulfil(2)]))
  }

  @Test("End while ringing declines")
  func decline() {
    var bench = Bench(Path.ringing)
    #expect(
      bench.send(action(1, .end)) == [
        .reject(remoteLeg, .declined), fulfil(1), .cancelTimer(.ring(uuid)),
        .changeState(uuid, from: .ringing, to: .ended, end: .local),
      ])
  }

  @Test("the ring timer ends a call unanswered (LP-11)")
  func ringTimer() {
    var bench = Bench(Path.ringing)
    #expect(
      bench.send(.timerFired(.ring(uuid)), at: 45_000) == [
        .reject(remoteLeg, .unavailable), .reportEnded(uuid, .unanswered),
        .changeState(uuid, from: .ringing, to: .ended, end: .reported(.unanswered)),
      ])
  }

  @Test(
    "the end of the leg is told truthfully (CK-20)",
    arguments: [
      (LegEnd.cancelled(nil), EndedReason.remoteEnded), (.cancelled(.answered), .answeredElsewhere),
      (.cancelled(.declined), .declinedElsewhere), (.remoteHangUp, .remoteEnded), (.noAcknowledgement, .failed),
      (.transactionTimeout, .unanswered), (.failure, .failed),
    ])
  func remoteEnd(end: LegEnd, reason: EndedReason) {
    var bench = Bench(Path.accepting)
    // Open actions first: a completion after the report means nothing (invariant 13, CK-22).
    #expect(
      bench.send(.legEnded(remoteLeg, end)) == [
        .setAudioPlan(.off), fail(1), .reportEnded(uuid, reason), .cancelTimer(.watchdog(ActionID(-1))),
        .changeState(uuid, from: .connecting, to: .ended, end: .reported(reason)),
      ])
    #expect(bench.send(action(2, .answer)) == [fail(2)])
    #expect(bench.send(action(3, .end)) == [fulfil(3)])
    #expect(bench.coordinator.isQuiescent)
  }

  @Test(
    "a refused report refuses the invitation and is never closed (invariant 8)",
    arguments: [
      (IncomingCallError.filteredByDoNotDisturb, Rejection.busy), (.filteredByBlockList, .declined),
      (.unknown, .unavailable),
    ])
  func refusedReport(error: IncomingCallError, rejection: Rejection) {
    var direct = Bench([invitation(fresh: uuid)])
    let commands = direct.send(.reportCompleted(uuid, .refused(error)))
    #expect(commands.first == .reject(remoteLeg, rejection))
    #expect(!commands.contains { if case .reportEnded = $0 { true } else { false } })
    var early = Bench([push(), .reportCompleted(uuid, .refused(error))])
    #expect(early.send(invitation()) == [.reject(remoteLeg, rejection)])
    #expect(early.coordinator.isQuiescent)
  }

  @Test("an end while the report is unanswered waits for it (invariant 9, CK-17)")
  func endWhileReporting() {
    var bench = Bench([invitation(fresh: uuid)])
    #expect(bench.send(.legEnded(remoteLeg, .cancelled(nil))) == [])
    #expect(
      bench.send(.reportCompleted(uuid, .accepted)) == [
        .reportEnded(uuid, .remoteEnded), .changeState(uuid, from: nil, to: .ended, end: .reported(.remoteEnded)),
      ])
    var refused = Bench([invitation(fresh: uuid), .legEnded(remoteLeg, .cancelled(nil))])
    let commands = refused.send(.reportCompleted(uuid, .refused(.unknown)))
    #expect(!commands.contains { if case .reportEnded = $0 { true } else { false } })
    #expect(refused.coordinator.isQuiescent)
  }

  @Test("each Answer has its own completion, before and after the acceptance (invariant 14)")
  func severalAnswers() {
    var bench = Bench(Path.earlyAnswered + [action(2, .answer), invitation()])
    let commands = bench.send(.acceptSent(remoteLeg))
    #expect(commands.starts(with: [fulfil(1), fulfil(2)]))
    #expect(bench.send(action(3, .answer)).contains(fulfil(3)))
  }

  @Test("a timed-out action is never completed; the End that follows does the rest (CK-6)")
  func timedOutAction() {
    var bench = Bench(Path.earlyAnswered)
    bench.send(.actionTimedOut(ActionID(-1)))
    #expect(!bench.send(invitation()).contains(.accept(remoteLeg)))
    #expect(bench.send(action(2, .end)).starts(with: [.setAudioPlan(.off), .reject(remoteLeg, .declined), fulfil(2)]))
  }

  @Test("the watchdog gives up an acceptance that never leaves (invariant 13)")
  func watchdog() {
    var bench = Bench(Path.accepting)
    #expect(
      bench.send(.timerFired(.watchdog(ActionID(-1)))).starts(with: [
        .setAudioPlan(.off), .hangUp(remoteLeg), fail(1), .reportEnded(uuid, .failed),
      ]))
  }
}
