/// What the app wants of the audio hardware at this moment, as one value. The phone turns a change into steps:
/// configure, start, stop.
public struct AudioPlan: Hashable, Sendable {
  /// Whether category and mode are set for a call (playAndRecord, voiceChat: AV-1). Configuring is not activating
  /// (CK-24).
  public var isConfigured: Bool
  /// The legs that the running unit is fed from and feeds; empty means that the unit is off.
  public var legs: [LegID]
  /// Whether the microphone is open while the unit runs.
  public var microphoneIsOpen: Bool
  /// Which unit runs: another number means that the running one is stopped and a new one is made, as after a second
  /// activation (CK-27) or an activation that follows a deactivation (AV-9).
  public var unit: Int

  public init(isConfigured: Bool = false, legs: [LegID] = [], microphoneIsOpen: Bool = false, unit: Int = 0) {
    self.isConfigured = isConfigured
    self.legs = legs
    self.microphoneIsOpen = microphoneIsOpen
    self.unit = unit
  }

  /// Nothing configured, nothing running.
  public static let off = AudioPlan()

  /// Whether the audio unit is to run.
  public var unitRuns: Bool { !legs.isEmpty }
}
