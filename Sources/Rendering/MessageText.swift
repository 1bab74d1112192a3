/// The bytes of a message as lines of text.
enum MessageText {
  /// The message's lines behind a margin. Octets that are no printable UTF-8 are written as `\xHH`; in ASCII all
  /// octets above 126.
  static func lines(of bytes: [UInt8], isASCII: Bool) -> [String] {
    let margin = String(repeating: " ", count: 12) + (isASCII ? "|" : "│")
    var lines = bytes.split(separator: 10, omittingEmptySubsequences: false).map { line -> String in
      let content = line.last == 13 ? line.dropLast() : line
      let text = printable(content, isASCII: isASCII)
      return text.isEmpty ? margin : "\(margin) \(text)"
    }
    // What ends with a line end has no last line.
    if bytes.last == 10 { lines.removeLast() }
    return lines
  }

  static func printable(_ bytes: some Sequence<UInt8>, isASCII: Bool) -> String {
    let bytes = Array(bytes)
    let decoded = String(validating: bytes, as: UTF8.self)
    if let decoded, !isASCII, decoded.unicodeScalars.allSatisfy({ $0.value >= 32 && $0.value != 127 && !isC1($0) }) {
      return decoded
    }
    return bytes.map { byte in
      byte >= 32 && byte < 127 ? String(UnicodeScalar(byte)) : "\\x" + hex(byte)
    }.joined()
  }

  private static func isC1(_ scalar: Unicode.Scalar) -> Bool { (0x80...0x9F).contains(scalar.value) }

  static func hex(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return digits.count == 1 ? "0" + digits : digits
  }
}
