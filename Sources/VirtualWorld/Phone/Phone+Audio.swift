import CallEngine
import Timeline

/// The audio session, which CallKit alone activates and deactivates (CK-24), as the rules have it.
extension Phone {
  /// The call takes part in the audio session from now on; the first one has it activated (CK-25).
  mutating func takeAudio(for uuid: CallUUID, causes: [Int], on stage: inout Stage) {
    if audio.isActive {
      // A deactivation that is on its way has become pointless, unless the session is to go through it on its way from
      // one call to another.
      if audio.pendingChange == nil {
        let isServed = audio.serving.flatMap { system.calls[$0] }?.needsAudio ?? false
        if !isServed { audio.serving = uuid }
      } else if settings.audioHandover == .none || audio.serving == uuid {
        audio.dropChange()
        audio.serving = uuid
      }
    } else if audio.pendingChange == nil {
      beginActivation(for: uuid, causes: causes, on: &stage)
    }
  }

  /// A call has lost its part in the audio session.
  mutating func releaseAudio(of uuid: CallUUID, causes: [Int], on stage: inout Stage) {
    guard let next = system.calls(where: \.needsAudio).first else {
      audio.wasTakenAway = false
      return letAudioGo(causes: causes, on: &stage)
    }
    guard audio.serving == uuid else { return }
    if audio.isActive, settings.audioHandover == .cycle {
      beginDeactivation(causes: causes, on: &stage)
    } else {
      audio.serving = next
    }
  }

  /// With no call left to serve the session is deactivated, and an activation that is on its way has become pointless.
  /// A session that stays between two calls waits for what may still take it (CK-26).
  mutating func letAudioGo(causes: [Int], on stage: inout Stage) {
    guard !system.needsAudio, audio.serving != nil else { return }
    let staysAsItIs = settings.audioHandover == .none && system.awaitsAudio
    switch (audio.isActive, staysAsItIs) {
    case (true, true): audio.dropChange()
    case (true, false): beginDeactivation(causes: causes, on: &stage)
    case (false, true): break
    case (false, false):
      audio.dropChange()
      audio.serving = nil
    }
  }

  private mutating func beginActivation(for uuid: CallUUID, causes: [Int], on stage: inout Stage) {
    guard settings.activatesAudioByItself else { return }
    audio.serving = uuid
    stage.schedule(.system(.activateAudio(audio.beginChange()), causes: causes), after: settings.activationDelay)
  }

  private mutating func beginDeactivation(causes: [Int], on stage: inout Stage) {
    guard settings.activatesAudioByItself, audio.pendingChange == nil else { return }
    stage.schedule(.system(.deactivateAudio(audio.beginChange()), causes: causes), after: settings.activationDelay)
  }

  /// An activation is due; one that has become pointless, or that no call has a right to yet (CK-25), is not delivered.
  mutating func activateAudio(_ change: Int, causes: [Int], on stage: inout Stage) {
    guard audio.takeChange(change), process == .running else { return }
    guard system.needsAudio else {
      audio.serving = nil
      return
    }
    activateAudio(causes: causes, line: nil, on: &stage)
  }

  /// A deactivation is due; it is not delivered if another call has taken the session meanwhile.
  mutating func deactivateAudio(_ change: Int, causes: [Int], on stage: inout Stage) {
    guard audio.takeChange(change) else { return }
    let number = deactivateAudio(causes: causes, line: nil, on: &stage)
    giveAudioBack(causes: [number], on: &stage)
  }

  /// A call that the session belongs to has it activated again.
  private mutating func giveAudioBack(causes: [Int], on stage: inout Stage) {
    guard process == .running, !audio.isActive, audio.pendingChange == nil,
      let uuid = system.calls(where: \.needsAudio).first
    else { return }
    beginActivation(for: uuid, causes: causes, on: &stage)
  }

  private mutating func activateAudio(causes: [Int], line: Int?, on stage: inout Stage) {
    audio.activate()
    audio.serving = audio.serving ?? system.calls(where: \.needsAudio).first
    let call = audio.serving.flatMap { stage.calls.label(of: $0) }
    let number = recordAudio(.activates, from: "system", call: call, causes: causes, line: line, on: &stage)
    tell(.audioActivated, causes: [number], on: &stage)
  }

  @discardableResult
  private mutating func deactivateAudio(causes: [Int], line: Int?, on stage: inout Stage) -> Int {
    audio.deactivate()
    let call = audio.serving.flatMap { stage.calls.label(of: $0) }
    audio.serving = nil
    audio.wasTakenAway = system.needsAudio
    let number = recordAudio(.deactivates, from: "system", call: call, causes: causes, line: line, on: &stage)
    tell(.audioDeactivated, causes: [number], on: &stage)
    return number
  }

  /// Records something about the session or the unit, for the call that it is for; without one, for that of its causes.
  @discardableResult
  mutating func recordAudio(
    _ event: AudioEvent, from actor: String, call: CallLabel? = nil, causes: [Int], line: Int? = nil,
    on stage: inout Stage
  ) -> Int {
    let number = stage.record(
      from: actor, to: actor == name ? nil : name, call: call, .audio(event), causes: causes, line: line)
    audio.lastRecord = number
    return number
  }

  // MARK: The script

  /// The system does something to the phone because the script says so. A change of the session that is on its way is
  /// overtaken by one that the script makes.
  mutating func perform(_ act: SystemAct, line: Int?, on stage: inout Stage) {
    switch act {
    case .activatesAudio:
      guard process == .running else {
        stage.record(from: "system", .ignored("the app does not run"), causes: [], line: line)
        return
      }
      audio.dropChange()
      activateAudio(causes: [], line: line, on: &stage)
    case .deactivatesAudio:
      guard audio.isActive else {
        stage.record(from: "system", .ignored("the audio session is not active"), causes: [], line: line)
        return
      }
      audio.dropChange()
      deactivateAudio(causes: [], line: line, on: &stage)
    case .interruptsAudio:
      interruptAudio(line: line, on: &stage)
    case .endsInterruption:
      guard audio.endInterruption() else {
        stage.record(from: "system", .ignored("nothing interrupts the audio"), causes: [], line: line)
        return
      }
      let number = recordAudio(.interruptionEnds, from: "system", causes: [], line: line, on: &stage)
      giveAudioBack(causes: [number], on: &stage)
      tell(.interruptionEnded, causes: [number], on: &stage)
    case .losesNetwork: loseNetwork(line: line, on: &stage)
    case .restoresNetwork: restoreNetwork(line: line, on: &stage)
    case .failsUnit:
      audio.failsNextStart = stage.record(
        from: "system", to: name, .fault(FaultEvent(name: "audio unit", effect: "the next start fails")), causes: [],
        line: line)
    }
  }

  /// The session is inactive and the unit stopped before the app learns of it (AV-7).
  private mutating func interruptAudio(line: Int?, on stage: inout Stage) {
    audio.dropChange()
    audio.interrupt()
    audio.serving = nil
    let number = recordAudio(.interrupted, from: "system", causes: [], line: line, on: &stage)
    stopUnit(causes: [number], on: &stage)
    tell(.interruptionBegan, causes: [number], on: &stage)
  }
}
