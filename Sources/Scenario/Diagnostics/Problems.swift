/// Collects what is wrong with a file, and keeps the first so many of it. Warnings never displace errors.
struct Problems {
  /// How many are shown of one file.
  static let limit = 20

  private var errors: [Diagnostic] = []
  private var warnings: [Diagnostic] = []
  private var warningCount = 0
  private(set) var errorCount = 0
  /// Whether a search was given up, so that it is not known how many more there are.
  var isIncomplete = false

  /// Whether no further error will be shown, so that suggestions need not be looked for.
  var isFull: Bool { errorCount >= Self.limit }

  mutating func add(_ error: @autoclosure () -> Diagnostic) {
    errorCount += 1
    if errors.count < Self.limit { errors.append(error()) }
  }

  mutating func warn(_ warning: @autoclosure () -> Diagnostic) {
    warningCount += 1
    if warnings.count < Self.limit { warnings.append(warning()) }
  }

  /// What was collected, in the order of the file, and how many more there are.
  var diagnostics: [Diagnostic] {
    let kept = errors + warnings.prefix(Self.limit - errors.count)
    var result = kept.enumerated().sorted { left, right in
      let (first, second) = (left.element.range, right.element.range)
      return (first?.line ?? 0, first?.column ?? 0, left.offset) < (
        second?.line ?? 0, second?.column ?? 0, right.offset
      )
    }.map(\.element)
    let more = errorCount + warningCount - kept.count
    if more > 0 || isIncomplete {
      result.append(
        Diagnostic(
          code: DiagnosticCode.moreProblems.rawValue, severity: errorCount > 0 ? .error : .warning,
          title: isIncomplete
            ? "there may be more problems, which are not shown"
            : more == 1 ? "1 more problem is not shown" : "\(more) more problems are not shown", range: nil))
    }
    return result
  }
}
