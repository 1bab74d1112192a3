import CallEngine
import Instant
import Timeline

/// What the system does with calls by itself, when everything else of the instant has happened.
enum SystemReaction: Hashable, Sendable {
  /// Resume the call that was held last (CK-34).
  case resumeHeldCall
  /// End every call that is talked on but the latest (CK-33).
  case endEarlierCalls
  /// Unmute a call that has been connected, or one that is over (CK-13).
  case unmute(CallUUID)
}

extension Phone {
  mutating func plan(_ reaction: SystemReaction, causes: [Int], on stage: inout Stage) {
    guard process == .running else { return }
    stage.schedule(.system(.react(reaction), causes: causes), after: .zero)
  }

  /// Two calls are talked on: one too many (CK-33).
  mutating func keepOneCall(causes: [Int], on stage: inout Stage) {
    if system.talkingCalls.count > 1 { plan(.endEarlierCalls, causes: causes, on: &stage) }
  }

  /// Carries out what was planned, if there is still reason to.
  mutating func react(_ reaction: SystemReaction, causes: [Int], on stage: inout Stage) {
    guard process == .running, isOfThisProcess(causes) else { return }
    var actions: [(call: CallUUID, kind: ActionKind)] = []
    switch reaction {
    case .resumeHeldCall:
      guard !system.needsAudio, !system.awaitsAudio else { return }
      let held = system.heldCalls.last { !system.isOpen(.end, for: $0) }
      if let held { actions = [(held, .setHeld(false))] }
    case .endEarlierCalls:
      // A hold that the app is still handling may yet make room; if it fails, this comes again.
      actions = system.talkingCalls.dropLast()
        .filter { !system.isOpen(.end, for: $0) && !system.isOpen(.setHeld(true), for: $0) }
        .map { ($0, .end) }
    case .unmute(let uuid):
      if system.calls[uuid].map(\.isMuted) ?? true { actions = [(uuid, .setMuted(false))] }
    }
    for action in actions {
      let item = ActionToDeliver(
        id: system.nextActionID(), call: action.call, kind: action.kind, origin: .system)
      deliver([item], causes: causes, on: &stage)
    }
  }
}
