import Foundation
import Testing

/// The built tool, run as a process.
enum Tool {
  struct Result {
    var code: Int32
    var output: Data
    var errors: String
    var text: String { String(decoding: output, as: UTF8.self) }
  }

  static let package = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The executable lies beside the test bundle, whatever the build directory is called.
  static let executable: URL = {
    let runner = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    let candidates = [runner, Bundle.main.bundleURL, package.appendingPathComponent(".build/debug")]
      .map { $0.appendingPathComponent("callsim") }
    return candidates.first { FileManager.default.isExecutableFile(atPath: $0.path) } ?? candidates[2]
  }()

  static func scenario(_ name: String) -> String {
    package.appendingPathComponent("Scenarios/\(name).call").path
  }

  /// Runs the tool with files in place of pipes, so that no amount of output can block it; or with a terminal of so many
  /// columns, or a device, for its output.
  static func run(
    _ arguments: [String], input: String = "", environment: [String: String] = [:], terminal columns: UInt16? = nil,
    writingTo device: String? = nil
  ) throws -> Result {
    try Scratch.with { scratch in
      let paths = try ["in", "out", "err"].map { try scratch.write($0 == "in" ? Array(input.utf8) : [], to: $0) }
      let terminal = try columns.map { try PseudoTerminal(columns: $0) }
      let process = Process()
      process.executableURL = executable
      process.arguments = arguments
      process.environment = ["PATH": "/usr/bin:/bin"].merging(environment) { $1 }
      process.standardInput = FileHandle(forReadingAtPath: paths[0])
      process.standardOutput = terminal?.tool ?? FileHandle(forWritingAtPath: device ?? paths[1])
      process.standardError = FileHandle(forWritingAtPath: paths[2])
      try process.run()
      let shown = terminal?.contents()
      process.waitUntilExit()
      try #require(process.terminationReason == .exit)
      return Result(
        code: process.terminationStatus, output: try shown ?? Data(contentsOf: URL(fileURLWithPath: paths[1])),
        errors: String(decoding: try Data(contentsOf: URL(fileURLWithPath: paths[2])), as: UTF8.self))
    }
  }
}

/// A terminal that a test reads.
struct PseudoTerminal {
  private let reader: Int32
  let tool: FileHandle

  init(columns: UInt16) throws {
    var ends: (reader: Int32, tool: Int32) = (-1, -1)
    var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    try #require(openpty(&ends.reader, &ends.tool, nil, nil, &size) == 0)
    reader = ends.reader
    tool = FileHandle(fileDescriptor: ends.tool, closeOnDealloc: false)
  }

  /// What the tool writes until it ends.
  func contents() -> Data {
    try? tool.close()
    defer { close(reader) }
    var data = Data()
    var chunk = [UInt8](repeating: 0, count: 1 << 12)
    while true {
      let count = read(reader, &chunk, chunk.count)
      // Nobody has the terminal open any more.
      if count <= 0 { return data }
      data.append(contentsOf: chunk[..<count])
    }
  }
}

/// A directory that lasts as long as one test.
struct Scratch {
  let directory: URL

  func path(_ name: String) -> String { directory.appendingPathComponent(name).path }

  func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> String {
    try Data(bytes).write(to: directory.appendingPathComponent(name))
    return path(name)
  }

  var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() } }

  static func with<Value>(_ body: (Scratch) throws -> Value) throws -> Value {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("callsim-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    return try body(Scratch(directory: directory))
  }
}
