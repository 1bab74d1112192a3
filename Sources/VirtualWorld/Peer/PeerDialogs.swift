import SIP

/// What a peer knows of its dialogs.
///
/// One Call-ID has several where an INVITE was answered under several tags, as by the callees to whom a proxy has forked
/// it (RFC 3261 13.2.2.4, 16.7), and where one is over but for the reports on a REFER (RFC 5057 5.1). What a message means
/// is looked up by its tag of ours; nothing is learnt from one that means none.
struct PeerDialogs: Hashable, Sendable {
  private struct Entry: Hashable, Sendable {
    var id: PeerDialogID
    var dialog: PeerDialog
  }

  private var groups: [String: [Entry]] = [:]
  private var last = 0

  var isEmpty: Bool { groups.isEmpty }
  var count: Int { groups.values.reduce(0) { $0 + $1.count } }

  /// A dialog that is known. One that is over and reports on nothing is known no more; a value for one that is not known
  /// goes nowhere.
  subscript(id: PeerDialogID?) -> PeerDialog? {
    get { id.flatMap { id in groups[id.callID]?.first { $0.id == id }?.dialog } }
    set {
      guard let id, let index = groups[id.callID]?.firstIndex(where: { $0.id == id }) else { return }
      if let newValue, !newValue.isOver || !newValue.referrals.isEmpty {
        groups[id.callID]?[index].dialog = newValue
      } else {
        groups[id.callID]?.remove(at: index)
        if groups[id.callID]?.isEmpty ?? false { groups[id.callID] = nil }
      }
    }
  }

  /// Adds a dialog that has begun.
  mutating func begin(_ dialog: PeerDialog) -> PeerDialogID {
    last += 1
    let id = PeerDialogID(callID: dialog.callID, number: last)
    groups[dialog.callID, default: []].append(Entry(id: id, dialog: dialog))
    return id
  }

  // MARK: Which one

  /// The dialog of what names none: the first that was confirmed, else the last that began.
  func main(_ callID: String) -> PeerDialogID? {
    let open = (groups[callID] ?? []).filter { !$0.dialog.isOver }
    return (open.first { $0.dialog.isConfirmed } ?? open.last)?.id
  }

  /// The dialog that has this tag of ours. A message without one means a dialog without one (RFC 3261 12.2.2).
  func named(_ callID: String, _ localTag: String?) -> PeerDialogID? {
    groups[callID]?.first { $0.dialog.localTag == localTag }?.id
  }

  /// The dialog of what we send under this tag, which may be the first that it has; without a tag the one of what names
  /// none.
  func own(_ callID: String, _ localTag: String?) -> PeerDialogID? {
    localTag == nil ? main(callID) : named(callID, localTag) ?? named(callID, nil)
  }

  /// The dialog that the next NOTIFY without a tag of its own belongs to: one that reports on a REFER.
  func reporting(_ callID: String) -> PeerDialogID? {
    let main = main(callID)
    let reporting = (groups[callID] ?? []).filter { !$0.dialog.referrals.isEmpty }.map(\.id)
    return reporting.first { $0 == main } ?? reporting.last ?? main
  }

  /// The dialog of a response of ours under this tag to an INVITE that begins dialogs: one for each tag.
  mutating func branch(of invite: SIPMessage, _ localTag: String) -> PeerDialogID {
    own(invite.callID, localTag) ?? begin(PeerDialog(invite: invite))
  }

  /// Whether a dialog with this tag of ours is up.
  func isUp(_ callID: String, localTag: String) -> Bool {
    self[named(callID, localTag)]?.isUp ?? false
  }

  /// The Call-ID of the dialog whose INVITE has got the 2xx of this number. Numbers are unique in a run, so that the order
  /// does not matter.
  func callID(ofSuccess number: Int) -> String? {
    groups.first { $0.value.contains { $0.dialog.hasSuccess(number) } }?.key
  }

  // MARK: The end

  /// A dialog has ended, and with the last one that was confirmed the branches that were not. Returns the 2xx of ours that
  /// wait for an ACK in vain.
  mutating func end(_ id: PeerDialogID?) -> [PeerSuccessID] {
    guard let id, let group = groups[id.callID], group.contains(where: { $0.id == id }) else { return [] }
    let isLast = !group.contains { $0.id != id && $0.dialog.isUp }
    var waiting: [PeerSuccessID] = []
    for entry in group where entry.id == id || isLast && !entry.dialog.isOver {
      var dialog = entry.dialog
      waiting += dialog.repeatedSuccesses.map(\.id)
      dialog.isOver = true
      dialog.repeatedSuccesses = []
      self[entry.id] = dialog
    }
    return waiting
  }
}

/// One dialog of a peer, for as long as it is known and whatever is learnt of its tags.
public struct PeerDialogID: Hashable, Sendable {
  let callID: String
  let number: Int
}

/// A 2xx of ours to an INVITE that waits for its ACK.
public struct PeerSuccessID: Hashable, Sendable {
  var transaction: ServerTransactionID
  /// The To tag: several branches may have accepted one INVITE.
  var localTag: String?
}
