import Instant

@testable import CallEngine

/// Watches a coordinator from outside and notes what it does against the rules. It also knows what the neighbours
/// still owe, and can bring everything to rest.
struct Monitor {
  private(set) var bench = Bench()
  private(set) var violations: [String] = []

  private(set) var openActions: [CallAction] = []
  private(set) var owedReports: [CallUUID] = []
  private(set) var owedRequests: [(id: RequestID, actions: [RequestedAction])] = []
  private(set) var owedActions: [RequestedAction] = []
  private(set) var legs: [LegID] = []
  private(set) var accepting: [LegID] = []
  private(set) var inviting: [LegID] = []
  private(set) var timers: [TimerID] = []
  /// Legs that signalling was told to hold or not, and has not answered for.
  private(set) var owedHolds: [LegID] = []
  /// What signalling was told last.
  private(set) var told: [LegID: Bool] = [:]
  /// The digits that signalling is sending.
  private(set) var owedDigits: [(leg: LegID, action: ActionID)] = []
  /// Calls that the system shows.
  private(set) var shown: [CallUUID] = []
  private var refused: Set<CallUUID> = []
  private var ended: Set<CallUUID> = []
  private var accepted: Set<LegID> = []
  private var rejected: Set<LegID> = []
  /// Calls whose Answer or Start has failed in this turn.
  private var failed: [CallUUID] = []
  private var states: [CallUUID: CallState] = [:]
  private var answeredTransfers: Set<TransferID> = []
  private var openTransfers: Set<TransferID> = []
  /// The transfers that signalling was told to ask for, and has not told the outcome of.
  private(set) var owedTransfers: [(id: TransferID, leg: LegID)] = []
  private var hasTransferNews = false

  mutating func send(_ input: CoordinatorInput, after span: Span = .milliseconds(1)) {
    bench.now = bench.now + span
    hasTransferNews = false
    note(input)
    let outputs = bench.outputs(of: input)
    for output in outputs {
      if !output.causes.records.contains(bench.inputs) { violations.append("the input is no cause of \(output)") }
      check(output.command)
    }
    // Failing the action that began a call closes it; failing one that never suited the call does not.
    for call in failed where states[call] == .ended { close(call) }
    failed = []
  }

  private mutating func note(_ input: CoordinatorInput) {
    switch input {
    case .perform(let action):
      if !openActions.contains(where: { $0.id == action.id }) { openActions.append(action) }
      owedActions.removeAll { $0.id == action.id }
      if case .start = action.kind, !shown.contains(action.call), !ended.contains(action.call) {
        shown.append(action.call)
      }
    case .actionTimedOut(let id): openActions.removeAll { $0.id == id }
    case .reportCompleted(let call, let result):
      guard let position = owedReports.firstIndex(of: call) else { return }
      owedReports.remove(at: position)
      if result == .accepted { refused.remove(call) }
      if result == .accepted, !shown.contains(call), !ended.contains(call) { shown.append(call) }
      if case .refused = result, !shown.contains(call), !ended.contains(call) { refused.insert(call) }
    case .requestCompleted(let id, let result):
      if let position = owedRequests.firstIndex(where: { $0.id == id }) {
        let request = owedRequests.remove(at: position)
        if result == .accepted { owedActions += request.actions }
      }
    case .invitationArrived(let invitation):
      if !legs.contains(invitation.leg) {
        legs.append(invitation.leg)
        accepted.remove(invitation.leg)
      }
      // Signalling names a leg once; one that was refused and comes again stands for a new one.
      rejected.remove(invitation.leg)
    case .acceptSent(let leg): accepting.removeAll { $0 == leg }
    case .invitationSent(let leg, _): inviting.removeAll { $0 == leg }
    case .negotiated(let leg, let media): if told[leg] == media.isHeldHere { owedHolds.removeAll { $0 == leg } }
    case .localHoldRefused(let leg): owedHolds.removeAll { $0 == leg }
    case .digitsSent(let leg, let action), .digitsFailed(let leg, let action):
      owedDigits.removeAll { $0 == (leg, action) }
    case .legEnded(let leg, _):
      legs.removeAll { $0 == leg }
      owedHolds.removeAll { $0 == leg }
      owedDigits.removeAll { $0.leg == leg }
      told[leg] = nil
      accepting.removeAll { $0 == leg }
      inviting.removeAll { $0 == leg }
    case .timerFired(let timer): timers.removeAll { $0 == timer }
    case .pushArrived, .audioActivated, .audioDeactivated, .interruptionBegan, .interruptionEnded, .unitFailed, .user,
      .acknowledged, .progress, .answered, .referred, .invitedAgain, .networkLost, .networkRestored:
      break
    case .transferAdvanced(let transfer, let state):
      hasTransferNews = true
      if state.isFinal { owedTransfers.removeAll { $0.id == transfer } }
    }
  }

  private mutating func check(_ command: CoordinatorCommand) {
    switch command {
    case .fulfil(let id), .fail(let id):
      guard let position = openActions.firstIndex(where: { $0.id == id }) else {
        violations.append("completed without being open: \(command)")
        return
      }
      let action = openActions.remove(at: position)
      switch (action.kind, command) {
      case (.end, .fulfil): close(action.call)
      case (.answer, .fail), (.start, .fail): failed.append(action.call)
      default: break
      }
    case .reportIncoming(let call, _):
      if ended.contains(call) { violations.append("revived: \(call)") }
      owedReports.append(call)
    case .reportUpdated(let call, _), .reportStartedConnecting(let call), .reportConnected(let call):
      report(call, command)
    case .reportEnded(let call, _):
      report(call, command)
      close(call)
    case .request(let id, let actions):
      if owedRequests.contains(where: { $0.actions.first?.call == actions.first?.call }) {
        violations.append("two requests of one call: \(command)")
      }
      owedRequests.append((id, actions))
    case .accept(let leg):
      accepting.append(leg)
      if !accepted.insert(leg).inserted || rejected.contains(leg) { violations.append("answered twice: \(leg)") }
    case .reject(let leg, _):
      if !rejected.insert(leg).inserted || accepted.contains(leg) { violations.append("answered twice: \(leg)") }
    case .ring(let leg):
      if rejected.contains(leg) || accepted.contains(leg) { violations.append("rung after the answer: \(leg)") }
    case .invite(let leg, _, _):
      legs.append(leg)
      inviting.append(leg)
    case .setTimer(let timer, at: _): if !timers.contains(timer) { timers.append(timer) }
    case .cancelTimer(let timer):
      if !timers.contains(timer) { violations.append("cancelled and not set: \(timer)") }
      timers.removeAll { $0 == timer }
    case .changeState(let call, from: let old, to: let new, let end):
      if states[call] != old || old == new { violations.append("jumped: \(command)") }
      if (new == .ended) != (end != nil) { violations.append("no end or too early an end: \(command)") }
      states[call] = new
    case .setLocalHold(let leg, let isHeld):
      if told[leg] ?? false == isHeld { violations.append("told again: \(command)") }
      told[leg] = isHeld
      if !owedHolds.contains(leg) { owedHolds.append(leg) }
    case .sendDigits(let leg, let action, _):
      if owedDigits.contains(where: { $0.leg == leg }) { violations.append("two strings at once: \(command)") }
      if told[leg] == true { violations.append("digits on a held call: \(command)") }
      owedDigits.append((leg, action))
    case .stopDigits(let leg):
      if !owedDigits.contains(where: { $0.leg == leg }) { violations.append("stopped for nothing: \(command)") }
      owedDigits.removeAll { $0.leg == leg }
    case .setAudioPlan(let plan):
      if plan.legs.count > 1 { violations.append("two calls are heard: \(command)") }
      if plan.unitRuns, !plan.isConfigured { violations.append("a unit without a session: \(command)") }
      if let leg = plan.legs.first, told[leg] == true { violations.append("a held call is heard: \(command)") }
    case .inviteTransferred(let leg, _):
      legs.append(leg)
      inviting.append(leg)
    case .answerTransfer(let transfer, let accepts):
      if !answeredTransfers.insert(transfer).inserted { violations.append("answered twice: \(command)") }
      if accepts { openTransfers.insert(transfer) }
    case .reportTransfer(let transfer, let status):
      if !openTransfers.contains(transfer) { violations.append("no such transfer: \(command)") }
      if status >= 200 { openTransfers.remove(transfer) }
    case .rebind(let call, let leg, _):
      if ended.contains(call) || !legs.contains(leg) { violations.append("bound to nothing: \(command)") }
    case .transfer(let leg, let transfer, to: _):
      if owedTransfers.contains(where: { $0.leg == leg || $0.id == transfer }) {
        violations.append("two transfers of one leg: \(command)")
      }
      if told[leg] != true || owedHolds.contains(leg) { violations.append("transferred without a hold: \(command)") }
      if !legs.contains(leg) { violations.append("asked on no leg: \(command)") }
      owedTransfers.append((transfer, leg))
    case .showTransfer(_, let state):
      if !hasTransferNews, state != .refused(status: nil) { violations.append("told without news: \(command)") }
    case .renew(let leg): if !legs.contains(leg) { violations.append("renewed without a leg: \(command)") }
    case .hangUp, .refuseIntent, .ignore: break
    }
  }

  private mutating func report(_ call: CallUUID, _ command: CoordinatorCommand) {
    if refused.contains(call) { violations.append("told of a refused call: \(command)") }
    if ended.contains(call) { violations.append("told of a call that is over: \(command)") }
  }

  private mutating func close(_ call: CallUUID) {
    shown.removeAll { $0 == call }
    if states[call] != nil { ended.insert(call) }
  }

  /// The neighbours pay what they owe, the user ends what is left, and nothing may remain (invariants 7, 12, 40).
  mutating func settle() {
    for round in 1...20 {
      if bench.coordinator.isQuiescent, legs.isEmpty, shown.isEmpty, owedActions.isEmpty { break }
      for call in owedReports {
        send(.reportCompleted(call, shown.contains(call) ? .refused(.callUUIDAlreadyExists) : .accepted))
      }
      for request in owedRequests { send(.requestCompleted(request.id, .accepted)) }
      for action in owedActions {
        send(.perform(CallAction(id: action.id, call: action.call, kind: action.kind, transaction: 0)))
      }
      for call in shown { send(action(1_000 + round * 100 + Int(call.low), .end, call)) }
      for call in bench.coordinator.calls where call.isLive {
        send(action(5_000 + round * 100 + Int(call.uuid.low), .end, call.uuid))
      }
      for leg in owedHolds { send(.negotiated(leg, MediaState(isHeldHere: told[leg] ?? false))) }
      for transfer in owedTransfers { send(.transferAdvanced(transfer.id, .unknown)) }
      for digits in owedDigits { send(.digitsSent(digits.leg, digits.action)) }
      for leg in legs { send(.legEnded(leg, .local)) }
    }
    if !bench.coordinator.isQuiescent { violations.append("something is left: \(bench.coordinator)") }
    if !openTransfers.isEmpty { violations.append("transfers are left: \(openTransfers)") }
    if !timers.isEmpty { violations.append("timers are left: \(timers)") }
    if !openActions.isEmpty { violations.append("actions are left: \(openActions)") }
    if !shown.isEmpty { violations.append("calls are left on the screen: \(shown)") }
  }
}
