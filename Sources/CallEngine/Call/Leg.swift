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

  let id: LegID
  var state: State
  /// What began the leg.
  let causes: Causes

  /// Whether an incoming invitation still waits for its final answer.
  var awaitsDecision: Bool { state == .offered || state == .ringing }

  /// Whether both sides have agreed to talk, be it acknowledged or not.
  var isAccepted: Bool { state == .accepted || state == .confirmed }

  /// Whether our invitation has left.
  var wasSent: Bool { state == .invited || state == .early || state == .confirmed }
}
