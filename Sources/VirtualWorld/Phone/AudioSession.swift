import CallEngine
import Timeline

/// The app's audio session and its audio unit.
struct AudioSession: Hashable, Sendable {
  /// The error of a unit that cannot start playing, `!pla` (AV-4).
  static let cannotStartPlaying = 561_015_905

  /// Whether CallKit has activated the session. One session serves all calls (CK-26).
  private(set) var isActive = false
  /// Whether something else has the audio hardware (AV-7). An activation ends that as well: an end of the interruption
  /// need not come.
  private(set) var isInterrupted = false
  /// Whether the session was taken away from a call that it belongs to, and not given back.
  var wasTakenAway = false
  /// The call that the rules keep the session active for.
  var serving: CallUUID?
  /// The number of the activation, or of the deactivation while the session is active, that is on its way. One that
  /// has become pointless is struck out here and not delivered.
  private(set) var pendingChange: Int?
  private var lastChange = 0
  var unit = Unit.off
  /// Whether the script has the next start of the unit fail; the record of that.
  var failsNextStart: Int?
  /// What the app wants.
  var plan = AudioPlan.off
  /// The last record about the session or the unit.
  var lastRecord = 0

  /// The app's audio unit.
  enum Unit: Hashable, Sendable {
    case off
    /// Started after the last activation.
    case runs
    /// It goes on, but the activation that it was started in is over: it moves no sound any more (AV-9, CK-27).
    case isStale
    /// The last start failed, and none was tried since in this activation.
    case failed
  }

  /// Whether a unit was started and not stopped.
  var unitRuns: Bool { unit == .runs || unit == .isStale }

  mutating func activate() {
    isActive = true
    isInterrupted = false
    wasTakenAway = false
    if unit == .runs { unit = .isStale }
  }

  mutating func deactivate() {
    isActive = false
    switch unit {
    case .runs: unit = .isStale
    case .failed: unit = .off
    case .off, .isStale: break
    }
  }

  mutating func interrupt() {
    isActive = false
    isInterrupted = true
  }

  /// The interruption is over; whether there was one.
  mutating func endInterruption() -> Bool {
    defer { isInterrupted = false }
    return isInterrupted
  }

  /// Begins a change of the session and returns its number.
  mutating func beginChange() -> Int {
    lastChange += 1
    pendingChange = lastChange
    return lastChange
  }

  /// The change that is on its way has become pointless.
  mutating func dropChange() { pendingChange = nil }

  /// Whether this change is the one to be made now; it is not on its way any more.
  mutating func takeChange(_ number: Int) -> Bool {
    guard pendingChange == number else { return false }
    pendingChange = nil
    return true
  }
}
