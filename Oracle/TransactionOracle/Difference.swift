import SIP

/// Where we do otherwise than libosip2 on purpose. Everything else that differs is a failure.
///
/// libosip2 follows RFC 3261 as it stood before RFC 6026, and leaves a few of its points to its user.
public enum Difference: String, Hashable, Sendable, CaseIterable {
  case clientAccepts, serverAccepts, serverOutlivesTransport, successAfterRefusal, eachRefusalAcknowledged
  case unacknowledgeableRefusalTold, provisionalLeavesTimerE, acknowledgementLeavesTimerI, timerHTold

  /// The section that decides.
  public var source: String {
    switch self {
    case .clientAccepts: "RFC 6026 7.2"
    case .serverAccepts: "RFC 6026 7.1"
    case .serverOutlivesTransport: "RFC 6026 7.1"
    case .successAfterRefusal: "RFC 3261 13.2.2.4, 16.7"
    case .eachRefusalAcknowledged: "RFC 3261 17.1.1.3"
    case .unacknowledgeableRefusalTold: "RFC 3261 17.1.1.2"
    case .provisionalLeavesTimerE: "RFC 3261 17.1.2.2"
    case .acknowledgementLeavesTimerI: "RFC 3261 17.2.1"
    case .timerHTold: "RFC 3261 17.2.1"
    }
  }

  /// What we do, and what libosip2 does.
  public var explanation: String {
    switch self {
    case .clientAccepts: "a 2xx leads to Accepted for 64*T1, and each further 2xx is delivered; libosip2 is over"
    case .serverAccepts: "a 2xx leads to Accepted for 64*T1, which absorbs the INVITE; libosip2 is over"
    case .serverOutlivesTransport: "a response that cannot be sent ends no INVITE transaction; it ends libosip2's"
    case .successAfterRefusal: "a 2xx after a refusal is delivered, to be acknowledged; libosip2 drops it"
    case .eachRefusalAcknowledged: "another refusal gets an ACK with its own To; libosip2 repeats its first ACK"
    case .unacknowledgeableRefusalTold: "a refusal is delivered even if its ACK cannot be sent; libosip2 drops it"
    case .provisionalLeavesTimerE: "a 1xx does not set timer E, its next firing does; libosip2 sets it at each 1xx"
    case .acknowledgementLeavesTimerI: "a repeated ACK does not set timer I; libosip2 sets it at each ACK"
    case .timerHTold: "timer H is told to the transaction user; libosip2 ends in silence"
    }
  }

  /// What libosip2 did at an event, as we have to do it: with the differences that apply to exactly this event in the
  /// state before it.
  static func correct(
    _ theirs: Observation, at event: OracleEvent, in before: TransactionState?, of kind: TransactionClass,
    messages: OurTransaction.Messages
  ) -> (Observation, Set<Difference>) {
    switch kind.machine {
    case .inviteClient: correctInviteClient(theirs, event, before, messages)
    case .otherClient: correctOtherClient(theirs, event, before)
    case .inviteServer: correctInviteServer(theirs, event, before, messages)
    case .otherServer: (theirs, [])
    }
  }

  private static func correctInviteClient(
    _ theirs: Observation, _ event: OracleEvent, _ before: TransactionState?, _ messages: OurTransaction.Messages
  ) -> (Observation, Set<Difference>) {
    var result = theirs
    switch (before, event.stimulus) {
    case (.calling, .receive(200..<300)), (.proceeding, .receive(200..<300)):
      result.state = .accepted
      result.set = [.m: 32_000]
      result.running = [.m]
      return (result, [.clientAccepts])
    case (.accepted, let stimulus):
      result = Observation(state: .accepted, running: [.m])
      if case .receive(let status) = stimulus, 200..<300 ~= status { result.told = [.response(status)] }
      if stimulus == .fire(.m) { result = Observation() }
      return (result, [.clientAccepts])
    case (.completed, .receive(let status)) where 200..<300 ~= status:
      result.told.append(.response(status))
      return (result, [.successAfterRefusal])
    case (.completed, .receive(let status)) where status >= 300:
      result.sent = theirs.sent.map { acknowledgement($0, of: status) }
      return (result, result == theirs ? [] : [.eachRefusalAcknowledged])
    case (.calling, .receive(let status)) where status >= 300 && event.sendingFails,
      (.proceeding, .receive(let status)) where status >= 300 && event.sendingFails:
      result.told.insert(.response(status), at: 0)
      return (result, [.unacknowledgeableRefusalTold])
    default: return (theirs, [])
    }
  }

  /// The summary of an ACK with the To tag of another refusal.
  private static func acknowledgement(_ summary: String, of status: Int) -> String {
    summary.split(separator: " | ", omittingEmptySubsequences: false)
      .map { $0.hasPrefix("<sip:t@b>") ? "<sip:t@b>;tag=t\(status)" : String($0) }
      .joined(separator: " | ")
  }

  private static func correctOtherClient(
    _ theirs: Observation, _ event: OracleEvent, _ before: TransactionState?
  ) -> (Observation, Set<Difference>) {
    guard case .receive(..<200) = event.stimulus, before == .trying || before == .proceeding else {
      return (theirs, [])
    }
    var result = theirs
    result.set[.e] = nil
    return (result, result == theirs ? [] : [.provisionalLeavesTimerE])
  }

  private static func correctInviteServer(
    _ theirs: Observation, _ event: OracleEvent, _ before: TransactionState?, _ messages: OurTransaction.Messages
  ) -> (Observation, Set<Difference>) {
    var result = theirs
    var used: Set<Difference> = []
    switch (before, event.stimulus) {
    case (.proceeding, .send(200..<300)):
      result.state = .accepted
      result.set = [.l: 32_000]
      result.running = [.l]
      used = [.serverAccepts]
    case (.accepted, let stimulus):
      result = Observation(state: .accepted, running: [.l])
      if case .send(let status) = stimulus, 200..<300 ~= status {
        result.sent = [OracleMessages.summary(of: messages.response(status))]
      }
      if stimulus == .ack { result.told = [.acknowledgement] }
      if stimulus == .fire(.l) { result = Observation() }
      used = [.serverAccepts]
    case (.confirmed, .ack):
      result.set[.i] = nil
      used = [.acknowledgementLeavesTimerI]
    case (.completed, .fire(.h)):
      result.told.append(.noAcknowledgement)
      used = [.timerHTold]
    default: break
    }
    // libosip2's transport did not fail then (see ``spares(_:)``), so that it goes on as ours has to.
    if event.sendingFails, !result.sent.isEmpty {
      result.told += result.sent.map { _ in .unsent }
      used.insert(.serverOutlivesTransport)
    }
    return (result, used)
  }

  /// Whether libosip2 is spared the failing transport, which would end its INVITE server transaction.
  static func spares(_ kind: TransactionClass) -> Bool { kind.machine == .inviteServer }
}
