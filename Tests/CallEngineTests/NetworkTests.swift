import Testing

@testable import CallEngine

/// The network goes and comes back, and an invitation gets another Call-ID (LP-15, LP-24, invariant 39).
@Suite struct NetworkTests {
  private let away: [CoordinatorInput] = [.networkLost, .networkRestored]
  private let newLeg = LegID(.local, 2)
  private let key2 = CallReference(callID: "K2")

  @Test("a complete dialog is offered anew, whatever it is held or not", arguments: [Path.active, Path.held])
  func confirmed(path: [CoordinatorInput]) {
    var bench = Bench(path)
    #expect(bench.send(.networkLost) == [])
    #expect(bench.send(.networkRestored) == [.renew(remoteLeg)])
    #expect(isIgnored(bench.send(.networkRestored)))
    #expect(bench.send(.negotiated(remoteLeg, bench.coordinator.calls[0].legs[0].media)) == [])
  }

  @Test("lost twice is lost once")
  func twice() {
    var bench = Bench(Path.active + [.networkLost])
    #expect(isIgnored(bench.send(.networkLost)))
    #expect(bench.send(.networkRestored) == [.renew(remoteLeg)])
  }

  @Test(
    "an invitation that is not answered is made anew under the same UUID",
    arguments: [Path.dialing + [.progress(localLeg, .trying)], Path.ringback])
  func outgoing(path: [CoordinatorInput]) {
    var bench = Bench(path + [.networkLost])
    let commands = bench.send(.networkRestored)
    #expect(commands.prefix(2) == [.hangUp(localLeg), .invite(newLeg, alice)])
    #expect(bench.coordinator.calls.map(\.headline) == [.dialing])
    #expect(bench.send(.invitationSent(newLeg, key2)) == [.rebind(uuid, newLeg, key2)])
    #expect(bench.send(.legEnded(localLeg, .local)) == [])
    bench.send(.progress(newLeg, .ringing))
    let answered = bench.send(.answered(newLeg))
    #expect(answered.contains(.reportConnected(uuid)))
    #expect(!answered.contains(.reportStartedConnecting(uuid)))
    #expect(bench.coordinator.calls.map(\.headline) == [.active])
  }

  @Test("the new invitation is refused: the call ends once, with its reason")
  func refused() {
    var bench = Bench(Path.ringback + away + [.invitationSent(newLeg, key2), .legEnded(localLeg, .local)])
    #expect(
      bench.send(.legEnded(newLeg, .rejected(status: 486))).contains(.reportEnded(uuid, .remoteEnded)))
    #expect(bench.coordinator.calls.isEmpty)
  }

  @Test(
    "ringing, answered early and closing calls are left alone",
    arguments: [
      Path.ringing, Path.announced, Path.earlyAnswered, Path.connecting, Path.active + [.user(.end(uuid))],
      Path.ringback + [.user(.end(uuid))], Path.starting, Path.dialing,
    ])
  func leftAlone(path: [CoordinatorInput]) {
    var bench = Bench(path + [.networkLost])
    #expect(bench.send(.networkRestored) == [])
  }

  private var replacing: Bench {
    var settings = EngineSettings()
    settings.repair = .replaces
    var bench = Bench()
    bench.coordinator = CallCoordinator(settings: settings)
    bench.send(all: Path.ringback + [.networkLost])
    return bench
  }

  @Test("with Replaces the old invitation stays until the new one is answered")
  func inPlace() {
    var bench = replacing
    #expect(bench.send(.networkRestored) == [.invite(newLeg, alice, replacing: localLeg)])
    #expect(bench.send(.invitationSent(newLeg, key2)) == [])
    let answered = bench.send(.answered(newLeg))
    #expect(answered.contains(.rebind(uuid, newLeg, key2)))
    #expect(answered.contains(.hangUp(localLeg)))
    #expect(answered.contains(.reportConnected(uuid)))
    #expect(!answered.contains { if case .reportUpdated = $0 { true } else { false } })
    #expect(bench.send(.legEnded(localLeg, .local)) == [])
    #expect(bench.coordinator.calls.map(\.headline) == [.active])
  }

  @Test(
    "a callee that keeps to RFC 3891 3 answers 481, one that does not know it 420: the call is made anew",
    arguments: [481, 420])
  func inPlaceRefused(status: Int) {
    var bench = replacing
    bench.send(all: [.networkRestored, .invitationSent(newLeg, key2)])
    let commands = bench.send(.legEnded(newLeg, .rejected(status: status)))
    #expect(commands.prefix(2) == [.hangUp(localLeg), .invite(LegID(.local, 3), alice)])
    bench.send(all: [.legEnded(localLeg, .local), .answered(LegID(.local, 3))])
    #expect(bench.coordinator.calls.map(\.headline) == [.active])
  }

  @Test(
    "what the callee says to the new invitation is their word on the call, and nobody is rung again",
    arguments: [
      (LegEnd.rejected(status: 486), EndedReason.remoteEnded), (.rejected(status: 603), .remoteEnded),
      (.rejected(status: 480), .unanswered), (.transactionTimeout, .unanswered), (.failure, .failed),
    ])
  func inPlaceDeclined(end: LegEnd, reason: EndedReason) {
    var bench = replacing
    bench.send(all: [.networkRestored, .invitationSent(newLeg, key2)])
    let commands = bench.send(.legEnded(newLeg, end))
    #expect(commands.contains(.reportEnded(uuid, reason)))
    #expect(commands.contains(.hangUp(localLeg)))
    #expect(!commands.contains { if case .invite = $0 { true } else { false } })
  }

  @Test("the old invitation is declined: the call is over, the new one is not waited for", arguments: [486, 603, 480])
  func oldOneDeclined(status: Int) {
    var bench = replacing
    bench.send(all: [.networkRestored, .invitationSent(newLeg, key2)])
    let commands = bench.send(.legEnded(localLeg, .rejected(status: status)))
    #expect(commands.contains(.hangUp(newLeg)))
    #expect(commands.contains { if case .reportEnded = $0 { true } else { false } })
    #expect(!isIgnored(bench.send(.legEnded(newLeg, .rejected(status: 603)))))
    #expect(bench.coordinator.calls.isEmpty)
  }

  @Test("the callee gives the old invitation up for the new one, which carries the call then")
  func oldOneGivenUp() {
    var bench = replacing
    bench.send(all: [.networkRestored, .invitationSent(newLeg, key2)])
    #expect(bench.send(.legEnded(localLeg, .rejected(status: 487))).contains(.rebind(uuid, newLeg, key2)))
    #expect(bench.send(.legEnded(newLeg, .rejected(status: 486))).contains(.reportEnded(uuid, .remoteEnded)))
    #expect(bench.coordinator.calls.isEmpty)
  }

  @Test("the old invitation is answered after all: the new one is given up")
  func oldOneAnswered() {
    var bench = replacing
    bench.send(all: [.networkRestored, .invitationSent(newLeg, key2)])
    #expect(bench.send(.answered(localLeg)).contains(.hangUp(newLeg)))
    #expect(bench.send(.legEnded(newLeg, .local)) == [])
    #expect(bench.coordinator.calls.map(\.headline) == [.active])
    #expect(bench.send(.user(.transfer(uuid, to: carol))).contains { if case .request = $0 { true } else { false } })
  }

  @Test(
    "an invitation that has left again under another Call-ID begins anew, the UUID stays",
    arguments: [
      Path.dialing, Path.ringback,
    ])
  func renamed(path: [CoordinatorInput]) {
    var bench = Bench(path)
    let commands = bench.send(.invitedAgain(localLeg, key2))
    #expect(commands.contains(.rebind(uuid, localLeg, key2)))
    #expect(bench.coordinator.calls.map(\.headline) == [.dialing])
    #expect(bench.coordinator.calls.map(\.formerReferences) == [[key]])
    let answered = bench.send(.answered(localLeg))
    #expect(answered.contains(.reportConnected(uuid)))
    #expect(!answered.contains(.reportStartedConnecting(uuid)))
  }

  @Test("whom a transfer names may get another Call-ID too: it is the one that carries the call when it does")
  func renamedTarget() {
    var bench = Bench(Path.active + [.referred(remoteLeg, TransferID(.remote, 1), carol)])
    bench.send(all: [.invitationSent(localLeg, key), .invitedAgain(localLeg, key2)])
    #expect(bench.send(.answered(localLeg)).contains(.rebind(uuid, localLeg, key2)))
  }

  @Test("a leg that is past its invitation keeps its name")
  func tooLate() {
    for path in [Path.active, Path.outgoingActive, Path.ringback + [action(2, .end)]] {
      var bench = Bench(path)
      let leg = path.contains(.invitationSent(localLeg, key)) ? localLeg : remoteLeg
      #expect(isIgnored(bench.send(.invitedAgain(leg, key2))))
    }
  }
}
