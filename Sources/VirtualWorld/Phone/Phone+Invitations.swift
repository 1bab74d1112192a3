import CallEngine
import SIP
import Timeline

/// The phone's own invitations, and the Call-IDs that they go under.
extension Phone {
  /// Invites somebody, perhaps in place of a leg. The Call-ID of a call's first invitation is the script's, or the call's
  /// name at this host; each later one has another (RFC 3261 8.1.1.4). For media that may be refused one more is set
  /// aside, which is the call's only once it is used (LP-15).
  mutating func invite(
    _ leg: LegID, _ party: Party, replacing replaced: LegID?, causes: [Int], on stage: inout Stage
  ) {
    let host = stage.book.actors[index].host
    let label = replaced.flatMap { call(of: $0, on: stage) } ?? stage.calls.label(ofRecords: causes)
    let callID = label.map { stage.calls.callIDToInvite(named: $0.name, host: host, besides: reserved) }
    if settings.offer == .srtpElseRTP {
      fallbacks[leg] = stage.calls.unusedCallID(named: label?.name ?? name, host: host, besides: reserved)
    }
    signal(
      .invite(
        SessionID(leg), target: party.uri, callID: callID, fallbackCallID: fallbacks[leg],
        replacing: replaced.map { SessionID($0) }),
      causes: causes, on: &stage)
  }

  /// Invites whom a transfer names, under a Call-ID of its own that leads to the call which is transferred.
  mutating func invite(_ leg: LegID, for transfer: TransferID, causes: [Int], on stage: inout Stage) {
    let host = stage.book.actors[index].host
    let call = stage.calls.label(ofRecords: causes)?.name ?? name
    let callID = stage.calls.anotherCallID(named: call, host: host, besides: reserved)
    signal(.inviteReferred(SessionID(leg), ReferralID(transfer), callID: callID), causes: causes, on: &stage)
  }

  /// The Call-IDs that are set aside, in no order.
  private var reserved: [String] { Array(fallbacks.values) }

  /// The call of a leg that is not over.
  private func call(of leg: LegID, on stage: Stage) -> CallLabel? {
    legs[leg].flatMap { stage.calls.label(ofKnownCallID: $0.callID) }
  }

  /// The Call-IDs that invitations change to lead to their calls before anything is recorded that was sent under them.
  mutating func claimCallIDs(changedBy outputs: [UserAgentOutput], on stage: inout Stage) {
    for case .event(.callIDChanged(let session, to: let callID), _) in outputs {
      fallbacks[LegID(session)] = nil
      guard let call = call(of: LegID(session), on: stage) else { continue }
      stage.calls.claim(callID: callID, forCallNamed: call.name)
    }
  }
}
