import TerminalText

/// The bytes of a file that messages are read from, and where they stand for the eye.
struct MessageSource {
  /// The name to print.
  let name: String
  /// The bytes as they are read.
  let bytes: [UInt8]
  /// Where the lines begin. An editor ends them with LF.
  private let starts: [Int]
  /// Where in ``bytes`` a CR stands that is not in the file.
  private let added: [Int]

  /// With `takesLF` every LF that no CR precedes is read as CRLF: that is what text becomes when it is pasted.
  init(named name: String, _ octets: [UInt8], takesLF: Bool) {
    self.name = name
    var bytes: [UInt8] = []
    var added: [Int] = []
    if takesLF {
      for (index, byte) in octets.enumerated() {
        if byte == 10, index == 0 || octets[index - 1] != 13 {
          added.append(bytes.count)
          bytes.append(13)
        }
        bytes.append(byte)
      }
    } else {
      bytes = octets
    }
    self.bytes = bytes
    self.added = added
    starts = [0] + bytes.indices.filter { bytes[$0] == 10 }.map { $0 + 1 }
  }

  /// Where an offset of ``bytes`` is in the file.
  func offsetInFile(_ offset: Int) -> Int { offset - count(of: added, below: offset) }

  /// Line and column, from 1; a column is a character.
  func place(of offset: Int) -> (line: Int, column: Int) {
    let offset = min(max(offset, 0), bytes.count)
    let line = count(of: starts, below: offset + 1)
    let start = starts[line - 1]
    return (line, String(decoding: bytes[start..<offset], as: UTF8.self).unicodeScalars.count + 1)
  }

  /// The text of a line, without its end and with nothing that a terminal would act upon.
  func text(ofLine line: Int) -> String {
    guard starts.indices.contains(line - 1) else { return "" }
    let start = starts[line - 1]
    var end = line < starts.count ? starts[line] - 1 : bytes.count
    if end > start, bytes[end - 1] == 13 { end -= 1 }
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }

  /// How many of ascending numbers are below another.
  private func count(of numbers: [Int], below limit: Int) -> Int {
    var (low, high) = (0, numbers.count)
    while low < high {
      let middle = (low + high) / 2
      if numbers[middle] < limit { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
