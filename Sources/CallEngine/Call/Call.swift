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
  /// The invitation's name, known from the push, the invitation, or once ours has left.
  var reference: CallReference?
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
  /// Grows from call to call at the moment when both sides have agreed to talk.
  var connectionOrder: Int?
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

  mutating func setLegState(_ state: Leg.State) {
    if !legs.isEmpty { legs[0].state = state }
  }
}
