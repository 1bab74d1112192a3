import Instant
import Testing

@testable import Scenario

/// What `use` puts in its place.
@Suite struct FlowTests {
  private static let flows = Flow.allCases.map(\.rawValue)

  @Test(arguments: Flow.allCases)
  func theTextOfAFlowHasNoMistake(flow: Flow) throws {
    let text = flow.text(call: "c1", phone: "phone", peer: "pbx")
    let plain = text.split(separator: "\n").dropFirst().joined(separator: "\n")
    #expect(codes(plain) == [])
    // It begins and ends with something that must come of it.
    let blocks = try plan(plain).blocks
    #expect(blocks.first?.checks.isEmpty == false && blocks.last?.checks.isEmpty == false)
  }

  @Test(arguments: flows)
  func everyLineOfAFlowStandsAtTheLineThatUsesIt(flow: String) throws {
    let plan = try plan("\n  use \(flow)(c1, phone, pbx)  # why\n")
    let range = SourceRange(line: 6, column: 3, length: 4 + flow.count + "(c1, phone, pbx)".count)
    #expect(plan.blocks.count == 3)
    #expect(plan.blocks.allSatisfy { $0.range == range })
    #expect(plan.blocks.flatMap(\.checks).allSatisfy { $0.range == range })
    #expect(plan.blocks[0].when == .next)
  }

  @Test func aFlowBeginsAtTheInstantOfTheLineAboveIt() throws {
    let lines =
      "@2s pbx -> phone OPTIONS as o\nexpect within 1s phone -> pbx 200 to o\nuse incoming-established(c1, phone, pbx)\n"
      + "+1s user ends c1\n"
    let blocks = try plan(lines).blocks
    #expect(blocks.map(\.range.line) == [5, 7, 7, 7, 8])
    #expect(blocks[1].when == .next && blocks[1].stimulus.actor == "pbx")
    #expect(blocks[0].checks.count == 1 && blocks[3].checks.count == 1 && blocks[4].checks.isEmpty)
    guard case .on = blocks[3].when else { throw Missing() }
    #expect(blocks[4].when == .after(.seconds(1)))
  }

  @Test func checksUnderAFlowBelongToItsLastLine() throws {
    let blocks = try plan("use outgoing-established(c1, phone, pbx)\nexpect c1 is active\n").blocks
    #expect(blocks.last?.checks.last?.observation == .isInState(call: "c1", states: ["active"]))
  }

  /// Two uses, and labels of the same names in the file.
  @Test func labelsOfFlowsAreTheirOwn() throws {
    let lines = """
      call c2
      use outgoing-established(c1, phone, pbx)
      @9s pbx -> phone OPTIONS as invite
      @9s pbx -> phone OPTIONS as ok
      use incoming-established(c2, phone, pbx)
      on ok user ends c2

      """
    let blocks = try plan(lines).blocks
    let labels = blocks.flatMap { [$0.label] + $0.checks.map(\.label) }.compactMap { $0 }
    #expect(Set(labels).count == labels.count && labels.count == 6)
    #expect(blocks.last?.when == .on(label: "ok", .zero))
    for name in ["invite", "ok"] {
      #expect(codes("use outgoing-established(c1, phone, pbx)\non \(name) user ends c1\n") == ["S103"])
    }
    #expect(codes("use outgoing-established(c1, phone, pbx)\nlet x = \"${ok.branch}\"\n") == ["S107"])
  }

  @Test func aCaseUsesAFlow() throws {
    let lines = """
      @0s pbx -> phone OPTIONS as o
      @1s pbx -> phone OPTIONS
      case "a" from o
      use outgoing-established(c1, phone, pbx)
      case "b" from o
      insert before o
      use incoming-established(c1, phone, pbx)
      end

      """
    #expect(try plan(lines).blocks.map(\.range.line) == [5, 6])
    #expect(try plan(lines, case: "a").blocks.map(\.range.line) == [5, 8, 8, 8])
    #expect(try plan(lines, case: "b").blocks.map(\.range.line) == [11, 11, 11, 5])
  }

  /// What stands around a flow says whether it may stay away, and nothing of the order within it.
  @Test func blocksAroundAFlow() throws {
    let lines = """
      @0s pbx -> phone OPTIONS as o
      optional
      in-order
      use outgoing-established(c1, phone, pbx)
      expect within 1s c1 becomes held
      end
      end

      """
    let blocks = try plan(lines).blocks
    #expect(blocks.map(\.isOptional) == [false, true, true, true])
    #expect(blocks.flatMap(\.checks).compactMap(\.order).count == 1)
  }

  @Test func mistakesInAUse() {
    expectDiagnostics(
      """
       use outgoing-estabilshed(c1, phone, pbx)
      ~    ^^^^^^^^^^^^^^^^^^^^ S021 unknown word `outgoing-estabilshed`
       use
      ~   ^ S022 the name of a flow
       use outgoing-established
      ~                        ^ S022 `(`
       use outgoing-established()
      ~                         ^ S014 is not the name of a call
       use outgoing-established(c1)
      ~                           ^ S022 the name of the phone
       use outgoing-established(c1, phone)
      ~                                  ^ S022 the name of the peer
       use outgoing-established(c1, phone, pbx, pbx)
      ~                                       ^ S022 `)`
       use outgoing-established(c1, phone, pbx
      ~                                       ^ S022 `)`
       use outgoing-established(c1, phone, pbx) x
      ~                                         ^ S023 nothing can follow
       use outgoing-established(c1, phone, pbx)
       with "Subject: x"
      ~^^^^ S030 belongs to no line
      """)
  }

  /// What takes no time in front says so, whichever line it begins.
  @Test(
    arguments: ["+1s", "@1s", "on x+1s"], ["use outgoing-established(c1, phone, pbx)", "expect c1 is active", "end"])
  func whatTakesNoTime(time: String, line: String) throws {
    let text = preamble + "\(time) \(line)\n"
    let found = ScenarioFile.parse(Array(text.utf8), named: "x").diagnostics
    let word = try #require(line.split(separator: " ").first)
    #expect(found.map(\.code) == ["S118"])
    #expect(found.first?.title == "`\(word)` takes no time")
    #expect(found.first?.range == SourceRange(line: 5, column: time.count + 2, length: word.count))
  }

  @Test func whatAFlowIsAboutMustBeThere() throws {
    expectDiagnostics(
      """
       use outgoing-established(c2, phone, pbx)
      ~                         ^^ S102 no call is named `c2`
       use incoming-established(c1, phnoe, pbx)
      ~                             ^^^^^ S101 no device is named `phnoe`
       use incoming-established(c1, phone, bob)
      ~                                    ^^^ S101 no peer is named `bob`
       use incoming-established(c1, pbx, phone)
      ~                             ^^^ S101 no device is named `pbx`
      ~                                  ^^^^^ S101 no peer is named `phone`
       @9s pbx -> phone OPTIONS as o
       case "x" from o
       use incoming-established(pbx, phone, pbx)
      ~                         ^^^ S102 no call is named `pbx`
      """)
    let (_, diagnostics) = ScenarioFile.parse(
      Array((preamble + "use outgoing-established(c, phone, pbx)\nuse incoming(c1, phone, pbx)\n").utf8), named: "x")
    #expect(diagnostics.map(\.label).contains("did you mean `c1`?"))
  }

  /// A flow can be short to write and long to carry out.
  @Test func flowsAreNotWithoutNumber() {
    func uses(_ count: Int) -> String {
      (1...count).map { "call x\($0)\nuse outgoing-established(x\($0), phone, pbx)\n" }.joined()
    }
    #expect(codes(uses(1_000)) == [])
    #expect(codes(uses(1_002)) == ["S123"])
  }

  /// A name belongs to one call, so a second flow about it could not hold.
  @Test func aCallHasOneFlowOnEachPath() {
    expectDiagnostics(
      """
       use outgoing-established(c1, phone, pbx)
       @9s user ends c1
       use incoming-established(c1, phone, pbx)
      ~                         ^^ S125 the call of an earlier flow
       @20s pbx -> phone OPTIONS as o
       case "x" from o
       optional
       use outgoing-established(c1, phone, pbx)
      ~                         ^^ S125 the call of an earlier flow
       end
      """)
    expectDiagnostics(
      """
       call c2
       @0s pbx -> phone OPTIONS as o
       use outgoing-established(c1, phone, pbx)
       use outgoing-established(c2, phone, pbx)
       case "x" from o
       use incoming-established(c1, phone, pbx)
       case "y" from o
       use outgoing-established(c1, phone, pbx)
       use incoming-established(c1, phone, pbx)
      ~                         ^^ S125 the call of an earlier flow
      """)
  }

  @Test(arguments: [
    ("activation manual", flows), ("do-not-disturb on", ["incoming-established"]),
    ("ring-timeout 990ms", ["incoming-established"]), ("ring-timeout 1s", []), ("activation automatic", []),
    ("do-not-disturb off", []), ("ring-timeout 2s\n  action-delay 1001ms", []),
    ("ring-timeout 2s\n  action-delay 1006ms", ["incoming-established"]),
  ])
  func aFlowThatCannotHoldIsRefused(settings: String, refused: [String]) {
    for flow in Self.flows {
      let head = "callsim 1\ndevice phone sip:bob@10.0.0.2\n  \(settings)\npeer pbx sip:alice@10.0.0.1\ncall c1\n"
      let line = "  use \(flow)(c1, phone, pbx)\n"
      let (_, diagnostics) = ScenarioFile.parse(Array((head + line).utf8), named: "x")
      #expect(diagnostics.map(\.code) == (refused.contains(flow) ? ["S124"] : []), "\(flow)")
      #expect(diagnostics.allSatisfy { $0.range?.column == 3 && $0.range?.length == line.utf8.count - 3 })
    }
  }

  @Test func activationByTheScriptIsEnoughForAFlow() {
    let above = "callsim 1\ndevice phone sip:bob@10.0.0.2\n  activation manual\npeer pbx sip:alice@10.0.0.1\ncall c1\n"
    let use = "use incoming-established(c1, phone, pbx)\n"
    #expect(codes(use, above: above) == ["S124"])
    #expect(codes("@1100ms system activates audio\n" + use, above: above) == [])
  }

  /// However long the delays are, every line of the flow is there.
  @Test(arguments: flows, ["1us", "7us", "3s", "90min", "4000000000s"])
  func windowsGrowWithTheDelays(flow: String, delay: String) throws {
    let head = "callsim 1\ndevice phone sip:bob@10.0.0.2\n  report-delay \(delay)\n  action-delay \(delay)\n"
    let lines = "peer pbx sip:alice@10.0.0.1\ncall c1\nuse \(flow)(c1, phone, pbx)\n"
    let (file, diagnostics) = ScenarioFile.parse(Array((head + lines).utf8), named: "x")
    #expect(diagnostics == [])
    let plan = try #require(file?.plan(case: nil, params: [:]).plan)
    #expect(
      plan.blocks.count == 3 && plan.blocks.flatMap(\.checks).count == 9 - (flow == "incoming-established" ? 2 : 0))
  }
}

extension PlannedStimulus {
  fileprivate var actor: String? {
    if case .message(let arrow) = self { arrow.from } else { nil }
  }
}
