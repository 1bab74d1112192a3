/// The first thing that is wrong with a part of a message. One object, so that the parts that may have one, and mostly do
/// not, stay small.
final class SyntaxFlaw: Sendable {
  let rule: SyntaxRule
  /// One sentence, lower case, no full stop.
  let text: String
  /// Where in the bytes, from 0.
  let offset: Int
  let severity: Finding.Severity
  /// What a UAS answers.
  let status: Int

  init(
    _ rule: SyntaxRule, _ text: String, at offset: Int, severity: Finding.Severity = .malformed, status: Int = 400
  ) {
    self.rule = rule
    self.text = text
    self.offset = offset
    self.severity = severity
    self.status = status
  }
}
