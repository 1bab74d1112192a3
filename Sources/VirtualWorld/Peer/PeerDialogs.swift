import SIP

/// What a peer knows of its dialogs, by Call-ID.
///
/// One Call-ID has several where an INVITE was answered under several tags, as by the callees to whom a proxy has forked
/// it (RFC 3261 13.2.2.4, 16.7), and where one is over but for the reports on a REFER (RFC 5057 5.1). One of them is the
/// one that the message at hand belongs to: it is chosen before anything is learnt or said.
struct PeerDialogs: Hashable, Sendable {
  private struct Group: Hashable, Sendable {
    var dialogs: [PeerDialog] = []
    var chosen: Int?

    /// The dialog of what names none: the first that was confirmed, else the last that began.
    var main: Int? {
      dialogs.firstIndex { !$0.isOver && $0.isConfirmed } ?? dialogs.lastIndex { !$0.isOver }
    }
  }

  private var groups: [String: Group] = [:]

  var isEmpty: Bool { groups.isEmpty }
  var count: Int { groups.values.reduce(0) { $0 + $1.dialogs.count } }

  /// The dialog that is chosen. A new value replaces it or is one more; one that is over and reports on nothing is gone.
  subscript(callID: String) -> PeerDialog? {
    get { groups[callID].flatMap { group in group.chosen.map { group.dialogs[$0] } } }
    set {
      var group = groups[callID] ?? Group()
      let kept = newValue.flatMap { $0.isOver && $0.referrals.isEmpty ? nil : $0 }
      switch (group.chosen, kept) {
      case (let index?, let dialog?): group.dialogs[index] = dialog
      case (let index?, nil):
        group.dialogs.remove(at: index)
        group.chosen = group.main
      case (nil, let dialog?):
        group.chosen = group.dialogs.count
        group.dialogs.append(dialog)
      case (nil, nil): break
      }
      groups[callID] = group.dialogs.isEmpty ? nil : group
    }
  }

  subscript(callID: String, default dialog: @autoclosure () -> PeerDialog) -> PeerDialog {
    get { self[callID] ?? dialog() }
    set { self[callID] = newValue }
  }

  // MARK: Which one

  /// Chooses the dialog that has this tag of ours, or has none yet; else the one of what names none.
  mutating func choose(_ callID: String, localTag: String?) {
    guard var group = groups[callID] else { return }
    let named = localTag.flatMap { tag in
      group.dialogs.firstIndex { $0.localTag == tag } ?? group.dialogs.firstIndex { $0.localTag == nil }
    }
    group.chosen = named ?? group.main
    groups[callID] = group
  }

  /// Chooses the dialog that the next NOTIFY without a tag of its own belongs to: one that reports on a REFER.
  mutating func chooseReporting(_ callID: String) {
    guard var group = groups[callID] else { return }
    let reporting = group.dialogs.indices.filter { !group.dialogs[$0].referrals.isEmpty }
    group.chosen = group.main.flatMap { reporting.contains($0) ? $0 : nil } ?? reporting.last ?? group.main
    groups[callID] = group
  }

  /// Chooses the dialog of a response of ours under this tag to an INVITE that begins dialogs: one for each tag.
  mutating func choose(_ invite: SIPMessage, localTag tag: String) {
    choose(invite.callID, localTag: tag)
    if let dialog = self[invite.callID], dialog.localTag == nil || dialog.localTag == tag { return }
    groups[invite.callID]?.chosen = nil
    self[invite.callID] = PeerDialog(invite: invite)
  }

  /// Whether a dialog with this tag of ours is up.
  func isUp(_ callID: String, localTag: String) -> Bool {
    groups[callID]?.dialogs.contains { $0.isUp && $0.localTag == localTag } ?? false
  }

  /// The Call-ID of the dialog whose INVITE has got the 2xx of this number. Numbers are unique in a run, so that the order
  /// does not matter.
  func callID(ofSuccess number: Int) -> String? {
    groups.first { $0.value.dialogs.contains { $0.hasSuccess(number) } }?.key
  }

  // MARK: The end

  /// The chosen dialog has ended, and with the last one that was confirmed the branches that were not. Returns the 2xx
  /// of ours that wait for an ACK in vain.
  mutating func end(_ callID: String) -> [PeerSuccessID] {
    guard var group = groups[callID], let chosen = group.chosen else { return [] }
    var ended = [chosen]
    if !group.dialogs.indices.contains(where: { $0 != chosen && group.dialogs[$0].isUp }) {
      ended = group.dialogs.indices.filter { !group.dialogs[$0].isOver || $0 == chosen }
    }
    let waiting = ended.flatMap { group.dialogs[$0].repeatedSuccesses.map(\.id) }
    for index in ended {
      group.dialogs[index].isOver = true
      group.dialogs[index].repeatedSuccesses = []
    }
    group.dialogs.removeAll { $0.isOver && $0.referrals.isEmpty }
    group.chosen = group.main
    groups[callID] = group.dialogs.isEmpty ? nil : group
    return waiting
  }
}

/// A 2xx of ours to an INVITE that waits for its ACK.
public struct PeerSuccessID: Hashable, Sendable {
  var transaction: ServerTransactionID
  /// The To tag: several branches may have accepted one INVITE.
  var localTag: String?
}
