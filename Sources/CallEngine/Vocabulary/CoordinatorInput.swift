/// A fact that a coordinator is told.
public enum CoordinatorInput: Hashable, Sendable {
  // PushKit
  /// A VoIP push was delivered; the outputs of this input are what happened inside the handler (PK-1).
  case pushArrived(PushNotification)

  // CallKit
  /// The provider's delegate is asked to perform an action.
  case perform(CallAction)
  /// The system gave up on an action; it must not be completed any more (CK-6).
  case actionTimedOut(ActionID)
  /// The system answered a report of an incoming call (CK-15).
  case reportCompleted(CallUUID, ReportResult)
  /// The system answered a request for a transaction; its actions are performed later (CK-7).
  case requestCompleted(RequestID, RequestResult)

  // Audio session
  /// CallKit has activated the audio session (CK-25).
  case audioActivated
  /// CallKit has deactivated the audio session.
  case audioDeactivated
  /// The session was interrupted: it is inactive and the unit has been stopped already (AV-7).
  case interruptionBegan
  /// The interruption is over. It is not guaranteed to be told for every beginning (AV-7).
  case interruptionEnded
  /// The audio unit could not be started; the code of the audio session's error (AV-4).
  case unitFailed(code: Int)

  // The app's own user interface
  /// The user acted in the app, not in the system's call screen.
  case user(UserIntent)

  // Signalling
  /// An invitation arrived.
  case invitationArrived(Invitation)
  /// The acceptance of a leg has left.
  case acceptSent(LegID)
  /// The acceptance of a leg was acknowledged: the dialog is complete.
  case acknowledged(LegID)
  /// Our invitation has left under this reference.
  case invitationSent(LegID, CallReference)
  /// A provisional response.
  case progress(LegID, Progress)
  /// Our invitation was accepted.
  case answered(LegID)
  /// An exchange of offer and answer is complete, or ``CoordinatorCommand/setLocalHold(_:_:)`` found the session to be
  /// what it asks for already. No offer of ours is outstanding at this moment.
  case negotiated(LegID, MediaState)
  /// The other side refused what ``CoordinatorCommand/setLocalHold(_:_:)`` asked for; the session is as it was
  /// (RFC 3261 14.1).
  case localHoldRefused(LegID)
  /// The other side of a leg asks us to call somebody else in its place (RFC 3515).
  case referred(LegID, TransferID, Party)
  /// A transfer that we have asked for has come this far.
  case transferAdvanced(TransferID, TransferState)
  /// Our invitation was refused and has left again: to another target under the same reference (RFC 3261 8.1.3.4), or
  /// with other media under a new one (LP-15). What was told of the first one is void.
  case invitedAgain(LegID, CallReference)
  /// Every digit of the action has been sent.
  case digitsSent(LegID, ActionID)
  /// The digits of the action, or the rest of them, could not be sent.
  case digitsFailed(LegID, ActionID)
  /// The leg is over.
  case legEnded(LegID, LegEnd)

  // The network
  /// No message can leave or arrive any more (LP-24).
  case networkLost
  /// The network is back; what was sent meanwhile is lost.
  case networkRestored

  // Time
  /// A timer is due.
  case timerFired(TimerID)
}

/// What a user wants, expressed in the app itself; most of it becomes a request to CallKit (CK-1).
public enum UserIntent: Hashable, Sendable {
  /// Call somebody; the UUID is fresh.
  case dial(Party, freshUUID: CallUUID)
  case answer(CallUUID)
  case end(CallUUID)
  case setHeld(CallUUID, Bool)
  case setMuted(CallUUID, Bool)
  /// Digits as in ``ActionKind/playDTMF(_:)``.
  case sendDigits(CallUUID, String)
  /// Have the other side of a call talk to this party instead (LP-22).
  case transfer(CallUUID, to: Party)
  /// Have the other sides of two calls talk to each other instead of to us: the first is asked to call the second one's.
  case connect(CallUUID, with: CallUUID)
  /// Hold one call and resume the other.
  case swap(hold: CallUUID, resume: CallUUID)
}
