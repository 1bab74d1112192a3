import CallEngine
import Timeline

/// The app's audio unit.
extension Phone {
  /// Turns the change of the app's plan into steps: stop before configure, configure before start. A unit that the
  /// system has stopped, or that could not be started, is not started again by a plan that asks for the same one.
  mutating func setAudioPlan(_ plan: AudioPlan, causes: [Int], on stage: inout Stage) {
    let old = audio.plan
    audio.plan = plan
    let isSameUnit = old.unitRuns && plan.unitRuns && old.unit == plan.unit
    let call = call(fedBy: plan, on: &stage)
    if !isSameUnit { stopUnit(of: old, causes: causes, on: &stage) }
    if plan.isConfigured, !old.isConfigured {
      recordAudio(.configures, from: name, call: call, causes: causes, on: &stage)
    }
    if plan.unitRuns, !isSameUnit {
      startUnit(for: call, causes: causes, on: &stage)
    } else if isSameUnit, audio.unitRuns, plan.microphoneIsOpen != old.microphoneIsOpen {
      recordAudio(
        plan.microphoneIsOpen ? .microphoneOpens : .microphoneCloses, from: name, call: call, causes: causes,
        on: &stage)
    }
  }

  /// A unit cannot start while the session is inactive, nor when the script says so (AV-4).
  private mutating func startUnit(for call: CallLabel?, causes: [Int], on stage: inout Stage) {
    let failure = audio.failsNextStart
    guard audio.isActive, failure == nil else {
      audio.unit = .failed
      audio.failsNextStart = nil
      let code = AudioSession.cannotStartPlaying
      let all = (causes + (failure.map { [$0] } ?? [])).sorted()
      let number = recordAudio(.unitFails(code: code), from: name, call: call, causes: all, on: &stage)
      tellLater(.unitFailed(code: code), causes: [number])
      return
    }
    audio.unit = .runs
    recordAudio(.unitStarts, from: name, call: call, causes: causes, on: &stage)
  }

  /// Stops the unit if it runs; it is that of the plan in force, unless the plan has changed.
  mutating func stopUnit(of plan: AudioPlan? = nil, causes: [Int], on stage: inout Stage) {
    guard audio.unitRuns else { return }
    audio.unit = .off
    let call = call(fedBy: plan ?? audio.plan, on: &stage)
    recordAudio(.unitStops, from: name, call: call, causes: causes, on: &stage)
  }

  /// The one call that a plan feeds; none if there are several, or if it is over.
  private func call(fedBy plan: AudioPlan, on stage: inout Stage) -> CallLabel? {
    guard plan.legs.count == 1, let facts = plan.legs.first.flatMap({ legs[$0] }) else { return nil }
    return stage.calls.label(ofCallID: facts.callID, inviting: false)
  }
}
