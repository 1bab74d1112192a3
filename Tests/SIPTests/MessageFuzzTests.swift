import Foundation
import SIP
import Testing

/// Changed messages of the corpus in any number: whatever comes of them, nothing traps, findings lie within the octets,
/// and what can be read and written reads the same again. `make fuzz` tries more.
@Suite struct MessageFuzzTests {
  private static let rounds = ProcessInfo.processInfo.environment["CALLSIM_FUZZ"].flatMap { Int($0) } ?? 2_000
  private static let seed = ProcessInfo.processInfo.environment["CALLSIM_SEED"].flatMap { UInt64($0) }

  private static let likely: [[UInt8]] =
    [
      "\r\n", "\n", "\r", "\r\n\r\n", "\r\n ", "\"", "\\", "<", ">", ";", ";;", ",", "=", "@", ":", "%", "%00", "[",
      "]",
      "(", ")", "*", " ", "\t", "\0", "sip:", "SIP/2.0", "--", "-1", "99999999999999999999", "\u{E9}", ";tag=",
      "Content-Length: 5\r\n", "l: 0\r\n", "Via: ", "Contact: *\r\n",
    ].map { Array($0.utf8) } + [[0xFF], [0xC3], [0x80]]

  private func changed(
    _ bytes: [UInt8], _ corpus: [[UInt8]], _ generator: inout MessageRobustnessTests.Generator
  ) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...6, using: &generator) {
      let place = Int.random(in: 0...bytes.count, using: &generator)
      let end = min(bytes.count, place + Int.random(in: 0...12, using: &generator))
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: bytes.removeSubrange(place..<end)
      case 1: bytes.insert(contentsOf: bytes[place..<end], at: place)
      case 2: bytes.replaceSubrange(place..<end, with: Self.likely.randomElement(using: &generator) ?? [])
      case 3: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: place)
      case 4:
        let other = corpus.randomElement(using: &generator) ?? []
        let start = Int.random(in: 0...other.count, using: &generator)
        let length = min(other.count - start, Int.random(in: 0...80, using: &generator))
        bytes.insert(contentsOf: other[start..<start + length], at: place)
      default: bytes.insert(contentsOf: Self.likely.randomElement(using: &generator) ?? [], at: place)
      }
    }
    return bytes
  }

  private func exercise(_ bytes: [UInt8], _ round: UInt64) {
    var stream = MessageStream(side: round.isMultiple(of: 2) ? .server : .client)
    stream.append(bytes)
    stream.finish()
    while let element = stream.next() {
      if case .failure(let failure) = element {
        #expect((0...failure.head.count).contains(failure.finding.offset), "seed \(round)")
      }
    }
    _ = try? SIPFragment(reading: bytes[...])
    guard let message = try? SIPMessage(reading: bytes) else { return }
    let assessment = MessageAssessment(message)
    #expect(assessment.findings.allSatisfy { (0...bytes.count).contains($0.offset) }, "seed \(round)")
    _ = (message.descriptions.count, message.bodyDescription, message.requestURI, message.contacts, message.vias)
    guard assessment.verdict == .valid else { return }
    // What is valid stays so, and says the same, when it is written and read again.
    guard let copy = try? SIPMessage(message.startLine, headers: message.headers, body: Array(message.body)) else {
      Issue.record("seed \(round): what is valid cannot be written")
      return
    }
    #expect(MessageAssessment(copy).verdict == .valid, "seed \(round)")
    #expect(copy.from == message.from && copy.to == message.to && copy.vias == message.vias, "seed \(round)")
    #expect(copy.callID == message.callID && copy.sequence == message.sequence, "seed \(round)")
  }

  @Test func nothingTraps() throws {
    let corpus = try MessageFixture.all.map { try MessageFixture.bytes($0) }
    let seeds = Self.seed.map { $0...$0 } ?? 1...UInt64(max(1, Self.rounds))
    for seed in seeds {
      var generator = MessageRobustnessTests.Generator(state: seed)
      let bytes = corpus.randomElement(using: &generator) ?? []
      exercise(changed(bytes, corpus, &generator), seed)
    }
  }
}
