import Testing

@testable import Scenario

/// Which Call-IDs are warned of: those that are no `word ["@" word]` (RFC 3261 25.1).
@Suite struct CallIDCheckTests {
  private static let legal = [
    "a", "a@b", "one@10.0.0.1", "F6-1.x!%*_+`'~()<>:/[]?{}@h", "\\\\\\\"@[::1]", "0", "call-1",
  ]
  private static let malformed = [
    ("a;b@h", "a-b@h"), ("a b", "a-b"), ("a@b@c", "a@b-c"), ("@h", "h"), ("a@", "a"), ("@", "call-1"),
    ("a,b=c", "a-b-c"),
    ("ä@h", "--@h"), ("a#&^|$@h", "a-----@h"),
  ]

  private func warnings(_ lines: String) -> [Diagnostic] {
    let head = "callsim 1\ndevice phone sip:bob@10.0.0.2\npeer pbx sip:alice@10.0.0.1\n"
    return ScenarioFile.parse(Array((head + lines).utf8), named: "x.call").diagnostics
  }

  /// Every place that gives a message or a push its Call-ID.
  private static let places: [@Sendable (String) -> String] = [
    { "call c1 call-id \"\($0)\"\n@0s push c1 to phone\n" },
    { "call c1\n@0s push c1 to phone call-id \"\($0)\"\n" },
    { "call c1\n@0s pbx -> phone INVITE c1 call-id \"\($0)\"\n" },
    { "call c1\n@0s pbx -> phone OPTIONS\n call-id \"\($0)\"\n" },
    { "call c1\n@0s push c1 to phone as a\ncase \"x\" from a\n@1s pbx -> phone BYE call-id \"\($0)\"\n" },
  ]

  @Test(arguments: places.indices)
  func whatIsNoCallIDIsWarnedOfWhereverItIsGiven(place: Int) {
    for text in Self.legal { #expect(warnings(Self.places[place](text)) == [], "\(text)") }
    for (text, mended) in Self.malformed {
      let found = warnings(Self.places[place](text))
      #expect(found.map(\.code) == ["L035"], "\(text)")
      #expect(found.first?.severity == .warning)
      #expect(found.first?.title == "`\(text)` is no Call-ID")
      #expect(found.first?.help?.hasSuffix("`\(mended)`") == true, "\(found.first?.help ?? "")")
      #expect(warnings(Self.places[place](mended)) == [])
    }
  }

  @Test func whatIsPutInIsNotKnownAndWhatStandsBesideItIs() {
    func codes(_ callID: String) -> [String] {
      warnings("call c1\nlet X = \"a;b\"\n@0s pbx -> phone INVITE c1 call-id \"\(callID)\"\n").map(\.code)
    }
    #expect(["${X}", "${X}@h", "@${X}", "${hex:3B}"].map(codes) == [[], [], [], []])
    #expect(["${X};b", "a@${X}@h", "a ${X}"].map(codes) == [["L035"], ["L035"], ["L035"]])
  }

  @Test func whatIsOnlyLookedForMayBeAnything() {
    #expect(warnings("call c1\n@0s push c1 to phone\nexpect within 1s phone -> pbx BYE call-id \"a;b\"\n") == [])
    #expect(warnings("call c1\n@0s push c1 to phone\nexpect c1 has call-id \"a;b\"\n") == [])
  }
}
