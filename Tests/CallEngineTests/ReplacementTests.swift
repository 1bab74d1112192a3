import Testing

@testable import CallEngine

/// An invitation that takes the place of a leg: the UUID stays (LP-23, RFC 3891).
@Suite struct ReplacementTests {
  @Test("whom we talk with calls anew in place of the call: nobody is told of a new name")
  func sameParty() {
    var bench = Bench(Path.active)
    let invitation = Invitation(
      leg: otherLeg, reference: CallReference(callID: "new"), remote: Party(uri: alice.uri), hasOffer: true,
      freshUUID: third, replaces: remoteLeg)
    bench.send(.invitationArrived(invitation))
    let commands = bench.send(.acceptSent(otherLeg))
    #expect(commands.contains(.rebind(uuid, otherLeg, CallReference(callID: "new"))))
    #expect(!commands.contains { if case .reportUpdated = $0 { true } else { false } })
  }

  private let new = CallReference(callID: "new")
  private let held = MediaState(isHeldHere: true)

  private func plan(_ leg: LegID) -> CoordinatorCommand {
    .setAudioPlan(AudioPlan(isConfigured: true, legs: [leg], microphoneIsOpen: true))
  }

  @Test("it is accepted at once; with our acceptance it carries the call, and the old leg is closed")
  func takesOver() {
    var bench = Bench(Path.active)
    #expect(bench.send(replacement()) == [.accept(otherLeg)])
    #expect(
      bench.send(.acceptSent(otherLeg)) == [
        .reportUpdated(uuid, CallUpdate(handle: carol.uri, caller: "Carol")), .hangUp(remoteLeg),
        .rebind(uuid, otherLeg, new), plan(otherLeg),
      ])
    #expect(isIgnored(bench.send(.negotiated(otherLeg, MediaState()))) == false)
    #expect(bench.send(.acknowledged(otherLeg)) == [])
    #expect(bench.send(.legEnded(remoteLeg, .local)) == [])
    #expect(bench.coordinator.calls.map(\.headline) == [.active])
    #expect(
      bench.send(.legEnded(otherLeg, .remoteHangUp)).contains(.reportEnded(uuid, .remoteEnded)))
    #expect(bench.coordinator.calls.isEmpty)
  }

  @Test("a call that the user holds stays held: the acceptance says so, and nothing is un-held")
  func whileHeld() {
    var bench = Bench(Path.held)
    #expect(bench.send(replacement()) == [.setLocalHold(otherLeg, true), .accept(otherLeg)])
    bench.send(.acceptSent(otherLeg))
    bench.send(all: [.negotiated(otherLeg, held), .acknowledged(otherLeg)])
    #expect(bench.coordinator.calls.map(\.headline) == [.held])
    #expect(bench.coordinator.audio.plan.unitRuns == false)
    // The un-hold is the new leg's.
    #expect(bench.send(action(5, .setHeld(false))).first == .setLocalHold(otherLeg, false))
    #expect(bench.send(.negotiated(otherLeg, MediaState())).contains(fulfil(5)))
  }

  @Test("whichever side ends the old leg, and whenever, the call goes on", arguments: [LegEnd.remoteHangUp, .failure])
  func oldLegEnds(end: LegEnd) {
    var before = Bench(Path.active + [replacement()])
    let commands = before.send(.legEnded(remoteLeg, end))
    #expect(commands.contains(.rebind(uuid, otherLeg, new)))
    before.send(all: [.acceptSent(otherLeg), .acknowledged(otherLeg)])
    #expect(before.coordinator.calls.map(\.headline) == [.active])
    var after = Bench(Path.active + [replacement(), .acceptSent(otherLeg)])
    #expect(after.send(.legEnded(remoteLeg, end)) == [])
  }

  @Test("the caller gives up before the acceptance: the old leg goes on as it was")
  func givenUp() {
    var bench = Bench(Path.active + [replacement()])
    #expect(bench.send(.legEnded(otherLeg, .cancelled(nil))) == [])
    #expect(bench.coordinator.calls.first?.leg?.id == remoteLeg)
    #expect(bench.coordinator.calls.map(\.headline) == [.active])
  }

  @Test("the user's End closes both legs and ends the call once")
  func endInTheMiddle() {
    var bench = Bench(Path.active + [replacement(), .acceptSent(otherLeg)])
    let commands = bench.send(action(5, .end))
    #expect(commands.contains(.hangUp(otherLeg)))
    #expect(commands.filter { $0 == fulfil(5) }.count == 1)
    bench.send(.legEnded(remoteLeg, .local))
    #expect(bench.send(.legEnded(otherLeg, .local)) == [])
    #expect(bench.coordinator.isQuiescent)
  }

  @Test("digits that are under way are the old leg's and fail")
  func digits() {
    var bench = Bench(Path.active + [action(5, .playDTMF("12")), replacement()])
    let commands = bench.send(.acceptSent(otherLeg))
    #expect(commands.contains(.stopDigits(remoteLeg)))
    #expect(commands.contains(fail(5)))
    #expect(bench.send(action(6, .playDTMF("3"))).first == .sendDigits(otherLeg, ActionID(-6), "3"))
  }

  @Test("an outgoing call that only rings is answered by the replacement")
  func ofAnOutgoingCall() {
    var bench = Bench(Path.ringback + [.audioActivated, replacement(of: localLeg)])
    let commands = bench.send(.acceptSent(otherLeg))
    #expect(commands.contains(.hangUp(localLeg)))
    #expect(bench.send(.acknowledged(otherLeg)).contains(.reportConnected(uuid)))
    #expect(bench.coordinator.calls.map(\.headline) == [.active])
  }

  @Test("a leg that is over, or that the user ends, is not replaced")
  func tooLate() {
    var bench = Bench(Path.active + [.user(.end(uuid))])
    #expect(bench.send(replacement()).first == .reject(otherLeg, .declined))
    var ended = Bench(Path.active + [action(5, .end)])
    #expect(ended.send(replacement()).first == .reject(otherLeg, .declined))
  }

  @Test("a push for either Call-ID finds the call (CK-18)", arguments: [key, CallReference(callID: "new")])
  func pushes(reference: CallReference) {
    var bench = Bench(Path.active + [replacement(), .acceptSent(otherLeg), .acknowledged(otherLeg)])
    let commands = bench.send(push(reference, third))
    #expect(commands.first == .reportIncoming(uuid, CallUpdate(handle: carol.uri, caller: "Carol")))
  }

  @Test("a push that came before is no call of its own", arguments: [false, true])
  func pushedBefore(isAnswered: Bool) {
    var bench = Bench(Path.active + [push(new, other), .reportCompleted(other, .accepted)])
    if isAnswered { bench.send(action(7, .answer, other)) }
    let commands = bench.send(replacement())
    #expect(commands.contains(.reportEnded(other, .answeredElsewhere)))
    #expect(commands.contains(fail(7)) == isAnswered)
    #expect(bench.send(.acceptSent(otherLeg)).contains(.rebind(uuid, otherLeg, new)))
  }

  @Test("an outgoing call that was taken over is found by a push for the invitation that did it")
  func pushForAnOutgoingCall() {
    var bench = Bench(
      Path.outgoingActive + [replacement(of: localLeg), .acceptSent(otherLeg), .acknowledged(otherLeg)])
    #expect(bench.send(push(new, third)).first == .reportIncoming(uuid, CallUpdate(handle: carol.uri, caller: "Carol")))
  }
}
