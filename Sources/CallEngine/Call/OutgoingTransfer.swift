/// A transfer that the user wants: the other side of a call is asked to call somebody in our place (LP-22). CallKit
/// knows nothing of it.
///
/// It outlives the call, for the other side may hang up before it tells how the transfer has ended.
struct OutgoingTransfer: Hashable, Sendable {
  enum Target: Hashable, Sendable {
    case party(Party)
    /// The other side of another call of ours.
    case call(CallUUID)
  }

  enum Phase: Hashable, Sendable {
    /// The call is not held yet, or the other one not answered.
    case preparing
    /// The other side was asked on this leg, and is to take the place of the second one.
    case asked(LegID, replacing: LegID?)
  }

  let id: TransferID
  /// The call whose other side is asked.
  let call: CallUUID
  let target: Target
  /// The inputs that made the wish.
  let causes: Causes
  var phase = Phase.preparing
  /// Whether the app has asked for the hold itself, so that it resumes the call if nothing comes of the transfer.
  var isHeldForIt: Bool
  /// Whether another call has ended meanwhile, after which the app resumes the one that is left
  /// (``EngineSettings/resumesRemainingCall``).
  var hasPutOffResumption = false
  /// The status that the user was told last.
  var status: Int?

  /// The user's wish behind it.
  var intent: UserIntent {
    switch target {
    case .party(let party): .transfer(call, to: party)
    case .call(let other): .connect(call, with: other)
    }
  }

  /// Whether the call is asked, or is the one that the other side is to have.
  func concerns(_ uuid: CallUUID) -> Bool {
    uuid == call || target == .call(uuid)
  }
}
