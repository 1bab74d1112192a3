import TerminalText

/// The bytes of a message as lines of text.
enum MessageText {
  /// The message's lines behind a margin. Octets that are no printable UTF-8 are written as `\xHH`; in ASCII all
  /// octets above 126.
  static func lines(of bytes: [UInt8], isASCII: Bool) -> [String] {
    let margin = String(repeating: " ", count: 12) + (isASCII ? "|" : "│")
    var lines = bytes.split(separator: 10, omittingEmptySubsequences: false)
    let last = lines.popLast() ?? []
    // A carriage return belongs to the line end only where a line feed follows.
    lines = lines.map { $0.last == 13 ? $0.dropLast() : $0 }
    // What ends with a line end has no last line.
    if !last.isEmpty || lines.isEmpty { lines.append(last) }
    return lines.map { line in
      line.isEmpty ? margin : "\(margin) \(printable(line, isASCII: isASCII))"
    }
  }

  /// The text on one line: every octet of what is not printable is written as `\xHH`.
  static func printable(_ bytes: some Sequence<UInt8>, isASCII: Bool) -> String {
    let bytes = Array(bytes)
    if bytes.allSatisfy({ $0 >= 32 && $0 < 127 }) { return String(decoding: bytes, as: UTF8.self) }
    var result = String.UnicodeScalarView()
    var parser = Unicode.UTF8.ForwardParser()
    var rest = bytes.makeIterator()
    var position = 0
    while position < bytes.count {
      let length: Int
      switch parser.parseScalar(from: &rest) {
      case .valid(let encoded):
        length = encoded.count
        let scalar = Unicode.UTF8.decode(encoded)
        if !DisplayWidth.isControl(scalar), !isASCII || scalar.isASCII {
          result.append(scalar)
        } else {
          result.append(contentsOf: escaped(bytes[position..<position + length]))
        }
      case .error(length: let count):
        length = count
        result.append(contentsOf: escaped(bytes[position..<position + length]))
      case .emptyInput:
        return String(result)
      }
      position += length
    }
    return String(result)
  }

  private static func escaped(_ bytes: ArraySlice<UInt8>) -> String.UnicodeScalarView {
    bytes.map { "\\x" + hex($0) }.joined().unicodeScalars
  }

  static func hex(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return digits.count == 1 ? "0" + digits : digits
  }
}
