import Foundation
import Testing

@testable import CallEngine

/// Every kind of input in every state (invariant 41).
@Suite struct EveryInputTests {
  struct State: Sendable, CustomTestStringConvertible {
    let name: String
    let path: [CoordinatorInput]
    var testDescription: String { name }
  }

  static let states = [
    State(name: "idle", path: []), State(name: "reporting", path: [push()]),
    State(name: "announced", path: Path.announced), State(name: "answered early", path: Path.earlyAnswered),
    State(name: "bound while reporting", path: [push(), invitation()]),
    State(name: "ringing", path: Path.ringing), State(name: "accepting", path: Path.accepting),
    State(name: "connecting", path: Path.connecting), State(name: "active", path: Path.active),
    State(name: "end wanted", path: Path.active + [.user(.end(uuid))]),
    State(name: "closing", path: Path.active + [action(2, .end)]),
    State(name: "declined early", path: Path.announced + [action(2, .end)]),
    State(name: "dialled", path: Path.dialled), State(name: "start accepted", path: Path.startAccepted),
    State(name: "starting", path: Path.starting), State(name: "dialing", path: Path.dialing),
    State(name: "ringback", path: Path.ringback), State(name: "outgoing active", path: Path.outgoingActive),
    State(name: "end behind start", path: Path.startAccepted + [.user(.end(uuid))]),
    State(name: "holding", path: Path.active + [action(2, .setHeld(true))]),
    State(name: "held", path: Path.held), State(name: "resuming", path: Path.held + [action(3, .setHeld(false))]),
    State(
      name: "resuming while holding", path: Path.active + [action(2, .setHeld(true)), action(3, .setHeld(false))]),
    State(
      name: "held there", path: Path.active + [.negotiated(remoteLeg, MediaState(isHeldThere: true))]),
    State(name: "sending digits", path: Path.active + [action(2, .playDTMF("12")), action(3, .playDTMF("3"))]),
    State(name: "muted before the answer", path: Path.ringing + [action(2, .setMuted(true))]),
    State(name: "hold asked for", path: Path.active + [.user(.setHeld(uuid, true))]),
    State(name: "unit failed", path: Path.active + [.unitFailed(code: 1)]),
    State(name: "being transferred", path: Path.active + [.referred(remoteLeg, TransferID(.remote, 1), carol)]),
    State(
      name: "transferring",
      path: Path.active + [.referred(remoteLeg, TransferID(.remote, 1), carol), .legEnded(remoteLeg, .remoteHangUp)]),
    State(name: "being replaced", path: Path.active + [replacement()]),
    State(name: "replaced", path: Path.active + [replacement(), .acceptSent(otherLeg)]),
    State(name: "transfer wanted", path: Path.transferWanted), State(name: "transfer asked", path: Path.transferAsked),
    State(
      name: "transfer accepted", path: Path.transferAsked + [.transferAdvanced(TransferID(.local, 1), .accepted)]),
    State(
      name: "transferred away", path: Path.transferAsked + [.transferAdvanced(TransferID(.local, 1), .succeeded)]),
    State(name: "consulting", path: Path.consulting),
    State(name: "connection asked", path: Path.consulting + [.user(.connect(uuid, with: other))]),
    State(
      name: "connection wanted", path: Path.consulting.dropLast() + [.user(.connect(uuid, with: other))]),
    State(name: "network lost", path: Path.active + [.networkLost]),
    State(name: "network lost while it rings there", path: Path.ringback + [.networkLost]),
    State(name: "called anew", path: Path.ringback + [.networkLost, .networkRestored]),
    State(name: "outgoing closing", path: Path.ringback + [action(2, .end)]),
  ]

  /// Every kind of input; what must be fresh differs from round to round.
  static func inputs(round: Int) -> [CoordinatorInput] {
    let (id, leg) = (20 + round, LegID(.remote, 20 + round))
    func fresh(_ number: Int) -> CallUUID { CallUUID(high: UInt64(number), low: UInt64(round)) }
    let (unknown, pushed) = (fresh(1), fresh(2))
    return [
      push(key, pushed), push(nil, pushed), push(CallReference(callID: "L"), pushed),
      invitation(key, leg, fresh: fresh(3)), invitation(CallReference(callID: "L"), leg, fresh: fresh(3)),
      invitation(key, remoteLeg, fresh: fresh(3)),
      .referred(remoteLeg, TransferID(.remote, id), carol), .referred(localLeg, TransferID(.remote, id), carol),
      .timerFired(.retire(remoteLeg)), .timerFired(.retire(localLeg)),
      replacement(of: remoteLeg, by: leg), replacement(of: localLeg, by: leg), replacement(of: otherLeg, by: leg),
      .reportCompleted(uuid, .accepted), .reportCompleted(unknown, .accepted),
      action(id, .start(alice)), action(id, .answer), action(id, .end), action(id, .start(alice), unknown),
      action(id, .answer, unknown), action(id, .end, unknown),
      .actionTimedOut(ActionID(-1)), .actionTimedOut(ActionID(1)), .audioActivated, .audioDeactivated,
      .requestCompleted(RequestID(1), .accepted), .requestCompleted(RequestID(2), .accepted),
      .requestCompleted(RequestID(1), .refused(.unknownCallUUID)),
      .requestCompleted(RequestID(2), .refused(.unknownCallProvider)),
      .user(.dial(alice, freshUUID: fresh(4))), .user(.dial(alice, freshUUID: uuid)), .user(.answer(uuid)),
      .user(.end(uuid)), .user(.end(unknown)), .invitationSent(localLeg, key),
      action(id, .setHeld(true)), action(id, .setHeld(false)), action(id, .setHeld(true), unknown),
      action(id, .setMuted(true)), action(id, .setMuted(false)), action(id, .setMuted(true), unknown),
      action(id, .playDTMF("12#")), action(id, .playDTMF("x")), action(id, .playDTMF("1"), unknown),
      .user(.setHeld(uuid, true)), .user(.setHeld(uuid, false)), .user(.setMuted(uuid, true)),
      .user(.setMuted(uuid, false)), .user(.sendDigits(uuid, "1")), .user(.swap(hold: uuid, resume: unknown)),
      .user(.swap(hold: uuid, resume: uuid)), .interruptionBegan, .interruptionEnded, .unitFailed(code: 1),
      .timerFired(.audioRetry), .timerFired(.watchdog(ActionID(-2))), .timerFired(.watchdog(ActionID(-3))),
      .actionTimedOut(ActionID(-2)), .actionTimedOut(ActionID(-3)),
      .timerFired(.placeholder(uuid)), .timerFired(.ring(uuid)), .timerFired(.watchdog(ActionID(-1))),
      .timerFired(.watchdog(ActionID(1))),
      .user(.transfer(uuid, to: carol)), .user(.transfer(unknown, to: carol)), .user(.connect(uuid, with: uuid)),
      .user(.connect(uuid, with: unknown)), .user(.connect(uuid, with: other)), .user(.connect(other, with: uuid)),
      .user(.end(other)), action(id, .end, other), action(id, .setHeld(true), other), .networkLost, .networkRestored,
    ]
      + [
        TransferState.accepted, .progress(status: 180), .succeeded, .failed(status: 486), .refused(status: nil),
        .unknown,
      ].map { .transferAdvanced(TransferID(.local, 1), $0) }
      + IncomingCallError.allCases.map { .reportCompleted(uuid, .refused($0)) }
      + [remoteLeg, localLeg, otherLeg].flatMap { factsOfLeg($0) }
  }

  private static func factsOfLeg(_ leg: LegID) -> [CoordinatorInput] {
    [
      .acceptSent(leg), .acknowledged(leg), .answered(leg), .progress(leg, .trying), .progress(leg, .ringing),
      .progress(leg, .earlyMedia), .legEnded(leg, .local), .legEnded(leg, .remoteHangUp),
      .negotiated(leg, MediaState()), .negotiated(leg, MediaState(isHeldHere: true)),
      .negotiated(leg, MediaState(isHeldThere: true)),
      .negotiated(leg, MediaState(isHeldHere: true, isHeldThere: true)), .localHoldRefused(leg),
      .invitedAgain(leg, CallReference(callID: "M")), .digitsSent(leg, ActionID(-2)),
      .digitsFailed(leg, ActionID(-2)),
      .legEnded(leg, .cancelled(nil)), .legEnded(leg, .rejected(status: 486)), .legEnded(leg, .failure),
    ]
  }

  /// One in so many pairs is tried, others in every state; `make soak` tries them all.
  private static let share = ProcessInfo.processInfo.environment["CALLSIM_ORDERS"] == nil ? 8 : 1

  @Test("every pair of inputs keeps the rules, and everything can be brought to rest", arguments: states)
  func everyPair(state: State) {
    let place = Self.states.firstIndex { $0.name == state.name } ?? 0
    for (row, first) in Self.inputs(round: 1).enumerated() {
      for (column, second) in Self.inputs(round: 2).enumerated() where (row + column + place) % Self.share == 0 {
        var monitor = Monitor()
        for input in state.path + [first, second] { monitor.send(input) }
        monitor.settle()
        if !monitor.violations.isEmpty {
          Issue.record("\(first), then \(second): \(monitor.violations)")
        }
      }
    }
  }

  @Test("what means nothing is ignored with a reason", arguments: states)
  func nothingIsSwallowed(state: State) {
    for input in Self.inputs(round: 1) {
      var bench = Bench(state.path)
      let before = bench.coordinator
      let commands = bench.send(input)
      if bench.coordinator == before { #expect(!commands.isEmpty, "\(input)") }
    }
  }
}
