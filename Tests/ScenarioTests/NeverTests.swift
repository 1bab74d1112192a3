import Testing

@testable import Scenario

/// Checks that cannot fail, as far as the file alone shows it (language rule 3), and times that go back.
@Suite struct NeverTests {
  private static let silent = "peer carol sip:carol@10.0.0.3\n@0s push c1 to phone as a\n"
  private static let called = "peer carol sip:carol@10.0.0.3\n@0s user calls c1 to carol as a\n"
  private static let calling = "peer carol sip:carol@10.0.0.3\n@0s carol -> phone INVITE c1 as a\n"

  @Test(arguments: [
    (silent, "carol -> phone any", "S120"), (silent, "carol -> phone 200", "S120"),
    (silent, "carol -> phone BYE", "S120"), (silent, "carol -> phone ACK", "S120"),
    (silent, "carol -> phone re-INVITE", "S120"), (silent, "phone -> carol any", nil),
    (called, "carol -> phone any", nil), (called, "carol -> phone 200", nil), (called, "carol -> phone 487", nil),
    (called, "carol -> phone 180", "S120"), (called, "carol -> phone 603", "S120"),
    (called, "carol -> phone BYE c1", "S120"), (called, "carol -> phone ACK", nil),
    (calling, "carol -> phone INVITE", nil), (calling, "carol -> phone CANCEL", "S120"),
    (calling, "carol -> phone ACK", nil), (calling, "carol -> phone re-INVITE", nil),
    (silent.replacing("10.0.0.3", with: "10.0.0.3 auto"), "carol -> phone any", nil),
    (silent + "@1s pbx -> phone raw\n| x\n", "carol -> phone any", nil),
    (calling + "@1s carol -> phone BYE with \"Contact: <sip:x@y>\"\n", "carol -> phone CANCEL", nil),
    (calling + "call c2\n", "c2 becomes ended", "S120"), (calling + "call c2\n", "phone reports c2 incoming", "S120"),
    (calling + "call c2\n", "phone -> carol BYE c2", "S120"), (calling + "call c2\n", "c2 has caller \"x\"", "S120"),
    (calling + "call c2\n", "phone requests end c2", "S120"),
    (calling + "call c2\n@1s push c2 to phone\n", "c2 becomes ended", nil),
    (calling + "call c2\n@1s user calls c2 to carol\n", "c2 becomes ended", nil),
    (calling + "call c2\n@1s carol -> phone INVITE\n", "c2 becomes ended", nil),
    (calling + "call c2\n@1s user ends c2\n", "c2 becomes ended", "S120"),
    (calling + "call c2\n@1s carol -> phone re-INVITE c2\n", "c2 becomes ended", "S120"),
    (silent + "@1s carol -> phone re-INVITE c1\n", "carol -> phone re-INVITE", nil),
    (silent + "@1s carol -> phone re-INVITE c1\n", "carol -> phone INVITE", nil),
    (silent, "carol -> phone INFO", "S120"), (silent + "@1s carol -> phone INFO c1\n", "carol -> phone INFO", nil),
    (silent + "@1s carol -> phone INFO c1\n", "carol -> phone re-INVITE", "S120"),
    (silent + "use incoming-established(c1, phone, carol)\n", "carol -> phone ACK", nil),
    (silent + "use incoming-established(c1, phone, carol)\n", "carol -> phone BYE", "S120"),
    (calling + "call c2\nuse outgoing-established(c2, phone, pbx)\n", "c2 becomes held", nil),
    (silent, "audio interrupted", "S120"), (silent, "audio is interrupted", "S120"),
    (silent + "@1s pbx -> phone raw\n| x\n", "audio interrupted", "S120"),
    (silent + "@1s system interrupts audio\n", "audio is interrupted", nil),
    (silent, "audio is silent", nil), (silent, "audio unit fails", nil), (silent, "c1 has mute on", nil),
    (calling, "phone reports any incoming", nil), (silent, "audio activates", nil),
  ])
  func aNeverMustBePossibleToViolate(lines: String, observation: String, code: String?) {
    #expect(codes(lines + "never until end \(observation)\n") == (code.map { [$0] } ?? []), "\(observation)")
    // Expectations may be impossible: they fail by themselves.
    #expect(codes(lines + "expect within 1s \(observation)\n") == [])
  }

  @Test func aCaseIsLookedAtInTheLightOfWhatItKeeps() {
    let lines = Self.silent + "@1s user answers c1 as b\n@2s carol -> phone INVITE as c\n"
    #expect(codes(lines + "case \"x\" from b\nnever until end carol -> phone INVITE\n") == ["S120"])
    #expect(codes(lines + "case \"x\" from c\nnever until end carol -> phone INVITE\n") == [])
    let own = "case \"x\" from b\nnever until end carol -> phone INVITE\n@3s carol -> phone INVITE\n"
    #expect(codes(lines + own) == [])
    // What the trunk can violate stays a check where a case keeps it.
    #expect(
      codes(lines.replacing("@1s", with: "never until end carol -> phone INVITE\n@1s") + "case \"x\" from b\n") == [])
  }

  // MARK: Scopes

  private static let timed = """
    @1s push c1 to phone as p
    @2s user answers c1 as u
    @3s pbx -> phone INVITE c1 as m
    +1s user ends c1 as e
    on e+5ms user ends c1 as o
    on m user ends c1 as n

    """

  @Test(arguments: [
    ("@4s user ends c1", "until p", true), ("@4s user ends c1", "until m", true),
    ("@500ms user ends c1", "until p", false), ("@1s user ends c1", "until p", true),
    ("@3s user ends c1", "until m", false), ("@4s user ends c1", "until e", true),
    ("@4s user ends c1", "until o", false), ("on o user ends c1", "until e", true),
    ("on o user ends c1", "until m", true), ("on e user ends c1", "until u", true),
    ("on n user ends c1", "until o", false),
    ("@9s user ends c1 as x", "until x", true), ("@9s pbx -> phone BYE c1 as x", "until x", true),
    ("@9s user ends c1", "until end", false), ("@9s user ends c1", "within 0ms", false),
    ("@9s user ends c1", "between p and p", true), ("@9s user ends c1", "between end and p", true),
    ("@9s user ends c1", "between u and p", true), ("@9s user ends c1", "between p and u", false),
    ("@9s user ends c1", "between e and m", true), ("@9s user ends c1", "between m and e", false),
    ("@9s user ends c1", "between n and o", false), ("@9s user ends c1", "between o and n", false),
    ("+${g} user ends c1", "until p", true), ("user ends c1", "until o", false),
  ])
  func aScopeMustNotEndBeforeItStarts(line: String, scope: String, isEmpty: Bool) {
    let lines = "param g: duration = 0s\n" + Self.timed + line + "\nnever \(scope) audio activates\n"
    #expect(codes(lines).filter { $0 != "L012" } == (isEmpty ? ["S121"] : []), "\(line) \(scope)")
  }

  @Test(arguments: ["network latency 5ms", "fault f: maybe delay every pbx -> phone any by 5s"])
  func aMessageThatTakesTimeMayEndAScopeLater(header: String) {
    let lines = header + "\n" + Self.timed
    #expect(codes(lines + "@4s user ends c1\nnever until m audio activates\n") == [])
    #expect(codes(lines + "@9s pbx -> phone BYE c1 as x\nnever until x audio activates\n") == [])
    #expect(codes(lines + "@9s user ends c1\nnever until u audio activates\n") == ["S121"])
  }

  @Test func aCaseHasItsOwnTimes() {
    let end = "\nnever until p audio activates\n"
    #expect(codes(Self.timed + "case \"x\" from u\n+1s user ends c1" + end) == ["S121"])
    #expect(codes(Self.timed + "case \"x\" from u\n@500ms user ends c1" + end) == ["L012"])
    // What is inserted may move what follows it.
    let inserted = "case \"x\" from m\ninsert before u\n@1500ms user ends c1 as i\nend\n"
    #expect(codes(Self.timed + inserted + "@9s user ends c1\nnever until i audio activates\n") == ["S121"])
    #expect(codes(Self.timed + inserted + "@9s user ends c1\nnever until u audio activates\n") == [])
    #expect(codes(Self.timed + inserted.replacing("1500", with: "900")) == ["L012"])
    // A place that does not exist is all that is wrong with what goes there.
    let nowhere = inserted.replacing("before u", with: "before nowhere")
    #expect(
      codes(Self.timed + nowhere.replacing("as i\n", with: "as i\nnever within 1s audio activates\n")) == ["S103"])
  }

  @Test func anAbsoluteTimeThatGoesBackIsWarnedOf() {
    expectDiagnostics(
      """
       @2s push c1 to phone
       @1s user answers c1
      ~    ^^^^^^^^^^^^^^^ L012 runs at 1s, before the line above it, which runs at 2s
       +5s user ends c1
       @1s user ends c1
      ~    ^^^^^^^^^^^^ L012 before the line above it
       @1s user ends c1 as a
       on a user ends c1
       @0s user ends c1
      """)
  }
}
