import Foundation
import Testing

/// `--format ladder`: its width, what it goes with, and what it says where it has no room.
@Suite struct LadderTests {
  private static let file = Tool.scenario("incoming-call")

  private static func widths(_ text: String) -> [Int] {
    text.split(separator: "\n").map(\.unicodeScalars.count)
  }

  @Test(arguments: [
    (["--width", "10"], "needs 62 columns"), (["--width", "0"], "is no width"), (["--width", "-5"], "is no width"),
    (["--width", "wide"], "is no width"), (["--width", "99999999999999999999"], "is no width"),
    (["--width"], "needs a"),
    (["--messages"], "goes with `--format text`"),
    (["--format", "text", "--width", "80"], "goes with `--format ladder`"),
    (["--format", "jsonl", "--width", "80"], "goes with `--format ladder`"),
    (["--format", "lader"], "did you mean `ladder`?"),
  ])
  func `what does not go together exits 2 and says why`(options: [String], sentence: String) throws {
    let result = try Tool.run(["replay", "--format", "ladder", Self.file] + options)
    #expect(result.code == 2)
    #expect(result.output.isEmpty)
    #expect(result.errors.contains(sentence), "\(result.errors)")
  }

  @Test func `the help names the format and the width`() throws {
    let help = try Tool.run(["help", "replay"]).text
    #expect(help.contains("text|jsonl|ladder") && help.contains("--width N"))
  }

  @Test(arguments: [62, 80, 100, 137])
  func `a ladder keeps within its width`(width: Int) throws {
    for options in [[], ["--ascii"]] {
      let result = try Tool.run(["replay", "--format", "ladder", "--width", "\(width)", "--all", Self.file] + options)
      #expect(result.code == 0, "\(result.errors)")
      #expect((Self.widths(result.text).max() ?? 0) <= width)
      if !options.isEmpty { #expect(result.output.allSatisfy { $0 < 127 }) }
    }
  }

  @Test func `where there is no terminal the ladder is the same every time and takes 100 columns`() throws {
    let usual = try Tool.run(["replay", "--format", "ladder", Self.file])
    #expect(usual.code == 0)
    #expect(try Tool.run(["replay", "--format", "ladder", "--width", "100", Self.file]).output == usual.output)
    #expect(
      try Tool.run(["replay", "--format", "ladder", Self.file], environment: ["COLUMNS": "70"]).output == usual.output)
    try Scratch.with { scratch in
      let path = scratch.path("out")
      let result = try Tool.run(["replay", "--format", "ladder", "-o", path, Self.file])
      #expect(result.code == 0)
      let written = try Data(contentsOf: URL(fileURLWithPath: path))
      #expect(written == usual.output)
    }
  }

  @Test func `many calls never are too many for a file`() throws {
    let text = try Tool.run(["new", "ring"]).text
      .replacing("call    c1\n", with: (1...30).map { "call    c\($0)\n" }.joined())
    let result = try Tool.run(["replay", "--format", "ladder", "-"], input: text)
    #expect(result.code == 0, "\(result.errors)")
    #expect((Self.widths(result.text).max() ?? 0) > 100)
    #expect(try Tool.run(["replay", "--format", "ladder", "--width", "100", "-"], input: text).code == 2)
  }

  @Test(
    arguments: [(64, nil, 64), (120, nil, 120), (0, "70", 70), (0, nil, 100), (0, "x", 100)] as [(Int, String?, Int)])
  func `on a terminal the ladder takes the terminal's width`(columns: Int, variable: String?, width: Int) throws {
    let options = ["replay", "--format", "ladder", Self.file]
    let drawn = try Tool.run(
      options, environment: variable.map { ["COLUMNS": $0] } ?? [:], terminal: UInt16(columns))
    #expect(drawn.code == 0, "\(drawn.errors)")
    let expected = try Tool.run(options + ["--width", "\(width)"])
    #expect(drawn.text.replacing("\r\n", with: "\n") == expected.text)
  }

  @Test func `a terminal that is too narrow is told so`() throws {
    let result = try Tool.run(["replay", "--format", "ladder", Self.file], terminal: 40)
    #expect(result.code == 2)
    #expect(result.errors.contains("needs 62 columns"))
  }
}
