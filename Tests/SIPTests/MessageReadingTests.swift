import SIP
import Testing

@Suite struct MessageReadingTests {
  @Test func foldsAndCompactFormsAreResolved() throws {
    let message = try SIPMessage(reading: MessageFixture.bytes("rfc4475/wsinv.dat"))
    #expect(message.startLine == .request(.invite, uri: "sip:vivekg@chair-dnrc.example.com;unknownparam"))
    #expect(message.sequence == CommandSequence(number: 9, method: .invite))
    #expect(message.fromTag == "98asjd8")
    #expect(message.toTag == "1918181833n")
    #expect(message.topVia == Via(transport: "UDP", host: "192.0.2.2", branch: "390skdjuw"))
    #expect(message.vias?.map(\.branch) == ["390skdjuw", "z9hG4bK9ikj8", "z9hG4bK30239"])
    #expect(message.vias?.map(\.transport) == ["UDP", "TCP", "UDP"])
    #expect(message.value(of: "Subject") == "")
    #expect(message.value(of: "newfangledheader") == "newfangled value continued newfangled value")
    #expect(message.values(of: "UnknownHeaderWithUnusualValue") == [";;,,;;,;"])
    #expect(message.from?.displayName == "J Rosenberg \\\"")
    #expect(message.from?.sipURI == SIPURI(user: "jdrosen", host: "example.com"))
    #expect(message.contacts.first?.displayName == "Quoted string \"\"")
    #expect(message.contacts.first?.parameter("q") == "0.33")
    #expect(message.routes.first?.uri == "sip:services.example.com;lr;unknownwith=value;unknown-no-value")
    #expect(message.body.count == 150)
  }

  @Test func escapesAreNotDecoded() throws {
    let null = try SIPMessage(reading: MessageFixture.bytes("rfc4475/escnull.dat"))
    #expect(null.to?.sipURI?.user == "null-%00-null")
    #expect(null.contacts.map(\.uri) == ["sip:%00@host5.example.com", "sip:%00%00@host5.example.com"])
    let escaped = try SIPMessage(reading: MessageFixture.bytes("rfc4475/esc01.dat"))
    #expect(escaped.to?.sipURI?.user == "%75se%72")
    #expect(escaped.callID == "esc01.239409asdfakjkn23onasd0-3234")
  }

  @Test func addressesOfVersion6AreRead() throws {
    let message = try SIPMessage(reading: MessageFixture.bytes("rfc5118/via-received-param-no-delim.dat"))
    #expect(message.topVia?.host == "[2001:db8::9:1]")
    #expect(message.topVia?.received == "2001:db8::9:255")
    #expect(message.topVia?.branch == "z9hG4bKas3")
    let ambiguous = try SIPMessage(reading: MessageFixture.bytes("rfc5118/port-ambiguous.dat"))
    #expect(ambiguous.startLine == .request(.register, uri: "sip:[2001:db8::10:5070]"))
    #expect(SIPURI("sip:[2001:db8::10:5070]")?.port == nil)
    #expect(SIPURI("sip:[2001:db8::10]:5070")?.port == 5070)
  }

  @Test func anAddressWithoutBracketsEndsAtItsSemicolon() throws {
    let message = try SIPMessage(reading: MessageFixture.bytes("rfc4475/inv2543.dat"))
    #expect(message.to?.uri == "sip:+16505552222@ss1.example.net")
    #expect(message.to?.parameter("user") == "phone")
    #expect(message.from?.uri == "sip:+13035551111@ift.client.example.net;user=phone")
    #expect(message.fromTag == nil)
  }

  @Test func theUserPartKeepsItsSemicolon() throws {
    let uri = try #require(SIPURI("sip:user;par=u%40example.net@example.com:5070;lr;ttl=1?Subject=a&b"))
    #expect(uri.user == "user;par=u%40example.net")
    #expect(uri.host == "example.com")
    #expect(uri.parameters == [.init("lr"), .init("ttl", "1")])
    #expect(uri.headers == [.init("Subject", "a"), .init("b")])
    #expect(uri.description == "sip:user;par=u%40example.net@example.com:5070;lr;ttl=1?Subject=a&b")
  }

  @Test(arguments: [
    "", "sip:", "sip:@", "tel:1", "sip:a@h:", "sip:a@h:99999", "sip:a@h x", "<sip:a@h>", "sip:2001:db8::1",
  ])
  func noSIPURI(_ text: String) {
    #expect(SIPURI(text) == nil)
  }

  @Test func onlyTheOctetsOfContentLengthAreTheBody() throws {
    let message = try SIPMessage(reading: MessageFixture.bytes("rfc4475/dblreq.dat"))
    #expect(message.body.isEmpty)
    #expect(message.findings.map(\.isFatal) == [false])
  }

  @Test(arguments: [
    ("k", "Supported"), ("o", "Event"), ("r", "Refer-To"), ("b", "Referred-By"), ("x", "Session-Expires"),
    ("u", "Allow-Events"), ("s", "Subject"), ("e", "Content-Encoding"), ("a", "Accept-Contact"),
    ("j", "Reject-Contact"), ("d", "Request-Disposition"), ("y", "Identity"), ("K", "supported"),
  ])
  func everyCompactFormIsItsLongForm(compact: String, long: String) throws {
    let message = try Self.request(extra: "\(compact): value1\r\n")
    #expect(message.values(of: long) == ["value1"])
    #expect(message.values(of: compact) == ["value1"])
  }

  @Test func listsAreSplitOutsideQuotesAndBrackets() throws {
    let message = try Self.request(
      extra: """
        Contact: "a, \\"b" <sip:a,b@h>;q=1 , <sip:c@h>,\r
        Allow: INVITE,ACK , BYE\r
        Subject: one, two\r
        Contact: sip:d@h\r\n
        """)
    #expect(message.values(of: "m") == ["\"a, \\\"b\" <sip:a,b@h>;q=1", "<sip:c@h>", "sip:d@h"])
    #expect(message.contacts.map(\.displayName) == ["a, \"b", nil, nil])
    #expect(message.values(of: "Allow") == ["INVITE", "ACK", "BYE"])
    #expect(message.values(of: "Subject") == ["one, two"])
  }

  @Test(arguments: [("", Int??.none), (";rport", Int??.some(nil)), (";rport=5062", Int??.some(5062))])
  func rportHasThreeForms(parameter: String, expected: Int??) throws {
    let message = try SIPMessage(reading: Self.text(via: "SIP/2.0/UDP h:5060;branch=z9hG4bK1\(parameter)"))
    #expect(message.topVia?.rport == expected)
    #expect(message.topVia?.port == 5060)
  }

  /// What libosip2 rejects though the grammar has it: our reading counts, and a notice tells of it.
  @Test(arguments: ["<s-ip:a@h>", "<sip5:a@h>", "<p:a>", "<sip:a:@h>"])
  func ofAnAddressOurOwnReadingCounts(address: String) throws {
    let text = String(decoding: Self.text(), as: UTF8.self).replacing("To: <sip:a@h>", with: "To: \(address)")
    let message = try SIPMessage(reading: Array(text.utf8))
    #expect(message.findings.map(\.rule) == [.osipRejectsValid])
    #expect(message.findings.first?.field == "To")
    #expect(message.to?.headerValue == address)
  }

  @Test(arguments: ["SIP/2.0 200 O\u{1}K", "SIP/2.0 200 \u{7F}"]) func aReasonPhraseHasNoControlCharacters(
    line: String
  ) throws {
    let text = String(decoding: Self.text(), as: UTF8.self).replacing("OPTIONS sip:a@h SIP/2.0", with: line)
    #expect(try SIPMessage(reading: Array(text.utf8)).findings.contains { $0.rule == .fieldText && $0.isFatal })
  }

  @Test func limitsAreNamed() {
    let long = [UInt8](repeating: 0x61, count: 1_048_577)
    #expect { try SIPMessage(reading: long) } throws: { "\($0)".contains("1048576") }
    let many = Self.text(extra: String(repeating: "X: y\r\n", count: 256))
    #expect { try SIPMessage(reading: many) } throws: { "\($0)".contains("256") }
  }

  @Test(arguments: [
    "", "\r\n\r\n", "hello", "INVITE sip:a@h\r\n\r\n", "SIP/2.0\r\n\r\n", "\r\n\r\nfoo bar baz\r\n\r\n",
  ])
  func whatIsNoMessageIsAnError(_ text: String) {
    #expect(throws: SIPReadingError.self) { try SIPMessage(reading: Array(text.utf8)) }
  }

  @Test func aMissingEndOfTheHeaderIsFatal() throws {
    let whole = Self.text()
    let message = try SIPMessage(reading: Array(whole.dropLast(2)))
    #expect(message.findings.contains { $0.isFatal && $0.text == "no empty line ends the header fields" })
  }

  @Test(arguments: [("2147483647", true), ("2147483648", false), ("0", true), ("-1", false), ("1x", false)])
  func theNumberOfCSeqIsBelowTwoToThe31(number: String, isGood: Bool) throws {
    let message = try SIPMessage(reading: Self.text(sequence: "\(number) OPTIONS"))
    #expect(message.findings.contains { $0.isFatal && $0.field == "CSeq" } != isGood)
  }

  static func text(
    via: String = "SIP/2.0/UDP h;branch=z9hG4bK1", sequence: String = "1 OPTIONS", extra: String = ""
  ) -> [UInt8] {
    Array(
      ("OPTIONS sip:a@h SIP/2.0\r\nVia: \(via)\r\nFrom: <sip:b@h>;tag=1\r\nTo: <sip:a@h>\r\nCall-ID: 1@h\r\n"
        + "CSeq: \(sequence)\r\nMax-Forwards: 70\r\n\(extra)Content-Length: 0\r\n\r\n").utf8)
  }

  static func request(extra: String) throws -> SIPMessage { try SIPMessage(reading: text(extra: extra)) }
}
