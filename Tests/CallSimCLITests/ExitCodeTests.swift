import Foundation
import Testing

@testable import CallSimCLI

/// Each exit code by an input that deserves it.
@Suite struct ExitCodeTests {
  private static let file = Tool.scenario("incoming-call")

  @Test func `what new prints holds, and with another expectation it exits 1`() throws {
    let scenario = try Tool.run(["new", "ring"])
    #expect(scenario.code == 0)
    #expect(try Tool.run(["replay", "-"], input: scenario.text).code == 0)
    let result = try Tool.run(["replay", "-"], input: scenario.text.replacing("180 to invite", with: "183 to invite"))
    #expect(result.code == 1)
    #expect(result.errors.contains("error[R"))
  }

  @Test(arguments: [
    (["repla"], "did you mean `replay`?"), ([""], "unknown verb ``"), (["replay"], "a file is missing"),
    (
      ["replay", "--mode", file], "a file is missing: callsim replay FILE…; `\(file)` is taken as the value of `--mode`"
    ),
    (["replay", "--mode", file, file], "`--mode` takes exhaustive or loose"),
    (["replay", "-", "-"], "standard input can be read once"),
    (["replay", "--formt", "text", file], "did you mean `--format`?"), (["replay", "-z", file], "unknown option `-z`"),
    (["replay", file, "--until"], "needs a value"), (["replay", file, "-qo"], "needs a value"),
    (["replay", file, "--all=yes"], "takes no value"), (["replay", file, "--until", "5"], "is no duration"),
    (["replay", file, "--seed", "-1"], "is no seed"),
    (["replay", file, "--seed", "18446744073709551616"], "is no seed"),
    (["replay", file, "--format", "jsnl"], "did you mean `jsonl`?"),
    (["replay", file, "--param", "gap"], "lacks a value"),
    (["replay", file, "--param", "=x"], "lacks a value"),
    (["replay", file, "--all", "--case", "1"], "goes with neither"),
    (["replay", file, "--case", ""], "error"), (["replay", file, "--param", "nothing=1"], "nothing"),
    (["new", "a", "b"], "one name is enough"), (["new", "a\nb"], "must not contain"),
    (["help", "nothing"], "unknown verb"),
  ])
  func `a wrong command line exits 2`(arguments: [String], sentence: String) throws {
    let result = try Tool.run(arguments)
    #expect(result.code == 2)
    #expect(result.errors.contains(sentence))
  }

  @Test func `an invalid scenario exits 3 and shows every fault`() throws {
    let text = try Tool.run(["new", "ring"]).text
      .replacing("expect within 50ms  phone reports", with: "expct within 50ms  phone reports")
      .replacing("user declines", with: "user declynes")
    let result = try Tool.run(["replay", "-"], input: text)
    #expect(result.code == 3)
    #expect(result.output.isEmpty)
    #expect(result.errors.contains("expct") && result.errors.contains("declynes") && result.errors.contains("^"))
    #expect(try Tool.run(["replay", "-"]).code == 3)
  }

  @Test func `input that cannot be used exits 4`() throws {
    try Scratch.with { scratch in
      let unusable = [
        scratch.path("missing"), scratch.directory.path, try scratch.write([0xC3, 0x28], to: "no-utf8"),
        try scratch.write(Array("callsim 1\n\0\n".utf8), to: "nul"),
        try scratch.write(repeatElement(UInt8(10), count: (16 << 20) + 1), to: "large"), "",
      ]
      for path in unusable { #expect(try Tool.run(["replay", path]).code == 4, "\(path)") }
    }
  }

  @Test func `stopping before the verdict exits 5`() throws {
    #expect(try Tool.run(["replay", Self.file, "--until", "1us"]).code == 5)
  }

  @Test(arguments: [["replay", file], ["new", "ring"]])
  func `an output that cannot be written exits 6 and leaves nothing behind`(arguments: [String]) throws {
    try Scratch.with { scratch in
      let existing = try scratch.write(Array("mine".utf8), to: "existing")
      for path in [scratch.path("none/file"), scratch.directory.path, existing] {
        #expect(try Tool.run(arguments + ["-o", path]).code == 6, "\(path)")
      }
      #expect(try Tool.run(arguments + ["--force", "-o", existing]).code == 0)
      #expect(try Tool.run(arguments + ["-o", "/dev/null"]).code == 0)
      #expect(try scratch.names == ["existing"])
    }
  }

  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")),
    arguments: [["replay", file], ["new", "ring"], ["help"], ["version"]])
  func `what cannot be written is named`(arguments: [String]) throws {
    let result = try Tool.run(arguments, writingTo: "/dev/full")
    #expect(result.code == 6)
    #expect(result.errors.contains("cannot write to standard output: "))
  }

  @Test func `no control character of the command line gets through`() throws {
    for words in [["re\u{9B}31m"], ["replay", "\u{202E}x"], ["replay", "--\u{1B}[31m"]] {
      let result = try Tool.run(words)
      #expect(result.code != 0)
      #expect(!result.errors.unicodeScalars.contains { ["\u{9B}", "\u{202E}", "\u{1B}"].contains($0) })
    }
  }

  @Test(arguments: ["replay", "parse", "new", "version", "help"])
  func `help is the same in both spellings and short`(verb: String) throws {
    let help = try Tool.run(["help", verb])
    let option = try Tool.run([verb, "--help"])
    #expect(help.code == 0 && option.code == 0)
    #expect(option.text == help.text)
    #expect(help.text.split(separator: "\n", omittingEmptySubsequences: false).count < 40)
  }

  @Test func `of several codes the worst stands`() throws {
    let order: [ExitCode] = [
      .internalError, .invalidScenario, .environment, .unusableInput, .failed, .undecided, .success,
    ]
    for (index, code) in order.enumerated() {
      for other in order[index...] { #expect(code.worse(other) == code && other.worse(code) == code) }
    }
    #expect(try Tool.run(["replay", Self.file, "missing", Self.file]).code == 4)
  }
}
