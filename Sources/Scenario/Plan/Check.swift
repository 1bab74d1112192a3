import Instant

/// One check under a block.
public struct PlannedCheck: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    case expect(Window?)
    case never(Scope)
  }

  public var kind: Kind
  public var observation: Observation
  /// The name of the record that is found.
  public var label: String?
  /// Checks with the same number must be met in the order of the file (`in-order`).
  public var order: Int?
  /// The whole check in the file, for the caret.
  public var range: SourceRange
  /// The check as it is written, without label and comment.
  public var text: String
}

/// When an expectation must be met; all bounds belong to it.
public enum Window: Hashable, Sendable {
  /// From the block's instant, or from a label's.
  case within(Span, of: String?)
  /// Between two spans after a label's instant; equal spans mean that one instant.
  case at(label: String, from: Span, to: Span)
}

/// Which records a `never` covers.
public enum Scope: Hashable, Sendable {
  case within(Span)
  /// `end` is the end of the run.
  case until(label: String)
  case between(label: String, and: String)
}

/// What a check looks for.
public enum Observation: Hashable, Sendable {
  case message(Arrow)
  /// `phone reports c1 incoming`; no call means any.
  case reports(call: String?, report: ReportWord)
  case updates(call: String?, caller: TemplateText?, handle: TemplateText?)
  case requests(call: String, action: String)
  /// What the app tells the user of a transfer: one of ``Vocabulary/transferPhases``, perhaps with its status.
  case transfer(call: String, phase: String, status: Int?)
  case becomes(call: String, state: String, reason: String?)
  case isInState(call: String, states: [String])
  /// `becomes` is an event, `is` without a window a question; with a window it consumes the completion.
  case action(call: String, action: String, becomes: Bool, status: String)
  /// `configures`, `activates`, `deactivates`, `interrupted`, `unit fails`, `microphone opens`, `microphone closes`.
  case audio(String)
  /// `active`, `inactive`, `configured`, `interrupted`.
  case audioIs(String)
  /// Some call that goes on is not heard; perhaps why, one of ``Vocabulary/silenceCauses``.
  case audioIsSilent(cause: String?)
  case audioUnit(starts: Bool)
  case audioUnitIs(running: Bool)
  /// One of ``Vocabulary/properties``, and the value.
  case has(call: String, property: String, value: TemplateText)
  case uuidUnchanged(call: String, since: String)
  /// `running` or `killed`, and a word of the reason.
  case deviceIs(String, reason: String?)
  case deviceCrashes
  case faultsFired([String])

  public enum ReportWord: Hashable, Sendable {
    case incoming, connecting, connected
    case ended(reason: String?)
  }
}

/// What must hold after every instant.
public struct InvariantCheck: Hashable, Sendable {
  public enum Invariant: Hashable, Sendable {
    /// At most so many calls are in this state.
    case atMost(Int, state: String)
    /// While the observation holds, some or every call is in one of these states.
    case implies(Observation, Quantifier, states: [String])
    /// Each action is completed at most once.
    case eachActionCompletedOnce
  }

  public enum Quantifier: String, Hashable, Sendable { case some, each }

  public var invariant: Invariant
  public var range: SourceRange
  public var text: String
}
