import CallEngine
import Instant
import SIP
import SimulationKernel
import Timeline

/// Between the coordinator, which knows legs, and the user agent, which knows SIP.
extension Phone {
  /// Has the user agent do something.
  mutating func signal(_ command: UserAgentCommand, causes: [Int], on stage: inout Stage) {
    carryOut(agent.perform(command, causes: causes), causes: causes, on: &stage)
  }

  /// Takes a message from the network.
  mutating func receive(_ message: SIPMessage, from source: Endpoint, causes: [Int], on stage: inout Stage) {
    carryOut(agent.receive(message, from: source, causes: causes), causes: causes, on: &stage)
    drain(on: &stage)
  }

  /// A timer of the user agent is due; `causes` are those that it was set with.
  mutating func fire(_ timer: UserAgentTimer, causes: [Int], on stage: inout Stage) {
    carryOut(agent.fire(timer), causes: causes, on: &stage)
    drain(on: &stage)
  }

  /// Carries out what the user agent decided about an input with these causes. What it names no cause for, such as a
  /// time-out, was brought about by the input; a timer by what was sent before it was set.
  private mutating func carryOut(_ outputs: [UserAgentOutput], causes input: [Int], on stage: inout Stage) {
    claimCallIDs(changedBy: outputs, on: &stage)
    var lastSent: Int?
    for output in outputs {
      switch output {
      case .send(let transmission):
        lastSent = stage.send(transmission, from: index, fallback: input)
      case .setTimer(let timer, let span, let isPeriodic):
        stage.setTimer(
          .agent(timer), after: span, isPeriodic: isPeriodic, causes: lastSent.map { [$0] } ?? input)
      case .setRandomTimer(let timer, let range, let step):
        let steps = (range.upperBound.microseconds - range.lowerBound.microseconds) / step.microseconds
        let drawn = generator.number(in: 0...steps)
        let span = Span(microseconds: range.lowerBound.microseconds + drawn * step.microseconds)
        stage.setTimer(.agent(timer), after: span, isPeriodic: false, causes: lastSent.map { [$0] } ?? input)
      case .cancelTimer(let timer):
        stage.cancelTimer(.agent(timer))
      case .event(let event, let causes):
        tellAgentEvent(event, causes: causes.isEmpty ? input : causes, lastSent: lastSent, on: &stage)
      case .dropped(let why, let causes):
        stage.record(from: name, .ignored(why), causes: causes.isEmpty ? input : causes)
      }
    }
  }

  /// Translates a fact about a session into the coordinator's words. That something was sent is caused by its sending.
  private mutating func tellAgentEvent(
    _ event: UserAgentEvent, causes: [Int], lastSent: Int?, on stage: inout Stage
  ) {
    let afterSending = lastSent.map { [$0] } ?? causes
    noteLeg(event, causes: causes, lastSent: lastSent, on: &stage)
    switch event {
    case .invited(let session, let invitation):
      let call = label(of: invitation, on: &stage)
      tellLater(
        .invitationArrived(
          Invitation(
            leg: LegID(session), reference: CallReference(callID: invitation.callID),
            remote: Party(uri: invitation.remoteURI, displayName: invitation.remoteName),
            hasOffer: invitation.hasOffer, freshUUID: stage.calls.freshUUID(for: call),
            replaces: invitation.replaces.map { LegID($0) })),
        causes: causes)
    case .acceptSent(let session): tellLater(.acceptSent(LegID(session)), causes: afterSending)
    case .acknowledged(let session): tellLater(.acknowledged(LegID(session)), causes: causes)
    case .inviteSent(let session, let callID):
      tellLater(.invitationSent(LegID(session), CallReference(callID: callID)), causes: afterSending)
    case .provisional(let session, let status, let hasSession):
      let progress: Progress = status == 100 ? .trying : hasSession ? .earlyMedia : .ringing
      tellLater(.progress(LegID(session), progress), causes: causes)
    case .redirected(let session, _):
      let leg = LegID(session)
      guard let callID = legs[leg]?.callID else { return }
      tellLater(.invitedAgain(leg, CallReference(callID: callID)), causes: afterSending)
    case .referred(let session, let id, let referral):
      tellLater(
        .referred(
          LegID(session), TransferID(id), Party(uri: referral.target, displayName: referral.targetName)),
        causes: causes)
    case .referral(let id, let state):
      tellLater(.transferAdvanced(TransferID(id), TransferState(state)), causes: causes)
    case .callIDChanged(let session, let callID):
      tellLater(.invitedAgain(LegID(session), CallReference(callID: callID)), causes: afterSending)
    case .answered(let session): tellLater(.answered(LegID(session)), causes: causes)
    case .negotiated(let session, let media):
      tellLater(
        .negotiated(LegID(session), MediaState(isHeldHere: media.isHeldHere, isHeldThere: media.isHeldThere)),
        causes: causes)
    case .holdRefused(let session): tellLater(.localHoldRefused(LegID(session)), causes: causes)
    case .infoAnswered(let session, let status):
      let leg = LegID(session)
      carryOut(digits.answered(leg, status: status, at: stage.now), of: leg, causes: causes, on: &stage)
    case .ended(let session, let end): tellLater(.legEnded(LegID(session), LegEnd(end)), causes: causes)
    }
  }
}

extension SessionID {
  init(_ leg: LegID) {
    self.init(leg.origin == .local ? .local : .remote, leg.number)
  }
}

extension LegID {
  init(_ session: SessionID) {
    self.init(session.origin == .local ? .local : .remote, session.number)
  }
}

extension LegEnd {
  /// RFC 3326: a CANCEL may say that another device answered (200) or declined (600, 603) the call.
  init(_ end: SessionEnd) {
    switch end {
    case .local: self = .local
    case .remoteBye: self = .remoteHangUp
    case .cancelled(let cause):
      switch cause {
      case 200: self = .cancelled(.answered)
      case 600, 603: self = .cancelled(.declined)
      default: self = .cancelled(nil)
      }
    case .rejected(let status): self = .rejected(status: status)
    case .unacknowledged: self = .noAcknowledgement
    case .timedOut: self = .transactionTimeout
    case .failed: self = .failure
    }
  }
}

extension Stage {
  /// Puts a user agent's message on the wire. `fallback` are the causes of one that names none.
  @discardableResult
  mutating func send(
    _ transmission: Transmission, from sender: ActorIndex, fallback: [Int] = [], line: Int? = nil
  ) -> Int {
    let origin: MessageFacts.Origin =
      switch transmission.origin {
      case .decision: .decision
      case .rule: .rule
      case .retransmission: .retransmission
      }
    return send(
      transmission.message.bytes, message: transmission.message, from: sender, to: transmission.destination,
      origin: origin, causes: transmission.causes.isEmpty ? fallback : transmission.causes, line: line)
  }
}
