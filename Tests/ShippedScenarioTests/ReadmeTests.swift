import Foundation
import Rendering
import Replay
import Scenario
import Testing

@testable import CallSimCLI

/// What the README shows is what the tool does.
@Suite struct ReadmeTests {
  private static let readme = ShippedScenario.folder.deletingLastPathComponent().appendingPathComponent("README.md")

  /// The blocks of code in the README, in order.
  private func blocks() throws -> [String] {
    let parts = try String(contentsOf: Self.readme, encoding: .utf8).components(separatedBy: "```\n")
    return parts.enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
  }

  @Test func theFirstScenarioPrintsTheTimelineBelowIt() throws {
    let blocks = try blocks()
    let (file, diagnostics) = ScenarioFile.parse(Array(blocks[0].utf8), named: "README")
    #expect(diagnostics == [])
    let plan = try #require(file?.plan(case: nil, params: [:]).plan)
    let (records, verdict) = replay(plan)
    #expect(verdict.outcome == .held)
    #expect(timeline(records, verdict, of: plan) == blocks[1])
  }

  @Test func theFirstScenarioIsDrawnAsTheLadder() throws {
    let blocks = try blocks()
    let ladder = try #require(blocks.dropFirst(2).first { $0.hasPrefix("# \"") })
    let plan = try #require(
      ScenarioFile.parse(Array(blocks[0].utf8), named: "README").file?.plan(case: nil, params: [:]).plan)
    let cast = Cast(phone: "phone", peers: ["pbx"], calls: ["c1"], hasUser: true)
    var chart = try LadderChart(of: cast, width: 100)
    let heading = Heading(title: plan.title, caseName: nil, params: [], seed: plan.seed)
    let (records, verdict) = replay(plan)
    let lines =
      chart.opening(heading) + records.flatMap { chart.lines(for: $0) }
      + chart.closing(verdict.summary(exitCode: .success))
    #expect(lines.map { $0 + "\n" }.joined() == ladder)
  }

  @Test func theMistakeIsShownAsItIs() throws {
    let block = try #require(try blocks().first { $0.hasPrefix("error[S") })
    let lines = block.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let column = try #require(lines[2].range(of: "| ")).upperBound
    let text = "callsim 1\n" + String(repeating: "\n", count: 8) + lines[2][column...] + "\n"
    let source = try SourceFile(Array(text.utf8), named: "ring.call")
    let shown = ScenarioFile.parse(source).diagnostics.map { DiagnosticFormatter().text($0, in: source) }
    #expect(shown.contains(block))
  }
}
