import Foundation

/// Where the tool writes: data to standard output or a file, everything else to standard error.
final class Streams {
  private static let chunk = 1 << 16

  private let descriptor: Int32
  /// The file that takes the place of the output's when everything has been written.
  private let replacement: (temporary: String, path: String)?
  private var buffer: [UInt8] = []
  /// Whether the reader of the output is gone.
  private(set) var outputIsClosed = false
  private(set) var failure: String?

  /// Writes data to standard output.
  init() {
    descriptor = STDOUT_FILENO
    replacement = nil
  }

  /// Writes data to a file that appears under its name only when it is complete. A device or a pipe is written to as
  /// it stands: it holds nothing that could be lost, and a file must not take its place.
  init(path: String, force: Bool) throws(Arguments.Mistake) {
    var status = stat()
    let exists = stat(path, &status) == 0
    let type = status.st_mode & S_IFMT
    if exists, type == S_IFDIR { throw Arguments.Mistake(text: "cannot write `\(path)`: it is a directory") }
    if exists, type != S_IFREG {
      descriptor = open(path, O_WRONLY)
      replacement = nil
    } else {
      if exists, !force { throw Arguments.Mistake(text: "`\(path)` exists; --force overwrites it") }
      let temporary = "\(path).\(getpid()).part"
      descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL, 0o666)
      replacement = (temporary, path)
    }
    if descriptor < 0 { throw Arguments.Mistake(text: "cannot write `\(path)`: \(Self.lastError)") }
  }

  static var lastError: String { String(cString: strerror(errno)) }

  func write(_ line: String) {
    guard !outputIsClosed else { return }
    buffer.append(contentsOf: line.utf8)
    buffer.append(10)
    if buffer.count >= Self.chunk { flush() }
  }

  static func writeError(_ text: String) {
    FileHandle.standardError.write(Data((text + "\n").utf8))
  }

  /// Writes what is buffered.
  func flush() {
    var start = 0
    while start < buffer.count, !outputIsClosed {
      let written = buffer[start...].withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if written < 0 {
        if errno == EINTR { continue }
        // A reader that has had enough, as `head` does, is no failure.
        if errno != EPIPE { failure = Self.lastError }
        outputIsClosed = true
      } else {
        start += written
      }
    }
    buffer.removeAll(keepingCapacity: true)
  }

  /// Writes the rest and puts a file in its place. Returns what went wrong.
  func finish() -> String? {
    flush()
    guard let (temporary, path) = replacement else { return failure }
    close(descriptor)
    if let failure {
      unlink(temporary)
      return "cannot write `\(path)`: \(failure)"
    }
    if rename(temporary, path) != 0 {
      let reason = Self.lastError
      unlink(temporary)
      return "cannot write `\(path)`: \(reason)"
    }
    return nil
  }
}
