/// The text of a scenario file, cut into lines.
///
/// Lines end with LF or CRLF. Reading costs one pass over the bytes and keeps no copy of any line.
public struct SourceFile: Hashable, Sendable {
  /// The largest file that is read, in bytes.
  public static let sizeLimit = 16 * 1024 * 1024
  /// The longest line that is read, in bytes.
  public static let lineLimit = 64 * 1024

  /// The name to print.
  public let name: String
  /// The bytes; always UTF-8 without NUL.
  public let bytes: [UInt8]
  /// Where each line begins.
  private let starts: [Int]

  /// Takes the bytes of a file; the error says why they are no text that can be read.
  public init(_ bytes: [UInt8], named name: String) throws(ScenarioReadingError) {
    guard bytes.count <= Self.sizeLimit else { throw .tooLarge(bytes: bytes.count) }
    if let fault = UTF8Check.firstFault(in: bytes) { throw fault }
    var starts = [0]
    for index in bytes.indices where bytes[index] == 0x0A { starts.append(index + 1) }
    self.name = name
    self.bytes = bytes
    self.starts = starts
  }

  /// How many lines there are; a line end at the very end of the file begins no further line.
  public var lineCount: Int {
    starts.last == bytes.count ? starts.count - 1 : starts.count
  }

  /// Where a line (from 1) stands in ``bytes``, without its line end; empty for a line that does not exist.
  public func bounds(ofLine line: Int) -> Range<Int> {
    guard line >= 1, line <= starts.count else { return bytes.count..<bytes.count }
    let start = starts[line - 1]
    var end = line < starts.count ? starts[line] - 1 : bytes.count
    if end > start, bytes[end - 1] == 0x0D { end -= 1 }
    return start..<end
  }

  /// The text of a line (from 1), without its line end.
  public func text(ofLine line: Int) -> String {
    String(decoding: bytes[bounds(ofLine: line)], as: UTF8.self)
  }
}

/// Why bytes cannot be read as a scenario at all, as opposed to a scenario with errors in it.
public enum ScenarioReadingError: Error, Hashable, Sendable {
  /// The byte at this offset (from 0) begins no UTF-8 sequence.
  case notUTF8(offset: Int)
  /// There is a NUL at this offset (from 0): the file is no text.
  case binary(offset: Int)
  case tooLarge(bytes: Int)

  /// The same for the author of the file.
  public var diagnostic: Diagnostic {
    switch self {
    case .notUTF8(let offset):
      Diagnostic(
        .notUTF8, "the file is not UTF-8: byte \(offset) begins no valid sequence", at: nil,
        help: "convert it to UTF-8; write other bytes of a message as `${hex:…}`")
    case .binary(let offset):
      Diagnostic(.binaryFile, "the file is not text: byte \(offset) is NUL", at: nil)
    case .tooLarge(let bytes):
      Diagnostic(
        .fileTooLarge, "the file has \(bytes) bytes or more; at most \(SourceFile.sizeLimit) are read", at: nil)
    }
  }
}

/// Finds the first byte that keeps a text from being UTF-8 without NUL.
enum UTF8Check {
  static func firstFault(in bytes: [UInt8]) -> ScenarioReadingError? {
    var index = 0
    let count = bytes.count
    while index < count {
      let byte = bytes[index]
      if byte < 0x80 {
        if byte == 0 { return .binary(offset: index) }
        index += 1
        continue
      }
      // The second byte's range excludes overlong forms, surrogates and what is beyond U+10FFFF (RFC 3629 section 4).
      let length: Int
      var second: ClosedRange<UInt8> = 0x80...0xBF
      switch byte {
      case 0xC2...0xDF: length = 2
      case 0xE0: (length, second) = (3, 0xA0...0xBF)
      case 0xED: (length, second) = (3, 0x80...0x9F)
      case 0xE1...0xEF: length = 3
      case 0xF0: (length, second) = (4, 0x90...0xBF)
      case 0xF1...0xF3: length = 4
      case 0xF4: (length, second) = (4, 0x80...0x8F)
      default: return .notUTF8(offset: index)
      }
      guard index + length <= count, second.contains(bytes[index + 1]) else { return .notUTF8(offset: index) }
      for offset in 2..<max(length, 2) where bytes[index + offset] & 0xC0 != 0x80 { return .notUTF8(offset: index) }
      index += length
    }
    return nil
  }
}
