import CallEngine
import SIP
import Timeline

/// The identity of a call while the dialogs that carry it change: the UUID stays (LP-23).
extension Phone {
  /// Another dialog carries the call from now on.
  mutating func rebind(
    _ uuid: CallUUID, _ leg: LegID, _ reference: CallReference, causes: [Int], on stage: inout Stage
  ) {
    let call = stage.calls.label(of: uuid, causes: causes)
    // What carried the call before need not be heard any more.
    for other in legs.keys.sorted() where other != leg {
      guard let callID = legs[other]?.callID, stage.calls.label(ofKnownCallID: callID)?.name == call.name else {
        continue
      }
      legs[other]?.isRetired = true
    }
    let old = stage.calls.callID(named: call.name)
    stage.calls.bind(callID: reference.callID, toCallNamed: call.name)
    stage.record(from: name, call: call, .rebinding(from: old, to: reference.callID), causes: causes)
  }

  /// The call of an invitation: that of the session which it is to replace, or the one that its Call-ID names.
  mutating func label(of invitation: SessionInvitation, on stage: inout Stage) -> CallLabel? {
    if let replaced = invitation.replaces.flatMap({ legs[LegID($0)] }),
      let call = stage.calls.label(ofCallID: replaced.callID, inviting: false)
    {
      stage.calls.claim(callID: invitation.callID, forCallNamed: call.name)
      return call
    }
    return stage.calls.label(ofCallID: invitation.callID, inviting: true)
  }
}
