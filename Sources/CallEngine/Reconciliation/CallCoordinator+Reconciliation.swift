import Instant

/// Puts out whatever separates what is wanted from what has been done, in a fixed order: what must stop stops first,
/// CallKit learns who calls before anybody is answered, actions are completed before the end of their call is reported
/// (a completion means nothing after it, CK-22), and what starts starts last.
extension CallCoordinator {
  mutating func reconcile(_ turn: inout Turn) {
    reduceAudio(&turn)
    announce(&turn)
    configureAudio(&turn)
    commandLegs(&turn)
    completeActions(&turn)
    reportAdvances(&turn)
    tellTransfers(&turn)
    sendRequests(&turn)
    extendAudio(&turn)
    adjustTimers(&turn)
    publishHeadlines(&turn)
    calls.removeAll(where: \.isFinished)
    if let why = turn.ignored { turn.emit(.ignore(why)) }
  }

  // MARK: Audio

  private mutating func reduceAudio(_ turn: inout Turn) {
    if !calls.contains(where: \.isLive) {
      audio.setup = .none
      audio.failure = .none
    }
    setPlan(audio.reducedPlan(for: calls), &turn)
  }

  /// Category and mode are set before the call is accepted or begun, and never under a running unit (invariant 31).
  private mutating func configureAudio(_ turn: inout Turn) {
    guard audio.setup == .due else { return }
    audio.setup = .done
    if !audio.plan.isConfigured { setPlan(AudioPlan(isConfigured: true), &turn) }
  }

  private mutating func extendAudio(_ turn: inout Turn) {
    setPlan(audio.wantedPlan(for: calls), &turn)
  }

  private mutating func setPlan(_ plan: AudioPlan, _ turn: inout Turn) {
    guard plan != audio.plan else { return }
    audio.plan = plan
    let heard = calls.filter { $0.legs.contains { plan.legs.contains($0.id) } }
    turn.emit(.setAudioPlan(plan), realising: heard.reduce([]) { $0.union($1.intent.answer ?? $1.causes) })
  }

  // MARK: Timers and states

  private mutating func adjustTimers(_ turn: inout Turn) {
    var wanted = calls.flatMap(\.wantedTimers)
    if case .retry(let instant) = audio.failure { wanted.append(TimerTable.Entry(id: .audioRetry, deadline: instant)) }
    let change = timers.adjust(to: wanted)
    for id in change.cancelled { turn.emit(.cancelTimer(id)) }
    for entry in change.set { turn.emit(.setTimer(entry.id, at: entry.deadline)) }
  }

  private mutating func publishHeadlines(_ turn: inout Turn) {
    for index in calls.indices {
      let call = calls[index]
      guard let state = call.derivedHeadline, state != call.headline else { continue }
      calls[index].headline = state
      let stored = call.ending?.causes ?? call.intent.end ?? (call.intent.answer ?? []).union(call.intent.holdCauses)
      turn.emit(
        .changeState(call.uuid, from: call.headline, to: state, end: call.presentation.end), realising: stored)
    }
  }
}
