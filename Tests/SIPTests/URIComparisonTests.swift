import Testing

@testable import SIP

/// Whether two SIP URIs are equal, and the order of targets (RFC 3261 19.1.4, 20.10).
@Suite struct URIComparisonTests {
  @Test(arguments: [
    ("sip:%61lice@atlanta.com;transport=TCP", "sip:alice@AtLanTa.CoM;Transport=tcp", true),
    ("sip:carol@chicago.com", "sip:carol@chicago.com;newparam=5", true),
    ("sip:carol@chicago.com", "sip:carol@chicago.com;security=on", true),
    ("sip:h;transport=tcp;method=REGISTER?to=sip:b%40h", "sip:h;method=REGISTER;transport=tcp?to=sip:b%40h", true),
    ("sip:a@h?subject=p&priority=u", "sip:a@h?priority=u&subject=p", true),
    ("SIP:a@h", "sip:a@h", true), ("sip:a@[2001:DB8::1]", "sip:a@[2001:db8::1]", true),
    ("sip:a%2Fb@h", "sip:a%2fb@h", true), ("sip:a@h;x=Y", "sip:a@h;X=y", true),
    ("sip:ALICE@h", "sip:alice@h", false), ("sip:bob@h", "sip:bob@h:5060", false),
    ("sip:bob@h", "sip:bob@h;transport=udp", false), ("sip:bob@h", "sip:bob@h:6000;transport=tcp", false),
    ("sip:a@h", "sip:a@h?Subject=x", false), ("sip:a@h", "sips:a@h", false), ("sip:a@h", "sip:h", false),
    ("sip:a/b@h", "sip:a%2Fb@h", false), ("sip:a@h;x=1", "sip:a@h;x=2", false), ("sip:a@h;x", "sip:a@h;x=1", false),
    ("sip:a@h;user=phone", "sip:a@h", false), ("sip:a@h;ttl=1", "sip:a@h", false),
    ("sip:a@h;maddr=h", "sip:a@h", false), ("sip:a@h;method=INVITE", "sip:a@h", false),
    ("sip:a@h?x=1&x=2", "sip:a@h?x=1", false), ("sip:a%@h", "sip:a%@h", true), ("sip:a%2@h", "sip:a%2@h", true),
    ("sip:a%00@h", "sip:a@h", false), ("sip:a%C3%A4@h", "sip:a%c3%a4@h", true),
  ]) func twoURIsAreEqualOrNot(left: String, right: String, isEqual: Bool) throws {
    let left = try #require(SIPURI(left))
    let right = try #require(SIPURI(right))
    #expect(left.isEquivalent(to: right) == isEqual)
    #expect(right.isEquivalent(to: left) == isEqual)
    #expect(left.isEquivalent(to: left))
  }

  /// The rule does not carry over: two URIs may differ and both equal a third.
  @Test func equalityDoesNotCarryOver() throws {
    let plain = try #require(SIPURI("sip:carol@chicago.com"))
    let on = try #require(SIPURI("sip:carol@chicago.com;security=on"))
    let off = try #require(SIPURI("sip:carol@chicago.com;security=off"))
    #expect(plain.isEquivalent(to: on) && plain.isEquivalent(to: off) && !on.isEquivalent(to: off))
  }

  @Test(
    arguments: [
      (nil, 1_000), ("1", 1_000), ("1.", 1_000), ("1.000", 1_000), ("0", 0), ("0.", 0), ("0.5", 500), ("0.05", 50),
      ("0.001", 1), ("0.999", 999), ("", 1_000), ("x", 1_000), (".5", 1_000), ("0.1234", 1_000), ("1.5", 1_000),
      ("-1", 1_000), ("0,5", 1_000), ("0.5x", 1_000), ("2", 1_000), ("0.x", 1_000),
    ] as [(String?, Int)]) func aPreferenceIsReadInThousandths(text: String?, value: Int)
  {
    #expect(TargetSet.preference(text) == value)
  }

  @Test(
    arguments: [
      ("a@h;to-tag=t;from-tag=f", Replaces(callID: "a@h", toTag: "t", fromTag: "f")),
      (
        " a@h ; FROM-TAG=f ; to-tag = t;early-only",
        Replaces(callID: "a@h", toTag: "t", fromTag: "f", isEarlyOnly: true)
      ),
      (
        "a<:\"/[]?{}@h;x=\"a;to-tag=z\";to-tag=t;from-tag=f",
        Replaces(callID: "a<:\"/[]?{}@h", toTag: "t", fromTag: "f")
      ),
      ("a;to-tag=\"t\";from-tag=f", nil), ("a;to-tag=;from-tag=f", nil), ("a;to-tag;from-tag=f", nil),
      ("a;;to-tag=t;from-tag=f", nil), ("a b;to-tag=t;from-tag=f", nil), (";to-tag=t;from-tag=f", nil),
      ("a;to-tag=t;from-tag=f;early-only=yes", nil), ("a;to-tag=t;from-tag=f;early-only;early-only", nil),
      ("a;to-tag=t;from-tag=f x", nil), ("a;to-tag=t;from-tag=f,", nil), ("a;to-tag=t;from-tag=f;from-tag=g", nil),
      ("", nil), ("a", nil), ("a;to-tag=t", nil), ("a;from-tag=f", nil),
    ] as [(String, Replaces?)]) func replacesIsRead(text: String, value: Replaces?)
  {
    #expect(Replaces(text) == value)
  }
}
