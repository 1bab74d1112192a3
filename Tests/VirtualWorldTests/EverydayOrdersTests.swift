import Foundation
import Testing
import Timeline

/// Two calls and everything of everyday life in random orders: both sides agree in the end, and nothing is left open.
///
/// `make soak` plays 10,000 of them; `SEED=n make soak` plays the one with that seed again.
@Suite struct EverydayOrdersTests {
  private static let blocks = 16

  private static var seeds: Range<UInt64> {
    let environment = ProcessInfo.processInfo.environment
    if let seed = environment["CALLSIM_SEED"].flatMap(UInt64.init) { return seed..<seed + 1 }
    return 0..<(environment["CALLSIM_ORDERS"].flatMap(UInt64.init) ?? 320)
  }

  @Test(arguments: 0..<blocks) func bothSidesAgreeAndNothingIsLeftOpen(block: Int) {
    let seeds = Self.seeds.filter { $0 % UInt64(Self.blocks) == UInt64(block) }
    var tally = Tally()
    for seed in seeds {
      var run = EverydayRun(seed: seed)
      run.play()
      tally.add(run)
      #expect(run.violations.isEmpty, "play it again with `SEED=\(seed) make soak`")
      if Self.seeds.count == 1 { for record in run.records { print(record.inspection) } }
    }
    // What may go wrong is rare, and most runs come to calls that can be talked on.
    #expect(tally.exceptions.count <= 3 + seeds.count / 50, "\(tally)")
    if seeds.count > 100 {
      #expect(tally.agreed > seeds.count / 3, "\(tally)")
    }
    if seeds.count > 500 { #expect(TransferEvent.Phase.allCases.allSatisfy(tally.transfers.contains), "\(tally)") }
    if Self.seeds.count > 1_000 { print("block \(block): \(tally)") }
  }

  /// What many runs came to.
  private struct Tally: CustomStringConvertible {
    var runs = 0
    var records = 0
    var agreed = 0
    var exceptions: [Agreement.Exception] = []
    /// What the user was told of transfers.
    var transfers: [TransferEvent.Phase] = []

    mutating func add(_ run: EverydayRun) {
      runs += 1
      records += run.records.count
      agreed += run.callsThatWentOn
      exceptions += run.exceptions
      for case .transfer(let transfer) in run.records.map(\.event) { transfers.append(transfer.phase) }
    }

    var description: String {
      let rare = Agreement.Exception.allCases.map { kind in
        "\(exceptions.count { $0 == kind }) times \(kind.rawValue)"
      }
      let told = TransferEvent.Phase.allCases.map { phase in
        "\(transfers.count { $0 == phase }) \(phase.rawValue)"
      }
      return "\(runs) runs, \(records) records, \(agreed) calls agreed on at the end, transfers: "
        + "\(told.joined(separator: ", ")), \(rare.joined(separator: ", "))"
    }
  }
}

extension Record {
  /// The record as one line for whoever looks into a run.
  var inspection: String {
    var words = "\(number) \(instant) \(from)\(to.map { " > \($0)" } ?? "") [\(call?.name ?? "-")] \(event.words)"
    if case .sip(let sip) = event {
      let session = sip.message.session.map { " \($0.role) \($0.direction)" } ?? ""
      let phase = if case .sent = sip.phase { "sent" } else { "\(sip.phase)" }
      words += " #\(sip.message.id) CSeq \(sip.message.sequence)\(session) \(phase)"
    }
    return words + " <- \(causes)"
  }
}
