import Instant

/// What is known of the audio hardware and what was last wanted of it.
struct AudioRegion: Hashable, Sendable {
  /// How far category and mode are set for the calls that go on.
  enum Setup: Hashable, Sendable {
    /// No call needs audio.
    case none
    /// An Answer or a Start, or a new activation, has them set before anything else (CK-24).
    case due
    case done
    /// The session was taken away after they were set: they are due again with the next activation (AV-9).
    case lost
  }

  /// What follows when the unit cannot be started: one more try, then the next activation (AV-4).
  enum Failure: Hashable, Sendable {
    case none
    case retry(at: Instant)
    case final
  }

  /// How long after a failed start the unit is tried again.
  static let retryDelay = Span.seconds(1)

  /// Whether CallKit has activated the session; one flag for all calls (CK-26).
  var sessionIsActive = false
  var setup = Setup.none
  var failure = Failure.none
  /// Whether the one more try has been made since the last activation.
  var hasRetried = false
  /// The number of the unit that is to run; a new one is made after a second activation (CK-27).
  var unit = 0
  /// The plan that was put out last, and the call that it has heard.
  var plan = AudioPlan.off
  var heardCall: CallUUID?
}

extension AudioRegion {
  /// The plan that fits the calls as they are.
  ///
  /// The unit runs only while the session is active and configured and a call is to be heard (invariant 30). One call
  /// at a time is fed (invariant 26): the one that was connected or resumed last, else the one that was begun last.
  func wantedPlan(for calls: [Call]) -> AudioPlan {
    guard plan.isConfigured, setup == .done || setup == .due else { return .off }
    guard sessionIsActive, failure == .none, let call = Self.heard(of: calls), let leg = call.leg else {
      return AudioPlan(isConfigured: true)
    }
    return AudioPlan(
      isConfigured: true, legs: [leg.id], microphoneIsOpen: leg.isAccepted && !call.intent.isMuted, unit: unit)
  }

  /// What of the last plan may stay: the part that must stop stops before anything else happens.
  func reducedPlan(for calls: [Call]) -> AudioPlan {
    let wanted = wantedPlan(for: calls)
    // Where another leg takes over the same call the unit goes on.
    let goesOn = wanted.unitRuns && heardCall == Self.heard(of: calls)?.uuid
    let legs = goesOn ? plan.legs : []
    // A configuration that is to be made anew does not stay, unless a unit runs on it (invariant 31).
    let isConfigured = wanted.isConfigured && (setup == .done || !legs.isEmpty)
    return AudioPlan(
      isConfigured: isConfigured, legs: legs,
      microphoneIsOpen: !legs.isEmpty && plan.microphoneIsOpen && wanted.microphoneIsOpen,
      unit: legs.isEmpty ? 0 : plan.unit)
  }

  private static func heard(of calls: [Call]) -> Call? {
    calls.filter(\.isHeard).reversed().max { ($0.connectionOrder ?? 0) < ($1.connectionOrder ?? 0) }
  }

  /// The session is gone, and with it what was set up.
  mutating func loseSession() {
    sessionIsActive = false
    if setup == .done { setup = .lost }
  }

  /// CallKit has activated the session. A second activation means that the running unit is of no use any more (CK-27).
  mutating func gainSession() {
    if sessionIsActive { unit += 1 }
    sessionIsActive = true
    if setup == .lost { setup = .due }
    failure = .none
    hasRetried = false
  }
}

extension Call {
  /// Whether there is something to hear: an agreed session that the user does not hold, or the ringback and early media
  /// of an outgoing call.
  fileprivate var isHeard: Bool {
    guard isLive, let leg, !isHeldHere else { return false }
    switch leg.state {
    case .accepted, .confirmed, .invited, .early: return true
    // One that is made anew has been under way before.
    case .inviting: return presentation == .startedConnecting || leg.succession != nil
    case .offered, .ringing, .accepting, .closing: return false
    }
  }
}
