import COsip
import Foundation
import SIP

/// Our reading of a message against libosip2's bare parse of the same bytes, in the same run.
struct ParsingBenchmark {
  private let messages: [[UInt8]]

  /// Takes the test messages of these folders that can be read without a fatal finding.
  init(folders: [String]) {
    let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Tests/SIPTests/Fixtures")
    let files =
      FileManager.default.enumerator(at: fixtures, includingPropertiesForKeys: nil)?.allObjects as? [URL] ?? []
    messages = files.filter { ["sip", "dat"].contains($0.pathExtension) }
      .filter { file in folders.contains { file.path.contains("/\($0)/") } }.sorted { $0.path < $1.path }
      .compactMap { try? Array(Data(contentsOf: $0)) }
      .filter { bytes in
        (try? SIPMessage(reading: bytes)).map { !$0.findings.contains(where: \.isFatal) } ?? false
      }
  }

  /// The ratio of each round, and the seconds of one bare parse.
  func run(rounds: Int) -> (ratios: [Double], bareParse: Double) {
    let repetitions = 60_000 / max(1, messages.count)
    var ratios: [Double] = []
    var bareParses: [Double] = []
    for _ in 0..<rounds {
      let ours = measured {
        for _ in 0..<repetitions { for message in messages { blackHole(try? SIPMessage(reading: message)) } }
      }
      let bare = measured {
        for _ in 0..<repetitions { for message in messages { Self.parse(message) } }
      }
      ratios.append(ours / bare)
      bareParses.append(bare / Double(repetitions * messages.count))
    }
    return (ratios, median(bareParses))
  }

  private static func parse(_ bytes: [UInt8]) {
    var parsed: UnsafeMutablePointer<osip_message_t>?
    guard osip_message_init(&parsed) == 0 else { return }
    bytes.withUnsafeBytes { buffer in
      _ = osip_message_parse(parsed, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count)
    }
    osip_message_free(parsed)
  }
}

/// Keeps the compiler from dropping work whose result nobody needs.
@inline(never)
func blackHole<Value>(_ value: Value) {}
