import SimulationKernel
import Testing

@Suite struct SeededGeneratorTests {
  /// The published values of SplitMix64 for this seed.
  @Test func isSplitMix64() {
    var generator = SeededGenerator(seed: 1_234_567)
    let expected: [UInt64] = [
      6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423, 4_593_380_528_125_082_431,
      16_408_922_859_458_223_821,
    ]
    #expect(expected.map { _ in generator.next() } == expected)
  }

  @Test func splitDependsOnSeedAndNameAlone() {
    let fresh = SeededGenerator(seed: 7)
    var drawn = fresh
    for _ in 0..<10 { _ = drawn.next() }
    #expect(draws(drawn.split(for: "network")) == draws(fresh.split(for: "network")))
    #expect(draws(fresh.split(for: "network")) != draws(fresh.split(for: "pbx")))
    #expect(draws(fresh.split(for: "network")) != draws(SeededGenerator(seed: 8).split(for: "network")))
    #expect(draws(fresh.split(for: "network")) != draws(fresh))
  }

  @Test(arguments: [0...0, -3...3, 5...6, Int64.min...Int64.max, Int64.max - 1...Int64.max, Int64.min...0])
  func numberStaysInItsRange(range: ClosedRange<Int64>) {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<500 { #expect(range.contains(generator.number(in: range))) }
  }

  @Test func numberReachesEveryValueOfASmallRange() {
    var generator = SeededGenerator(seed: 11)
    var counts = [Int](repeating: 0, count: 6)
    for _ in 0..<6_000 { counts[Int(generator.number(in: 1...6)) - 1] += 1 }
    #expect(counts.allSatisfy { (850...1_150).contains($0) })
  }

  private func draws(_ generator: SeededGenerator) -> [UInt64] {
    var generator = generator
    return (0..<4).map { _ in generator.next() }
  }
}
