import SIP
import Testing

/// Our reading of session descriptions against that of libosip2.
@Suite struct SessionDescriptionCrossCheckTests {
  /// The bodies that libosip2 rejects and we read, each with the reason.
  private static let rejectedByOsip = [
    "rfc4475/mismatch02.dat": "no s= and no t=",
    "rfc5118/ipv4-mapped-ipv6.dat": "Content-Length as printed cuts the last line, so that it has no end",
    "rfc5118/mult-ip-in-sdp.clfix.dat": "s= is empty",
    "rfc5118/mult-ip-in-sdp.dat": "s= is empty",
  ]

  @Test func bothReadTheSameOfTheBodiesOfTheFixtures() throws {
    var compared = 0
    var rejected: [String] = []
    for file in MessageFixture.all {
      guard let message = try? SIPMessage(reading: MessageFixture.bytes(file)), let ours = message.sessionDescription
      else { continue }
      guard let theirs = SessionDescriptionOsipReading(Array(message.body)) else {
        rejected.append(file)
        continue
      }
      compared += 1
      #expect(SessionDescriptionOsipReading(ours) == theirs, "\(file), ours on the left")
    }
    #expect(rejected == Self.rejectedByOsip.keys.sorted())
    // So that the test does not hold because there is nothing to compare.
    #expect(compared == 29)
  }

  @Test func bothReadTheSameOfGeneratedDescriptions() throws {
    var generator = MessageRobustnessTests.Generator(state: 3264)
    for _ in 0..<2_000 {
      let text = Self.generated(&generator)
      let ours = try #require(SessionDescription(reading: text.utf8))
      let theirs = try #require(SessionDescriptionOsipReading(Array(text.utf8)), "\(text)")
      #expect(SessionDescriptionOsipReading(ours) == theirs, "\(text)")
    }
  }

  @Test(arguments: SessionDescription.Direction.allCases)
  func libosip2ReadsWhatWeOfferAndAnswer(direction: SessionDescription.Direction) throws {
    let offer = try #require(
      SessionDescription.offer(
        address: "192.0.2.1", port: 4000, direction: direction, user: "a", sessionID: 5, version: 2))
    let answer = try #require(
      offer.answer(address: "2001:db8::9", port: 6000, direction: .sendrecv, user: "b", sessionID: 7, version: 1))
    for description in [offer, answer] {
      let theirs = try #require(SessionDescriptionOsipReading(description.bytes))
      #expect(theirs == SessionDescriptionOsipReading(description))
    }
    #expect(SessionDescriptionOsipReading(offer).streams.map(\.direction) == [direction])
  }

  /// A description in the order that libosip2 insists on, with directions and addresses in any place.
  private static func generated(_ generator: inout MessageRobustnessTests.Generator) -> String {
    func pick(_ choices: [String]) -> String { choices[Int.random(in: 0..<choices.count, using: &generator)] }
    let connections = [
      "", "", "c=IN IP4 192.0.2.1", "c=IN IP4 0.0.0.0", "c=IN IP6 2001:db8::1", "c=IN IP4 224.2.1.1/127",
      "c=IN IP4 224.2.1.1/127/3", "c=IN IP4 host.example.com",
    ]
    let attributes = [
      "", "", "a=sendrecv", "a=sendonly", "a=recvonly", "a=inactive", "a=rtpmap:0 PCMU/8000", "a=sendonly2",
      "a=x:sendonly",
    ]
    var lines = ["v=0", "o=- 1 1 IN IP4 h", "s=-", pick(connections), "t=0 0", pick(attributes), pick(attributes)]
    for _ in 0..<Int.random(in: 1...3, using: &generator) {
      let port = pick(["0", "1", "4000", "65535", "4000/2"])
      lines.append("m=\(pick(["audio", "video"])) \(port) \(pick(["RTP/AVP", "RTP/SAVP"])) \(pick(["0", "0 8 101"]))")
      lines += [pick(connections), pick(attributes), pick(attributes)]
    }
    return lines.filter { !$0.isEmpty }.map { $0 + "\r\n" }.joined()
  }
}
