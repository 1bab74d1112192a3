import CallEngine
import SIP
import Timeline

/// Digits that the app has the phone send.
extension Phone {
  mutating func sendDigits(
    _ text: String, for action: ActionID, on leg: LegID, causes: [Int], on stage: inout Stage
  ) {
    guard let way = wayOfDigits(on: leg) else { return tellLater(.digitsFailed(leg, action), causes: causes) }
    carryOut(digits.begin(text, for: action, on: leg, by: way, at: stage.now), of: leg, causes: causes, on: &stage)
  }

  mutating func stopDigits(on leg: LegID, causes: [Int], on stage: inout Stage) {
    carryOut(digits.stop(leg, at: stage.now), of: leg, causes: causes, on: &stage)
  }

  /// The timer of a leg's digits is due; `causes` are those that it was set with.
  mutating func fireDigits(on leg: LegID, causes: [Int], on stage: inout Stage) {
    carryOut(digits.fire(leg, at: stage.now), of: leg, causes: causes, on: &stage)
    drain(on: &stage)
  }

  /// How digits can leave on a leg; `nil` if they cannot. Events need media that both sides let flow.
  private func wayOfDigits(on leg: LegID) -> DigitSender.Way? {
    guard let facts = legs[leg], !facts.isClosing else { return nil }
    let canSendEvents = facts.media.telephoneEvent != nil && !facts.isHeld
    switch settings.digitTransport {
    case .events: return canSendEvents ? .events : nil
    case .info: return facts.isConfirmed ? .info : nil
    case .eventsElseInfo: return canSendEvents ? .events : facts.isConfirmed ? .info : nil
    }
  }

  mutating func carryOut(_ outputs: [DigitSender.Output], of leg: LegID, causes: [Int], on stage: inout Stage) {
    var causes = causes
    for output in outputs {
      switch output {
      case .startEvent(let digit):
        causes = [record(.digitStarts(String(digit)), on: leg, causes: causes, on: &stage)]
      case .endEvent(let digit, let duration):
        causes = [record(.digitEnds(String(digit), duration: duration), on: leg, causes: causes, on: &stage)]
      case .sendInfo(let digit):
        signal(.sendDigit(SessionID(leg), digit, lasting: DigitSender.length), causes: causes, on: &stage)
      case .setTimer(let span): stage.setTimer(.digits(leg), after: span, causes: causes)
      case .cancelTimer: stage.cancelTimer(.digits(leg))
      case .sent(let action): tellLater(.digitsSent(leg, action), causes: causes)
      case .failed(let action): tellLater(.digitsFailed(leg, action), causes: causes)
      }
    }
  }

  private func record(_ event: MediaEvent, on leg: LegID, causes: [Int], on stage: inout Stage) -> Int {
    let facts = legs[leg]
    return stage.record(
      from: name, to: facts?.peer, call: facts.flatMap { stage.calls.label(ofCallID: $0.callID, inviting: false) },
      .media(event), causes: causes)
  }
}
