import Foundation
import SIP
import TransactionOracle

// Compares our transactions with libosip2's and prints a line for each class of event sequences. Fails if they differ
// otherwise than listed, or if a listed difference never occurs.

func padded(_ text: String, _ width: Int) -> String { text.padding(toLength: width, withPad: " ", startingAt: 0) }

func count(_ number: Int, _ width: Int) -> String {
  String(repeating: " ", count: max(0, width - "\(number)".count)) + "\(number)"
}

var oracle = Oracle()
do {
  try oracle.run(upTo: 6, seeds: 1...2_000)
} catch {
  print("the oracle cannot begin: \(error)")
  exit(1)
}

print("machine            over  sequences       passed  failed  by a listed difference")
for result in oracle.results {
  print(
    padded(result.kind.machine.rawValue, 19) + padded(result.kind.transport.rawValue.uppercased(), 6)
      + padded(result.name, 13) + count(result.passed, 9) + count(result.failed, 8) + count(result.listed, 10))
  for failure in result.failures { print("  \(failure)") }
}
print("\nlisted differences")
let missing = Difference.allCases.filter { !oracle.differences.contains($0) }
for difference in Difference.allCases {
  print(
    padded(difference.source, 26) + difference.explanation + (missing.contains(difference) ? " (NEVER SEEN)" : ""))
}
print("\n\(oracle.passed) passed, \(oracle.failed + missing.count) failed")
exit(oracle.failed + missing.count == 0 ? 0 : 1)
