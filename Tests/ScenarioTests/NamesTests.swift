import Testing

@testable import Scenario

/// Names that are given, used, and kept apart.
@Suite struct NamesTests {
  @Test func aNameStandsForOneThing() {
    expectDiagnostics(
      """
       peer phone sip:a@h
      ~     ^^^^^ S108 `phone` is given twice
       peer pbx sip:b@i
      ~     ^^^ S108 `pbx` is given twice
       call pbx
      ~     ^^^ S108 `pbx` is given twice
       call c1
      ~     ^^ S108 `c1` is given twice
       fault f: drop first phone -> pbx any
       fault f: drop first phone -> pbx any
      ~      ^ S108 `f` is given twice
       param p: int = 1
       param p: int = 1
      ~      ^ S108 `p` is given twice
       let p = "x"
      ~    ^ S108 `p` is given twice
       let t = "x"
       param t: int = 1
      ~      ^ S108 `t` is given twice
       @0s push c1 to phone as c1
      ~                        ^^ S108 name of a call
       user answers c1 as a
       expect c1 is ended as a
      ~                      ^ S108 the label `a` is given twice
       user ends c1 as pbx
      ~                ^^^ S108 name of a call
       case "x" from a
       case "x" from a
      ~^^^^^^^^^^^^^^^ S108 the case `x` is given twice
      """)
  }

  @Test func twoCallsHaveTwoIdentities() {
    let uuid = "7A3C0F52-6B1E-4C55-9D0B-2F5B1E0C9A11"
    #expect(codes("call d uuid \(uuid)\ncall e uuid \(uuid.lowercased())\n") == ["S108"])
    #expect(codes("call d call-id \"x\"\ncall e call-id \"x\"\n") == ["S108"])
    #expect(codes("call d call-id \"x\"\ncall e call-id \"X\"\n") == [])
  }

  @Test(arguments: [
    ("peer q sip:q@10.0.0.1", ["S108"]), ("peer q sip:q@10.0.0.1:5060;lr", ["S108"]),
    ("peer q sip:q@10.0.0.1:5062", []), ("peer q sip:q@h host 10.0.0.2", ["S108"]),
    ("peer q sip:q@h host 10.0.0.2:5061", []), ("peer q sip:q@H\npeer r sip:r@h", ["S108"]),
    ("peer q sip:q@[2001:db8::1]\npeer r sip:r@[2001:db8::1]:5060", ["S108"]),
    ("peer q sip:q@[2001:db8::1]\npeer r sip:r@[2001:db8::2]", []),
  ])
  func twoActorsHaveTwoAddresses(line: String, expected: [String]) {
    #expect(codes(line + "\n") == expected)
  }

  @Test func theHostSettingIsTheDevicesAddress() {
    let above = "callsim 1\ndevice phone sip:bob@10.0.0.2\n  host 10.0.0.1\n"
    #expect(codes("peer q sip:q@10.0.0.1\n", above: above) == ["S108"])
    #expect(codes("peer q sip:q@10.0.0.2\n", above: above) == [])
  }

  @Test func theLatencyOfAWayIsGivenOnce() {
    #expect(codes("network latency 1ms\nnetwork latency 2ms\n") == ["S108"])
    #expect(codes("network latency 1ms\nnetwork pbx -> phone latency 2ms\nnetwork phone -> pbx latency 3ms\n") == [])
    #expect(codes("network pbx -> phone latency 2ms\nnetwork pbx -> phone latency 3ms\n") == ["S108"])
    #expect(codes("network pbx -> nobody latency 2ms\n") == ["S101"])
  }

  @Test(arguments: Vocabulary.reservedNames)
  func aReservedWordNamesNoActorAndNoCall(word: String) {
    #expect(codes("peer \(word) sip:q@h\n").contains("S115"), "\(word)")
    #expect(codes("call \(word)\n").contains("S115"), "\(word)")
    #expect(codes("device \(word) sip:q@h\n", above: "callsim 1\n").contains("S115"), "\(word)")
  }

  @Test(arguments: Vocabulary.reservedLabels)
  func aReservedWordIsNoLabel(word: String) {
    #expect(codes("@0s push c1 to phone as \(word)\n") == ["S115"])
  }

  @Test func stimuliUseLabelsThatAreSetAbove() {
    expectDiagnostics(
      """
       on late+1s user ends c1
      ~   ^^^^ S104 set only further down
       @0s pbx -> phone 200 late
      ~                     ^^^^ S104 set only further down
       @0s pbx -> phone 200 to later
      ~                        ^^^^^ S104 set only further down
       expect within 1s of late c1 is ended
       user ends c1 as late
       expect phone -> pbx 200 to late
      ~                           ^^^^ S112 names no message
       expect phone -> pbx 200 late
      ~                        ^^^^ S112 names no message
       expect phone -> pbx INVITE as later
      """)
  }

  // MARK: Cases

  @Test func aCaseDoesNotHaveWhatItLeavesOut() {
    expectDiagnostics(
      """
       @0s push c1 to phone as a
       expect within 1s of b c1 is ended
       expect phone -> pbx 200 to b
       never until b audio activates
       @1s user answers c1 as mid
       @2s pbx -> phone INVITE c1 as b
       case "kept lines need b" from mid
      ~^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ S119 leaves out the line that sets the label `b`
       case "it sets its own" from mid
       @3s pbx -> phone BYE c1 as b
       case "its own lines" from a
       on b+1s user ends c1
      ~   ^ S119 leaves out the line that sets the label `b`
       never until b audio activates
       expect phone -> pbx 200 b
      ~                        ^ S119 leaves out the line that sets the label `b`
       case "the fork's own checks are left out" from a
      """)
  }

  @Test func insertedLinesSeeWhatIsAboveThem() {
    expectDiagnostics(
      """
       @0s push c1 to phone as a
       @1s user answers c1 as b
       @2s user ends c1 as c
       case "x" from c
       insert before b
       on a+1ms user ends c1
       on b+1ms user ends c1 as d
      ~   ^ S119 leaves out the line that sets the label `b`
       end
       on b+1ms user ends c1
       on d+1ms user ends c1
      """)
  }

  @Test func aTextOfACaseMayNameThatCase() {
    let trunk = "@0s pbx -> phone INVITE c1 as a\ncase \"x\" from a\n"
    #expect(codes(trunk + "let t = \"${u}\"\nlet u = \"${v.branch}\"\n@1s pbx -> phone INVITE c1 as v\n") == [])
    #expect(codes(trunk + "let t = \"${u}\"\n") == ["S107"])
    #expect(codes("let t = \"${v.branch}\"\n" + trunk + "@1s pbx -> phone BYE c1 as v\n") == [])
    #expect(codes("let t = \"${u}\"\n" + trunk + "let u = \"x\"\n") == ["S107"])
  }

  @Test func aCaseRestatesParamsOfTheFile() {
    let trunk = "param p: int = 1\n@0s push c1 to phone as a\ncase \"x\" from a\n"
    #expect(codes(trunk + "param p: int = 2\n") == [])
    #expect(codes(trunk + "param p: int = 2\nparam p: int = 3\n") == ["S108"])
    #expect(codes(trunk + "param p: text = \"2\"\n") == ["S106"])
    #expect(codes(trunk + "param q: int = 2\n") == ["S106"])
  }

  // MARK: Texts

  @Test func textsFormNoCircle() {
    #expect(codes("let a = \"${a}\"\n") == ["S113"])
    #expect(codes("let a = \"${b}\"\nlet b = \"${c}\"\nlet c = \"x${a}\"\n") == ["S113"])
    #expect(codes("let a = \"${b}${b}\"\nlet b = \"${c}\"\nlet c = \"x\"\n") == [])
    let trunk = "let a = \"${b}\"\nlet b = \"x\"\n@0s push c1 to phone as l\n"
    #expect(codes(trunk + "case \"x\" from l\nlet b = \"${a}\"\n") == ["S113"])
    #expect(codes(trunk + "case \"x\" from l\nlet a = \"y\"\nlet b = \"${a}\"\n") == [])
  }

  @Test func textsStaySmall() {
    func chain(_ count: Int, _ inner: (Int) -> String) -> String {
      (1...count).reduce("let t0 = \"xx\"\n") { $0 + "let t\($1) = \"\(inner($1 - 1))\"\n" }
    }
    #expect(codes(chain(31) { "${t\($0)}" }) == [])
    #expect(codes(chain(32) { "${t\($0)}" }) == ["S122"])
    #expect(codes(chain(15) { "${t\($0)}${t\($0)}" }) == [])
    #expect(codes(chain(16) { "${t\($0)}${t\($0)}" }) == ["S122"])
  }

  @Test func variantsStayCountable() {
    let values = (0..<100).map(String.init).joined(separator: ", ")
    let lines = "param a: int = 1 in [\(values)]\nparam b: int = 1 in [\(values)]\n"
    #expect(codes(lines) == [])
    #expect(codes(lines + "param c: int = 1 in [1, 2]\n") == ["S114"])
  }
}
