/// What the tool's exit status means; the same for every verb.
enum ExitCode: Int32 {
  /// Everything asked for was done and held.
  case success = 0
  /// Checked and not held.
  case failed = 1
  /// The command line is wrong.
  case usage = 2
  /// The scenario is invalid.
  case invalidScenario = 3
  /// The input cannot be used: unreadable, no text, too large.
  case unusableInput = 4
  /// Stopped before the verdict.
  case undecided = 5
  /// The environment does not allow it.
  case environment = 6
  /// A fault of the tool itself.
  case internalError = 70

  /// The order in which one code stands for several runs, worst first.
  private static let bySeverity: [ExitCode] = [
    .internalError, .invalidScenario, .environment, .unusableInput, .failed, .usage, .undecided, .success,
  ]

  /// The worse of two.
  func worse(_ other: ExitCode) -> ExitCode {
    Self.bySeverity.first { $0 == self || $0 == other } ?? self
  }
}
