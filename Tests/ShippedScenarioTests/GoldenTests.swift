import Foundation
import Replay
import Scenario
import Testing

/// The timelines beside the scenarios are what a replay prints. `UPDATE_GOLDEN=1 swift test --filter GoldenTests`
/// writes them anew.
@Suite struct GoldenTests {
  private static let updates =
    ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] != nil && ProcessInfo.processInfo.environment["CI"] == nil

  @Test(arguments: ShippedScenario.all)
  func theScenarioHoldsAndPrintsItsGoldenTimeline(scenario: ShippedScenario) throws {
    let plan = try scenario.plan()
    let (records, verdict) = replay(plan)
    #expect(verdict.outcome == .held)
    #expect(verdict.diagnostics.map(\.title) == [])
    let text = timeline(records, verdict, of: plan)
    let path = ShippedScenario.folder.appendingPathComponent(scenario.goldenName)
    if Self.updates { try Data(text.utf8).write(to: path) }
    let golden = try #require(try? String(contentsOf: path, encoding: .utf8), "no golden \(scenario.goldenName)")
    #expect(text == golden)
  }

  @Test func noGoldenIsLeftOver() throws {
    let known = Set(ShippedScenario.all.map(\.goldenName))
    #expect(known.count == ShippedScenario.all.count, "two variants share a golden")
    let present = try FileManager.default.contentsOfDirectory(atPath: ShippedScenario.folder.path)
      .filter { $0.hasSuffix(".timeline") }
    #expect(Set(present).subtracting(known) == [])
  }
}
