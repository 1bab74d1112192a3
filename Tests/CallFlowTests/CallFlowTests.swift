import Foundation
import Testing

/// The flows of the RFCs with our user agent in the place of each of their user agents.
@Suite struct CallFlowTests {
  @Test(arguments: FlowTable.entries.indices) func flowGoesAsTheRFCHasIt(index: Int) {
    let entry = FlowTable.entries[index]
    if case .failed(let mismatches) = FlowResult(entry) {
      Issue.record("\(entry.flow) \(entry.party): \(mismatches.joined(separator: "; "))")
    }
  }

  /// No flow, and no user agent in one, is left out.
  @Test func everyUserAgentIsInTheTable() {
    let servers = ["SIP Server", "Registrar", "Redirect Server", "SIP ALG"]
    for flow in QuotedFlow.names {
      let played = FlowTable.entries.filter { $0.flow == flow }.map(\.party)
      for party in QuotedFlow.parties(of: flow)
      where !servers.contains(party) && !party.lowercased().contains("proxy") && !["P1", "P2"].contains(party) {
        #expect(played.contains { $0 == party || $0.hasPrefix(party + " ") }, "\(flow) \(party)")
      }
    }
    #expect(QuotedFlow.names.count == 63)
  }

  /// Prints the table into the file that CALLSIM_FLOWS names.
  @Test func tableIsPrinted() throws {
    guard let path = ProcessInfo.processInfo.environment["CALLSIM_FLOWS"] else { return }
    var lines: [String] = []
    var counts = [0, 0, 0, 0]
    for entry in FlowTable.entries {
      let result = FlowResult(entry)
      switch result {
      case .passed: counts[0] += 1
      case .inPart: counts[1] += 1
      case .notPlayed: counts[2] += 1
      case .failed: counts[3] += 1
      }
      let head =
        entry.flow.padding(toLength: 17, withPad: " ", startingAt: 0) + " "
        + entry.party.padding(toLength: 24, withPad: " ", startingAt: 0) + " "
      lines.append(head + result.line)
    }
    lines.append("\(counts[1]) in part, \(counts[2]) not played")
    lines.append("\(counts[0]) passed, \(counts[3]) failed")
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: path))
  }
}
