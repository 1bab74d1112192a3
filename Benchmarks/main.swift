import Foundation

// `callsim-benchmark calls N` places N calls and prints the peak memory; without arguments everything is measured.
let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.first == "calls", let count = arguments.dropFirst().first.flatMap({ Int($0) }), count > 0 {
  let result = try CallBenchmark().run(calls: count)
  print(result.failures, peakMemory())
  exit(result.failures == 0 ? 0 : 1)
}

/// Runs a program and returns its output and the seconds until it has ended.
func launch(_ path: String, _ arguments: [String]) throws -> (output: String, seconds: Double) {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: path)
  process.arguments = arguments
  let output = Pipe()
  process.standardOutput = output
  process.standardError = FileHandle.nullDevice
  let start = Date()
  try process.run()
  let data = output.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  return (String(decoding: data, as: UTF8.self), Date().timeIntervalSince(start))
}

let rounds = 5
report("what is measured (median of \(rounds) rounds)", "measured", target: "target")

let parsing = ParsingBenchmark(folders: ["rfc3665"]).run(rounds: rounds)
report("reading / bare osip_message_parse, RFC 3665 flows", rounded(median(parsing.ratios), 2), target: "at most 1.5")
let torture = ParsingBenchmark(folders: ["rfc4475", "rfc5118"]).run(rounds: rounds)
report("reading / bare osip_message_parse, torture messages", rounded(median(torture.ratios), 2), target: "-")

let callCount = 2_000
var rates: [Double] = []
var shares: [Double] = []
for _ in 0..<rounds {
  var result = CallBenchmark.Result()
  let seconds = try measured { result = try CallBenchmark().run(calls: callCount) }
  if result.failures > 0 { print("\(result.failures) calls did not end as they should") }
  rates.append(Double(callCount) / seconds)
  shares.append(Double(result.messages) * parsing.bareParse / seconds)
}
report("whole incoming calls a second on one core", rounded(median(rates), 0), target: "at least 5000")
report("of that inside libosip2 (messages x bare parse)", rounded(100 * median(shares), 0) + " %", target: "-")

let directory = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
let tool = directory.appendingPathComponent("callsim").path
let scenarios = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .appendingPathComponent("Scenarios")
let scenario = scenarios.appendingPathComponent("incoming-call.call").path
let starts = (0..<20).map { _ in spawn(tool, ["replay", scenario]) }
report("replay of incoming-call.call, start to exit", rounded(1_000 * median(starts), 1) + " ms", target: "under 30 ms")

for count in [1_000, 10_000, 100_000] {
  let words = try launch(CommandLine.arguments[0], ["calls", String(count)]).output.split { $0 == " " || $0 == "\n" }
  let bytes = words.count == 2 ? Double(words[1]) ?? 0 : 0
  report("peak memory over \(count) calls", rounded(bytes / 1_048_576, 1) + " MiB", target: "does not grow")
}

// Last, since a process that is started begins with the peak memory of this one.
let longReplays = ReplayBenchmark()
let growth = try (0..<rounds).map { _ in try longReplays.run(blocks: 10_000) / longReplays.run(blocks: 5_000) }
report("replay of 10000 blocks / of 5000 blocks", rounded(median(growth), 2), target: "at most 2.5")
