import Timeline

/// What the messages at the phone say of one Call-ID's dialog: a fold.
///
/// Before a 2xx every branch of an INVITE has a dialog of its own, and what is known is that of the last message. The
/// first 2xx decides which of them it is (RFC 3261 13.2.2.4): from then on only messages with its tags belong to it.
struct DialogFacts: Hashable, Sendable {
  /// How far it has come.
  enum Stage: Hashable, Sendable {
    case early, confirmed
    /// The INVITE was refused, or the dialog ended by BYE.
    case over
  }

  /// The tags; the local one is the phone's.
  private(set) var localTag: String?
  private(set) var remoteTag: String?
  private(set) var stage: Stage = .early
  private(set) var media = NegotiatedMedia()
  /// Whether it was confirmed once.
  private var hasTags = false
  /// The number of the INVITE that began it.
  private var invitation: Int?

  /// Takes a message at the phone under the Call-ID.
  mutating func take(_ message: MessageFacts, phone: String) {
    if message.isInvitation { begin(message) }
    let phoneIsRequester = (message.status == nil) == (message.from == phone)
    let local = phoneIsRequester ? message.fromTag : message.toTag
    let remote = phoneIsRequester ? message.toTag : message.fromTag
    if hasTags {
      guard local == localTag, remote == remoteTag else { return }
    } else {
      localTag = local ?? localTag
      remoteTag = remote ?? remoteTag
    }
    switch (message.method, message.status) {
    case ("INVITE", let status?) where stage == .early && status >= 200:
      hasTags = status < 300
      stage = hasTags ? .confirmed : .over
    case ("BYE", nil) where hasTags: stage = .over
    default: break
    }
    media.take(message, phone: phone)
  }

  /// A Call-ID can be used again once its dialog is over. What comes again begins nothing.
  private mutating func begin(_ message: MessageFacts) {
    if stage == .over, invitation != message.id { self = DialogFacts() }
    if invitation == nil { invitation = message.id }
  }
}

extension MessageFacts {
  /// Whether it is an INVITE that is to begin a dialog.
  var isInvitation: Bool { method == "INVITE" && status == nil && toTag == nil }
}
