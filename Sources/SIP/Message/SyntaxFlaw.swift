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

/// A set of ASCII characters, asked for in one step.
struct ASCIISet {
  /// One bit for each character below 64, and one for each from 64 to 127: constants, so that nothing is set up at run
  /// time.
  let low, high: UInt64

  @inline(__always)
  func contains(_ byte: UInt8) -> Bool {
    switch byte {
    case 0..<64: low &>> UInt64(byte) & 1 != 0
    case 64..<128: high &>> UInt64(byte &- 64) & 1 != 0
    default: false
    }
  }
}
