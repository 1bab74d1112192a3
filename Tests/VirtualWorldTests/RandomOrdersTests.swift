import CallEngine
import Instant
import SIP
import SimulationKernel
import Testing
import Timeline

@testable import VirtualWorld

/// Everything that can happen, in random orders and on a random network, with the real engine. Nobody plans these runs;
/// the rules must hold in all of them.
@Suite struct RandomOrdersTests {
  @Test(arguments: 0..<10) func theRulesHoldInRandomOrders(block: Int) throws {
    for seed in block * 30..<(block + 1) * 30 {
      var run = RandomRun(seed: UInt64(seed))
      run.play()
      #expect(run.violations.isEmpty, "seed \(seed)")
    }
  }

  @Test(arguments: [UInt64(3), 77, 240]) func theSameSeedGivesTheSameRecords(seed: UInt64) {
    var (one, other) = (RandomRun(seed: seed), RandomRun(seed: seed))
    one.play()
    other.play()
    #expect(one.records == other.records)
    #expect(one.records.count > 10)
  }
}
