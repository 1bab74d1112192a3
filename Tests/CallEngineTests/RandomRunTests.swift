import Instant
import Testing

@testable import CallEngine

/// Long runs with neighbours that keep their contracts and do everything else at random.
@Suite struct RandomRunTests {
  /// SplitMix64, so that a seed names a run.
  struct Dice {
    var state: UInt64

    mutating func roll(_ sides: Int) -> Int {
      state &+= 0x9E37_79B9_7F4A_7C15
      var word = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
      word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
      return Int((word ^ (word >> 31)) % UInt64(max(sides, 1)))
    }

    mutating func pick<Element>(_ elements: [Element]) -> Element? {
      elements.isEmpty ? nil : elements[roll(elements.count)]
    }
  }

  struct Run {
    var monitor = Monitor()
    var dice: Dice
    var fresh: UInt64 = 100

    mutating func freshUUID() -> CallUUID {
      fresh += 1
      return CallUUID(high: 1, low: fresh)
    }

    mutating func freshNumber() -> Int {
      fresh += 1
      return Int(fresh)
    }

    mutating func reference() -> CallReference { CallReference(callID: "\(dice.roll(4))") }

    mutating func step() {
      guard let input = next() else { return }
      monitor.send(input, after: .milliseconds(Int64(dice.roll(5_000))))
    }

    /// One input that the neighbours may give now.
    private mutating func next() -> CoordinatorInput? {
      switch dice.roll(24) {
      case 16: return dice.pick(monitor.shown).map { action(freshNumber(), .setHeld(dice.roll(2) == 0), $0) }
      case 17: return dice.pick(monitor.shown).map { action(freshNumber(), .setMuted(dice.roll(2) == 0), $0) }
      case 18: return dice.pick(monitor.shown).map { action(freshNumber(), .playDTMF("12#"), $0) }
      case 19, 20: return answerToHold()
      case 21:
        return dice.pick(monitor.owedDigits).map {
          dice.roll(3) == 0 ? .digitsFailed($0.leg, $0.action) : .digitsSent($0.leg, $0.action)
        }
      case 22:
        if dice.roll(3) == 0 { return newsOfTransfer() }
        if dice.roll(3) == 0 {
          return dice.pick(monitor.legs).map { .referred($0, TransferID(.remote, freshNumber()), carol) }
        }
        return dice.pick(monitor.shown).flatMap { wish($0) }
      case 23:
        if dice.roll(4) == 0 { return dice.pick(monitor.legs).map { .invitedAgain($0, reference()) } }
        let inputs: [CoordinatorInput] = [
          .interruptionBegan, .interruptionEnded, .unitFailed(code: 1), .audioActivated, .networkLost, .networkRestored,
        ]
        return dice.pick(inputs)
      case 0: return push(dice.roll(5) == 0 ? nil : reference(), freshUUID())
      case 1:
        guard dice.roll(3) == 0, let replaced = dice.pick(monitor.legs) else {
          return invitation(reference(), LegID(.remote, freshNumber()), fresh: freshUUID())
        }
        return .invitationArrived(
          Invitation(
            leg: LegID(.remote, freshNumber()), reference: reference(), remote: alice, hasOffer: true,
            freshUUID: freshUUID(), replaces: replaced))
      case 2: return .user(.dial(alice, freshUUID: freshUUID()))
      case 3, 4: return answerToReport()
      case 5: return monitor.owedRequests.first.map { .requestCompleted($0.id, result()) }
      case 6:
        return monitor.owedActions.first.map {
          .perform(CallAction(id: $0.id, call: $0.call, kind: $0.kind, transaction: 0))
        }
      case 7: return dice.pick(monitor.accepting).map { .acceptSent($0) }
      case 8: return dice.pick(monitor.inviting).map { .invitationSent($0, key) }
      case 9: return dice.pick(monitor.legs).flatMap { factOfLeg($0) }
      case 10: return dice.pick(monitor.legs).flatMap { endOfLeg($0) }
      case 11: return dice.pick(monitor.timers).map { .timerFired($0) }
      case 12: return dice.roll(2) == 0 ? .audioActivated : .audioDeactivated
      case 13: return dice.pick(monitor.shown).flatMap { answer($0) }
      case 14:
        return dice.pick(monitor.shown).map { dice.roll(3) == 0 ? action(freshNumber(), .end, $0) : .user(.end($0)) }
      default:
        return dice.roll(4) == 0
          ? dice.pick(monitor.openActions).map { .actionTimedOut($0.id) }
          : dice.pick(monitor.shown).map { .user(.answer($0)) }
      }
    }

    /// Signalling agrees, is refused, or is still at what was asked before; the other side holds or not.
    private mutating func answerToHold() -> CoordinatorInput? {
      guard let leg = dice.pick(dice.roll(2) == 0 ? monitor.owedHolds : monitor.legs) else { return nil }
      if dice.roll(4) == 0 { return .localHoldRefused(leg) }
      let told = monitor.told[leg] ?? false
      return .negotiated(
        leg, MediaState(isHeldHere: dice.roll(5) == 0 ? !told : told, isHeldThere: dice.roll(3) == 0))
    }

    private mutating func wish(_ call: CallUUID) -> CoordinatorInput? {
      let wishes: [UserIntent] = [
        .setHeld(call, dice.roll(2) == 0), .setMuted(call, dice.roll(2) == 0), .sendDigits(call, "7"),
      ]
      if dice.roll(3) == 0 { return dice.pick(monitor.shown).map { .user(.swap(hold: call, resume: $0)) } }
      if dice.roll(3) == 0 { return dice.pick(monitor.shown).map { .user(.connect(call, with: $0)) } }
      if dice.roll(3) == 0 { return .user(.transfer(call, to: carol)) }
      return dice.pick(wishes).map { .user($0) }
    }

    private mutating func newsOfTransfer() -> CoordinatorInput? {
      let states: [TransferState] = [
        .accepted, .progress(status: 180), .succeeded, .failed(status: 486), .refused(status: 603),
        .refused(status: nil),
        .unknown,
      ]
      return dice.pick(monitor.owedTransfers).map { .transferAdvanced($0.id, states[dice.roll(states.count)]) }
    }

    private mutating func answerToReport() -> CoordinatorInput? {
      guard let call = monitor.owedReports.first else { return nil }
      if monitor.shown.contains(call) { return .reportCompleted(call, .refused(.callUUIDAlreadyExists)) }
      return .reportCompleted(call, dice.roll(5) == 0 ? .refused(.filteredByDoNotDisturb) : .accepted)
    }

    private mutating func result() -> RequestResult {
      dice.roll(6) == 0 ? .refused(.unknownCallUUID) : .accepted
    }

    /// The system lets an incoming call be answered.
    private mutating func answer(_ call: CallUUID) -> CoordinatorInput? {
      guard monitor.bench.coordinator.calls.first(where: { $0.uuid == call })?.isOutgoing == false else { return nil }
      return action(freshNumber(), .answer, call)
    }

    private mutating func factOfLeg(_ leg: LegID) -> CoordinatorInput? {
      if leg.origin == .remote { return .acknowledged(leg) }
      return [.progress(leg, .ringing), .progress(leg, .earlyMedia), .answered(leg)][dice.roll(3)]
    }

    private mutating func endOfLeg(_ leg: LegID) -> CoordinatorInput? {
      let ends: [LegEnd] = [.remoteHangUp, .cancelled(nil), .cancelled(.answered), .failure, .rejected(status: 486)]
      return dice.pick(ends).map { .legEnded(leg, $0) }
    }
  }

  @Test("random runs keep every rule that can be seen from outside", arguments: 0..<8)
  func randomRuns(block: Int) {
    for seed in block * 40..<block * 40 + 40 {
      var run = Run(dice: Dice(state: UInt64(seed)))
      for _ in 0..<300 { run.step() }
      run.monitor.settle()
      if !run.monitor.violations.isEmpty { Issue.record("seed \(seed): \(run.monitor.violations.prefix(3))") }
    }
  }
}
