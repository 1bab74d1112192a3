/// The first thing that is wrong with a part of a message.
struct SyntaxFlaw {
  var rule: SyntaxRule
  /// One sentence, lower case, no full stop.
  var text: String
  /// Where in the bytes, from 0.
  var offset: Int
  var severity: Finding.Severity
  /// What a UAS answers.
  var status: Int

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
