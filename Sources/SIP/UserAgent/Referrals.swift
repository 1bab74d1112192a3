/// The REFERs that a user agent was sent and has not done with (RFC 3515), and the dialogs that their reports need.
struct Referrals: Hashable, Sendable {
  /// One REFER, from its arrival until its outcome has been reported.
  struct Entry: Hashable, Sendable {
    let session: SessionID
    let request: UserAgent.IncomingRequest
    let referTo: ReferTo
    /// What `id` is in Event: the number of the REFER, unless it was the first one of its dialog (RFC 3515 2.4.6).
    let eventID: Int?
    var isAccepted = false
    /// Whether reports are sent: not where the REFER asked for none (RFC 4488), nor once they have failed.
    var notifies = true
    /// What is left of the subscription's time.
    var secondsLeft = Referrals.seconds
    /// The status that was reported last.
    var status = 100
    /// The NOTIFY that waits for its response. There is one at a time, so that they arrive in order.
    var outstanding: ClientTransactionID?
    /// The report that waits for that response.
    var waiting: Report?
    /// Whether the report that ends the subscription has been made.
    var isReported = false
  }

  /// What a NOTIFY is to say.
  struct Report: Hashable, Sendable {
    var status: Int
    /// Why the subscription ends with it (RFC 6665 4.1.3); `nil` if it goes on.
    var end: End?
    var origin = Transmission.Origin.decision
    var causes: [Int]
  }

  enum End: String, Hashable, Sendable {
    /// The outcome is known (RFC 3515 2.4.7).
    case noresource
    /// It has not become known in time.
    case timeout
  }

  /// A dialog whose session is over, and where the other side is reached if its Contact is no place.
  struct Kept: Hashable, Sendable {
    var dialog: Dialog
    var fallback: Endpoint
  }

  /// How long a subscription lasts (RFC 3515 2.4.4 leaves it to us).
  static let seconds = 60

  private(set) var entries: [ReferralID: Entry] = [:]
  /// The referral of each NOTIFY that waits for its response.
  var notifications: [ClientTransactionID: ReferralID] = [:]
  /// The dialogs of sessions that are over, while a referral needs them (RFC 5057 5.1).
  private(set) var dialogs: [SessionID: Kept] = [:]
  private var last = 0

  subscript(id: ReferralID) -> Entry? {
    get { entries[id] }
    set {
      let session = (newValue ?? entries[id])?.session
      entries[id] = newValue
      if newValue == nil, let session, !hasAny(of: session) { dialogs[session] = nil }
    }
  }

  mutating func insert(_ entry: Entry) -> ReferralID {
    last += 1
    entries[ReferralID(.remote, last)] = entry
    return ReferralID(.remote, last)
  }

  func hasAny(of session: SessionID) -> Bool { entries.contains { $0.value.session == session } }

  /// Keeps the dialog of a session that is over, if a referral needs it.
  mutating func keep(_ dialog: Kept, of session: SessionID) {
    if dialogs[session] == nil, hasAny(of: session) { dialogs[session] = dialog }
  }

  /// The number of the next request in a dialog that is kept, and the dialog.
  mutating func nextRequest(of session: SessionID) -> (sequence: Int, kept: Kept)? {
    guard let sequence = dialogs[session]?.dialog.nextSequence(), let kept = dialogs[session] else { return nil }
    return (sequence, kept)
  }

  /// Forgets everything but the identifiers that were used.
  mutating func removeAll() {
    entries = [:]
    notifications = [:]
    dialogs = [:]
  }
}
