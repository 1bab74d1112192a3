/// A pseudo-random generator that can be split, so that one consumer's draws never move another's.
///
/// The sequence is SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014): the
/// same seed gives the same numbers on every platform.
public struct SeededGenerator: RandomNumberGenerator, Hashable, Sendable {
  private let seed: UInt64
  private var state: UInt64

  /// The generator that begins with this seed.
  public init(seed: UInt64) {
    self.seed = seed
    state = seed
  }

  /// The next 64 bits of the sequence.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return Self.mix(state)
  }

  /// An independent generator for one consumer, fixed by this generator's seed and the consumer's name alone: what has
  /// been drawn from this one before does not matter.
  public func split(for name: String) -> SeededGenerator {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in name.utf8 {
      hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
    }
    return SeededGenerator(seed: Self.mix(seed ^ hash))
  }

  /// A number in the closed range; the same on every platform, which the standard library does not promise.
  public mutating func number(in range: ClosedRange<Int64>) -> Int64 {
    let width = UInt64(bitPattern: range.upperBound &- range.lowerBound)
    if width == .max { return Int64(bitPattern: next()) }
    let (high, _) = next().multipliedFullWidth(by: width + 1)
    return range.lowerBound &+ Int64(bitPattern: high)
  }

  private static func mix(_ value: UInt64) -> UInt64 {
    var z = value
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
