import Instant
import Testing
import Timeline

@testable import Replay
@testable import Scenario

/// What the words of a scenario mean in a run; the numbers are those of the language's semantics.
@Suite struct LanguageRunTests {
  private static let head = """
    callsim 1
    mode loose
    device phone sip:bob@10.0.0.2
    peer pbx sip:alice@10.0.0.1
    call c1 call-id "x@10.0.0.1"

    """

  /// The lines of the checks and stimuli that failed, with their codes.
  private func failures(_ lines: String, case name: String? = nil) throws -> [String] {
    let (file, diagnostics) = ScenarioFile.parse(Array((Self.head + lines).utf8), named: "x.call")
    #expect(diagnostics == [])
    let plan = try #require(file?.plan(case: name, params: [:]).plan)
    var run = Run(plan, seed: nil, until: nil)
    return run.execute { _ in }.diagnostics.map { diagnostic in
      "\(diagnostic.code) \(diagnostic.range.map { $0.line - 5 } ?? 0)"
    }
  }

  @Test func linesOfOneInstantRunInTheOrderOfTheFile() throws {  // 1
    let checks = "expect within 1s c1 becomes answering\nexpect within 1s c1 becomes ended reason local\n"
    let lines = "@0s push c1 to phone\n" + checks
    #expect(try failures(lines + "@100ms user answers c1\n@100ms user ends c1\n") == [])
    #expect(try failures(lines + "@100ms user ends c1\n@100ms user answers c1\n") == ["R101 2"])
  }

  @Test(arguments: [
    ("@0s user answers c1\n", ["L024"]), ("@0s user ends c1 in app\n", ["L024"]), ("", ["L016"]),
    ("@0s push c1 to phone\n@1ms user answers c1\n", ["L024"]), ("@0s push c1 to phone\n@1s user answers c1\n", []),
  ])
  func whatHasNoEffectIsWarnedOf(lines: String, codes: [String]) throws {
    let file = ScenarioFile.parse(Array((Self.head + lines).utf8), named: "x.call").file
    let plan = try #require(file?.plan(case: nil, params: [:]).plan)
    var run = Run(plan, seed: nil, until: nil)
    let verdict = run.execute { _ in }
    #expect(verdict.outcome == .held)
    #expect(verdict.warnings.map(\.code) == codes)
    #expect(verdict.warnings.allSatisfy { $0.code == "L016" || $0.range?.line == (lines.contains("push") ? 7 : 6) })
  }

  @Test func headersCanBeAskedForOnBothWays() throws {
    let invite = "@0s pbx -> phone INVITE c1 offer sendrecv with \"Subject: hi\" as i\n"
    #expect(try failures(invite + "expect within 50ms pbx -> phone INVITE c1 with \"Subject: hi\"\n") == [])
    #expect(try failures(invite + "expect within 50ms pbx -> phone INVITE c1 with \"Subject: ho\"\n") == ["R101 2"])
    #expect(try failures(invite + "never until end pbx -> phone INVITE c1 with \"Subject: hi\"\n") == ["R130 2"])
    #expect(try failures(invite + "never until end pbx -> phone INVITE c1 without Subject\n") == [])
    #expect(try failures(invite + "expect within 50ms phone -> pbx 180 to i without Warning\n") == [])
  }

  @Test func whatMustNeverBeSoIsSeenWithoutARecord() throws {
    let lines = "@0s push c1 to phone\n@100ms user answers c1 in app as tap\n@1s pbx -> phone OPTIONS\n"
    #expect(try failures(lines + "never within 100ms c1 is answering\n") == ["R130 4"])
    #expect(try failures(lines + "never within 100ms c1 is active\n") == [])
  }

  /// A label keeps its message however much later it is used.
  @Test func aLateCancelFindsItsInvite() throws {
    let head =
      "callsim 1\nmode loose\ndevice phone sip:bob@10.0.0.2\n  ring-timeout 300s\n"
      + "peer pbx sip:alice@10.0.0.1\ncall c1\ncall c2\n"
    let lines =
      "@0s pbx -> phone INVITE c1 as i\n@1s pbx -> phone INVITE c2 as j\n@200s pbx -> phone CANCEL to i\n"
      + "expect within 50ms c1 becomes ended\n@210s user answers c2 in app\n"
      + "expect within 50ms phone -> pbx 200 to j offer sendrecv\n"
    let (file, diagnostics) = ScenarioFile.parse(Array((head + lines).utf8), named: "x.call")
    #expect(diagnostics == [])
    let plan = try #require(file?.plan(case: nil, params: [:]).plan)
    var run = Run(plan, seed: nil, until: nil)
    #expect(run.execute { _ in }.diagnostics.map(\.title) == [])
  }

  @Test func aWindowIncludesBothItsEnds() throws {  // 2
    let lines = "@0s push c1 to phone as a\n"
    #expect(try failures(lines + "expect within 5ms c1 becomes ringing\n") == [])
    #expect(try failures(lines + "expect within 4999us c1 becomes ringing\n") == ["R101 2"])
    #expect(try failures(lines + "expect within 0ms phone reports c1 incoming\n") == [])
    #expect(try failures(lines + "expect at a+15s c1 becomes ended\n") == [])
    #expect(try failures(lines + "expect at a+14999ms c1 becomes ended\n") == ["R101 2"])
    #expect(try failures(lines + "expect at a+15001ms c1 becomes ended\n") == ["R101 2"])
    #expect(try failures(lines + "expect at a+14s..15s c1 becomes ended\n") == [])
  }

  @Test func windowedExpectsAreUnorderedUnlessABlockOrdersThem() throws {  // 2
    let lines = "expect within 20s c1 becomes ended\nexpect within 20s c1 becomes ringing\n"
    #expect(try failures("@0s push c1 to phone\n" + lines) == [])
    #expect(try failures("@0s push c1 to phone\nin-order\n" + lines + "end\n") == ["R101 4"])
  }

  @Test func aScopeBetweenTwoLabelsCoversWhatLiesAboveItsLine() throws {  // 3
    let lines = "@0s push c1 to phone as a\n@100ms user answers c1 as b\n@200ms pbx -> phone OPTIONS as c\n"
    #expect(try failures(lines + "never between a and b c1 becomes ringing\n") == ["R130 4"])
    #expect(try failures(lines + "never between b and c c1 becomes answering\n") == ["R130 4"])
    #expect(try failures(lines + "never between b and c c1 becomes ringing\n") == [])
    #expect(try failures(lines + "never between a and b c1 becomes answering\n") == [])
  }

  @Test func aScopeWhoseEndNeverComesEndsWithTheRun() throws {  // 3
    let lines = "@0s push c1 to phone as a\noptional\n@1s pbx -> phone OPTIONS as o\nend\n"
    let fault = "fault f: drop every pbx -> phone any\n"
    #expect(
      try failures(fault + lines.replacing("as a\n", with: "as a\nnever until o c1 becomes ended\n")) == ["R130 3"])
    #expect(try failures(lines.replacing("as a\n", with: "as a\nnever until o c1 becomes ended\n")) == [])
  }

  @Test func aLineThatNeverRanFailsUnlessItMay() throws {  // 4
    let lines = "@0s push c1 to phone\nexpect within 1s phone -> pbx INVITE as inv\n"
    #expect(try failures(lines + "on inv pbx -> phone 200 to inv\n") == ["R101 2"])
    let never =
      "@0s pbx -> phone OPTIONS as o\nfault f: drop every phone -> pbx any\n"
      + "expect within 1s phone -> pbx 200 to o as ok\n"
    #expect(try failures(never + "on ok pbx -> phone OPTIONS\n") == ["R160 4"])
    #expect(try failures(never + "optional\non ok pbx -> phone OPTIONS\nend\n") == [])
  }

  @Test func checksUnderALineThatMayStayAwayDoNotFail() throws {  // 4
    let lines =
      "@0s pbx -> phone OPTIONS as o\nfault f: drop every phone -> pbx any\n"
      + "expect within 1s phone -> pbx 200 to o as ok\noptional\non ok pbx -> phone OPTIONS as p\n"
    let checks = "expect within 1s c1 becomes ringing\nexpect c1 is ringing\nnever between o and p phone -> pbx any\n"
    #expect(try failures(lines + checks + "end\n") == [])
    // Where the line runs they count.
    let runs = lines.replacing("fault f: drop", with: "fault f: maybe drop").replacing(
      "phone -> pbx any\ne", with: "phone -> pbx 180\ne")
    #expect(try failures(runs + checks + "end\n") == ["R101 6", "R130 8"])
  }

  @Test func aCaseKeepsTheStimulusOfItsLabelWithoutItsChecks() throws {  // 12
    let lines = "@0s push c1 to phone as a\nexpect within 1s audio activates\n"
    #expect(try failures(lines) == ["R101 2"])
    #expect(try failures(lines + "case \"x\" from a\nexpect within 1s c1 becomes ringing\n", case: "x") == [])
  }

  @Test func textsOfTheGreatestDepthAreWritten() throws {  // 8
    let texts = (1...31).reduce("let t0 = \"Alice\"\n") { $0 + "let t\($1) = \"${t\($1 - 1)}\"\n" }
    #expect(try failures(texts + "@0s push c1 to phone caller \"${t31}\"\nexpect within 1s c1 becomes ringing\n") == [])
    let long = "let x = \"\(String(repeating: "x", count: 60_000))\"\n"
    let often = "push c1 to phone caller \"\(String(repeating: "${x}", count: 18))\"\n"
    #expect(try failures(long + "@0s " + often) == ["R161 2"])
    let raw = "@0s pbx -> phone raw as r\n| OPTIONS sip:bob@10.0.0.2 SIP/2.0\n| X: ${t31}\n"
    #expect(try failures(texts + raw) == [])
  }
}
