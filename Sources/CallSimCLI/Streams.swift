import Foundation
import TerminalText

/// Where the tool writes: data to standard output or a file, everything else to standard error.
final class Streams {
  private static let chunk = 1 << 16

  private let descriptor: Int32
  /// What the descriptor stands for, in messages.
  private let target: String
  /// The file that takes the place of the output's when everything has been written.
  private let replacement: (temporary: String, path: String)?
  private var buffer: [UInt8] = []
  /// Whether the reader of the output is gone.
  private var outputIsClosed = false
  private var failure: String?
  /// Whether anything was written.
  private var hasContent = false

  /// Does something that writes data to standard output or to a file, and returns its exit code, or that of what went
  /// wrong with the output.
  static func writing(to path: String?, force: Bool, _ work: (Streams) -> ExitCode) -> ExitCode {
    let streams: Streams
    do {
      streams = try path.map { path throws(Arguments.Mistake) in try Streams(path: path, force: force) } ?? Streams()
    } catch {
      writeError("error: \(error.text)")
      return .environment
    }
    let code = work(streams)
    guard let failure = streams.finish(isWanted: code == .success || streams.hasContent) else { return code }
    writeError("error: \(failure)")
    return code.worse(.environment)
  }

  /// Writes data to standard output.
  private init() {
    descriptor = STDOUT_FILENO
    target = "standard output"
    replacement = nil
  }

  /// Writes data to a file that appears under its name only when it is complete. A device or a pipe is written to as
  /// it stands: it holds nothing that could be lost, and a file must not take its place.
  private init(path: String, force: Bool) throws(Arguments.Mistake) {
    target = "`\(path)`"
    var status = stat()
    let exists = stat(path, &status) == 0
    let type = status.st_mode & S_IFMT
    if exists, type == S_IFDIR { throw Arguments.Mistake(text: "cannot write to `\(path)`: it is a directory") }
    if exists, type != S_IFREG {
      descriptor = open(path, O_WRONLY)
      replacement = nil
    } else {
      if exists, !force { throw Arguments.Mistake(text: "`\(path)` exists; --force overwrites it") }
      let temporary = "\(path).\(getpid()).part"
      descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL, 0o666)
      replacement = (temporary, path)
    }
    if descriptor < 0 { throw Arguments.Mistake(text: "cannot write to `\(path)`: \(Self.lastError)") }
  }

  static var lastError: String { String(cString: strerror(errno)) }

  func write(_ line: String) {
    hasContent = true
    guard !outputIsClosed else { return }
    buffer.append(contentsOf: line.utf8)
    buffer.append(10)
    if buffer.count >= Self.chunk { flush() }
  }

  func write(_ lines: [String]) {
    for line in lines { write(line) }
  }

  /// Writes lines to standard error. Words of the command line and of files in them are made printable.
  static func writeError(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    writePrintable(lines.map { DisplayWidth.printable($0) }.joined(separator: "\n"))
  }

  /// Writes lines to standard error that may have colours in them; where that cannot be done there is nobody to tell.
  static func writePrintable(_ text: String) {
    var rest = Array((text + "\n").utf8)[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { Foundation.write(STDERR_FILENO, $0.baseAddress, $0.count) }
      if written > 0 {
        rest = rest.dropFirst(written)
      } else if errno != EINTR {
        return
      }
    }
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

  /// Writes the rest and puts a file in its place, unless nothing has come that is worth a file. Returns what went
  /// wrong.
  private func finish(isWanted: Bool) -> String? {
    flush()
    let failure = failure.map { "cannot write to \(target): \($0)" }
    guard let (temporary, path) = replacement else { return failure }
    close(descriptor)
    if !isWanted {
      unlink(temporary)
      return nil
    }
    if let failure {
      unlink(temporary)
      return failure
    }
    if rename(temporary, path) != 0 {
      let reason = Self.lastError
      unlink(temporary)
      return "cannot write to \(target): \(reason)"
    }
    return nil
  }
}
