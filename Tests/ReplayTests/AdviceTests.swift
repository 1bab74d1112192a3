import Testing

@testable import Replay
@testable import Scenario

/// Whoever does what the help of R170 says gets a scenario that holds.
@Suite struct AdviceTests {
  private static let head = """
    callsim 1
    device phone sip:bob@10.0.0.2
    peer alice sip:alice@10.0.0.1
    call a
    network latency 10ms

    """

  private func verdict(_ lines: [String]) throws -> Verdict {
    let text = Self.head + lines.joined(separator: "\n") + "\n"
    let (file, diagnostics) = ScenarioFile.parse(Array(text.utf8), named: "x.call")
    try #require(diagnostics == [])
    let plan = try #require(file?.plan(case: nil, params: [:]).plan)
    var run = Run(plan, seed: nil, until: nil)
    return run.execute { _ in }
  }

  @Test(arguments: [
    [
      "use incoming-established(a, phone, alice)", "@1005ms alice -> phone BYE a",
      "expect within 1s phone -> alice 200 to BYE",
    ],
    ["use incoming-established(a, phone, alice)", "@1500ms user mutes a"],
    ["use outgoing-established(a, phone, alice)", "+1s user holds a"],
    ["@3s user mutes a", "use incoming-established(a, phone, alice)", "@1500ms user mutes a"],
    ["@0s push a to phone caller \"Alice\"", "@1s user answers a", "@30s alice -> phone OPTIONS as o"],
    ["@0s alice -> phone INVITE a as i", "on i+10ms user answers a", "on i+10ms user ends a in app"],
    // Transfers, wanted by either side, with their reports.
    [
      "peer carol sip:carol@10.0.0.9", "use outgoing-established(a, phone, alice)",
      "@2s alice -> phone REFER a with \"Refer-To: <sip:carol@10.0.0.9>\"",
      "expect within 1s phone -> carol INVITE a as i", "on i+1s carol -> phone 486 to i",
    ],
    [
      "use incoming-established(a, phone, alice)", "@5s user transfers a to sip:carol@10.0.0.9",
      "expect within 1s phone -> alice re-INVITE a as hold", "on hold alice -> phone 200 to hold answer recvonly",
      "expect within 1s phone -> alice REFER a as refer", "on refer+10ms alice -> phone 202 to refer",
      "+1s alice -> phone NOTIFY a reporting 180", "+1s alice -> phone NOTIFY a reporting 486",
    ],
    ["use incoming-established(a, phone, alice)", "@5s user transfers a to sip:carol@10.0.0.9"],
    // What a flow does not expect comes before its last line: there is no place under it.
    ["system fails unit", "use incoming-established(a, phone, alice)"],
    [
      "@0s alice -> phone OPTIONS as o", "expect within 1s phone -> alice 200 to o",
      "@0s alice -> phone INVITE a as i", "@900ms user answers a",
    ],
  ])
  func adviceThatIsFollowedHelps(lines: [String]) throws {
    var lines = lines
    let first = Self.head.split(separator: "\n").count + 1
    for _ in 0..<40 {
      guard let found = try verdict(lines).diagnostics.last, found.code == "R170" else { break }
      let help = try #require(found.help)
      let check = try #require(help.split(separator: "`").dropFirst().first.map(String.init))
      let place = try #require(found.range?.line) - first
      // A line that uses a flow keeps the checks under it in the order in which they were added.
      lines.insert(check, at: help.contains("above this line") ? place : place + 1)
    }
    let end = try verdict(lines)
    #expect(
      !end.diagnostics.contains {
        $0.code == "R170" || $0.range.map { lines[$0.line - first].hasPrefix("expect") } ?? false
      })
  }

  /// Of a message to somebody whom the scenario does not name no line can speak.
  @Test func aStrangerIsToBeDeclared() throws {
    let found = try #require(
      try verdict([
        "use outgoing-established(a, phone, alice)",
        "@2s alice -> phone REFER a with \"Refer-To: <sip:carol@10.0.0.9>\" as refer",
        "expect within 50ms phone -> alice 200 to refer", "expect within 50ms phone -> alice NOTIFY a reporting 100",
      ]).diagnostics.last)
    #expect(found.help?.contains("`peer other sip:10.0.0.9:5060`") ?? false, "\(found.help ?? "")")
    #expect(!found.notes.contains { $0.text.contains("expect within 50ms phone -> 10.") })
  }

  @Test func theLineThatBroughtTheActAboutIsNamed() throws {
    let found = try #require(
      try verdict([
        "@0s push a to phone", "expect within 1s phone reports a incoming", "@1s alice -> phone OPTIONS as o",
        "expect within 1s phone -> alice 200 to o",
      ]).diagnostics.first)
    #expect(found.range?.line == 6)
    #expect(found.help?.contains("`expect within 15s ") ?? false)
  }
}
