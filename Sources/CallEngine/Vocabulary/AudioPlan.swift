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

  public init(isConfigured: Bool = false, legs: [LegID] = [], microphoneIsOpen: Bool = false) {
    self.isConfigured = isConfigured
    self.legs = legs
    self.microphoneIsOpen = microphoneIsOpen
  }

  /// Nothing configured, nothing running.
  public static let off = AudioPlan()

  /// Whether the audio unit is to run.
  public var unitRuns: Bool { !legs.isEmpty }
}
