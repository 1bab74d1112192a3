import Foundation
import Instant
import Rendering
import Replay
import Scenario
import Testing
import Timeline

@testable import CallSimCLI

/// One scenario of the `Scenarios` folder in one of its variants: the trunk or a case, with one value of every param.
struct ShippedScenario: Sendable, CustomTestStringConvertible {
  var path: URL
  var caseName: String?
  var params: [String: String]
  /// The golden timeline beside the scenario: `NAME.timeline`, `NAME.CASE.timeline`, `NAME.gap=4s.timeline`.
  var goldenName: String

  var testDescription: String { goldenName }

  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Scenarios")

  /// Every variant of every scenario, in the order of the file names.
  static let all: [ShippedScenario] = paths.flatMap { variants(of: $0) }

  static var paths: [URL] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".call") }.sorted().map { folder.appendingPathComponent($0) }
  }

  private static func variants(of path: URL) -> [ShippedScenario] {
    guard let file = try? parse(path) else { return [] }
    let stem = path.deletingPathExtension().lastPathComponent
    return file.variants.map { variant in
      var parts = [stem]
      if let name = variant.case { parts.append(slug(name)) }
      let defaults = Dictionary(file.params.map { ($0.name, $0.defaultValue) }) { first, _ in first }
      for param in file.params {
        if let value = variant.params[param.name], value != defaults[param.name] {
          parts.append("\(param.name)=\(value)")
        }
      }
      return ShippedScenario(
        path: path, caseName: variant.case, params: variant.params,
        goldenName: parts.joined(separator: ".") + ".timeline")
    }
  }

  private static func slug(_ name: String) -> String {
    name.lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: "-")
  }

  static func parse(_ path: URL) throws -> ScenarioFile {
    let (file, diagnostics) = try ScenarioFile.parse(Array(Data(contentsOf: path)), named: path.lastPathComponent)
    #expect(diagnostics == [], "\(path.lastPathComponent) has mistakes")
    return try #require(file)
  }

  func plan() throws -> Plan {
    let (plan, diagnostics) = try Self.parse(path).plan(case: caseName, params: params)
    #expect(diagnostics == [])
    return try #require(plan)
  }
}

/// A plan's records and what came of it.
func replay(_ plan: Plan) -> (records: [Record], verdict: Verdict) {
  var run = Run(plan, seed: nil, until: nil)
  var records: [Record] = []
  let verdict = run.execute { records.append($0) }
  return (records, verdict)
}

/// The records and what came of them as the tool prints them.
func timeline(_ records: [Record], _ verdict: Verdict, of plan: Plan) -> String {
  var renderer = TextTimeline()
  let params = plan.params.map { ($0.name, $0.value) }
  var lines = renderer.opening(
    Heading(title: plan.title, caseName: plan.caseName, params: params, seed: plan.seed))
  for record in records { lines += renderer.lines(for: record) }
  lines += renderer.closing(verdict.summary(exitCode: .success))
  return lines.map { $0 + "\n" }.joined()
}
