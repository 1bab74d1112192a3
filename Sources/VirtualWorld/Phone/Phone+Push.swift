import CallEngine
import Timeline

/// PushKit.
extension Phone {
  /// Delivers a push. When the app's handler returns, a report of an incoming call must have been made; an app that has
  /// made none is ended (PK-1). Without a network the push is lost: it would announce a call that is over when it is back
  /// (PK-7).
  mutating func receivePush(
    call: CallLabel, callID: String?, caller: String?, line: Int?, on stage: inout Stage
  ) {
    if stage.isDisconnected(index) {
      stage.record(
        from: "push", to: name, call: call, .ignored("\(name) has no network, and the push is not kept (PK-7)"),
        causes: [], line: line)
      return
    }
    let number = stage.record(
      from: "push", to: name, call: call, .push(PushEvent(callID: callID, caller: caller)), causes: [], line: line)
    if process == .killed {
      process = .running
      coordinator = AnyCoordinator(initialCoordinator.base)
      stage.record(from: "system", to: name, .lifecycle(.launched(by: "push")), causes: [number])
    }
    let notification = PushNotification(
      reference: callID.map { CallReference(callID: $0) }, caller: caller,
      freshUUID: stage.calls.freshUUID(for: call))
    let commands = tell(.pushArrived(notification), causes: [number], on: &stage)
    let reported = commands.contains { if case .reportIncoming = $0 { true } else { false } }
    if !reported {
      kill(
        reason: "no incoming call was reported before the push handler returned (PK-1)", causes: [number], on: &stage)
    }
  }
}
