import Foundation
import Testing

/// Two calls and everything of everyday life in random orders: both sides agree in the end, and nothing is left open.
///
/// `make soak` plays 10,000 of them; `SEED=n make soak` plays the one with that seed again.
@Suite struct EverydayOrdersTests {
  private static let blocks = 16

  private static var seeds: Range<UInt64> {
    let environment = ProcessInfo.processInfo.environment
    if let seed = environment["CALLSIM_SEED"].flatMap(UInt64.init) { return seed..<seed + 1 }
    return 0..<(environment["CALLSIM_ORDERS"].flatMap(UInt64.init) ?? 160)
  }

  @Test(arguments: 0..<blocks) func bothSidesAgreeAndNothingIsLeftOpen(block: Int) {
    var exceptions: [Agreement.Exception] = []
    var agreed = 0
    var records = 0
    for seed in Self.seeds where seed % UInt64(Self.blocks) == UInt64(block) {
      var run = EverydayRun(seed: seed)
      run.play()
      exceptions += run.exceptions
      agreed += run.callsThatWentOn
      records += run.records.count
      #expect(run.violations.isEmpty, "play it again with `SEED=\(seed) make soak`")
      if !run.violations.isEmpty { print("seed \(seed): \(run.violations)") }
    }
    print("block \(block): \(records) records, \(agreed) agreed, \(exceptions.map(\.rawValue))")
  }
}
