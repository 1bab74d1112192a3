import Instant
import Scenario
import Timeline

/// How far one check of the plan has come.
struct CheckState: Hashable, Sendable {
  enum Progress: Hashable, Sendable {
    /// Its block has not run.
    case idle
    /// Its window or scope begins at a label that has not happened.
    case waiting(label: String)
    /// Its window or scope is open, or it is asked after this or a later instant.
    case open
    /// The window closed, or the answer was yes; with the record that met it.
    case held(Instant, record: Int?)
    case failed(Failure)
  }

  /// Why and when a check failed.
  struct Failure: Hashable, Sendable {
    var code: RunCode
    var instant: Instant
    /// The record that violated a `never`.
    var record: Record?
    /// The record that would have met an expectation at another time.
    var miss: Record?
    /// The check that took that record.
    var taker: Int?
    /// What came in the window instead, and differs only in details.
    var instead: NearMiss?
    /// What was the case at that instant.
    var facts: [String] = []
  }

  /// What the records have in common that can decide a check.
  enum Subject: Hashable, Sendable {
    case anything
    case call(String)
    case transaction(ofLabel: String)
  }

  let block: Int
  let planned: PlannedCheck
  /// The expectation that must be met before this one (`in-order`).
  let predecessor: Int?
  /// What it looks for, for a comparison with other checks.
  let sought: Observation
  var progress: Progress = .idle
  /// Only records behind this one are looked at.
  var after = 0
  /// The window of an expectation or of `never within`, both bounds included.
  var opens: Instant = .zero
  var closes: Instant?
  /// The last record that an event without a window could mean.
  var lastMatch: LabelTable.Place?

  init(block: Int, planned: PlannedCheck, predecessor: Int?) {
    self.block = block
    self.planned = planned
    self.predecessor = predecessor
    sought = planned.observation.withoutRanges
  }

  /// Whose records alone can decide the check.
  var subject: Subject {
    // What comes before it in its group may be met by anything.
    guard predecessor == nil else { return .anything }
    switch planned.observation {
    // The values of texts and labels may change with anything.
    case .has, .uuidUnchanged: return .anything
    case .message(let arrow):
      if case .label(let label) = arrow.subject { return .transaction(ofLabel: label) }
    default: break
    }
    return planned.observation.call.map(Subject.call) ?? .anything
  }

  var window: Window? {
    if case .expect(let window) = planned.kind { return window }
    return nil
  }

  var isNever: Bool {
    if case .never = planned.kind { return true }
    return false
  }

  var isQuestion: Bool { !isNever && window == nil }

  /// When and by which record it was met.
  var met: (instant: Instant, record: Int?)? {
    if case .held(let instant, let record) = progress { return (instant, record) }
    return nil
  }

  var failure: Failure? {
    if case .failed(let failure) = progress { return failure }
    return nil
  }

  /// When the check began to fail: an expectation with a wide window is the cause of what fails before it closes.
  var begin: Instant? {
    guard let failure else { return nil }
    return failure.code == .notMet ? min(opens, failure.instant) : failure.instant
  }

  var isDecided: Bool { met != nil || failure != nil }

  var isOpen: Bool { progress == .open }
}

/// The stable codes of what a run can find.
public enum RunCode: String, Hashable, Sendable {
  /// An expectation was not met.
  case notMet = "R101"
  /// A check without a window was answered with no.
  case answeredNo = "R110"
  /// A `never` was violated.
  case violated = "R130"
  /// `between A and B`, and A never happened.
  case scopeNeverBegan = "R131"
  /// An invariant does not hold.
  case invariant = "R140"
  /// A fault never took effect.
  case faultNeverFired = "R150"
  /// A line never ran.
  case lineNeverRan = "R160"
  /// A line could not be carried out.
  case lineRefused = "R161"
  /// The app did something that nothing expects.
  case notExpected = "R170"
  /// The plan asks for something that a run cannot do.
  case unsupported = "R180"
  /// Something that must not happen in the program itself.
  case internalError = "R190"
  /// An act of the user, the system or a peer had no effect, or not all of it; a warning.
  case actInVain = "L024"
  /// A call was to have a name that belongs to another one; a warning.
  case nameTaken = "L025"
  /// The run has no record; a warning.
  case nothingHappens = "L016"
}
