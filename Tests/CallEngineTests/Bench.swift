import Instant

@testable import CallEngine

/// A coordinator with a clock and a counter of inputs, so that a test reads as a straight line of facts and commands.
struct Bench {
  var coordinator = CallCoordinator()
  var now = Instant.zero
  var inputs = 0

  /// Hands an input over at a time in milliseconds and returns the commands.
  @discardableResult
  mutating func send(_ input: CoordinatorInput, at milliseconds: Int64? = nil) -> [CoordinatorCommand] {
    outputs(of: input, at: milliseconds).map(\.command)
  }

  /// As ``send(_:at:)``, with the causes. The first input is number 1.
  mutating func outputs(of input: CoordinatorInput, at milliseconds: Int64? = nil) -> [CoordinatorOutput] {
    if let milliseconds { now = Instant(microseconds: milliseconds * 1_000) }
    inputs += 1
    return coordinator.handle(input, at: now, causes: Causes([inputs]))
  }

  mutating func send(all inputs: [CoordinatorInput]) {
    for input in inputs { send(input) }
  }
}

let uuid = CallUUID(high: 0, low: 1)
let other = CallUUID(high: 0, low: 2)
let third = CallUUID(high: 0, low: 3)
let key = CallReference(callID: "K")
let alice = Party(uri: "sip:alice@example.org", displayName: "Alice")
let carol = Party(uri: "sip:carol@example.org", displayName: "Carol")
let remoteLeg = LegID(.remote, 1)
let otherLeg = LegID(.remote, 2)
let localLeg = LegID(.local, 1)

func milliseconds(_ count: Int64) -> Instant { Instant(microseconds: count * 1_000) }

func push(_ reference: CallReference? = key, _ fresh: CallUUID = uuid) -> CoordinatorInput {
  .pushArrived(PushNotification(reference: reference, caller: "Alice", freshUUID: fresh))
}

func invitation(
  _ reference: CallReference = key, _ leg: LegID = remoteLeg, fresh: CallUUID = other
) -> CoordinatorInput {
  .invitationArrived(Invitation(leg: leg, reference: reference, remote: alice, hasOffer: true, freshUUID: fresh))
}

func replacement(of replaced: LegID = remoteLeg, by leg: LegID = otherLeg) -> CoordinatorInput {
  .invitationArrived(
    Invitation(
      leg: leg, reference: CallReference(callID: "new"), remote: carol, hasOffer: true, freshUUID: third,
      replaces: replaced))
}

func action(_ id: Int, _ kind: ActionKind, _ call: CallUUID = uuid) -> CoordinatorInput {
  .perform(CallAction(id: ActionID(-id), call: call, kind: kind, transaction: id))
}

func fulfil(_ id: Int) -> CoordinatorCommand { .fulfil(ActionID(-id)) }
func fail(_ id: Int) -> CoordinatorCommand { .fail(ActionID(-id)) }

func isIgnored(_ commands: [CoordinatorCommand]) -> Bool {
  commands.contains { if case .ignore = $0 { true } else { false } }
}

/// Ways to states that many tests begin in, all of call ``uuid``.
enum Path {
  static let announced = [push(), .reportCompleted(uuid, .accepted)]
  static let earlyAnswered = announced + [action(1, .answer)]
  static let ringing = announced + [invitation()]
  static let accepting = ringing + [action(1, .answer)]
  static let connecting = accepting + [.acceptSent(remoteLeg)]
  static let active = connecting + [.acknowledged(remoteLeg), .audioActivated]
  static let held =
    active + [
      action(2, .setHeld(true)), .negotiated(remoteLeg, MediaState(isHeldHere: true)),
    ]
  /// A transfer to Carol was wanted, the app has asked for the hold, and the other side has agreed to it.
  static let transferWanted = active + [.user(.transfer(uuid, to: carol)), .requestCompleted(RequestID(1), .accepted)]
  static let transferAsked =
    transferWanted + [
      .perform(CallAction(id: ActionID(1), call: uuid, kind: .setHeld(true), transaction: 1)),
      .negotiated(remoteLeg, MediaState(isHeldHere: true)),
    ]
  /// The first call is held, and Carol has answered a second one.
  static let consulting =
    held + [
      .user(.dial(carol, freshUUID: other)), .requestCompleted(RequestID(1), .accepted),
      .perform(CallAction(id: ActionID(1), call: other, kind: .start(carol), transaction: 1)),
      .invitationSent(localLeg, CallReference(callID: "K2")), .progress(localLeg, .ringing), .answered(localLeg),
    ]
  static let dialled: [CoordinatorInput] = [.user(.dial(alice, freshUUID: uuid))]
  static let startAccepted = dialled + [.requestCompleted(RequestID(1), .accepted)]
  static let starting =
    startAccepted + [.perform(CallAction(id: ActionID(1), call: uuid, kind: .start(alice), transaction: 1))]
  static let dialing = starting + [.invitationSent(localLeg, key)]
  static let ringback = dialing + [.progress(localLeg, .ringing)]
  static let outgoingActive = ringback + [.answered(localLeg), .audioActivated]
}

extension Bench {
  init(_ path: [CoordinatorInput]) {
    self.init()
    send(all: path)
  }
}
