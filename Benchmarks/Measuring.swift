import Foundation

/// What the system has counted for this process.
private func ownUsage() -> rusage {
  var usage = rusage()
  #if canImport(Glibc)
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
  #else
    getrusage(RUSAGE_SELF, &usage)
  #endif
  return usage
}

/// Processor time of this process, in seconds.
func processorTime() -> Double {
  let usage = ownUsage()
  func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
  return seconds(usage.ru_utime) + seconds(usage.ru_stime)
}

/// The most memory that this process has had, in bytes.
func peakMemory() -> Int {
  let usage = ownUsage()
  #if os(Linux)
    return usage.ru_maxrss * 1_024
  #else
    return usage.ru_maxrss
  #endif
}

/// The processor time that the work takes, in seconds.
func measured(_ work: () throws -> Void) rethrows -> Double {
  let start = processorTime()
  try work()
  return processorTime() - start
}

func median(_ values: [Double]) -> Double {
  let sorted = values.sorted()
  return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
}

/// A row of the table.
func report(_ name: String, _ value: String, target: String) {
  func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }
  print(padded(name, 58) + padded(value, 16) + target)
}

func rounded(_ value: Double, _ digits: Int) -> String { String(format: "%.\(digits)f", value) }

/// Starts a program with its output thrown away and returns the seconds until it has ended. Foundation's Process adds
/// tens of milliseconds of its own.
func spawn(_ path: String, _ arguments: [String]) -> Double {
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
    posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
  }
  var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
  defer { for word in words { free(word) } }
  let start = Date()
  var child = pid_t()
  guard posix_spawn(&child, path, &actions, nil, &words, environ) == 0 else { return .infinity }
  var status: Int32 = 0
  waitpid(child, &status, 0)
  return Date().timeIntervalSince(start)
}
