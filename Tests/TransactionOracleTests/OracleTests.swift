import Foundation
import Testing

@testable import TransactionOracle

/// A share of what `make oracle` compares; that prints a table, and says what was found.
@Suite struct OracleTests {
  /// In a process of its own: libosip2's set-up writes tables that other suites read at the same time.
  @Test func ourTransactionsDoAsLibosip2ButForTheListedDifferences() async {
    await #expect(processExitsWith: .success) {
      var oracle = Oracle()
      try oracle.run(upTo: 3, seeds: 1...300)
      for failure in oracle.results.flatMap(\.failures) { FileHandle.standardError.write(Data("\(failure)\n".utf8)) }
      exit(oracle.failed == 0 && oracle.passed > 5_000 && oracle.differences == Set(Difference.allCases) ? 0 : 1)
    }
  }

  /// What is left out of the comparison for one event, since libosip2 could not be followed any further, is checked here.
  @Test func libosip2EndsAnInviteServerTransactionWhoseResponseCannotBeSent() async {
    await #expect(processExitsWith: .success) {
      guard let stack = LibosipStack() else { exit(1) }
      for kind in TransactionClass.all where kind.machine == .inviteServer {
        guard let transaction = LibosipTransaction(kind, in: stack) else { exit(1) }
        _ = transaction.begin(sendingFails: false)
        let seen = transaction.take(OracleEvent(stimulus: .send(180), sendingFails: true))
        guard seen.state == nil, seen.told == [.unsent] else { exit(1) }
      }
      exit(0)
    }
  }

  /// Every event of every class can be told apart in a report.
  @Test(arguments: TransactionClass.all) func eventsHaveNamesOfTheirOwn(kind: TransactionClass) {
    #expect(Set(kind.events.map(\.description)).count == kind.events.count)
    #expect(Set(kind.coreEvents).isSubset(of: kind.events))
  }

  /// The documentation lists every difference in the words of the tool.
  @Test func theDocumentationListsTheDifferences() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let text = try String(contentsOf: root.appending(path: "Documentation/TransactionOracle.md"), encoding: .utf8)
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("| RFC") }.map(String.init)
    #expect(rows == Difference.allCases.map { "| \($0.source) | \($0.explanation) |" })
  }
}
