import Foundation
import Testing

/// Which Call-IDs carried a call, as every format says it.
@Suite struct CallIDTests {
  private static let moves = Tool.scenario("transferred")
  private static let stays = Tool.scenario("incoming-call")

  @Test(arguments: [[], ["--format", "ladder"]])
  func `a call that had two has them in a table behind the timeline`(options: [String]) throws {
    let lines = try Tool.run(["replay", Self.moves] + options).text.split(separator: "\n").map(String.init)
    let start = try #require(lines.firstIndex(of: "# Call-IDs"))
    let rows = lines[(start + 1)...].map { $0.split(separator: " ").map(String.init) }
    #expect(rows.first == ["call", "UUID", "Call-ID", "from", "until"])
    try #require(rows.count == 3)
    #expect(rows.dropFirst().map { $0[2] } == ["c1@10.0.0.2", "c1-2@10.0.0.2"])
    // One takes over from the other, under the same UUID.
    #expect(rows[1][1] == rows[2][1])
    #expect(rows[1][4] == rows[2][3])
  }

  @Test(arguments: [[stays], [moves, "-q"], [stays, "--format", "ladder"]])
  func `else there is none`(arguments: [String]) throws {
    #expect(try !Tool.run(["replay"] + arguments).text.contains("Call-IDs"))
  }

  @Test func `JSON Lines have them for every call`() throws {
    for (file, count) in [(Self.moves, 2), (Self.stays, 1)] {
      let last = try #require(
        try Tool.run(["replay", file, "--format", "jsonl"]).text.split(separator: "\n").last)
      let verdict = try #require(try JSONSerialization.jsonObject(with: Data(last.utf8)) as? [String: Any])
      let call = try #require((verdict["calls"] as? [[String: Any]])?.first)
      #expect(call["call"] as? String == "c1")
      #expect((call["uuid"] as? String)?.count == 36)
      let periods = try #require(call["call_ids"] as? [[String: Any]])
      #expect(periods.count == count)
      #expect(periods.allSatisfy { $0["call_id"] is String && $0["from_us"] is Int && $0["until_us"] is Int })
    }
  }
}
