import Foundation
import Testing
import Timeline

/// One transfer, and every order of what can happen to it: the UUIDs stay, each ends once, and nothing is left open.
///
/// `make soak` plays all 274,000 orders; `ORDER=n make soak` plays the one with that number again and prints its timeline.
@Suite struct TransferOrdersTests {
  @Test(arguments: 0..<TransferOrder.worldCount) func everyOrderKeepsTheRules(world: Int) {
    for number in Self.numbers(of: world) {
      var run = TransferRun(TransferOrder(number))
      run.play()
      #expect(run.violations.isEmpty, "\(run.order): play it again with `ORDER=\(number) make soak`")
      if Self.only != nil { for record in run.records { print(record.inspection) } }
    }
  }

  @Test func everyOrderIsThereOnce() {
    #expect(TransferOrder.sequences.count == 13_700)
    #expect(Set(TransferOrder.sequences).count == 13_700)
  }

  private static let environment = ProcessInfo.processInfo.environment
  private static let only = environment["CALLSIM_ORDER"].flatMap(Int.init)

  /// The orders of a world: all, or so many at even distances and those of one thing at most.
  private static func numbers(of world: Int) -> [Int] {
    let sequences = TransferOrder.sequences
    let all = sequences.indices.map { world * sequences.count + $0 }
    if let only { return all.filter { $0 == only } }
    let wanted = environment["CALLSIM_ORDERS"].flatMap(Int.init) ?? 50
    let step = max(sequences.count / max(wanted, 1), 1)
    return all.filter { sequences[$0 % sequences.count].count < 2 || $0 % step == 0 }
  }
}
