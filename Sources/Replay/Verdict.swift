import Instant
import Scenario

/// What came of a run.
public struct Verdict: Hashable, Sendable {
  public enum Outcome: String, Hashable, Sendable {
    /// Everything that was to be checked held.
    case held
    case failed
    /// The run was stopped before everything was decided, and nothing failed until then.
    case undecided
  }

  public var outcome: Outcome
  /// What failed, codes `R…`; the first failure first, with what followed from it folded into it.
  public var diagnostics: [Diagnostic]
  /// What may be a mistake and does not make the run fail, codes `L…`.
  public var warnings: [Diagnostic] = []
  /// Every check in the order of the file.
  public var checks: [CheckOutcome]
  /// How many records the run has.
  public var recordCount: Int
  /// The instant of the last thing that happened or was decided.
  public var end: Instant
  /// The names of the faults that took effect, in the order in which they first did.
  public var firedFaults: [String]
  /// The calls that had not ended, in the order of their first record.
  public var openCalls: [String]
  /// Every call that the system was told of and the Call-IDs that carried it, in the order of their first record.
  public var calls: [CallIdentity]
}

/// What a call was known by.
public struct CallIdentity: Hashable, Sendable {
  public var name: String
  public var uuid: String
  public var callIDs: [CallIDPeriod]
}

/// How one check was decided.
public struct CheckOutcome: Hashable, Sendable {
  /// Its line in the file.
  public var line: Int
  /// The check as the scenario writes it.
  public var text: String
  /// `nil` if it was not decided: its line never ran, its label never happened, or the run was stopped.
  public var held: Bool?
  /// When it was decided.
  public var instant: Instant?
  /// The stable code, where it failed.
  public var code: String?
  /// The number of the record that met or violated it.
  public var record: Int?
}
