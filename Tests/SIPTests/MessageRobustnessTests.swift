import Testing

@testable import SIP

/// Nothing that arrives traps, and reading is a function of the bytes alone.
@Suite struct MessageRobustnessTests {
  /// SplitMix64, so that a failure can be repeated.
  struct Generator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
  }

  /// Reads everything that is read on demand, too.
  private func exercise(_ bytes: [UInt8]) {
    guard let message = try? SIPMessage(reading: bytes) else { return }
    _ = (message.from, message.to, message.contacts.map(\.sipURI), message.routes, message.recordRoutes, message.vias)
    _ = (message.values(of: "Via"), message.values(of: "k"), message.headers.count, message.body.count)
    _ = (message.event, message.subscriptionState, message.sipFragmentStatus, try? ReferTo(of: message))
    if let description = SessionDescription(reading: message.body) {
      _ = description.answer(address: "h", port: 9, direction: .sendrecv, user: "u", sessionID: 1, version: 1)
    }
  }

  @Test(.timeLimit(.minutes(1)), arguments: MessageFixture.all) func noPrefixTraps(file: String) throws {
    let bytes = try MessageFixture.bytes(file)
    // Every prefix of a torture message; the flows are alike, so that some are enough.
    for length in stride(from: 0, through: bytes.count, by: file.hasSuffix(".dat") ? 1 : 13) {
      exercise(Array(bytes.prefix(length)))
    }
  }

  @Test(.timeLimit(.minutes(1)), arguments: MessageFixture.all) func noMutationTraps(file: String) throws {
    let bytes = try MessageFixture.bytes(file)
    var generator = Generator(state: UInt64(bytes.count))
    for _ in 0..<60 {
      var mutated = bytes
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let place = Int.random(in: 0..<mutated.count, using: &generator)
        let likely: [UInt8] = [0, 0x0A, 0x0D, 0x20, 0x22, 0x2C, 0x3A, 0x3B, 0x3C, 0x3E, 0x40, 0x5B, 0x5C, 0xFF]
        mutated[place] =
          Bool.random(using: &generator)
          ? likely[Int.random(in: 0..<likely.count, using: &generator)]
          : UInt8.random(in: 0...255, using: &generator)
      }
      exercise(mutated)
    }
  }

  @Test(arguments: MessageFixture.all) func readingTwiceGivesTheSame(file: String) throws {
    let bytes = try MessageFixture.bytes(file)
    guard let first = try? SIPMessage(reading: bytes), let second = try? SIPMessage(reading: bytes) else { return }
    #expect(first == second)
    #expect(first.hashValue == second.hashValue)
    #expect(first.findings == second.findings)
    #expect(first.from == second.from)
  }
}
