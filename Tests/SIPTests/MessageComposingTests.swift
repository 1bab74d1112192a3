import SIP
import Testing

@Suite struct MessageComposingTests {
  private static let headers: [(name: String, value: String)] = [
    ("Via", "SIP/2.0/UDP h;branch=z9hG4bK1"), ("From", "\"A\" <sip:a@h>;tag=1"), ("To", "<sip:b@h>"),
    ("Call-ID", "1@h"), ("CSeq", "1 INVITE"), ("Max-Forwards", "70"),
  ]

  @Test func writesInOrderAndAddsContentLength() throws {
    let message = try SIPMessage(.request(.invite, uri: "sip:b@h"), headers: Self.headers)
    #expect(
      String(decoding: message.bytes, as: UTF8.self)
        == "INVITE sip:b@h SIP/2.0\r\nVia: SIP/2.0/UDP h;branch=z9hG4bK1\r\nFrom: \"A\" <sip:a@h>;tag=1\r\n"
        + "To: <sip:b@h>\r\nCall-ID: 1@h\r\nCSeq: 1 INVITE\r\nMax-Forwards: 70\r\nContent-Length: 0\r\n\r\n")
    #expect(message.findings == [])
  }

  @Test func aWrongContentLengthIsSetRight() throws {
    let wrong = Self.headers + [("l", "9"), ("Content-Length", "7"), ("Content-Type", "text/plain")]
    let message = try SIPMessage(.request(.invite, uri: "sip:b@h"), headers: wrong, body: Array("abc".utf8))
    #expect(message.values(of: "Content-Length") == ["3"])
    #expect(Array(message.body) == Array("abc".utf8))
    #expect(message.findings == [])
  }

  @Test(arguments: ["\r\n", "\n", "\r", "\r\n\r\n", " \r\n\t"])
  func noValueAddsAField(lineEnd: String) throws {
    let evil = "x\(lineEnd)Evil: 1\(lineEnd)"
    let message = try SIPMessage(
      .request(.invite, uri: "sip:b@h"), headers: Self.headers + [("Subject", evil)])
    #expect(message.value(of: "Subject") == "x Evil: 1")
    #expect(message.values(of: "Evil") == [])
    let response = try SIPMessage(.response(status: 200, reason: "OK\(lineEnd)Evil: 1"), headers: Self.headers)
    #expect(response.startLine == .response(status: 200, reason: "OK Evil: 1"))
    #expect(throws: SIPReadingError.self) {
      try SIPMessage(.request(Method("INVITE\(lineEnd)"), uri: "sip:b@h"), headers: Self.headers)
    }
    #expect(throws: SIPReadingError.self) {
      try SIPMessage(.request(.invite, uri: "sip:b@h"), headers: Self.headers + [("A\(lineEnd)B", "c")])
    }
  }

  @Test func everyGoodFixtureSurvivesComposing() throws {
    for file in MessageFixture.all {
      guard let message = try? SIPMessage(reading: MessageFixture.bytes(file)) else { continue }
      if message.findings.contains(where: \.isFatal) { continue }
      let again = try SIPMessage(message.startLine, headers: message.headers, body: Array(message.body))
      #expect(again.startLine == message.startLine, "\(file)")
      #expect(again.callID == message.callID, "\(file)")
      #expect(again.sequence == message.sequence, "\(file)")
      #expect(again.topVia == message.topVia, "\(file)")
      #expect(again.from == message.from && again.to == message.to, "\(file)")
      #expect(again.contacts == message.contacts, "\(file)")
      #expect(again.body == message.body || Array(again.body) == Array(message.body), "\(file)")
      #expect(again.findings.filter(\.isFatal) == [], "\(file)")
    }
  }

  @Test func aNameAddressIsWrittenSoThatItReadsTheSame() {
    let address = NameAddress(
      displayName: "a \"b\" \\ c", uri: "sip:x@h;lr", parameters: [.init("tag", "1"), .init("q", "a b"), .init("lr")])
    #expect(address.headerValue == "\"a \\\"b\\\" \\\\ c\" <sip:x@h;lr>;tag=1;q=\"a b\";lr")
    #expect(NameAddress(address.headerValue) == address)
  }

  @Test(arguments: [
    (100, "Trying"), (487, "Request Terminated"), (603, "Decline"), (299, "OK"), (699, "Global Failure"),
  ])
  func reasonPhrases(status: Int, phrase: String) {
    #expect(SIPMessage.reasonPhrase(for: status) == phrase)
  }
}
