import Foundation

/// The messages beside the suites, byte for byte; Fixtures/SOURCES.md says where they are from.
enum MessageFixture {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")

  static func bytes(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: folder.appending(path: path)))
  }

  /// The paths of all messages, sorted.
  static let all: [String] = {
    let found = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    return found.filter { $0.hasSuffix(".dat") || $0.hasSuffix(".sip") }.sorted()
  }()
}
