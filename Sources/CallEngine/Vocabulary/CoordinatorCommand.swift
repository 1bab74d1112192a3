import Instant

/// What a coordinator has the app do.
public enum CoordinatorCommand: Hashable, Sendable {
  // CXProvider
  /// reportNewIncomingCall; answered by ``CoordinatorInput/reportCompleted(_:_:)``.
  case reportIncoming(CallUUID, CallUpdate)
  /// reportCall(with:updated:): only what is set changes (CK-19).
  case reportUpdated(CallUUID, CallUpdate)
  /// reportOutgoingCall(with:startedConnectingAt:) (CK-21).
  case reportStartedConnecting(CallUUID)
  /// reportOutgoingCall(with:connectedAt:) (CK-21).
  case reportConnected(CallUUID)
  /// reportCall(with:endedAt:reason:) (CK-20).
  case reportEnded(CallUUID, EndedReason)
  /// CXAction.fulfill.
  case fulfil(ActionID)
  /// CXAction.fail.
  case fail(ActionID)

  // CXCallController
  /// Ask for one transaction; answered by ``CoordinatorInput/requestCompleted(_:_:)``.
  case request(RequestID, [RequestedAction])

  // Audio
  /// What is wanted of the audio hardware from now on.
  case setAudioPlan(AudioPlan)

  // Signalling
  /// Tell the caller that the user is alerted (180).
  case ring(LegID)
  /// Accept the invitation (2xx).
  case accept(LegID)
  /// Refuse the invitation.
  case reject(LegID, Rejection)
  /// End the leg, whatever its state: signalling knows whether that is a CANCEL, a BYE now, or a BYE after the ACK
  /// (RFC 3261 9.1, 15).
  case hangUp(LegID)
  /// Invite somebody on a new leg, perhaps in place of one that we have with them (RFC 3891); answered by
  /// ``CoordinatorInput/invitationSent(_:_:)``.
  case invite(LegID, Party, replacing: LegID? = nil)
  /// Whether we hold the leg from now on. A wish, not an event: the last one counts, and signalling negotiates until
  /// the session is so, one offer at a time, with the waits that crossing offers need (RFC 3261 14.1). Answered by
  /// ``CoordinatorInput/negotiated(_:_:)`` or ``CoordinatorInput/localHoldRefused(_:)``.
  case setLocalHold(LegID, Bool)
  /// Take a transfer on, or decline it.
  case answerTransfer(TransferID, accepts: Bool)
  /// Invite whom a transfer names on a new leg; answered by ``CoordinatorInput/invitationSent(_:_:)``.
  case inviteTransferred(LegID, TransferID)
  /// Tell whoever asked for the transfer how far it has come: the status of the new leg's response. A final one ends it.
  case reportTransfer(TransferID, status: Int)
  /// Ask the other side of a confirmed leg to call somebody in our place (RFC 3515, LP-22); answered by
  /// ``CoordinatorInput/transferAdvanced(_:_:)`` until a state is final, which happens whatever becomes of the leg.
  case transfer(LegID, TransferID, to: TransferTarget)
  /// Offer the session of a leg again as it is: the network was away, and what each side knows of the other may be old
  /// (LP-24).
  case renew(LegID)
  /// Send these digits one after the other; answered by ``CoordinatorInput/digitsSent(_:_:)`` or
  /// ``CoordinatorInput/digitsFailed(_:_:)``. One at a time for a leg.
  case sendDigits(LegID, ActionID, String)
  /// Stop sending digits; nothing more is told of them.
  case stopDigits(LegID)

  // Time
  /// Fire this timer at this instant; a timer that is set is moved.
  case setTimer(TimerID, at: Instant)
  case cancelTimer(TimerID)

  // For the record
  /// The headline state of a call has changed; `nil` as the old one means that the call is new.
  case changeState(CallUUID, from: CallState?, to: CallState, end: CallEnd?)
  /// Another leg carries the call from now on; the UUID is the same (LP-23).
  case rebind(CallUUID, LegID, CallReference)
  /// Tell the user how the transfer goes that was wanted for this call.
  case showTransfer(CallUUID, TransferState)
  /// The user's wish cannot be met.
  case refuseIntent(UserIntent, why: String)
  /// The input means nothing now; why, for the reader of a timeline.
  case ignore(String)
}
