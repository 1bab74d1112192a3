import Foundation

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
