import Instant
import Testing

@testable import CallEngine

/// We are transferred: the UUID stays through it all (LP-20, RFC 5589 6).
@Suite struct TransferTests {
  private let transfer = TransferID(.remote, 1)
  private let key2 = CallReference(callID: "K2")
  private var asked: CoordinatorInput { .referred(remoteLeg, transfer, carol) }
  private var calling: [CoordinatorInput] { Path.active + [asked, .invitationSent(localLeg, key2)] }

  private func plan(_ leg: LegID, open: Bool = true) -> CoordinatorCommand {
    .setAudioPlan(AudioPlan(isConfigured: true, legs: [leg], microphoneIsOpen: open))
  }

  @Test("taken on, answered: the new leg carries the call, CallKit hears the new name and nothing else")
  func succeeds() {
    var bench = Bench(Path.active)
    #expect(
      bench.send(asked, at: 0) == [
        .answerTransfer(transfer, accepts: true), .inviteTransferred(localLeg, transfer),
        .setTimer(.transfer(localLeg), at: milliseconds(50_000)),
      ])
    #expect(bench.send(.invitationSent(localLeg, key2)) == [])
    #expect(bench.send(.progress(localLeg, .ringing)) == [.reportTransfer(transfer, status: 180)])
    #expect(
      bench.send(.answered(localLeg), at: 1_000) == [
        .reportUpdated(uuid, CallUpdate(handle: carol.uri, caller: "Carol")),
        .reportTransfer(transfer, status: 200), .rebind(uuid, localLeg, key2), plan(localLeg),
        .cancelTimer(.transfer(localLeg)), .setTimer(.retire(remoteLeg), at: milliseconds(33_000)),
      ])
    // Whoever has transferred the call hangs up.
    #expect(bench.send(.legEnded(remoteLeg, .remoteHangUp)) == [.cancelTimer(.retire(remoteLeg))])
    #expect(bench.coordinator.calls.map(\.headline) == [.active])
  }

  @Test("whoever has transferred the call does not hang up: we do it in their place")
  func transferorStays() {
    var bench = Bench(calling + [.answered(localLeg)])
    #expect(bench.send(.timerFired(.retire(remoteLeg))) == [.hangUp(remoteLeg)])
    #expect(bench.send(.legEnded(remoteLeg, .local)) == [])
    #expect(bench.coordinator.calls.map(\.headline) == [.active])
  }

  @Test(
    "the target does not answer: whoever asked hears why, the call goes on as it was",
    arguments: [(LegEnd.rejected(status: 486), 486), (.transactionTimeout, 408), (.failure, 503)])
  func fails(end: LegEnd, status: Int) {
    var bench = Bench(calling)
    #expect(
      bench.send(.legEnded(localLeg, end)) == [
        .reportTransfer(transfer, status: status), .cancelTimer(.transfer(localLeg)),
      ])
    #expect(bench.coordinator.calls.map(\.headline) == [.active])
    #expect(bench.coordinator.audio.plan.legs == [remoteLeg])
    // Another one can be taken on.
    #expect(
      bench.send(.referred(remoteLeg, TransferID(.remote, 2), carol)).first
        == .answerTransfer(TransferID(.remote, 2), accepts: true))
  }

  @Test("an early BYE ends that leg only; the call lives on the new one")
  func earlyBye() {
    var bench = Bench(calling)
    #expect(
      bench.send(.legEnded(remoteLeg, .remoteHangUp)) == [
        .setAudioPlan(AudioPlan(isConfigured: true)), plan(localLeg, open: false),
        .changeState(uuid, from: .active, to: .transferring, end: nil),
      ])
    let answered = bench.send(.answered(localLeg))
    #expect(answered.contains(.reportTransfer(transfer, status: 200)))
    #expect(answered.contains(.changeState(uuid, from: .transferring, to: .active, end: nil)))
    #expect(bench.coordinator.timers.isEmpty)
  }

  @Test("an early BYE, and then the target fails: the UUID ends once")
  func earlyByeAndFailure() {
    var bench = Bench(calling + [.legEnded(remoteLeg, .remoteHangUp)])
    let commands = bench.send(.legEnded(localLeg, .rejected(status: 486)))
    #expect(commands.contains(.reportTransfer(transfer, status: 486)))
    #expect(commands.contains(.reportEnded(uuid, .failed)))
    #expect(bench.coordinator.isQuiescent)
  }

  @Test(
    "of an outgoing call as well: nobody is busy in a call that was up",
    arguments: [LegEnd.rejected(status: 486), .transactionTimeout])
  func outgoing(end: LegEnd) {
    var bench = Bench(Path.outgoingActive + [.referred(localLeg, transfer, carol)])
    let target = LegID(.local, 2)
    bench.send(all: [.invitationSent(target, key2), .legEnded(localLeg, .remoteHangUp)])
    #expect(bench.send(.legEnded(target, end)).contains(.reportEnded(uuid, .failed)))
  }

  @Test("the user's End closes both legs, and whoever asked hears of it once")
  func endInTheMiddle() {
    var bench = Bench(calling)
    let commands = bench.send(action(5, .end))
    #expect(commands.contains(.hangUp(remoteLeg)))
    #expect(commands.contains(.hangUp(localLeg)))
    #expect(commands.contains(.reportTransfer(transfer, status: 487)))
    bench.send(.legEnded(localLeg, .local))
    #expect(bench.send(.legEnded(remoteLeg, .local)) == [])
    #expect(bench.coordinator.isQuiescent)
  }

  @Test("a hold in the middle is the new leg's too")
  func holdInTheMiddle() {
    var bench = Bench(calling + [action(5, .setHeld(true)), .negotiated(remoteLeg, MediaState(isHeldHere: true))])
    #expect(bench.send(.answered(localLeg)).contains(.setLocalHold(localLeg, true)))
    #expect(bench.coordinator.audio.plan.unitRuns == false)
    bench.send(.negotiated(localLeg, MediaState(isHeldHere: true)))
    #expect(bench.coordinator.calls.map(\.headline) == [.held])
  }

  @Test("a second request in the middle is declined, and so is one for a call that is not up or that the user ends")
  func declined() {
    var bench = Bench(calling)
    #expect(
      bench.send(.referred(remoteLeg, TransferID(.remote, 2), carol)) == [
        .answerTransfer(TransferID(.remote, 2), accepts: false)
      ])
    for path in [Path.ringing, Path.active + [.user(.end(uuid))], Path.active + [action(5, .end)], []] {
      var other = Bench(path)
      #expect(other.send(asked).first == .answerTransfer(transfer, accepts: false))
    }
  }

  @Test("the new leg ends after the transfer: the call is over, the old leg is closed with it")
  func newLegEnds() {
    var bench = Bench(calling + [.answered(localLeg)])
    let commands = bench.send(.legEnded(localLeg, .remoteHangUp))
    #expect(commands.contains(.reportEnded(uuid, .remoteEnded)))
    #expect(commands.contains(.hangUp(remoteLeg)))
    bench.send(.legEnded(remoteLeg, .local))
    #expect(bench.coordinator.isQuiescent)
  }

  @Test("a call that only the target is left of can be held, and the new leg begins so")
  func heldWhileTransferring() {
    var bench = Bench(calling + [.legEnded(remoteLeg, .remoteHangUp)])
    #expect(bench.send(action(5, .setHeld(true))).contains(fulfil(5)))
    #expect(bench.coordinator.audio.plan.unitRuns == false)
    #expect(bench.send(.answered(localLeg)).contains(.setLocalHold(localLeg, true)))
    bench.send(.negotiated(localLeg, MediaState(isHeldHere: true)))
    #expect(bench.coordinator.calls.map(\.headline) == [.held])
    // Held and resumed before the answer: nothing is left of it.
    var both = Bench(calling + [.legEnded(remoteLeg, .remoteHangUp), action(5, .setHeld(true))])
    #expect(both.send(action(6, .setHeld(false))).contains(fulfil(6)))
  }

  @Test("whoever takes the call over ends a transfer that is under way")
  func replacedMeanwhile() {
    var bench = Bench(calling + [replacement()])
    let commands = bench.send(.acceptSent(otherLeg))
    #expect(commands.contains(.reportTransfer(transfer, status: 487)))
    #expect(commands.contains(.hangUp(localLeg)))
    #expect(commands.contains(.hangUp(remoteLeg)))
    #expect(bench.coordinator.calls.first?.leg?.id == otherLeg)
  }

  @Test("only the leg that carries the call can be taken over")
  func otherLegsAreNotReplaced() {
    var calls = Bench(calling)
    #expect(calls.send(replacement(of: localLeg)) == [.reject(otherLeg, .declined)])
    var done = Bench(calling + [.answered(localLeg)])
    #expect(done.send(replacement(of: remoteLeg)) == [.reject(otherLeg, .declined)])
  }

  @Test("a target that does not answer is given up before the reports end", arguments: [false, true])
  func slowTarget(isAlone: Bool) {
    var bench = Bench(calling + (isAlone ? [.legEnded(remoteLeg, .remoteHangUp)] : []))
    let commands = bench.send(.timerFired(.transfer(localLeg)))
    #expect(commands.contains(.reportTransfer(transfer, status: 408)))
    #expect(commands.contains(.hangUp(localLeg)))
    #expect(commands.contains(.reportEnded(uuid, .failed)) == isAlone)
  }

  @Test("the name of whoever was there before is not shown for somebody else")
  func namelessTarget() {
    var bench = Bench(Path.active + [.referred(remoteLeg, transfer, Party(uri: "sip:x@example.org"))])
    let commands = bench.send(.answered(localLeg))
    #expect(
      commands.first == .reportUpdated(uuid, CallUpdate(handle: "sip:x@example.org", caller: "sip:x@example.org")))
  }
}
