/// The REFERs that a user agent was sent or has sent and has not done with (RFC 3515), and the dialogs that the reports
/// on them need.
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

  /// A REFER of ours that waits for its response.
  struct Asked: Hashable, Sendable {
    var referral: ReferralID
    var session: SessionID
  }

  private(set) var entries: [ReferralID: Entry] = [:]
  /// The referral of each NOTIFY that waits for its response.
  var notifications: [ClientTransactionID: ReferralID] = [:]
  /// The REFERs of ours whose reports may still come.
  private(set) var subscriptions: [ReferralID: Subscription] = [:]
  /// The REFERs of ours that wait for their response.
  var requests: [ClientTransactionID: Asked] = [:]
  /// The dialogs of sessions that are over, while a referral needs them (RFC 5057 5.1).
  private(set) var dialogs: [SessionID: Kept] = [:]
  private var last = 0

  subscript(id: ReferralID) -> Entry? {
    get { entries[id] }
    set {
      let session = entries[id]?.session
      entries[id] = newValue
      if newValue == nil { forgetDialog(of: session) }
    }
  }

  subscript(subscription id: ReferralID) -> Subscription? {
    get { subscriptions[id] }
    set {
      let session = subscriptions[id]?.session
      subscriptions[id] = newValue
      if newValue == nil { forgetDialog(of: session) }
    }
  }

  private mutating func forgetDialog(of session: SessionID?) {
    if let session, !hasAny(of: session) { dialogs[session] = nil }
  }

  mutating func insert(_ entry: Entry) -> ReferralID {
    last += 1
    entries[ReferralID(.remote, last)] = entry
    return ReferralID(.remote, last)
  }

  private func hasAny(of session: SessionID) -> Bool {
    entries.contains { $0.value.session == session } || subscriptions.contains { $0.value.session == session }
  }

  /// Keeps the dialog of a session that is over, if a referral needs it.
  mutating func keep(_ dialog: Kept, of session: SessionID) {
    if dialogs[session] == nil, hasAny(of: session) { dialogs[session] = dialog }
  }

  /// The number of the next request in a dialog that is kept, and the dialog.
  mutating func nextRequest(of session: SessionID) -> (sequence: Int, kept: Kept)? {
    guard let sequence = dialogs[session]?.dialog.nextSequence(), let kept = dialogs[session] else { return nil }
    return (sequence, kept)
  }

  /// The session that a dialog belonged to which is kept.
  func session(of dialog: Dialog.ID) -> SessionID? { dialogs.first { $0.value.dialog.id == dialog }?.key }

  /// Whether the number of a request in a dialog that is kept is in order; `nil` if it is not kept.
  mutating func accepts(_ sequence: CommandSequence, in session: SessionID) -> Bool? {
    dialogs[session]?.dialog.accepts(sequence)
  }

  /// Takes a new target in a dialog that is kept.
  mutating func refreshTarget(of session: SessionID, from message: SIPMessage) {
    dialogs[session]?.dialog.refreshTarget(from: message)
  }

  /// The REFER of ours that a NOTIFY is about.
  func subscription(in session: SessionID, eventID: String?) -> ReferralID? {
    subscriptions.first { $0.value.session == session && $0.value.matches(eventID) }?.key
  }

  /// Whether a name still means a REFER of ours.
  func isInUse(_ id: ReferralID) -> Bool {
    subscriptions[id] != nil || requests.contains { $0.value.referral == id }
  }

  /// A REFER of ours was refused, so that the other side need not have counted it: the next one in its session counts as
  /// the first one in its place. `false` if there is none.
  mutating func passOnFirst(of session: SessionID) -> Bool {
    let others = subscriptions.filter { $0.value.session == session }
    guard let next = others.min(by: { $0.value.sequence < $1.value.sequence })?.key else { return false }
    subscriptions[next]?.isFirst = true
    return true
  }

  /// Forgets everything but the identifiers that were used.
  mutating func removeAll() {
    entries = [:]
    notifications = [:]
    subscriptions = [:]
    requests = [:]
    dialogs = [:]
  }
}
