import Instant

/// One call. Its UUID is its identity; reference and legs are attributes.
///
/// Four regions: what CallKit was told (`presentation`), what signalling does (`legs`), what the user wants
/// (`intent`, `ending`), and the media, which the audio policy derives from the other three.
struct Call: Hashable, Sendable {
  let uuid: CallUUID
  let isOutgoing: Bool
  /// The inputs that brought the call about.
  let causes: Causes
  /// The name of the invitation that carries the call, known from the push, the invitation, or once ours has left.
  var reference: CallReference?
  /// The names that it had before: they still lead to the call.
  var formerReferences: [CallReference] = []
  /// The names of invitations that have taken the call over.
  var takenOver: [CallReference] = []
  var presentation: Presentation
  /// The legs, the primary one first.
  var legs: [Leg] = []
  var intent = Intent()
  var ending: Ending?
  var actions: [OpenAction] = []
  /// Whom an outgoing call is to.
  var target: Party?
  /// What is known of the other end, and what of it CallKit was told.
  var known = CallUpdate()
  var reported = CallUpdate()
  /// Reports of this call that the system has not answered; more than one after a repeated push.
  var reportsPending = 0
  /// When the invitation that a push announced must be here.
  var placeholderDeadline: Instant?
  /// When ringing ends.
  var ringDeadline: Instant?
  /// Until when a first un-mute that nobody asked for is the system's own (CK-13).
  var ignoresUnmuteUntil: Instant?
  /// Grows from call to call at the moment when both sides have agreed to talk, and when a call is resumed.
  var connectionOrder: Int?
  /// The call that this one was held for at the app's own wish; should CallKit refuse that one, this one goes on.
  var madeWayFor: CallUUID?
  /// Whether a dialog of the call has been complete.
  var wasConnected = false
  /// The headline state that was published last.
  var headline: CallState?

  init(uuid: CallUUID, isOutgoing: Bool, presentation: Presentation, causes: Causes) {
    self.uuid = uuid
    self.isOutgoing = isOutgoing
    self.presentation = presentation
    self.causes = causes
  }

  /// The primary leg.
  var leg: Leg? { legs.first }

  /// Whether the call goes on: nothing has decided its end.
  var isLive: Bool { ending == nil && presentation.end == nil }

  /// Whether the call came with a push and its invitation is not here.
  var isPlaceholder: Bool { !isOutgoing && isLive && legs.isEmpty && placeholderDeadline != nil }

  /// Whether the user has answered and has not changed their mind.
  var wantsAcceptance: Bool { intent.answer != nil && intent.end == nil }

  /// Whether the user must not be heard: the call is held, or its resumption is not agreed on.
  var isHeldHere: Bool {
    guard let leg else { return intent.isHeld }
    return intent.isHeld || leg.isAccepted && !leg.isResumed
  }

  /// Whether both sides have agreed to talk and the user does not hold the call: of such calls there is one at most
  /// (CK-33).
  var hasTheFloor: Bool { isLive && intent.end == nil && isUp && !intent.isHeld }

  /// Whether both sides have agreed to talk, be it that a transfer has left the call without a complete dialog.
  var isUp: Bool { leg.map { $0.isAccepted || $0.succession != nil } ?? false }

  /// Whether digits can be sent now: the session is agreed on and nobody holds it.
  var takesDigits: Bool {
    guard isLive, intent.end == nil, let leg, leg.isAccepted else { return false }
    return !isHeldHere && !leg.media.isHeldThere
  }

  /// Every name under which an invitation for the call has come. Those of our own do not count: a call to oneself has
  /// the same name at both ends.
  var invitations: [CallReference] {
    isOutgoing ? takenOver : takenOver + formerReferences + (reference.map { [$0] } ?? [])
  }

  /// Whether nothing can come any more that would need the record.
  var isFinished: Bool { presentation.end != nil && legs.isEmpty && reportsPending == 0 && actions.isEmpty }

  /// What CallKit has not been told yet.
  var unreported: CallUpdate {
    CallUpdate(
      handle: known.handle == reported.handle ? nil : known.handle,
      caller: known.caller == reported.caller ? nil : known.caller)
  }

  /// Learns who the other end is; what is not said stays (CK-19).
  mutating func learn(_ party: Party) {
    known.handle = party.uri
    if let name = party.displayName { known.caller = name }
  }

  /// Changes the primary leg.
  mutating func updateLeg(_ change: (inout Leg) -> Void) {
    if !legs.isEmpty { change(&legs[0]) }
  }

  mutating func updateLeg(_ id: LegID, _ change: (inout Leg) -> Void) {
    if let position = legs.firstIndex(where: { $0.id == id }) { change(&legs[position]) }
  }

  /// The call is carried under this name from now on; whether it had another one before.
  mutating func rename(_ new: CallReference) -> Bool {
    guard let reference, new != reference else {
      reference = new
      return false
    }
    formerReferences.append(reference)
    self.reference = new
    return true
  }

  func leg(_ id: LegID) -> Leg? { legs.first { $0.id == id } }

  /// A leg that waited for it carries the call from now on, by everything that it brings; the one before it is no more
  /// than to be closed.
  mutating func promote(_ id: LegID) {
    guard let position = legs.firstIndex(where: { $0.id == id }), let succession = legs[position].succession else {
      return
    }
    var leg = legs.remove(at: position)
    leg.succession = nil
    leg.isRepair = false
    // It is not the other side's to end any more.
    updateLeg { $0.retirement = nil }
    legs.insert(leg, at: 0)
    if let new = succession.reference, rename(new), id.origin == .remote { takenOver.append(new) }
    if succession.remote.uri == known.handle { return learn(succession.remote) }
    // Somebody else is on the line: who was there before is not shown any more.
    known = CallUpdate(handle: succession.remote.uri, caller: succession.remote.displayName ?? succession.remote.uri)
  }
}
