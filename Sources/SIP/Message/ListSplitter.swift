/// Splits the value of a list field at its commas.
enum ListSplitter {
  /// Visits the elements without white space at their ends; a comma within quotes or angle brackets splits nothing, and empty
  /// elements are left out.
  @inline(__always)
  static func forEach(_ bytes: Octets, _ range: Range<Int>, _ body: (Range<Int>) -> Void) {
    // Mostly there is one element.
    if bytes.first(UInt8(ascii: ","), in: range) == nil {
      let element = bytes.trimmed(range)
      return element.isEmpty ? () : body(element)
    }
    var start = range.lowerBound
    var index = start
    var isQuoted = false
    var isBracketed = false
    func close(_ end: Int) {
      let element = bytes.trimmed(start..<end)
      if !element.isEmpty { body(element) }
    }
    while index < range.upperBound {
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
