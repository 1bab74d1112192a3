/// What the user wants of a call. It is set before any output and survives the absence of the leg (invariant 22).
struct Intent: Hashable, Sendable {
  /// The inputs that made the user's answer; `nil` while the user has not decided.
  var answer: Causes?
  /// The inputs that made the wish to end the call in the app's own interface; the End action is yet to come.
  var end: Causes?
  /// Whether the call is to be held, and the inputs that made the wish.
  private(set) var isHeld = false
  private(set) var holdCauses: Causes = []
  /// Whether the microphone is closed for the call.
  var isMuted = false

  /// The last wish counts.
  mutating func setHeld(_ isHeld: Bool, causes: Causes) {
    self.isHeld = isHeld
    holdCauses = causes
  }
}

/// The decision that a call is over, taken once; reconciliation brings leg, actions and CallKit in line with it.
struct Ending: Hashable, Sendable {
  /// How the call ends.
  var how: CallEnd
  /// What an unanswered invitation is refused with.
  var rejection: Rejection
  /// Whether CallKit must be told. It is not where it knows: after an End action, a failed Start, a refused report.
  var isReported: Bool
  /// The inputs that led to the decision.
  var causes: Causes
}
