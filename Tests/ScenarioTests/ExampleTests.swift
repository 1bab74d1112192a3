import Foundation
import Testing

@testable import Scenario

/// Larger scenarios as a whole.
@Suite struct ExampleTests {
  static func fixture(_ name: String) throws -> [UInt8] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")
    return Array(try Data(contentsOf: folder.appending(path: name)))
  }

  @Test func everyVariantOfAnExampleIsPlanned() throws {
    let (file, diagnostics) = ScenarioFile.parse(try Self.fixture("01-early-answer.call"), named: "01.call")
    #expect(diagnostics == [])
    let scenario = try #require(file)
    #expect(scenario.variants.count == 11)
    for variant in scenario.variants {
      let (plan, problems) = scenario.plan(case: variant.case, params: variant.params)
      #expect(problems == [] && plan?.caseName == variant.case)
    }
  }

  @Test func holdAndSwapArePlanned() throws {
    let (file, diagnostics) = ScenarioFile.parse(try Self.fixture("02-hold-second-call-swap.call"), named: "02.call")
    #expect(diagnostics == [])
    let plan = try #require(file?.plan(case: nil, params: [:]).plan)
    // Three lines of the flow, and nine of the file.
    #expect(plan.blocks.count == 12)
    #expect(plan.blocks[4].stimulus == .user([.holds(call: "a"), .answers(call: "c")], inApp: false))
  }

  @Test(arguments: ["03-attended-transfer-new-call-id.call"])
  func whatIsNotSupportedYetIsAllThatIsFoundFaultWith(name: String) throws {
    let (file, diagnostics) = ScenarioFile.parse(try Self.fixture(name), named: name)
    #expect(file == nil)
    // The block to explore with.
    #expect(diagnostics.map(\.code) == ["S040"])
  }
}
