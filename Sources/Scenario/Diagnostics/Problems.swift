/// Collects what is wrong with a file, and keeps the first so many of it.
struct Problems {
  /// How many are shown of one file.
  static let limit = 20

  private var kept: [Diagnostic] = []
  private var total = 0
  private(set) var errorCount = 0

  /// Whether no further one will be shown, so that suggestions need not be looked for.
  var isFull: Bool { total >= Self.limit }

  mutating func add(_ diagnostic: @autoclosure () -> Diagnostic, isWarning: Bool = false) {
    total += 1
    if !isWarning { errorCount += 1 }
    if kept.count < Self.limit { kept.append(diagnostic()) }
  }

  /// What was collected, in the order of the file, and how many more there are.
  var diagnostics: [Diagnostic] {
    var result = kept.enumerated().sorted { left, right in
      let (first, second) = (left.element.range, right.element.range)
      return (first?.line ?? 0, first?.column ?? 0, left.offset) < (
        second?.line ?? 0, second?.column ?? 0, right.offset
      )
    }.map(\.element)
    if total > kept.count {
      let severity: Diagnostic.Severity = errorCount > 0 ? .error : .warning
      let more = total - kept.count
      result.append(
        Diagnostic(
          code: DiagnosticCode.moreProblems.rawValue, severity: severity,
          title: more == 1 ? "1 more problem is not shown" : "\(more) more problems are not shown", range: nil))
    }
    return result
  }
}
