import SIP

/// Our transactions beside libosip2's: the same events, and then the same states, messages, timers and notices, but for
/// the listed differences.
public struct Oracle {
  /// Why the comparison cannot begin.
  public enum Failure: Error {
    case noLibosip
  }

  /// One line a class of sequences.
  public private(set) var results: [ClassResult] = []
  /// The listed differences that occurred.
  public private(set) var differences: Set<Difference> = []

  public init() {}

  public var passed: Int { results.reduce(0) { $0 + $1.passed } }
  public var failed: Int { results.reduce(0) { $0 + $1.failed } }

  /// Compares all sequences up to a length, and so many random ones, for every kind of transaction.
  ///
  /// Throws if libosip2 cannot be set up, or if the sequences' messages cannot be read.
  public mutating func run(upTo length: Int, seeds: ClosedRange<UInt64>) throws {
    guard let stack = LibosipStack() else { throw Failure.noLibosip }
    for kind in TransactionClass.all {
      var exhaustive = try Exhaustive(kind, upTo: length, in: stack)
      exhaustive.run()
      var random = try RandomTimes(kind, in: stack)
      random.run(seeds: seeds)
      results += exhaustive.results + [random.result]
      differences.formUnion(exhaustive.differences)
      differences.formUnion(random.differences)
    }
  }
}
