import CallEngine
import Timeline

/// The audio session, which CallKit alone activates and deactivates (CK-24), and the app's audio unit.
extension Phone {
  /// Turns the change of the app's plan into steps: stop before configure, configure before start.
  mutating func setAudioPlan(_ plan: AudioPlan, causes: [Int], on stage: inout Stage) {
    if audio.unitRuns, !plan.unitRuns {
      audio.unitRuns = false
      stage.record(from: name, .audio(.unitStops), causes: causes)
    }
    if plan.isConfigured, !audio.plan.isConfigured {
      stage.record(from: name, .audio(.configures), causes: causes)
    }
    if plan.unitRuns, !audio.unitRuns {
      audio.unitRuns = true
      stage.record(from: name, .audio(.unitStarts), causes: causes)
    }
    audio.plan = plan
  }

  /// The call takes part in the audio session from now on; the first one has it activated (CK-25). A deactivation that
  /// is on its way has become pointless.
  mutating func takeAudio(for uuid: CallUUID, causes: [Int], on stage: inout Stage) {
    system.update(uuid) { $0.needsAudio = true }
    guard !audio.isActive else { return audio.dropChange() }
    guard audio.pendingChange == nil else { return }
    stage.schedule(.system(.activateAudio(audio.beginChange()), causes: causes), after: settings.activationDelay)
  }

  /// The last call that took part has the session deactivated. An activation that is on its way has become pointless.
  mutating func releaseAudio(causes: [Int], on stage: inout Stage) {
    guard !system.needsAudio else { return }
    guard audio.isActive else { return audio.dropChange() }
    guard audio.pendingChange == nil else { return }
    stage.schedule(.system(.deactivateAudio(audio.beginChange()), causes: causes), after: settings.activationDelay)
  }

  /// An activation is due; one that has become pointless is not delivered.
  mutating func activateAudio(_ change: Int, causes: [Int], on stage: inout Stage) {
    guard audio.takeChange(change), process == .running else { return }
    audio.isActive = true
    let number = stage.record(from: "system", to: name, .audio(.activates), causes: causes)
    tell(.audioActivated, causes: [number], on: &stage)
  }

  /// A deactivation is due; it is not delivered if another call has taken the session meanwhile.
  mutating func deactivateAudio(_ change: Int, causes: [Int], on stage: inout Stage) {
    guard audio.takeChange(change) else { return }
    audio.isActive = false
    let number = stage.record(from: "system", to: name, .audio(.deactivates), causes: causes)
    tell(.audioDeactivated, causes: [number], on: &stage)
  }
}
