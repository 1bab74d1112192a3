import Instant

/// What happens to the audio session and to the audio unit.
extension CallCoordinator {
  mutating func audioActivated(_ turn: inout Turn) {
    // A second activation changes no state; the unit that runs is made anew (CK-27, invariant 33).
    if audio.sessionIsActive, !audio.plan.unitRuns { turn.ignored = "the audio session is active already" }
    audio.gainSession()
  }

  /// CallKit has taken the session away, or an interruption has: then the unit has stopped already (AV-7).
  mutating func sessionLost(_ turn: inout Turn) {
    if !audio.sessionIsActive { turn.ignored = "the audio session is not active" }
    audio.loseSession()
  }

  /// Not for every beginning an end is told (AV-7), and the session is CallKit's: audio goes on when that activates it
  /// (CK-24).
  mutating func interruptionEnded(_ turn: inout Turn) {
    turn.ignored = "audio goes on when CallKit activates the session (CK-24)"
  }

  mutating func unitFailed(_ turn: inout Turn) {
    guard audio.plan.unitRuns else {
      turn.ignored = "no unit is to run"
      return
    }
    audio.failure = audio.hasRetried ? .final : .retry(at: turn.now + AudioRegion.retryDelay)
  }

  /// The unit is tried once more.
  mutating func retryUnit() {
    audio.hasRetried = true
    audio.failure = .none
  }
}
