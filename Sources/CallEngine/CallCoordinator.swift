import Instant

/// The coordination engine: a pure value that keeps CallKit, signalling and the audio hardware in line with what the
/// user wants.
///
/// Every input changes one or more regions of a call (see ``Call``), and one reconciliation then puts out whatever
/// is missing. Crossing events need no case of their own: what matters is only what is wanted and what has been done.
/// Decisions that cannot be derived: a report that the system refused has the invitation refused (CK-15); of several
/// connected calls one is fed with audio; an End that CallKit refuses ends the call all the same and is reported as
/// a remote end, for CallKit has no word for a local one.
public struct CallCoordinator: Coordinator {
  public let settings: EngineSettings

  var calls: [Call] = []
  var audio = AudioRegion()
  var requests = RequestQueue()
  var timers = TimerTable()
  var tombstones = Tombstones()
  /// The transfers that the user wants, until their outcome is known.
  var transfers: [OutgoingTransfer] = []
  var isNetworkLost = false
  var lastTransfer = 0
  var lastLeg = 0
  var lastConnection = 0

  public init(settings: EngineSettings = EngineSettings()) {
    self.settings = settings
  }

  public mutating func handle(_ input: CoordinatorInput, at now: Instant, causes: Causes) -> [CoordinatorOutput] {
    var turn = Turn(now: now, causes: causes)
    tombstones.expire(at: now)
    take(input, &turn)
    reconcile(&turn)
    return turn.outputs
  }

  private mutating func take(_ input: CoordinatorInput, _ turn: inout Turn) {
    switch input {
    case .pushArrived(let push): pushArrived(push, &turn)
    case .perform(let action): perform(action, &turn)
    case .actionTimedOut(let action): actionTimedOut(action, &turn)
    case .reportCompleted(let call, let result): reportCompleted(call, result, &turn)
    case .requestCompleted(let request, let result): requestCompleted(request, result, &turn)
    case .audioActivated: audioActivated(&turn)
    case .audioDeactivated, .interruptionBegan: sessionLost(&turn)
    case .interruptionEnded: interruptionEnded(&turn)
    case .unitFailed: unitFailed(&turn)
    case .user(let intent): userWants(intent, &turn)
    case .invitationArrived(let invitation): invitationArrived(invitation, &turn)
    case .acceptSent(let leg): acceptSent(leg, &turn)
    case .acknowledged(let leg): acknowledged(leg, &turn)
    case .invitationSent(let leg, let reference): invitationSent(leg, reference, &turn)
    case .progress(let leg, let progress): progressMade(leg, progress, &turn)
    case .answered(let leg): answered(leg, &turn)
    case .negotiated(let leg, let media): negotiated(leg, media, &turn)
    case .referred(let leg, let transfer, let target): referred(leg, transfer, to: target, &turn)
    case .transferAdvanced(let transfer, let state): transferAdvanced(transfer, state, &turn)
    case .invitedAgain(let leg, let reference): invitedAgain(leg, reference, &turn)
    case .networkLost: networkLost(&turn)
    case .networkRestored: networkRestored(&turn)
    case .localHoldRefused(let leg): localHoldRefused(leg, &turn)
    case .digitsSent(let leg, let action): digitsFinished(leg, action, areSent: true, &turn)
    case .digitsFailed(let leg, let action): digitsFinished(leg, action, areSent: false, &turn)
    case .legEnded(let leg, let end): legEnded(leg, end, &turn)
    case .timerFired(let timer): timerFired(timer, &turn)
    }
  }

  /// Whether nothing is left of any call: no record, transfer, request or timer (invariant 40).
  package var isQuiescent: Bool {
    calls.isEmpty && transfers.isEmpty && requests.isEmpty && timers.isEmpty && audio.plan == .off
  }
}
