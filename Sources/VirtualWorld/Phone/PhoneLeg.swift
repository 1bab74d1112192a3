import CallEngine
import SIP
import Timeline

/// What the phone itself knows of a leg, from its user agent's facts and its app's wishes.
struct PhoneLeg: Hashable, Sendable {
  var callID: String
  /// The actor at the other end.
  var peer: String?
  /// Whether the 2xx has been acknowledged.
  var isConfirmed = false
  /// Whether the app has hung up.
  var isClosing = false
  /// Whether another leg carries the call.
  var isRetired = false
  /// Whether the app wants the leg to be held.
  var wantsHold = false
  /// What was agreed last.
  var media = SessionMedia()
  /// Why the call was not heard when it was judged last.
  var silence: SilenceCause?
  /// The records of what made it as it is.
  var causes: [Int]

  var isHeld: Bool { wantsHold || media.isHeldHere || media.isHeldThere }
  /// Whether the user must hear the other side and be heard.
  var mustBeHeard: Bool { isConfirmed && !isClosing && !isRetired && !isHeld }
}

extension Phone {
  /// Notes what the user agent says of a session; `lastSent` is the record of the message that was sent with it.
  mutating func noteLeg(_ event: UserAgentEvent, causes: [Int], lastSent: Int?, on stage: inout Stage) {
    switch event {
    case .invited(let session, let invitation):
      let peer = causes.last.flatMap { stage.record($0)?.from }
      legs[LegID(session)] = PhoneLeg(callID: invitation.callID, peer: peer, causes: causes)
    case .inviteSent(let session, let callID):
      let peer = lastSent.flatMap { stage.record($0)?.to }
      legs[LegID(session)] = PhoneLeg(callID: callID, peer: peer, causes: causes)
    case .acknowledged(let session), .answered(let session):
      // After a redirect somebody else has answered.
      if let peer = causes.last.flatMap({ stage.record($0)?.from }) { legs[LegID(session)]?.peer = peer }
      legs[LegID(session)]?.isConfirmed = true
      fallbacks[LegID(session)] = nil
      legs[LegID(session)]?.causes = causes
    case .negotiated(let session, let media):
      legs[LegID(session)]?.media = media
      legs[LegID(session)]?.causes = causes
    case .ended(let session, _):
      let leg = LegID(session)
      carryOut(digits.end(leg, at: stage.now), of: leg, causes: causes, on: &stage)
      legs[leg] = nil
      fallbacks[leg] = nil
    case .callIDChanged(let session, let callID): legs[LegID(session)]?.callID = callID
    case .acceptSent, .provisional, .redirected, .holdRefused, .infoAnswered, .referred, .referral: break
    }
  }

  /// The app wishes something of a leg.
  mutating func noteLeg(_ leg: LegID, causes: [Int], _ change: (inout PhoneLeg) -> Void) {
    guard var facts = legs[leg] else { return }
    change(&facts)
    facts.causes = causes
    legs[leg] = facts
  }

  // MARK: The audio lamp

  /// Judges by the phone's own facts whether every call that must be heard is heard, and records what has changed
  /// (AV-11).
  mutating func judgeAudio(on stage: inout Stage) {
    for leg in legs.keys.sorted() {
      guard var facts = legs[leg], facts.mustBeHeard else { continue }
      let silence = silence(of: leg)
      guard silence != facts.silence else { continue }
      facts.silence = silence
      legs[leg] = facts
      let causes = Set(facts.causes + (audio.lastRecord > 0 ? [audio.lastRecord] : [])).sorted()
      stage.record(
        from: name, call: stage.calls.label(ofCallID: facts.callID, inviting: false),
        .audio(silence.map { .silent(cause: $0) } ?? .heard), causes: causes)
    }
  }

  /// Why the running unit does not feed the leg; `nil` if it does.
  private func silence(of leg: LegID) -> SilenceCause? {
    if audio.isInterrupted { return .interrupted }
    if !audio.isActive { return audio.wasTakenAway ? .deactivated : .notActivated }
    if audio.unit == .runs, audio.plan.legs.contains(leg) { return nil }
    if !audio.plan.isConfigured { return .notConfigured }
    return audio.unit == .failed ? .unitFailed : .unitOff
  }
}
