/// What is known of the audio hardware and what was last wanted of it.
struct AudioRegion: Hashable, Sendable {
  /// Whether CallKit has activated the session; one flag for all calls (CK-26).
  var sessionIsActive = false
  /// Whether an Answer or a Start has had the session configured for the calls that go on.
  var isConfigured = false
  /// The plan that was put out last.
  var plan = AudioPlan.off
}

extension AudioRegion {
  /// The plan that fits the calls as they are.
  ///
  /// The unit runs only while the session is active and configured and a call is to be heard (invariant 30). One call
  /// at a time is fed (invariant 26): the one that was connected last, else the one that was begun last.
  func wantedPlan(for calls: [Call]) -> AudioPlan {
    guard isConfigured, calls.contains(where: \.isLive) else { return .off }
    guard sessionIsActive,
      let call = calls.filter(\.isHeard).reversed().max(by: { ($0.connectionOrder ?? 0) < ($1.connectionOrder ?? 0) }),
      let leg = call.leg
    else { return AudioPlan(isConfigured: true) }
    return AudioPlan(isConfigured: true, legs: [leg.id], microphoneIsOpen: leg.isAccepted)
  }

  /// What of the last plan may stay: the part that must stop stops before anything else happens.
  func reducedPlan(for calls: [Call]) -> AudioPlan {
    let wanted = wantedPlan(for: calls)
    let legs = plan.legs.filter(wanted.legs.contains)
    return AudioPlan(
      isConfigured: plan.isConfigured && wanted.isConfigured, legs: legs,
      microphoneIsOpen: !legs.isEmpty && plan.microphoneIsOpen && wanted.microphoneIsOpen)
  }
}

extension Call {
  /// Whether there is something to hear: an agreed session, or the ringback and early media of an outgoing call.
  fileprivate var isHeard: Bool {
    guard isLive, let leg else { return false }
    switch leg.state {
    case .accepted, .confirmed, .invited, .early: return true
    case .offered, .ringing, .accepting, .inviting, .closing: return false
    }
  }
}
