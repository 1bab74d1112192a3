import Testing

@testable import SIP

/// The search for line ends, which looks at eight octets at a time.
@Suite struct MessageOctetsTests {
  /// Octets that differ from a line end by one, by a borrow or by the top bit.
  private static let neighbours: [UInt8] = [0x00, 0x09, 0x0B, 0x0C, 0x0E, 0x8A, 0x8D, 0x0F, 0x20, 0x7F, 0x80, 0xFF]

  private func expected(_ bytes: [UInt8], _ range: Range<Int>) -> Int {
    range.first { bytes[$0] == 0x0A || bytes[$0] == 0x0D } ?? range.upperBound
  }

  @Test(arguments: neighbours) func findsTheFirstLineEndInEveryRange(filler: UInt8) {
    for length in 0...19 {
      for place in 0...length {
        var bytes = [UInt8](repeating: filler, count: length)
        for offset in [0, 1, 8] where place + offset < length { bytes[place + offset] = offset == 1 ? 0x0A : 0x0D }
        for lower in 0...length {
          for upper in lower...length {
            let found = bytes.reading { $0.lineEnd(lower..<upper) }
            #expect(found == expected(bytes, lower..<upper), "\(bytes) \(lower)..<\(upper)")
          }
        }
      }
    }
  }

  @Test func mixedNeighboursAreNoLineEnds() {
    var generator = MessageRobustnessTests.Generator(state: 8)
    for _ in 0..<5_000 {
      let bytes = (0..<40).map { _ in
        Int.random(in: 0..<12, using: &generator) == 0
          ? [0x0A, 0x0D].randomElement(using: &generator) ?? 0x0A
          : Self.neighbours.randomElement(using: &generator) ?? 0
      }
      let lower = Int.random(in: 0...40, using: &generator)
      let upper = Int.random(in: lower...40, using: &generator)
      #expect(bytes.reading { $0.lineEnd(lower..<upper) } == expected(bytes, lower..<upper), "\(bytes)")
    }
  }
}
