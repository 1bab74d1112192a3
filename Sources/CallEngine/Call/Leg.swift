import Instant

/// One leg of a call and how far its signalling has come. A leg that is over is not kept.
struct Leg: Hashable, Sendable {
  enum State: Hashable, Sendable {
    /// An invitation is here, the caller knows nothing yet.
    case offered
    /// The caller knows that the user is alerted.
    case ringing
    /// The acceptance was commanded and has not left yet.
    case accepting
    /// The acceptance is out and not acknowledged.
    case accepted
    /// Our invitation was commanded and has not left yet.
    case inviting
    /// Our invitation is out.
    case invited
    /// The callee is alerted or early media flows.
    case early
    /// The dialog is complete.
    case confirmed
    /// We have rejected, cancelled or hung up.
    case closing
  }

  /// How far signalling has come with the wish to hold the leg.
  enum HoldRequest: Hashable, Sendable {
    /// The other side has agreed, or nothing was ever asked.
    case settled
    /// Signalling was told, and has not said that it is so.
    case pending
    /// The other side refused it.
    case refused
  }

  /// Whom and under which reference a leg brings with it when it takes over.
  struct Succession: Hashable, Sendable {
    let remote: Party
    /// `nil` while our invitation has not left.
    var reference: CallReference?
  }

  let id: LegID
  var state: State
  /// What began the leg.
  let causes: Causes
  /// For a leg that is to take the place of the primary one: what takes over with it.
  var succession: Succession?
  /// Whether the leg is to take the place of an invitation of ours that may be lost.
  var isRepair = false
  /// The transfer that the leg was begun for, while whoever asked for it waits for a final report.
  var transfer: TransferID?
  /// When the target of a transfer must have answered.
  var answerDeadline: Instant?
  /// After a transfer the other side hangs up: whoever has transferred us, or the target that our call with it was
  /// replaced at. When we do it in their place.
  var retirement: Instant?
  /// Whether the session is being offered anew, so that what comes of it is news even if nothing changes.
  var isBeingRenewed = false
  /// Whether anything has come back to our invitation.
  var hasProgress = false
  /// What both sides have agreed on last; `nil` before they have agreed on anything.
  var agreement: MediaState?
  /// What signalling was told last about holding the leg, and what became of it.
  var isToldToHold = false
  var holdRequest = HoldRequest.settled

  /// Whether an incoming invitation still waits for its final answer.
  var awaitsDecision: Bool { state == .offered || state == .ringing }

  /// Whether both sides have agreed to talk, be it acknowledged or not.
  var isAccepted: Bool { state == .accepted || state == .confirmed }

  /// What both sides have agreed on; as long as that is nothing, nobody holds.
  var media: MediaState { agreement ?? MediaState() }

  /// Whether media may run as far as we are concerned: the other side has agreed that we do not hold.
  var isResumed: Bool { holdRequest == .settled && !isToldToHold && !media.isHeldHere }

  /// Whether our invitation has left.
  var wasSent: Bool { state == .invited || state == .early || state == .confirmed }
}
