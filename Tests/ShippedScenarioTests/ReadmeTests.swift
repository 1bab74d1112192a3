import Foundation
import Rendering
import Replay
import Scenario
import Testing

@testable import CallSimCLI

/// What the README and the language's reference show is what the tool does.
@Suite struct ReadmeTests {
  /// The blocks of code in a document, in order.
  private func blocks(of document: String = "README.md") throws -> [String] {
    let package = ShippedScenario.folder.deletingLastPathComponent()
    let text = try String(contentsOf: package.appending(path: document), encoding: .utf8)
    let parts = text.components(separatedBy: "```\n")
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

  @Test func theTransferInTheReferenceHolds() throws {
    let head = """
      callsim 1
      scenario "a transfer"
      device  phone  sip:bob@10.0.0.2:5060
      peer    alice  sip:alice@10.0.0.1:5060
      peer    carol  sip:carol@10.0.0.3:5060
      call    c1
      network latency 10ms
      use     outgoing-established(c1, phone, alice)

      """
    let block = try #require(try blocks(of: "Documentation/Language.md").first { $0.contains("user transfers") })
    let (file, diagnostics) = ScenarioFile.parse(Array((head + block).utf8), named: "Language")
    #expect(diagnostics == [])
    let plan = try #require(file?.plan(case: nil, params: [:]).plan)
    #expect(replay(plan).verdict.outcome == .held)
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
