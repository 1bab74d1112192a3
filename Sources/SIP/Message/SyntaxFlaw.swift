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
  private let low, high: UInt64

  /// Letters, digits and the characters of a text.
  init(alphanumericAnd text: StaticString) {
    var low: UInt64 = 0x03FF_0000_0000_0000
    var high: UInt64 = 0x07FF_FFFE_07FF_FFFE
    text.withUTF8Buffer { buffer in
      for byte in buffer where byte < 128 {
        if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte - 64) }
      }
    }
    self.low = low
    self.high = high
  }

  @inline(__always)
  func contains(_ byte: UInt8) -> Bool {
    switch byte {
    case 0..<64: low &>> UInt64(byte) & 1 != 0
    case 64..<128: high &>> UInt64(byte &- 64) & 1 != 0
    default: false
    }
  }
}
