import Instant
import Testing

@testable import Rendering

@Suite struct ColumnsTests {
  @Test(
    "a text is padded and cut by what a terminal shows, and no character is parted from its marks",
    arguments: [
      ("abc", 5, "abc  ", "abc"), ("abcdef", 5, "abcdef", "abcd…"), ("日本語", 5, "日本語", "日本…"),
      ("日本語", 4, "日本語", "日…"), ("e\u{301}e\u{301}", 2, "e\u{301}e\u{301}", "e\u{301}e\u{301}"),
      ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}e\u{301}e\u{301}", "e\u{301}…"), ("📞x", 3, "📞x", "📞x"),
      ("abc", 1, "abc", "…"), ("abc", 0, "abc", ""), ("", 2, "  ", ""),
    ] as [(String, Int, String, String)])
  func widths(text: String, width: Int, padded: String, cut: String) {
    #expect(Columns.padded(text, to: width) == padded)
    #expect(Columns.cut(text, to: width, isASCII: false) == cut)
  }

  @Test(
    "in ASCII the ellipsis is two points, or as many as have room",
    arguments: zip(0...4, ["", ".", "..", "a..", "ab.."]))
  func ascii(width: Int, cut: String) {
    #expect(Columns.cut("abcdef", to: width, isASCII: true) == cut)
  }

  @Test("a row takes characters of two columns and marks, and cuts at its end")
  func rows() {
    var row = LadderRow(width: 8)
    row.write("日本", at: 1)
    row.write("e\u{301}", at: 5)
    row.write("xyz", at: 7)
    #expect(row.text == " 日本e\u{301} x")
    row.write("\u{301}", at: 5)
    row.write("日", at: 7)
    #expect(Columns.width(of: row.text) == 8)
    var empty = LadderRow(width: 0)
    empty.write("a\u{301}", at: 0)
    #expect(empty.text == "")
  }
}
