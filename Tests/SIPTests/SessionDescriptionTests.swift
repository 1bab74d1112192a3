import Testing

@testable import SIP

@Suite struct SessionDescriptionTests {
  typealias Direction = SessionDescription.Direction

  private func description(_ text: String) throws -> SessionDescription {
    try #require(SessionDescription(reading: text.utf8))
  }

  private func answer(_ offer: SessionDescription, _ direction: Direction = .sendrecv) -> SessionDescription? {
    offer.answer(address: "192.0.2.9", port: 6000, direction: direction, user: "b", sessionID: 7, version: 1)
  }

  @Test func offerHasOneAudioStream() throws {
    let offer = try #require(
      SessionDescription.offer(
        address: "192.0.2.1", port: 4000, direction: .sendrecv, user: "a", sessionID: 5, version: 2))
    #expect(
      String(decoding: offer.bytes, as: UTF8.self)
        == "v=0\r\no=a 5 2 IN IP4 192.0.2.1\r\ns=-\r\nc=IN IP4 192.0.2.1\r\nt=0 0\r\n"
        + "m=audio 4000 RTP/AVP 0 8 101\r\na=rtpmap:0 PCMU/8000\r\na=rtpmap:8 PCMA/8000\r\n"
        + "a=rtpmap:101 telephone-event/8000\r\na=fmtp:101 0-15\r\na=sendrecv\r\n")
    #expect(SessionDescription(reading: offer.bytes) == offer)
    #expect(offer.origin?.version == "2")
    #expect(offer.audio.flatMap(offer.connectionAddress) == "192.0.2.1")
  }

  @Test func answerHasAStreamForEveryOfferedOne() throws {
    let offer = try description(
      "v=0\no=- 1 1 IN IP6 ::1\ns=\nt=5 6\nm=video 3 RTP/AVP 31\nc=IN IP6 ::1\nm=audio 4 RTP/SAVP 0\n"
        + "m=audio 5 RTP/AVP 18 8 96 97\na=rtpmap:96 telephone-event/8000\na=rtpmap:97 pcmu/8000\na=x\nm=audio 7 RTP/AVP 0\n"
    )
    let answered = try #require(answer(offer))
    #expect(
      answered.media.map(\.mediaLine) == [
        "m=video 0 RTP/AVP 31", "m=audio 0 RTP/SAVP 0", "m=audio 6000 RTP/AVP 8 96 97", "m=audio 0 RTP/AVP 0",
      ])
    #expect(answered.sessionLines.contains("t=5 6"))
  }

  @Test(arguments: ["m=audio 4 RTP/AVP 18", "m=audio 0 RTP/AVP 0", "m=video 4 RTP/AVP 0", "m=", "m=audio x RTP/AVP 0"])
  func whatCannotBeTakenHasNoAnswer(media: String) throws {
    #expect(answer(try description("v=0\r\n\(media)\r\n")) == nil)
  }

  @Test(arguments: Direction.allCases, Direction.allCases)
  func theAnswerNeverExceedsTheOffer(offered: Direction, wanted: Direction) throws {
    let offer = try description("v=0\r\nc=IN IP4 h\r\nm=audio 4 RTP/AVP 0\r\na=\(offered.rawValue)\r\n")
    let answered = try #require(answer(offer, wanted)).audioDirection
    #expect(!answered.sends || (offered.receives && wanted.sends))
    #expect(!answered.receives || (offered.sends && wanted.receives))
    #expect(answered == wanted.answer(to: offered))
    #expect(Direction.sendrecv.answer(to: offered) == offered.reversed)
  }

  @Test(arguments: [
    ("c=IN IP4 0.0.0.0\nm=audio 4 RTP/AVP 0\n", Direction.inactive),
    ("c=IN IP4 0.0.0.0\nm=audio 4 RTP/AVP 0\na=sendonly\n", .sendonly),
    ("c=IN IP4 h\na=recvonly\nm=audio 4 RTP/AVP 0\n", .recvonly),
    ("c=IN IP4 h\na=recvonly\nm=audio 4 RTP/AVP 0\na=sendonly\n", .sendonly),
    ("c=IN IP4 0.0.0.0\nm=audio 4 RTP/AVP 0\nc=IN IP4 h\n", .sendrecv),
    ("m=audio 0 RTP/AVP 0\na=sendrecv\n", .inactive), ("m=video 4 RTP/AVP 31\n", .inactive),
    ("m=audio 4/2 RTP/AVP 0\n", .sendrecv),
  ])
  func directionOfTheFirstAudioStream(text: String, expected: Direction) throws {
    #expect(try description(text).audioDirection == expected)
  }

  /// The address 0.0.0.0 holds without stating a direction (RFC 3264 8.4).
  @Test(arguments: [
    ("c=IN IP4 0.0.0.0\nm=audio 4 RTP/AVP 0\n", Direction.sendrecv),
    ("c=IN IP4 0.0.0.0\nm=audio 4 RTP/AVP 0\na=sendonly\n", .sendonly),
    ("c=IN IP4 h\na=inactive\nm=audio 4 RTP/AVP 0\n", .inactive), ("m=audio 0 RTP/AVP 0\na=sendrecv\n", .inactive),
  ])
  func statedDirectionOfAStream(text: String, expected: Direction) throws {
    let read = try description(text)
    #expect(read.statedDirection(of: try #require(read.audio)) == expected)
  }

  /// RFC 3264 8: one more for each description that differs, and for no other.
  @Test func aFurtherOfferCountsItsVersion() throws {
    let first = try #require(
      SessionDescription.offer(address: "h", port: 4, direction: .sendrecv, user: "a", sessionID: 7, version: 1))
    #expect(first.following(nil) == first)
    #expect(first.offering(.sendrecv).following(first) == first)
    let second = first.offering(.sendonly).following(first)
    #expect(second.sessionLines.first { $0.hasPrefix("o=") } == "o=a 7 2 IN IP4 h")
    #expect(second.audioDirection == .sendonly)
    #expect(second.audio?.lines.filter { Direction(in: [$0]) != nil } == ["a=sendonly"])
    #expect(first.following(second).origin?.version == "3")
  }

  @Test func orderAndUnknownLinesDoNotMatterAndAreKept() throws {
    let read = try description("s=\nz=?\nv=0\nnonsense\nm=audio 4 RTP/AVP 0\nb=AS:1\nc=IN IP4 h\n")
    #expect(
      String(decoding: read.bytes, as: UTF8.self)
        == "s=\r\nz=?\r\nv=0\r\nnonsense\r\nm=audio 4 RTP/AVP 0\r\nb=AS:1\r\nc=IN IP4 h\r\n")
    #expect(SessionDescription(reading: "v=0\r\n".utf8) == nil)
  }

  @Test(arguments: ["a b", "a\r\nm=audio 1 RTP/AVP 0", ""]) func nothingIsInjected(word: String) {
    #expect(
      SessionDescription.offer(address: word, port: 4, direction: .sendrecv, user: "a", sessionID: 1, version: 1) == nil
    )
    #expect(
      SessionDescription.offer(address: "h", port: 4, direction: .sendrecv, user: word, sessionID: 1, version: 1) == nil
    )
  }
}
