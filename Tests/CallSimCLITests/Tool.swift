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

  /// Runs the tool with files in place of pipes, so that no amount of output can block it.
  static func run(_ arguments: [String], input: String = "") throws -> Result {
    try Scratch.with { scratch in
      let paths = try ["in", "out", "err"].map { try scratch.write($0 == "in" ? Array(input.utf8) : [], to: $0) }
      let process = Process()
      process.executableURL = executable
      process.arguments = arguments
      process.environment = ["PATH": "/usr/bin:/bin"]
      process.standardInput = FileHandle(forReadingAtPath: paths[0])
      process.standardOutput = FileHandle(forWritingAtPath: paths[1])
      process.standardError = FileHandle(forWritingAtPath: paths[2])
      try process.run()
      process.waitUntilExit()
      try #require(process.terminationReason == .exit)
      return Result(
        code: process.terminationStatus, output: try Data(contentsOf: URL(fileURLWithPath: paths[1])),
        errors: String(decoding: try Data(contentsOf: URL(fileURLWithPath: paths[2])), as: UTF8.self))
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
