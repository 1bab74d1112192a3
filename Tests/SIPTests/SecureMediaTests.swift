import Testing

@testable import SIP

/// Session descriptions that ask for SRTP (RFC 4568).
@Suite struct SecureMediaTests {
  private static let key = MediaKey(from: "a")
  private static let other = MediaKey(from: "b")
  /// Forty characters of base64.
  static let inline = "inline:WVNfX19zZW1jdGwgKCkgewkyMjA7fQp9CnVubGVz"

  private func offer(_ key: MediaKey?) throws -> SessionDescription {
    try #require(
      SessionDescription.offer(
        address: "h", port: 4, direction: .sendrecv, user: "a", sessionID: 5, version: 1, key: key))
  }

  private func answer(_ offer: SessionDescription, key: MediaKey?) -> SessionDescription? {
    offer.answer(address: "h", port: 6, direction: .sendrecv, user: "b", sessionID: 7, version: 1, key: key)
  }

  private static func description(_ profile: String, _ lines: [String]) throws -> SessionDescription {
    let text = (["v=0", "c=IN IP4 h", "m=audio 4 \(profile) 0"] + lines).joined(separator: "\r\n")
    return try #require(SessionDescription(reading: text.utf8))
  }

  @Test func anOfferWithAKeyAsksForSRTP() throws {
    let audio = try #require(try offer(Self.key).audio)
    #expect(audio.mediaLine == "m=audio 4 RTP/SAVP 0 8 101")
    let lines = audio.lines.filter { $0.hasPrefix("a=crypto") }
    #expect(lines == ["a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:\(Self.key.text)"])
    #expect(try offer(Self.key).isSecure)
    #expect(try !offer(nil).isSecure)
    // Nothing else tells them apart.
    let plain = try #require(try offer(nil).audio)
    #expect(audio.lines.filter { !$0.hasPrefix("a=crypto") } == plain.lines)
  }

  @Test func keysAreMadeOfNames() {
    let source = IdentifierSource(name: "phone", host: "h")
    let keys =
      (1...100).map(source.mediaKey)
      + [IdentifierSource(name: "peer", host: "h"), IdentifierSource(name: "phone", host: "i")].map {
        $0.mediaKey(ofSession: 1)
      }
    #expect(Set(keys).count == keys.count)
    #expect(keys.allSatisfy { MediaKey($0.text) == $0 })
    #expect(source.mediaKey(ofSession: 7) == keys[6])
  }

  /// What the answer is to each profile, by whether we have a key (RFC 3264 6, RFC 4568 5.1.2).
  @Test(
    arguments: [
      ("RTP/AVP", [], false, "m=audio 6 RTP/AVP 0", nil),
      ("RTP/AVP", [], true, "m=audio 6 RTP/AVP 0", nil),
      ("RTP/SAVP", ["a=crypto:1 AES_CM_128_HMAC_SHA1_80 \(inline)"], false, nil, nil),
      ("RTP/SAVP", ["a=crypto:1 AES_CM_128_HMAC_SHA1_80 \(inline)"], true, "m=audio 6 RTP/SAVP 0", 1),
      (
        "RTP/SAVP", ["a=crypto:1 F8_128_HMAC_SHA1_80 \(inline)", "a=crypto:27 AES_CM_128_HMAC_SHA1_80 \(inline)"], true,
        "m=audio 6 RTP/SAVP 0", 27
      ),
      ("RTP/SAVP", [], true, nil, nil), ("RTP/SAVP", ["a=crypto:1 F8_128_HMAC_SHA1_80 \(inline)"], true, nil, nil),
      ("RTP/SAVPF", ["a=crypto:1 AES_CM_128_HMAC_SHA1_80 \(inline)"], true, nil, nil), ("RTP/AVPF", [], true, nil, nil),
    ] as [(String, [String], Bool, String?, Int?)])
  func theAnswerMirrorsTheProfile(
    profile: String, lines: [String], hasKey: Bool, expected: String?, tag: Int?
  ) throws {
    let offer = try Self.description(profile, lines)
    let answered = answer(offer, key: hasKey ? Self.other : nil)
    #expect(answered?.audio?.mediaLine == expected)
    #expect(answered?.audio?.keys ?? [] == (tag.map { [CryptoAttribute(tag: $0, key: Self.other)] } ?? []))
    if let answered {
      for (ours, theirs) in [(answered, offer), (offer, answered)] {
        #expect(SessionMedia(ours: ours, theirs: theirs, isHeldHere: false) != nil)
      }
    }
  }

  /// A plain stream is taken where the one before it cannot be.
  @Test func theFirstStreamThatCanBeTakenIs() throws {
    let text = "v=0\nm=audio 3 RTP/SAVP 0\na=crypto:1 AES_CM_128_HMAC_SHA1_80 \(Self.inline)\nm=audio 4 RTP/AVP 0\n"
    let offer = try #require(SessionDescription(reading: text.utf8))
    #expect(answer(offer, key: nil)?.media.map(\.mediaLine) == ["m=audio 0 RTP/SAVP 0", "m=audio 6 RTP/AVP 0"])
    #expect(answer(offer, key: Self.key)?.media.map(\.mediaLine) == ["m=audio 6 RTP/SAVP 0", "m=audio 0 RTP/AVP 0"])
  }

  struct Line: Sendable, CustomTestStringConvertible {
    var tag: Int?
    var text: String
    var testDescription: String { text }
  }

  @Test(arguments: [
    Line(tag: 1, text: "1 AES_CM_128_HMAC_SHA1_80 \(inline)"),
    Line(tag: 7, text: "07 AES_CM_128_HMAC_SHA1_80 \(inline)"),
    Line(tag: 999_999_999, text: "999999999 AES_CM_128_HMAC_SHA1_80  \(inline)|2^20|1:4"),
    Line(tag: 1, text: "1 AES_CM_128_HMAC_SHA1_80 \(inline) -x=1 -y"),
    Line(text: "1 AES_CM_128_HMAC_SHA1_80 \(inline) UNENCRYPTED_SRTP"),
    Line(text: "1 AES_CM_128_HMAC_SHA1_80 \(inline) -x KDR=1"),
    Line(text: "1 AES_CM_128_HMAC_SHA1_32 \(inline)"), Line(text: "1 aes_cm_128_hmac_sha1_80 \(inline)"),
    Line(text: "1 AES_CM_128_HMAC_SHA1_80 \(inline)A"), Line(text: "1 AES_CM_128_HMAC_SHA1_80 inline:"),
    Line(text: "1 AES_CM_128_HMAC_SHA1_80 inline:WVNfX19zZW1jdGwgKCkgewkyMjA7fQp9CnVubGV="),
    Line(text: "1 AES_CM_128_HMAC_SHA1_80 \(inline.dropFirst(7))"), Line(text: "1 AES_CM_128_HMAC_SHA1_80"),
    Line(text: "1234567890 AES_CM_128_HMAC_SHA1_80 \(inline)"), Line(text: "-1 AES_CM_128_HMAC_SHA1_80 \(inline)"),
    Line(text: "x AES_CM_128_HMAC_SHA1_80 \(inline)"), Line(text: ""), Line(text: " "),
  ]) func whichKeysCanBeUsed(line: Line) {
    let read = CryptoAttribute(line: "a=crypto:\(line.text)")
    #expect(read?.tag == line.tag)
    if let read { #expect(CryptoAttribute(line: read.line) == read) }
    #expect(CryptoAttribute(line: "a=cryptos:\(line.text)") == nil)
  }

  /// What comes in answer to our offer, and whether it can be used.
  static let answers: [(profile: String, lines: [String], isOffered: Bool, isUsable: Bool)] = [
    ("RTP/AVP", [], false, true), ("RTP/AVP", [], true, false),
    ("RTP/AVP", ["a=crypto:1 AES_CM_128_HMAC_SHA1_80 \(inline)"], true, false),
    ("RTP/SAVP", ["a=crypto:1 AES_CM_128_HMAC_SHA1_80 \(inline)"], true, true),
    ("RTP/SAVP", ["a=crypto:1 AES_CM_128_HMAC_SHA1_80 \(inline)"], false, false),
    ("RTP/SAVP", ["a=crypto:2 AES_CM_128_HMAC_SHA1_80 \(inline)"], true, false),
    ("RTP/SAVP", ["a=crypto:1 AES_CM_128_HMAC_SHA1_32 \(inline)"], true, false),
    ("RTP/SAVP", ["a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:short"], true, false),
    ("RTP/SAVP", [], true, false), ("RTP/AVPF", [], false, false), ("rtp/avp", [], false, false),
  ]

  @Test(arguments: answers) func anAnswerIsCarriedAsItWasOffered(
    profile: String, lines: [String], isOffered: Bool, isUsable: Bool
  ) throws {
    let ours = try offer(isOffered ? Self.key : nil)
    let theirs = try Self.description(profile, lines)
    #expect((SessionMedia(ours: ours, theirs: theirs, isHeldHere: false) != nil) == isUsable)
  }

  @Test func aFurtherOfferKeepsTheKey() throws {
    let first = try offer(Self.key)
    let second = first.offering(.sendonly).following(first)
    #expect(second.audio?.profile == "RTP/SAVP")
    #expect(second.audio?.keys == first.audio?.keys)
  }
}
