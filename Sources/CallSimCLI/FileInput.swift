import Foundation

extension Arguments {
  /// The files that are to be read. `missing` says what to do where there is none.
  func inputs(missing: () -> String) throws(Mistake) -> [String] {
    if operands.isEmpty { throw Mistake(text: missing()) }
    if operands.filter({ $0 == "-" }).count > 1 {
      throw Mistake(text: "standard input can be read once, and `-` stands for it twice")
    }
    return operands
  }

  /// The file of `-o`, which must be none of those that are read, under whatever name.
  func output(readingFrom paths: [String]) throws(Mistake) -> String? {
    guard let output = value("output") else { return nil }
    if paths.contains(where: { Self.isSameFile($0, output) }) {
      throw Mistake(text: "`-o \(output)` would overwrite what is read")
    }
    return output
  }

  private static func isSameFile(_ left: String, _ right: String) -> Bool {
    var first = stat()
    var second = stat()
    return stat(left, &first) == 0 && stat(right, &second) == 0 && first.st_dev == second.st_dev
      && first.st_ino == second.st_ino
  }
}

/// A file's bytes and where they come from.
struct FileInput {
  /// The largest file that is read at all; the limits of what is in it are below.
  static let limit = 17 << 20

  let name: String
  let bytes: [UInt8]

  /// Reads a file, or standard input for `-`. A larger one than can be valid is read no further.
  init(path: String) throws(Arguments.Mistake) {
    name = path == "-" ? "standard input" : path
    let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY)
    if descriptor < 0 { throw Arguments.Mistake(text: "cannot read `\(path)`: \(Streams.lastError)") }
    defer { if descriptor != STDIN_FILENO { close(descriptor) } }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 18)
    while bytes.count <= Self.limit {
      let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if count < 0 {
        if errno == EINTR { continue }
        throw Arguments.Mistake(text: "cannot read `\(path)`: \(Streams.lastError)")
      }
      if count == 0 { break }
      bytes.append(contentsOf: chunk[..<count])
    }
    self.bytes = bytes
  }
}
