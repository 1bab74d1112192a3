import Testing

@testable import Rendering

@Suite struct MessageTextTests {
  private static let margin = "            │"

  @Test(
    "every line stands behind the margin, and a line end makes no line of its own",
    arguments: [
      ("A\r\nB\r\n\r\n", ["A", "B", ""]),
      ("A\nB\n", ["A", "B"]),
      ("A\r\n\r\nB", ["A", "", "B"]),
      ("", [""]),
      ("\n", [""]),
      ("\r\n\r\n", ["", ""]),
    ])
  func lineEnds(text: String, lines: [String]) {
    let expected = lines.map { $0.isEmpty ? Self.margin : "\(Self.margin) \($0)" }
    #expect(MessageText.lines(of: Array(text.utf8), isASCII: false) == expected)
  }

  @Test(
    "a carriage return without a line feed is shown",
    arguments: [("A\rB\r\n", "A\\x0DB"), ("A\r", "A\\x0D"), ("A\r\r\n", "A\\x0D")])
  func loneCarriageReturns(text: String, line: String) {
    #expect(MessageText.lines(of: Array(text.utf8), isASCII: false) == ["\(Self.margin) \(line)"])
  }

  @Test("a NUL, a tab, an escape, DEL, the C1 controls and what turns text around are written in hexadecimal")
  func controlOctets() {
    let text = "a\u{0}b\tc\u{1B}[31md\u{7F}e\u{85}f\u{2028}g\u{202E}h"
    let expected = "a\\x00b\\x09c\\x1B[31md\\x7Fe\\xC2\\x85f\\xE2\\x80\\xA8g\\xE2\\x80\\xAEh"
    #expect(MessageText.printable(text.utf8, isASCII: false) == expected)
    #expect(MessageText.printable(text.utf8, isASCII: true) == expected)
  }

  @Test("a control octet leaves the letters around it readable")
  func lettersBesideControls() {
    #expect(MessageText.printable("Jürgen\u{7}".utf8, isASCII: false) == "Jürgen\\x07")
    #expect(MessageText.printable("Jürgen\u{7}".utf8, isASCII: true) == "J\\xC3\\xBCrgen\\x07")
  }

  @Test(
    "only the octets that are no UTF-8 are written in hexadecimal",
    arguments: [
      ([0x4A, 0xFC, 0x72], "J\\xFCr"),
      ([0xC3, 0xBC, 0xFF, 0xC3, 0xBC], "ü\\xFFü"),
      ([0x41, 0xE2, 0x82], "A\\xE2\\x82"),
      ([0xC0, 0xAF, 0x41], "\\xC0\\xAFA"),
      ([0xED, 0xA0, 0x80], "\\xED\\xA0\\x80"),
      ([0xF5], "\\xF5"),
    ] as [([UInt8], String)])
  func invalidEncodings(bytes: [UInt8], text: String) {
    #expect(MessageText.printable(bytes, isASCII: false) == text)
  }

  @Test("no octet is lost or doubled, whatever stands beside it")
  func allPairs() {
    for first in UInt8.min...UInt8.max {
      for second in UInt8.min...UInt8.max where first != 0x5C && second != 0x5C {
        for isASCII in [false, true] {
          let bytes = [first, second]
          let text = MessageText.printable(bytes, isASCII: isASCII)
          #expect(Self.octets(in: text) == bytes, "\(text)")
          if isASCII { #expect(text.utf8.allSatisfy { (32...126).contains($0) }, "\(text)") }
        }
      }
    }
  }

  @Test("in ASCII the margin and the text are ASCII")
  func asciiLines() {
    let lines = MessageText.lines(of: Array("From: \"Zoë 📞\"\r\n".utf8), isASCII: true)
    #expect(lines == ["            | From: \"Zo\\xC3\\xAB \\xF0\\x9F\\x93\\x9E\""])
  }

  /// What stands in a printed text: `\xHH` is one octet.
  private static func octets(in text: String) -> [UInt8] {
    var rest = Array(text.utf8)[...]
    var result: [UInt8] = []
    while let octet = rest.popFirst() {
      guard octet == 0x5C, rest.first == 0x78 else {
        result.append(octet)
        continue
      }
      result.append(UInt8(String(decoding: rest.dropFirst().prefix(2), as: UTF8.self), radix: 16) ?? 0)
      rest = rest.dropFirst(3)
    }
    return result
  }
}
