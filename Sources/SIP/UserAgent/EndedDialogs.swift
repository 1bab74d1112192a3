/// The dialogs of a user agent that have ended, the newest last, as many as are worth remembering: an INVITE that wants
/// to replace one of them is declined (RFC 3891 3).
struct EndedDialogs: Hashable, Sendable {
  private struct Entry: Hashable, Sendable {
    var dialog: Dialog.ID
    var session: SessionID
  }

  /// The most dialogs that are remembered.
  static let limit = 64

  private var entries: [Entry] = []

  var count: Int { entries.count }

  func contains(_ dialog: Dialog.ID) -> Bool { entries.contains { $0.dialog == dialog } }

  mutating func insert(_ dialog: Dialog.ID, of session: SessionID) {
    entries.removeAll { $0.dialog == dialog }
    entries.append(Entry(dialog: dialog, session: session))
    if entries.count > Self.limit { entries.removeFirst(entries.count - Self.limit) }
  }

  mutating func removeAll(of session: SessionID) {
    entries.removeAll { $0.session == session }
  }
}
