import Instant
import Testing

@testable import Scenario

/// What the language's semantics leave to the reader of a file; the numbers are theirs. What a run decides is tested
/// with the replay.
@Suite struct SemanticsTests {
  private static let pushed = "@0s push c1 to phone as a\n"

  // 1: durations need a unit.
  @Test(arguments: [
    "1", "1m", "1h", "s", "-1s", "1 s", "0x1s", "9223372036854775807s", "1s1", ".s", "..s", "1.s", ".5s",
  ])
  func aDurationIsAWholeNumberAndAUnit(text: String) {
    #expect(!codes("expect within \(text) c1 is ended\n").isEmpty, "\(text)")
  }

  @Test(arguments: [("0us", 0), ("007ms", 7_000), ("2s", 2_000_000), ("3min", 180_000_000)] as [(String, Int64)])
  func theUnitsAreThoseOfTheClock(text: String, microseconds: Int64) {
    #expect(Span(scenarioText: text) == Span(microseconds: microseconds))
  }

  // 2: a block is a timed line and the untimed lines under it.
  @Test func checksBelongToTheTimedLineAbove() throws {
    let lines =
      "expect c1 is ended\n@0s push c1 to phone\nuser ends c1\nexpect c1 is ended\nnever until end audio activates\n"
    let blocks = try plan(lines).blocks
    #expect(blocks.map(\.stimulus).first == .start)
    #expect(blocks.map(\.checks.count) == [1, 0, 2])
  }

  // 3: an error where it is plain that a `never` cannot be violated.
  @Test func aNeverThatCannotBeViolatedIsAnError() {
    expectDiagnostics(
      """
       peer carol sip:carol@10.0.0.3
       call c2
       @1s push c1 to phone as a
       @2s user answers c1 as b
       never until end carol -> phone any
      ~^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ S120 no line sends `carol -> phone` anything
       never until end c2 becomes active
      ~^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ S120 no line creates the call `c2`
       never until a audio activates
      ~^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ S121 `a` is over by then
       never between b and a audio activates
      ~^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ S121 `a` comes before `b`
       never until end pbx -> phone CANCEL
      ~^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ S120 no line sends `pbx -> phone CANCEL`
       never until end audio activates
      """)
  }

  // 4: a label that is set nowhere is an error, one that may not happen is not.
  @Test func aLabelMustBeSetSomewhere() {
    #expect(codes(Self.pushed + "on lost user ends c1\n") == ["S103"])
    #expect(codes(Self.pushed + "never until lost audio activates\n") == ["S103"])
    #expect(codes(Self.pushed + "expect within 1s audio activates as live\non live user ends c1\n") == [])
  }

  // 5: exhaustive by default; `mode loose` and `ignore` are seen in the plan.
  @Test func aPlanIsExhaustiveUnlessTheFileSaysOtherwise() throws {
    #expect(try plan("").mode == .exhaustive)
    #expect(try plan("mode loose\n").mode == .loose)
    #expect(try plan("ignore phone -> pbx 180\n").ignored.map(\.what) == [.response(status: 180)])
  }

  // 6: a response answers something; raw text is the script's own.
  @Test func aResponseNamesItsRequest() {
    #expect(codes("@0s pbx -> phone INVITE c1 as inv\npbx -> phone 200 to inv\npbx -> phone 200 inv\n") == [])
    #expect(codes("@0s pbx -> phone 200 to c1\n") == ["S103"])
    #expect(codes("@0s pbx -> phone 200\n") == ["S117"])
  }

  // 7: `user` with several verbs is one transaction, `in app` the app's own button.
  @Test func theUserDoesSeveralThingsAtOnce() throws {
    let blocks = try plan("call c2\n" + Self.pushed + "user ends c1, answers c2 in app\nuser calls c2 to sip:x@y\n")
      .blocks
    #expect(blocks[1].stimulus == .user([.ends(call: "c1"), .answers(call: "c2")], inApp: true))
    #expect(blocks[2].stimulus == .user([.calls(call: "c2", target: "sip:x@y")], inApp: false))
  }

  // 8: names.
  @Test func textsAreEvaluatedWhereTheyAreUsed() throws {
    let plan = try plan("let t = \"${c1.local-tag}\"\n@0s pbx -> phone INVITE c1 with \"X: ${t}\"\n")
    #expect(plan.texts["t"]?.pieces == [.reference("c1.local-tag")])
  }

  @Test func aUUIDIsPrintedInUpperCase() throws {
    let calls = try plan("call d uuid 7a3c0f52-6b1e-4c55-9d0b-2f5b1e0c9a11 call-id \"x-y\"\n").calls
    #expect(calls.last?.uuid == "7A3C0F52-6B1E-4C55-9D0B-2F5B1E0C9A11" && calls.last?.callID == "x-y")
  }

  // 9: escapes, bytes and verbatim text.
  @Test func twoEscapesAndNoOthers() throws {
    let plan = try plan(#"@0s pbx -> phone INVITE c1 with "A: \"b\" \\ # c  # d""# + "  # comment\n")
    guard case .message(let arrow) = plan.blocks[0].stimulus else { throw Missing() }
    #expect(arrow.with.map(\.pieces) == [[.literal(#"A: "b" \ # c  # d"#)]])
    #expect(codes(#"why "\t""# + "\n") == ["S011"])
  }

  @Test func rawTextIsKeptAsItIsWritten() throws {
    let plan = try plan("@0s pbx -> phone raw\n| A:  b # c  # d\t\"  \n|\n|  x${hex:00fF}y\n")
    guard case .message(let arrow) = plan.blocks[0].stimulus, case .raw(let lines, _, _) = arrow.what
    else { throw Missing() }
    #expect(
      lines.map(\.pieces) == [
        [.literal("A:  b # c  # d\t\"  ")], [], [.literal(" x"), .reference("hex:00fF"), .literal("y")],
      ])
  }

  // 10, 11: faults and the seed.
  @Test func theSeedIsOneUnlessTheFileFixesIt() throws {
    #expect(try plan("").seed == 1)
    #expect(try plan("seed 18446744073709551615\n").seed == .max)
  }

  // 12: cases are branches.
  @Test func aCaseKeepsTheTrunkUpToItsLabelAndGoesOn() throws {
    let lines = """
      let t = "trunk"
      @0s push c1 to phone as a
      expect within 1s c1 becomes ringing
      @1s user answers c1 as b
      expect within 1s c1 becomes answering
      @2s user ends c1
      case "x" from b
      let t = "case"
      insert before a
      @0s pbx -> phone OPTIONS as o
      expect within 1s phone -> pbx 200 to o
      end
      expect within 1s c1 becomes active
      @3s user ends c1
      always at-most 1 call active

      """
    let branch = try plan(lines, case: "x")
    #expect(branch.blocks.map(\.label) == ["o", "a", "b", nil])
    #expect(branch.blocks.map(\.checks.count) == [1, 1, 1, 0])
    #expect(branch.texts["t"]?.pieces == [.literal("case")] && branch.invariants.count == 1)
    let trunk = try plan(lines)
    #expect(trunk.blocks.map(\.label) == ["a", "b", nil])
    #expect(trunk.texts["t"]?.pieces == [.literal("trunk")] && trunk.invariants.isEmpty)
  }

  @Test func paramsMultiplyAndACaseRestatesThem() throws {
    let lines =
      "param p: int = 1 in [1, 2]\nparam q: flag = on in [on, off]\nlet t = \"${p} ${q}\"\n" + Self.pushed
      + "case \"x\" from a\nparam p: int = 9\n"
    let file = try #require(ScenarioFile.parse(Array((preamble + lines).utf8), named: "x.call").file)
    #expect(file.variants.map(\.params).count == 6)
    #expect(Array(file.variants.map(\.params).prefix(2)) == [["p": "1", "q": "on"], ["p": "1", "q": "off"]])
    // A value that makes no difference is not run again.
    let unused = lines.replacing("${q}", with: "-")
    let fewer = try #require(ScenarioFile.parse(Array((preamble + unused).utf8), named: "x.call").file)
    #expect(fewer.variants.map(\.params) == [["p": "1", "q": "on"], ["p": "2", "q": "on"], [:]])
    #expect(file.plan(case: "x", params: [:]).plan?.params.map(\.value) == ["9", "on"])
    #expect(file.plan(case: nil, params: [:]).plan?.params.map(\.value) == ["1", "on"])
  }

  // 15: the version line, unknown words, comments, line ends.
  @Test(arguments: [
    ("callsim 1\n", []), ("\n# c\n  callsim 1  # c\n", []), ("callsim\n", ["S022"]), ("callsim 2\n", ["S002"]),
    ("callsim 1 x\n", ["S023"]), ("Callsim 1\n", ["S001", "S021"]), ("\u{FEFF}callsim 1\n", ["S001", "S021"]),
  ])
  func theVersionLineComesFirst(first: String, expected: [String]) {
    let file = first + "device phone sip:bob@10.0.0.2\n"
    #expect(ScenarioFile.parse(Array(file.utf8), named: "x.call").diagnostics.map(\.code) == expected)
  }

  @Test func aCommentStandsAtTheStartOrAfterTwoBlanks() throws {
    #expect(try plan("tags a#b c #d  #e\n  # f\n").title == "x.call")
    let file = ScenarioFile.parse(Array((preamble + "tags a#b c #d  #e\n").utf8), named: "x.call").file
    #expect(file?.tags == ["a#b", "c", "#d"])
  }

  @Test func linesEndWithOrWithoutCarriageReturn() throws {
    let lines = "@0s pbx -> phone raw\n| A: b\n|\n| c\n"
    let (unix, dos) = (preamble + lines, (preamble + lines).replacing("\n", with: "\r\n"))
    let plans = [unix, dos].map {
      ScenarioFile.parse(Array($0.utf8), named: "x.call").file?.plan(case: nil, params: [:]).plan
    }
    #expect(plans[0] == plans[1] && plans[0] != nil)
  }
}
