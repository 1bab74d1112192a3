/// Splits the value of a list field at its commas.
enum ListSplitter {
  /// `",<>\`.
  private static let marks = ASCIISet(low: 0x5000_1004_0000_0000, high: 0x1000_0000)

  /// Visits the elements without white space at their ends; a comma within quotes or angle brackets splits nothing, and empty
  /// elements are left out.
  @inline(__always)
  static func forEach(_ bytes: Octets, _ range: Range<Int>, _ body: (Range<Int>) -> Void) {
    var start = range.lowerBound
    var index = start
    var isQuoted = false
    var isBracketed = false
    func close(_ end: Int) {
      let element = bytes.trimmed(start..<end)
      if !element.isEmpty { body(element) }
    }
    while index < range.upperBound {
      guard marks.contains(bytes[index]) else {
        index += 1
        continue
      }
      switch bytes[index] {
      case Characters.backslash where isQuoted: index += 1
      case Characters.quote where !isBracketed: isQuoted.toggle()
      case UInt8(ascii: "<") where !isQuoted: isBracketed = true
      case UInt8(ascii: ">") where !isQuoted: isBracketed = false
      case UInt8(ascii: ",") where !isQuoted && !isBracketed:
        close(index)
        start = index + 1
      default: break
      }
      index += 1
    }
    close(range.upperBound)
  }
}
