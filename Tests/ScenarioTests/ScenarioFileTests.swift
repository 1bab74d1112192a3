import Instant
import Testing

@testable import Scenario

@Suite struct ScenarioFileTests {
  private func earlyAnswer() throws -> ScenarioFile {
    let bytes = try ExampleTests.fixture("01-early-answer.call")
    return try #require(ScenarioFile.parse(bytes, named: "early.call").file)
  }

  @Test func theTrunkHasTheParamsThatAreChosen() throws {
    let trunk = try #require(try earlyAnswer().plan(case: nil, params: ["gap": "4s"]).plan)
    #expect(trunk.blocks.count == 6)
    #expect(trunk.blocks[2].when == .after(.seconds(4)))
    #expect(trunk.blocks[2].checks.count == 9)
  }

  @Test func whatIsChosenMustBeThere() throws {
    let file = try earlyAnswer()
    #expect(file.plan(case: "no INVITE ever come", params: [:]).diagnostics.map(\.code) == ["S111"])
    let (plan, diagnostics) = file.plan(case: nil, params: ["gap": "soon", "gpa": "1s"])
    #expect(plan == nil)
    #expect(diagnostics.map(\.code) == ["S110", "S106"])
    #expect(diagnostics.last?.help == "did you mean `gap`?")
  }

  @Test func aCaseKeepsTheTrunkUpToItsStimulus() throws {
    let file = try earlyAnswer()
    let plan = try #require(file.plan(case: "no INVITE ever comes", params: [:]).plan)
    #expect(plan.blocks.map(\.label) == ["push1", "tap"])
    #expect(plan.blocks[1].checks.count == 6)
  }

  @Test func theTextOfACheckIsItsRange() throws {
    let file = try earlyAnswer()
    let plan = try #require(file.plan(case: nil, params: [:]).plan)
    for check in plan.blocks.flatMap(\.checks) {
      let line = Array(file.source.text(ofLine: check.range.line))
      let start = check.range.column - 1
      #expect(String(line[start..<(start + check.range.length)]) == check.text)
      #expect(!check.text.contains(" as ") && !check.text.contains("#"))
    }
  }

  @Test(arguments: [
    ("callsim 1\nrecieve within 200ms phone -> alice 200", "S021"),
    ("callsim 1\n@1.5us user answers c1", "S012"),
    ("callsim 1\ntemplate flow", "S040"),
    ("callsim 1\nparallel", "S040"),
    ("callsim 1\nend", "S034"),
    ("callsim 1\noptional", "S035"),
    ("callsim 1\nscenario \"x", "S010"),
    ("callsim 1\n\tscenario \"x\"", "S005"),
    ("callsim 1\n| x", "S031"),
    ("scenario \"x\"", "S001"),
    ("callsim 2", "S002"),
    ("", "S003"),
    ("# nothing\n", "S003"),
    ("callsim 1\n@0ms user answers c1", "S102"),
  ])
  func aProblemHasItsCode(text: String, code: String) {
    let (file, diagnostics) = ScenarioFile.parse(Array(text.utf8), named: "x.call")
    #expect(file == nil)
    #expect(diagnostics.contains { $0.code == code })
  }

  @Test func bytesThatAreNoTextAreToldApart() {
    for bytes in [[0x63, 0x00], [0xC0, 0x80], [0xE2, 0x82]] as [[UInt8]] {
      let (file, diagnostics) = ScenarioFile.parse(bytes, named: "x.call")
      #expect(file == nil)
      #expect(diagnostics.compactMap { DiagnosticCode(rawValue: $0.code)?.isReadingError } == [true])
    }
  }
}
