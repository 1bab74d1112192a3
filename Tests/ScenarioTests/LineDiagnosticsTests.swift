import Testing

@testable import Scenario

/// What is wrong within one line.
@Suite struct LineDiagnosticsTests {
  @Test func everyProblemOfAFileIsToldInOneRun() {
    expectDiagnostics(
      """
       scenario "x
      ~         ^^ S010 not closed
       recieve within 200ms c1 is ended
      ~^^^^^^^ S021 unknown word `recieve`
       @1 user ends c1
      ~ ^ S012 `1` is not a duration
       user ends c2
      ~          ^^ S102 no call is named `c2`
       why "\\n"
      ~     ^^ S011 unknown escape
      """)
  }

  @Test func whatTheUserAndTheSystemCannotDo() {
    expectDiagnostics(
      """
       user holds
      ~          ^ S022 the name of a call
       user holds c1 c1
      ~              ^^ S023 nothing can follow
       user swaps c1
      ~             ^ S022 `,` and the other call
       user swaps c1, c1
      ~               ^^ S025 cannot be swapped with itself
       user swaps c1, c2
      ~               ^^ S102 no call is named `c2`
       user presses 12 on c1
      ~             ^^ S022 a string in double quotes
       user presses "" on c1
      ~             ^^ S025 0 digits, where 1 to 64 can be pressed
       user presses "1 2" on c1
      ~             ^^^^^ S025 `1 2` is not made of digits
       user presses "é" on c1
      ~             ^^^ S025 is not made of digits
       user presses "1${x}" on c1
      ~             ^^^^^^^ S025 is not made of digits
       user presses "1" c1
      ~                 ^^ S022 `on`
       user hold c1
      ~     ^^^^ S021 unknown word `hold`
       system activates
      ~                ^ S022 what the system activates
       system activates unit
      ~                 ^^^^ S021 unknown word `unit`
       system activate audio
      ~       ^^^^^^^^ S021 unknown word `activate`
       system
      ~      ^ S022 what the system does
       pbx vanishes now
      ~             ^^^ S023 nothing can follow
       phone vanishes
      ~^^^^^ S101 no peer is named `phone`
       nobody returns
      ~^^^^^^ S101 no peer is named `nobody`
      """)
    #expect(codes("user presses \"\(String(repeating: "1", count: 64))\" on c1\n") == [])
    #expect(codes("user presses \"\(String(repeating: "1", count: 65))\" on c1\n") == ["S025"])
  }

  @Test func whatCannotBeObserved() {
    expectDiagnostics(
      """
       expect audio is silent because
      ~                       ^^^^^^^ S021 unknown word `because`
       expect audio unit interrupted
      ~                  ^^^^^^^^^^^ S021 unknown word
       expect audio microphone
      ~                       ^ S022 what the microphone does
       expect c1 has mute maybe
      ~                   ^^^^^ S021 unknown word `maybe`
       expect c1 has media recvnoly
      ~                    ^^^^^^^^ S021 unknown word `recvnoly`
       expect c1 has dtmf 12
      ~                   ^^ S022 a string in double quotes
       expect c1 has dtmf "12x"
      ~                   ^^^^^ S025 is not made of digits
       expect c1 transfer
      ~                  ^ S022 what becomes of a transfer
       expect c1 transfer suceeded
      ~                   ^^^^^^^^ S021 unknown word `suceeded`
       expect c1 transfer succeeded status 200
      ~                             ^^^^^^ S118 `transfer succeeded` comes with no status
       expect c1 transfer failed status
      ~                                ^ S022 a status
       expect c1 transfer failed status 48
      ~                                 ^^ S016 is not a status
       expect c1 transfer failed status 180
      ~                                 ^^^ S025 `transfer failed` never comes with 180
       expect c1 transfer progress status 200
      ~                                   ^^^ S025 `transfer progress` never comes with 200
       expect c1 transfer failed 486
      ~                          ^^^ S023 nothing can follow
       never until end c1 transfer failed
      ~^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ S120 no line has the user transfer `c1`
       expect within 1s phone -> pbx 200 to re-INVITE
      ~                                     ^^^^^^^^^ S118 `re-INVITE` is no method
       @1.0000001s user ends c1
      ~ ^^^^^^^^^^ S012 is not a duration
      """)
  }

  @Test func whomACallCannotBeTransferredTo() {
    expectDiagnostics(
      """
       user transfers c1
      ~                 ^ S022 expected `to` at the end
       user transfers c1 to
      ~                    ^ S022 a peer, a SIP URI or a call
       user transfers c1 to c1
      ~                     ^^ S025 `c1` cannot be transferred to itself
       user transfers c1 to pxb
      ~                     ^^^ S101 no peer or call is named `pxb`
       user transfers c1 to phone
      ~                     ^^^^^ S101 no peer or call is named `phone`
       user transfers c2 to pbx
      ~               ^^ S102 no call is named `c2`
       user transfers c1 to tel:123
      ~                     ^^^^^^^ S015 is not a SIP URI
       user transfers c1 pbx
      ~                  ^^^ S022 expected `to` before `pbx`
       system loses
      ~            ^ S022 what the system loses
       system restores audio
      ~                ^^^^^ S021 unknown word `audio`
      """)
  }

  @Test func whatReportsNoStatus() {
    expectDiagnostics(
      """
       pbx -> phone BYE c1 reporting 180
      ~                    ^^^^^^^^^ S118 only a NOTIFY reports a status
       expect pbx -> phone any reporting 180
      ~                        ^^^^^^^^^ S118 only a NOTIFY reports a status
       pbx -> phone NOTIFY c1 offer sendrecv reporting 180
      ~                                      ^^^^^^^^^ S038 one body
       pbx -> phone NOTIFY c1 reporting 180 offer sendrecv
      ~                                     ^^^^^ S023 nothing can follow
       pbx -> phone NOTIFY c1 reporting
      ~                                ^ S022 expected a status
       expect phone -> pbx NOTIFY c1 reporting 99
      ~                                        ^^ S016 `99` is not a status
       pbx -> phone NOTIFY c1 reporting 700 with "A: b"
      ~                                 ^^^ S016 `700` is not a status
       expect phone -> pbx NOTIFY reporting 486
       expect phone -> pbx NOTIFY before.c1 reporting 486 retransmit
      ~                           ^^^^^^ S103 no line sets the label `before`
      """)
  }

  @Test func aRequestWithoutWhatItIsForIsWarnedOf() {
    expectDiagnostics(
      """
       pbx -> phone REFER c1
      ~^^^^^^^^^^^^^^^^^^^^^ L034 the REFER names nobody to call
       pbx -> phone REFER c1 with "X: y" with "Referred-By: <sip:a@b>"
      ~^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ L034 the REFER names nobody to call
       pbx -> phone REFER c1 with "refer-to : <sip:a@b>"
       pbx -> phone REFER c1 with "r: <sip:a@b>"
       pbx -> phone REFER c1
         with "Refer-To: <sip:a@b>"
       pbx -> phone REFER c1
       | Refer-To: <sip:a@b>
       pbx -> phone REFER c1 without Refer-To
       pbx -> phone REFER c1 with "${field}"
       let field = "Refer-To: <sip:a@b>"
       pbx -> phone NOTIFY c1
      ~^^^^^^^^^^^^^^^^^^^^^^ L034 the NOTIFY reports nothing
       pbx -> phone NOTIFY c1 with "Subscription-State: active"
      ~^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ L034 the NOTIFY reports nothing
       pbx -> phone NOTIFY c1 reporting 100
       pbx -> phone NOTIFY c1 with "Event: message-summary"
       expect phone -> pbx NOTIFY c1
       expect phone -> pbx REFER c1 as r
       optional
       label there
       end
       case "in a case" from there
       insert before there
       pbx -> phone REFER c1
      ~^^^^^^^^^^^^^^^^^^^^^ L034 the REFER names nobody to call
       end
       pbx -> phone NOTIFY c1 with "A: b"
      ~^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ L034 the NOTIFY reports nothing
      """)
  }

  @Test(arguments: ["\n", "\r\n"])
  func caretsCountCharactersWhateverTheLineEnd(lineEnd: String) {
    expectDiagnostics(
      """
       why "é漢🎉" tpyo
      ~          ^^^^ S023 nothing can follow
       tags ok  # 漢
       expect "é" is
      ~       ^ S022 expected what is observed
      """, lineEnd: lineEnd)
  }

  @Test func aTabIsOneColumn() {
    expectDiagnostics("\u{20}why\t\"x\"\n~   ^ S005 a tab")
    expectDiagnostics("\u{20}\tuser ends c1\n~^ S005 a tab")
    expectDiagnostics("\u{20}why \"a\u{1}\"\n~      ^ S006 a control character")
  }

  @Test func tabsStandInRawLinesAndComments() {
    // A comment ends what is looked at.
    #expect(codes("@0s pbx -> phone raw\n| Subject:\tx\n  # a\tb\n") == [])
  }

  @Test func wordsAreSuggested() throws {
    let (_, diagnostics) = ScenarioFile.parse(
      Array((preamble + "expcet c1 is ended\nuser ansers c1\n").utf8), named: "x")
    #expect(diagnostics.map(\.label) == ["did you mean `expect`?", "did you mean `answers`?"])
  }

  @Test(arguments: [
    ("let t = \"${x\"", "S019"), ("let t = \"${}\"", "S019"), ("let t = \"${a b}\"", "S019"),
    ("let t = \"${hex:0}\"", "S019"), ("let t = \"${hex:0g}\"", "S019"), ("let t = \"${nothing}\"", "S107"),
    ("let t = \"${c1.colour}\"", "S107"), ("let t = \"${lost.branch}\"", "S107"), ("let auto = \"x\"", "S115"),
    ("param auto: int = 1", "S115"), ("param p: int = x", "S025"), ("param p: number = 1", "S021"),
    ("param p: duration = 1", "S012"), ("param p: code = 99", "S025"), ("param p: flag = yes", "S025"),
    ("param p: int = 1 in [", "S022"), ("param p: int = 1 in [1", "S022"), ("param p: int = 1 in []", "S022"),
    ("seed -1", "S013"), ("seed 18446744073709551616", "S013"), ("mode strict", "S021"),
    ("peer q sip:", "S015"), ("peer q sip:q@", "S015"), ("peer q sip:q@h:0", "S015"), ("peer q tel:123", "S015"),
    ("peer q sip:x@y>;a=b", "S015"), ("peer q sip:é@h", "S015"), ("peer q sip:@h", "S015"),
    ("peer q sip:a<b@h", "S015"),
    ("peer q sip:q@h host @", "S025"), ("peer q sip:q@h:99999", "S015"), ("call d uuid 1-2", "S017"),
    ("call d call-id \"${x}\"", "S025"), ("network latency 5ms..2ms", "S024"),
    ("@0s pbx -> phone 99 to x", "S016"), ("@0s pbx -> phone 700 to x", "S016"), ("@0s pbx->phone BYE c1", "S014"),
    ("@0s pbx -> phone 200", "S117"), ("@0s pbx -> phone any", "S118"), ("expect phone -> pbx raw", "S118"),
    ("@0s pbx -> phone BYE c1 retransmit", "S118"), ("@0s pbx -> phone BYE to INVITE", "S118"),
    ("@0s phone -> pbx BYE c1", "S116"), ("@0s pbx -> phone INVITE c1 with \"no header\"", "S018"),
    ("@0s pbx -> phone INVITE c1 with \"\"", "S018"), ("@0s pbx -> phone INVITE c1 with \": x\"", "S018"),
    ("@0s pbx -> phone INVITE c1 with \"a b: x\"", "S018"), ("@0s pbx -> phone INVITE c1\n| no header", "S018"),
    ("@0s pbx -> phone INVITE c1\n|", "S018"), ("@0s pbx -> phone INVITE c1\n|x: y", "S032"),
    ("@0s pbx -> phone raw", "S033"), ("@0s pbx -> phone raw with \"a: b\"\n| x", "S118"),
    ("fault f: drop 101% phone -> pbx any", "S013"), ("fault f: drop nth 0 phone -> pbx any", "S013"),
    ("fault f: delay first phone -> pbx any", "S022"),
    ("fault f: drop first phone -> pbx any from 2s until 1s", "S024"),
    ("fault f: duplicate first phone -> pbx any copies 0 gap 1s", "S013"), ("expect c1 is sleeping", "S021"),
    ("network latency 1ms latency 2ms", "S038"), ("peer q sip:q@h auto auto", "S038"),
    ("peer q sip:q@h host a host b", "S038"), ("scenario \"a\"\nscenario \"b\"", "S038"),
    ("device two sip:b@h", "S040"),
    ("@0s push c1 to phone caller \"a\" caller \"b\"", "S038"), ("expect at x c1 is ended", "S022"),
    ("callsim 1", "S037"), ("never c1 is ended", "S021"), ("case x from a", "S022"),
  ])
  func aMistakeHasItsCode(line: String, code: String) {
    #expect(codes(line).first == code, "\(line)")
  }

  @Test(arguments: [
    "with \"X: ${c1.uuid}\"", "with \"${hdr}\"", "with \"${hdr}: x\"", "with \"X-${hdr}: y\"", "with \"X!%*.~: \"",
    "with \"X : y\"",
  ])
  func aHeaderLineThatMayBeOneIsTaken(edit: String) {
    #expect(codes("let hdr = \"A\"\n@0s pbx -> phone INVITE c1 \(edit)") == [])
  }

  @Test func noMoreThanTwentyAreShownAndErrorsGoFirst() {
    let backwards = "@2s user ends c1\n" + String(repeating: "@2s user ends c1\n@1s user ends c1\n", count: 30)
    let (_, warnings) = ScenarioFile.parse(Array((preamble + backwards).utf8), named: "x.call")
    #expect(warnings.map(\.code) == Array(repeating: "L012", count: 20) + ["S099"])
    #expect(warnings.last?.severity == .warning)
    let (_, mixed) = ScenarioFile.parse(Array((preamble + backwards + "user ends x\n").utf8), named: "x.call")
    #expect(mixed.count == 21)
    #expect(mixed.contains { $0.code == "S102" })
    #expect(mixed.last?.title == "11 more problems are not shown")
  }
}
