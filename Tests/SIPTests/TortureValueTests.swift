import SIP
import Testing

/// What the valid torture messages say, read through the public accessors.
@Suite struct TortureValueTests {
  private func message(_ name: String) throws -> SIPMessage {
    try SIPMessage(reading: MessageFixture.bytes(name + ".dat"))
  }

  /// RFC 4475 3.1.1.1.
  @Test func wsinv() throws {
    let message = try message("rfc4475/wsinv")
    #expect(message.startLine == .request(.invite, uri: "sip:vivekg@chair-dnrc.example.com;unknownparam"))
    #expect(message.to?.uri == "sip:vivekg@chair-dnrc.example.com")
    #expect(message.to?.tag == "1918181833n")
    #expect(message.from?.displayName == "J Rosenberg \\\"")
    #expect(message.from?.tag == "98asjd8")
    #expect(message.value(of: "Max-Forwards") == "0068")
    #expect(message.callID == "wsinv.ndaksdj@192.0.2.1")
    #expect(message.sequence == CommandSequence(number: 9, method: .invite))
    #expect(message.vias?.map(\.transport) == ["UDP", "TCP", "UDP"])
    #expect(message.vias?.map(\.host) == ["192.0.2.2", "spindle.example.com", "192.168.255.111"])
    #expect(message.vias?.map(\.branch) == ["390skdjuw", "z9hG4bK9ikj8", "z9hG4bK30239"])
    #expect(message.value(of: "Subject") == "")
    #expect(message.value(of: "NewFangledHeader") == "newfangled value continued newfangled value")
    #expect(message.values(of: "UnknownHeaderWithUnusualValue") == [";;,,;;,;"])
    #expect(message.routes.map(\.uri) == ["sip:services.example.com;lr;unknownwith=value;unknown-no-value"])
    #expect(message.contacts.map(\.displayName) == ["Quoted string \"\""])
    #expect(
      message.contacts.first?.parameters == [.init("newparam", "newvalue"), .init("secondparam"), .init("q", "0.33")])
    #expect(message.sessionDescription?.media.map(\.kind) == ["audio", "video"])
    #expect(message.sessionDescription?.origin?.user == "mhandley")
  }

  /// RFC 4475 3.1.1.2.
  @Test func intmeth() throws {
    let message = try message("rfc4475/intmeth")
    let method = "!interesting-Method0123456789_*+`.%indeed'~"
    #expect(message.method == Method(method))
    #expect(message.sequence == CommandSequence(number: 139_122_385, method: Method(method)))
    guard case .request(_, let text) = message.startLine else {
      Issue.record("no request")
      return
    }
    let uri = try #require(SIPURI(text))
    #expect(
      uri.user?.hasPrefix("1_unusual.URI~(to-be!sure)&isn't+it$/crazy?,/;;*:&it+has=1,weird!*pas$wo~d_too.") == true)
    #expect(uri.host == "example.com")
    #expect(message.topVia?.branch == "z9hG4bK-.!%66*_+`'~")
    #expect(message.to?.displayName == "BEL:\u{7} NUL:\0 DEL:\u{7F}")
    #expect(message.from?.displayName == "token1~` token2'+_ token3*%!.-")
    #expect(
      message.from?.parameter("fromParam''~+*_!.-%")
        == "\u{440}\u{430}\u{431}\u{43E}\u{442}\u{430}\u{44E}\u{449}\u{438}\u{439}")
    #expect(message.from?.tag == "_token~1'+`*%!-.")
    #expect(message.callID == "intmeth.word%ZK-!.*_+'@word`~)(><:\\/\"][?}{")
    #expect(message.value(of: "Max-Forwards") == "255")
    #expect(message.value(of: "extensionHeader-!.%*+_`'~") == "\u{FEFF}\u{5927}\u{505C}\u{96FB}")
  }

  /// RFC 4475 3.1.1.3: escapes stay as they are, and mean the character.
  @Test func esc01() throws {
    let message = try message("rfc4475/esc01")
    #expect(message.startLine == .request(.invite, uri: "sip:sips%3Auser%40example.com@example.net"))
    #expect(SIPURI("sip:sips%3Auser%40example.com@example.net")?.user == "sips%3Auser%40example.com")
    let to = try #require(message.to?.sipURI)
    #expect(to.user == "%75se%72")
    #expect(to.isEquivalent(to: SIPURI(user: "user", host: "example.com")))
    #expect(message.from?.sipURI?.user == "I%20have%20spaces")
    let contact = try #require(message.contacts.first?.sipURI)
    #expect(contact.parameters == [.init("%6C%72"), .init("n%61me", "v%61lue%25%34%31")])
    #expect(
      contact.isEquivalent(
        to: SIPURI(
          user: "caller", host: "host5.example.net", parameters: [.init("lr"), .init("name", "value%2541")])))
  }

  /// RFC 4475 3.1.1.4: the two contacts are different ones.
  @Test func escnull() throws {
    let message = try message("rfc4475/escnull")
    #expect(message.to?.sipURI?.user == "null-%00-null")
    let contacts = message.contacts.compactMap(\.sipURI)
    #expect(contacts.map(\.user) == ["%00", "%00%00"])
    #expect(contacts.count == 2 && !contacts[0].isEquivalent(to: contacts[1]))
  }

  /// RFC 4475 3.1.1.5: a percent sign means nothing in a method, in a quoted string or in the name of a header field.
  @Test func esc02() throws {
    let message = try message("rfc4475/esc02")
    #expect(message.method == Method("RE%47IST%45R"))
    #expect(message.to?.displayName == "%Z%45")
    #expect(message.from?.displayName == "%Z%45")
    #expect(message.topVia?.branch == "z9hG4bK209%fzsnel234")
    #expect(message.contacts.map(\.uri) == ["sip:alias1@host1.example.com", "sip:alias3@host3.example.com"])
    #expect(message.value(of: "C%6Fntact") == "<sip:alias2@host2.example.com>")
  }

  /// RFC 4475 3.1.1.6.
  @Test func lwsdisp() throws {
    let message = try message("rfc4475/lwsdisp")
    #expect(message.from?.displayName == "caller")
    #expect(message.from?.uri == "sip:caller@example.com")
    #expect(message.fromTag == "323")
  }

  /// RFC 4475 3.1.1.7: nothing is cut.
  @Test func longreq() throws {
    let message = try message("rfc4475/longreq")
    #expect(message.vias?.count == 34)
    #expect(message.vias?.first?.host == "sip33.example.com")
    #expect(message.vias?.last?.host == "host.example.com")
    #expect(message.vias?.last?.received == "192.0.2.5")
    #expect(message.vias?.last?.branch?.hasPrefix("verylonglong") == true)
    let name = try #require(message.to?.displayName)
    #expect(name.hasPrefix("I have a user name of extreme") && name.hasSuffix(" proportion"))
    #expect(message.to?.sipURI?.port == 6000)
    #expect(message.to?.sipURI?.parameters.count == 3)
    #expect(message.fromTag?.count == 155)
    #expect(message.callID.hasPrefix("longreq.onereally") && message.callID.hasSuffix("longcallid"))
    #expect(message.body.count == 150)
    let unknown = try #require(message.headers.first { $0.name.hasPrefix("Unknown-Long") })
    #expect(unknown.value.count == 306)
    #expect(unknown.value.hasPrefix("unknown-long") && unknown.value.hasSuffix("long-parameter-value"))
  }

  /// RFC 4475 3.1.1.8: the second request of the datagram is no part of the message.
  @Test func dblreq() throws {
    let message = try message("rfc4475/dblreq")
    #expect(message.method == .register)
    #expect(message.body.isEmpty)
    #expect(message.callID == "dblreq.0ha0isndaksdj99sdfafnl3lk233412")
    #expect(message.findings.map(\.rule) == [.octetsBeyondLength])
  }

  /// RFC 4475 3.1.1.9: the semicolon is part of the user.
  @Test func semiuri() throws {
    let message = try message("rfc4475/semiuri")
    #expect(SIPURI("sip:user;par=u%40example.net@example.com")?.user == "user;par=u%40example.net")
    #expect(message.startLine == .request(.options, uri: "sip:user;par=u%40example.net@example.com"))
    #expect(
      message.values(of: "Accept") == [
        "application/sdp", "application/pkcs7-mime", "multipart/mixed", "multipart/signed", "message/sip",
        "message/sipfrag",
      ])
  }

  /// RFC 4475 3.1.1.10.
  @Test func transports() throws {
    let message = try message("rfc4475/transports")
    #expect(message.vias?.map(\.transport) == ["UDP", "SCTP", "TLS", "UNKNOWN", "TCP"])
    #expect(message.vias?.map(\.host) == (1...5).map { "t\($0).example.com" })
  }

  /// RFC 4475 3.1.1.11: a signature with NULs in it is a part like another.
  @Test func mpart01() throws {
    let message = try message("rfc4475/mpart01")
    #expect(message.method == Method("MESSAGE"))
    #expect(message.topVia?.rport == .some(nil))
    let parts = message.bodyParts
    #expect(parts.map(\.mediaType) == ["text/plain", "application/octet-stream"])
    #expect(Array(message.body(of: parts[0])) == Array("Hello".utf8))
    #expect(parts[1].value(of: "content-transfer-encoding") == "binary")
    let signature = message.body(of: parts[1])
    #expect(signature.contains(0) && signature.first == 0x30)
    #expect(message.body.count == 553)
  }

  /// RFC 4475 3.1.1.12 and 3.1.1.13.
  @Test func reasonPhrasesMayHoldAnythingOrNothing() throws {
    guard case .response(200, let reason) = try message("rfc4475/unreason").startLine else {
      Issue.record("no 200")
      return
    }
    #expect(reason.hasPrefix("= 2**3 * 5**2 \u{43D}\u{43E}"))
    #expect(try message("rfc4475/noreason").startLine == .response(status: 100, reason: ""))
  }

  /// RFC 4475 3.3.12, 3.3.13: a parameter of Contact is none of the URI, which the angle brackets decide.
  @Test func cparams() throws {
    let outside = try #require(message("rfc4475/cparam01").contacts.first)
    #expect(outside.uri == "sip:+19725552222@gw1.example.net")
    #expect(outside.parameters == [.init("unknownparam")])
    let inside = try #require(message("rfc4475/cparam02").contacts.first)
    #expect(inside.sipURI?.parameters == [.init("unknownparam")])
    #expect(inside.parameters == [])
  }

  /// RFC 4475 3.3.14: the header of the URI belongs to the binding.
  @Test func regescrt() throws {
    let contact = try #require(message("rfc4475/regescrt").contacts.first)
    #expect(contact.sipURI?.headers == [.init("Route", "%3Csip:sip.example.com%3E")])
  }

  /// RFC 4475 3.3.4, 3.3.7, 3.3.11, 3.4.1.
  @Test func othersThatAreWellFormed() throws {
    let schemes = try message("rfc4475/unksm2")
    #expect(schemes.to?.uri == "isbn:2983792873" && schemes.from?.uri == "http://www.example.com")
    #expect(schemes.contacts.map(\.uri) == ["name:John_Smith"])
    #expect(try message("rfc4475/regaut01").value(of: "Authorization") == "NoOneKnowsThisScheme opaque-data=here")
    #expect(try message("rfc4475/zeromf").value(of: "Max-Forwards") == "0")
    let old = try message("rfc4475/inv2543")
    #expect(old.recordRoutes.first?.sipURI?.parameter("maddr")?.value == "ss1.example.com")
    #expect(old.body.count == 105 && old.sessionDescription?.audio?.port == 49_217)
  }

  /// RFC 5118 4.1 to 4.10.
  @Test func addressesOfVersion6() throws {
    #expect(try message("rfc5118/ipv6-good").startLine == .request(.register, uri: "sip:[2001:db8::10]"))
    #expect(try message("rfc5118/ipv6-good").contacts.first?.sipURI?.host == "[2001:db8::1]")
    // 4.3: what stands within the brackets is the address, 5070 included; 4.4: behind them it is the port.
    #expect(
      SIPURI("sip:[2001:db8::10:5070]").map { [$0.host, $0.port.map(String.init)] } == ["[2001:db8::10:5070]", nil])
    #expect(
      SIPURI("sip:[2001:db8::10]:5070").map { [$0.host, $0.port.map(String.init)] } == ["[2001:db8::10]", "5070"])
    #expect(try message("rfc5118/via-received-param-no-delim").topVia?.received == "2001:db8::9:255")
    #expect(try message("rfc5118/via-received-param-with-delim").topVia?.received == "[2001:db8::9:255]")
    #expect(
      try message("rfc5118/mult-ip-in-header").vias?.map(\.host) == [
        "[2001:db8::9:1]", "192.0.2.1", "[2001:db8::9:255]",
      ])
    let two = try #require(message("rfc5118/mult-ip-in-sdp").sessionDescription)
    #expect(two.media.map { two.connectionAddress(of: $0) } == ["192.0.2.1", "2001:db8::1"])
    let mapped = try message("rfc5118/ipv4-mapped-ipv6")
    #expect(mapped.vias?.first.map { [$0.host, "\($0.port ?? 0)"] } == ["[::ffff:192.0.2.10]", "19823"])
    #expect(try message("rfc5118/ipv6-bug-abnf-3-colons").to?.sipURI?.host == "[2001:db8:::192.0.2.1]")
  }
}
