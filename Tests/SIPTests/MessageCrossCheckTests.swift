import SIP
import Testing

/// Our reading against libosip2's own structures. They do not differ in any message that both accept.
@Suite struct MessageCrossCheckTests {
  @Test func bothReadTheSameOfEveryMessageThatBothAccept() throws {
    var compared = 0
    for file in MessageFixture.all {
      let bytes = try MessageFixture.bytes(file)
      guard let message = try? SIPMessage(reading: bytes), !message.findings.contains(where: \.isFatal),
        let theirs = MessageOsipReading(bytes, after: message)?.values
      else { continue }
      compared += 1
      let ours = MessageOsipReading.ours(message)
      for field in MessageOsipReading.Field.allCases {
        #expect(ours[field] == theirs[field], "\(file): \(field), ours on the left")
      }
    }
    // So that the test does not hold because there is nothing to compare.
    #expect(compared == 87)
  }
}
