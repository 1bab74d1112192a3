import Foundation
import Testing

@testable import Scenario

/// Whatever is done to the lines of a scenario, it is read or there is a diagnostic; nothing traps.
@Suite struct LineMutationTests {
  private struct Random {
    var state: UInt64
    mutating func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(max(bound, 1)))
    }
  }

  static let files: [URL] = {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let shipped =
      (try? FileManager.default.contentsOfDirectory(
        at: root.appending(path: "Scenarios"), includingPropertiesForKeys: nil)) ?? []
    let fixtures = root.appending(path: "Tests/ScenarioTests/Fixtures/01-early-answer.call")
    return ([fixtures] + shipped.filter { $0.pathExtension == "call" }).sorted { $0.path < $1.path }
  }()

  @Test func thereAreScenarios() { #expect(Self.files.count >= 9) }

  @Test(arguments: files)
  func mutatedLinesNeverTrap(file: URL) throws {
    let bytes = Array(try Data(contentsOf: file))
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
    var random = Random(state: UInt64(bytes.count))
    for _ in 0..<200 {
      var mutated = lines
      for _ in 0...random.next(4) {
        guard !mutated.isEmpty else { break }
        let place = random.next(mutated.count)
        switch random.next(7) {
        case 0: mutated.remove(at: place)
        case 1: mutated.insert(mutated[place], at: random.next(mutated.count))
        case 2: mutated.swapAt(place, random.next(mutated.count))
        case 3: mutated[place] = Array(mutated[place].prefix(random.next(mutated[place].count)))
        case 4: mutated[place] = Array(mutated[place].dropFirst(random.next(mutated[place].count)))
        case 5: mutated[place].insert(UInt8(1 + random.next(126)), at: random.next(mutated[place].count))
        default:
          var words = mutated[place].split(separator: 0x20).map(Array.init)
          if words.count > 1 { words.swapAt(random.next(words.count), random.next(words.count)) }
          mutated[place] = Array(words.joined(separator: [0x20]))
        }
      }
      try read(Array(mutated.joined(separator: [0x0A])))
    }
    for _ in 0..<20 { try read(Array(bytes.prefix(random.next(bytes.count)))) }
  }

  private func read(_ bytes: [UInt8]) throws {
    let (file, diagnostics) = ScenarioFile.parse(bytes, named: "x.call")
    #expect(file != nil || diagnostics.contains { $0.severity == .error })
    let source = try SourceFile(bytes, named: "x.call")
    for diagnostic in diagnostics {
      // Every place is one of the file.
      if let range = diagnostic.range {
        #expect(range.line >= 1 && range.line <= max(source.lineCount, 1))
        #expect(range.column >= 1 && range.column <= source.text(ofLine: range.line).unicodeScalars.count + 1)
      }
      #expect(!DiagnosticFormatter().text(diagnostic, in: source).isEmpty)
    }
    for variant in file?.variants ?? [] {
      #expect(file?.plan(case: variant.case, params: variant.params).plan != nil)
    }
  }
}
