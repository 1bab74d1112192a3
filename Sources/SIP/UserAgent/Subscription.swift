/// One REFER that we sent, and the subscription to its outcome that comes with it (RFC 3515 2.4.4, RFC 6665 4.1).
struct Subscription: Hashable, Sendable {
  let session: SessionID
  /// The number of the REFER, which is what `id` is in Event.
  let sequence: Int
  /// Whether Event may go without `id`: the REFER is the first one of its dialog (RFC 3515 2.4.6).
  var isFirst: Bool
  /// What the command and what answered it were caused by.
  var causes: [Int]
  /// Whether the owner knows that the REFER was accepted, by its 2xx or by a NOTIFY that was earlier.
  var isAccepted = false
  /// Whether a NOTIFY has come.
  var isNotified = false
  /// Whether the owner knows how it went. What is kept then only answers the NOTIFYs that may still come.
  var isTold = false

  /// How many seconds a subscription lasts of which no NOTIFY has said so.
  static let defaultSeconds = 60

  /// Whether a NOTIFY with this `id` in Event is about it.
  func matches(_ eventID: String?) -> Bool {
    guard let eventID else { return isFirst }
    return eventID == String(sequence)
  }
}
