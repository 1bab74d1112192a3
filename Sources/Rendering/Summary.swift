import Instant
import Timeline

/// What stands at the end of a timeline: how the run went, and what its calls were known by.
public struct Summary: Sendable {
  /// `held`, `failed` or `undecided`.
  public var outcome: String
  /// The code with which the tool exits.
  public var exitCode: Int
  /// The instant of the last thing that happened or was decided.
  public var end: Instant
  /// How many records the timeline has.
  public var records: Int
  /// What failed: the stable code, the line of the scenario if there is one, and the title.
  public var diagnostics: [(code: String, line: Int?, title: String)]
  /// Every call that has a UUID, in the order of their first record.
  public var calls: [CallIdentity]

  /// The end of a timeline with so many records.
  public init(
    outcome: String, exitCode: Int, end: Instant, records: Int,
    diagnostics: [(code: String, line: Int?, title: String)], calls: [CallIdentity] = []
  ) {
    self.outcome = outcome
    self.exitCode = exitCode
    self.end = end
    self.records = records
    self.diagnostics = diagnostics
    self.calls = calls
  }
}
