import Testing

@testable import Scenario

/// Which lines belong to which.
@Suite struct BelongingTests {
  @Test func aContinuationNeedsALineThatTakesIt() {
    expectDiagnostics(
      """
         with "A: b"
      ~  ^^^^ S030 belongs to no line
       user ends c1
         with "A: b"
      ~  ^^^^ S030 takes no such continuation
       expect c1 is ended
         without Contact
      ~  ^^^^^^^ S030 about no message
       @0s pbx -> phone INVITE c1
       with "A: b"
      ~^^^^ S030 belongs to no line
      """)
  }

  @Test func aRawLineNeedsAnArrow() {
    expectDiagnostics(
      """
       | A: b
      ~^ S031 belongs to no arrow
       user ends c1
       | A: b
      ~^ S031 belongs to no arrow
       expect phone -> pbx BYE c1
       | A: b
      ~^ S031 belongs to no arrow
      """)
  }

  @Test func whatBelongsToALineWithAMistakeIsPassedOver() {
    expectDiagnostics(
      """
       @0s pbx -> phone INIVTE c1
      ~                 ^^^^^^ S021 unknown word
         with "A: b"
       | C: d
       @0s pbx -> phone INVITE c1
       | C d
      ~  ^^^ S018 is not a header line
         with "e"
      ~       ^^^ S018 is not a header line
         without x y
      ~            ^ S023 nothing can follow
       | ${
      ~  ^^ S019 is not closed
      """)
  }

  @Test func blanksAndCommentsMayStandBetween() throws {
    let plan = try plan("@0s pbx -> phone INVITE c1\n\n  # why\n  with \"A: b\"\n\n| C: d\n  without E\n")
    guard case .message(let arrow) = plan.blocks[0].stimulus else { throw Missing() }
    #expect(arrow.with.map(\.pieces) == [[.literal("A: b")], [.literal("C: d")]])
    #expect(arrow.without == ["E"])
  }

  @Test func namesInContinuationsAreLookedUp() {
    expectDiagnostics(
      """
       @0s pbx -> phone INVITE c1
         with "A: ${lost}"
      ~           ^^^^^^^ S107 names nothing
       | B: ${lost}
      ~     ^^^^^^^ S107 names nothing
       expect phone -> pbx 200
         with "A: ${lost}"
      ~           ^^^^^^^ S107 names nothing
      """)
  }

  @Test func blocksAreClosedOnce() {
    expectDiagnostics(
      """
       optional
      ~^^^^^^^^ S035 `optional` is not closed
       in-order
       end
       case "a" from a
      ~              ^ S103 no timed line
       end
      ~^^^ S034 closes nothing
       in-order
      ~^^^^^^^^ S035 `in-order` is not closed
      """)
  }

  @Test(arguments: ["parallel", "repeat 3", "explore"])
  func theEndOfABlockThatIsNotSupportedIsNoSecondMistake(block: String) {
    #expect(codes("\(block)\nend\n") == ["S040"])
    #expect(codes("\(block)\n") == ["S040"])
    #expect(codes("\(block)\nend\nend\n") == ["S040", "S034"])
  }

  @Test func whatOnlyAnUnsupportedLineCanHoldIsNotLookedAt() {
    #expect(codes("explore\n shuffle a, b\n bound drops 1\n check always\nend\nuser x\n") == ["S040", "S021"])
    #expect(codes("examples a, b\n row 1, 2\n row 3, 4\nuser x\nrow 5\n") == ["S040", "S021", "S040"])
    #expect(codes("template t\n| a\n| b\nuser x\n") == ["S040", "S021"])
  }

  @Test func settingsStandUnderTheirDevice() {
    expectDiagnostics(
      """
       device phone sip:bob@10.0.0.2
         do-not-disturb on
         do-not-disturb off
      ~  ^^^^^^^^^^^^^^ S038 set twice
         colour red
      ~  ^^^^^^ S021 unknown word
       do-not-disturb on
      ~^^^^^^^^^^^^^^ S036 stands under no device
       device two sip:b@h
      ~       ^^^ S040 a second device
         do-not-disturb on
       user ends c1
         do-not-disturb on
      ~  ^^^^^^^^^^^^^^ S036 stands under no device
      """, above: "callsim 1\ncall c1\n")
  }

  @Test func aTimedLineUnderADeviceIsNoSetting() throws {
    _ = try plan("device phone sip:bob@10.0.0.2\n  @0s push c1 to phone\n", above: "callsim 1\ncall c1\n")
  }

  @Test func insertStandsOnceAtTheHeadOfACase() {
    #expect(codes("insert before a\nend\n") == ["S037"])
    let trunk = "@0s push c1 to phone as a\n@1s user ends c1 as b\ncase \"x\" from b\n"
    #expect(codes(trunk + "insert before a\nend\ninsert before a\nend\n") == ["S037"])
    #expect(codes(trunk + "user ends c1\ninsert before a\nend\n") == ["S037"])
    #expect(codes(trunk + "insert before b\nend\n") == [])
    #expect(codes(trunk.replacing("from b", with: "from a") + "insert before b\nend\n") == ["S103"])
  }

  @Test func declarationsStandAboveTheCases() {
    #expect(codes("@0s push c1 to phone as a\ncase \"x\" from a\ncall d\n") == ["S037"])
  }
}

struct Missing: Error {}
