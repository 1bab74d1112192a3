/// Which timers are set. An expiry that is not in the table any more, or was set again since, means nothing.
struct TimerTable: Hashable, Sendable {
  private struct Setting: Hashable {
    var serial: Int
    /// Whether it is no reason for a run to go on.
    var isBackground: Bool
    var causes: [Int]
  }

  private var settings: [TimerKey: Setting] = [:]
  private var lastSerial = 0

  /// How many timers are set that something is still to come of.
  private(set) var foregroundCount = 0

  /// The timers that are set, in no order.
  var keys: some Collection<TimerKey> { settings.keys }

  /// Sets or moves a timer and returns the serial number of this setting.
  mutating func set(_ key: TimerKey, isBackground: Bool, causes: [Int]) -> Int {
    cancel(key)
    lastSerial += 1
    settings[key] = Setting(serial: lastSerial, isBackground: isBackground, causes: causes)
    if !isBackground { foregroundCount += 1 }
    return lastSerial
  }

  /// Returns whether the timer was set.
  @discardableResult
  mutating func cancel(_ key: TimerKey) -> Bool {
    guard let setting = settings.removeValue(forKey: key) else { return false }
    if !setting.isBackground { foregroundCount -= 1 }
    return true
  }

  /// Whether this setting still counts.
  func isLive(_ key: TimerKey, serial: Int) -> Bool {
    settings[key]?.serial == serial
  }

  /// Takes the timer that expires out of the table and returns the causes that it was set with.
  mutating func expire(_ key: TimerKey) -> [Int] {
    let causes = settings[key]?.causes ?? []
    cancel(key)
    return causes
  }

  /// Cancels all timers that match; for a process that is gone.
  mutating func cancelAll(where matches: (TimerKey) -> Bool) {
    for key in settings.keys where matches(key) { cancel(key) }
  }
}
