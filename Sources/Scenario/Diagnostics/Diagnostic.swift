/// Something to tell the author of a scenario: an error in the file, a warning, or a check that did not hold.
///
/// Diagnostics are values, collected and never thrown.
public struct Diagnostic: Hashable, Sendable {
  public enum Severity: String, Hashable, Sendable { case error, warning }

  /// A further place that explains the first.
  public struct Note: Hashable, Sendable {
    public var range: SourceRange?
    public var text: String

    public init(_ text: String, range: SourceRange? = nil) {
      self.text = text
      self.range = range
    }
  }

  /// The stable code: `S` and three digits for the file, `R` for a run, `L` for advice.
  public var code: String
  public var severity: Severity
  /// One sentence, in lower case and without a full stop.
  public var title: String
  /// Where; `nil` only where the whole file is meant.
  public var range: SourceRange?
  /// What stands under the marker: `did you mean …`.
  public var label: String?
  /// Further facts, printed as lines that begin with `=`.
  public var notes: [Note]
  /// What to do about it.
  public var help: String?
  /// A command that shows it again.
  public var reproduction: String?

  public init(
    code: String, severity: Severity = .error, title: String, range: SourceRange?, label: String? = nil,
    notes: [Note] = [], help: String? = nil, reproduction: String? = nil
  ) {
    self.code = code
    self.severity = severity
    self.title = title
    self.range = range
    self.label = label
    self.notes = notes
    self.help = help
    self.reproduction = reproduction
  }
}
