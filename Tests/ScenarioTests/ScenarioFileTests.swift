import Instant
import Testing

@testable import Scenario

@Suite struct ScenarioFileTests {
  @Test func everyVariantOfAnExampleIsPlanned() throws {
    let (file, diagnostics) = ScenarioFile.parse(Array(earlyAnswer.utf8), named: "early.call")
    #expect(diagnostics == [])
    let scenario = try #require(file)
    #expect(scenario.cases.count == 4)
    #expect(scenario.variants.count == 11)
    for variant in scenario.variants {
      let (plan, problems) = scenario.plan(case: variant.case, params: variant.params)
      #expect(problems == [])
      #expect(plan?.caseName == variant.case)
    }
    let trunk = try #require(scenario.plan(case: nil, params: ["gap": "4s"]).plan)
    #expect(trunk.blocks.count == 6)
    #expect(trunk.blocks[2].when == .after(.seconds(4)))
    #expect(trunk.blocks[2].checks.count == 9)
  }

  @Test func aCaseKeepsTheTrunkUpToItsStimulus() throws {
    let file = try #require(ScenarioFile.parse(Array(earlyAnswer.utf8), named: "early.call").file)
    let plan = try #require(file.plan(case: "no INVITE ever comes", params: [:]).plan)
    #expect(plan.blocks.map(\.label) == ["push1", "tap"])
    #expect(plan.blocks[1].checks.count == 6)
  }

  @Test func theTextOfACheckIsItsRange() throws {
    let file = try #require(ScenarioFile.parse(Array(earlyAnswer.utf8), named: "early.call").file)
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
    ("callsim 1\n@1.5s user answers c1", "S040"),
    ("callsim 1\nuse flow(a, b)", "S040"),
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

  @Test func mutatedLinesNeverTrap() {
    var state: UInt64 = 1
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(bound))
    }
    let original = Array(earlyAnswer.utf8)
    for _ in 0..<150 {
      var bytes = original
      for _ in 0..<(1 + next(4)) {
        switch next(3) {
        case 0: bytes[next(bytes.count)] = UInt8(1 + next(126))
        case 1: bytes.remove(at: next(bytes.count))
        default: bytes.insert(UInt8(32 + next(95)), at: next(bytes.count))
        }
      }
      let (file, diagnostics) = ScenarioFile.parse(bytes, named: "x.call")
      #expect(file != nil || !diagnostics.isEmpty)
      if let file { #expect(file.plan(case: nil, params: [:]).plan != nil) }
    }
  }
}
