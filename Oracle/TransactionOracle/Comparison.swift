import SIP

/// Both stacks under the same events, for one kind of transaction.
struct Comparison {
  let kind: TransactionClass
  private let stack: LibosipStack
  private let messages: OurTransaction.Messages
  private(set) var differences: Set<Difference> = []

  init(_ kind: TransactionClass, in stack: LibosipStack) throws {
    self.kind = kind
    self.stack = stack
    messages = try OurTransaction.Messages(kind)
  }

  /// What one sequence came to.
  enum Verdict {
    case agrees(OurTransaction, isListed: Bool)
    case differs(String)
  }

  /// A transaction of libosip2 that has not begun.
  func reference() -> LibosipTransaction? { LibosipTransaction(kind, in: stack) }

  /// Begins a transaction in both stacks.
  func begin(_ reference: LibosipTransaction, sendingFails: Bool = false) -> Verdict {
    var ours = OurTransaction(kind, messages: messages)
    let expected = reference.begin(sendingFails: sendingFails)
    let seen = ours.begin(sendingFails: sendingFails)
    guard seen == expected else { return .differs("begin\n  ours:     \(seen)\n  expected: \(expected)") }
    return .agrees(ours, isListed: false)
  }

  /// Has libosip2 alone take an event that was compared before.
  func replay(_ event: OracleEvent, in reference: LibosipTransaction) {
    _ = reference.take(forReference(event))
  }

  /// Has both stacks take an event.
  mutating func take(
    _ event: OracleEvent, ours before: OurTransaction, in reference: LibosipTransaction
  ) -> Verdict {
    let theirs = reference.take(forReference(event))
    let (expected, used) = Difference.correct(theirs, at: event, in: before.state, of: kind, messages: messages)
    var ours = before
    let seen = ours.take(event)
    guard seen == expected else {
      return .differs("\(event)\n  ours:     \(seen)\n  expected: \(expected)\n  libosip2: \(theirs)")
    }
    differences.formUnion(used)
    return .agrees(ours, isListed: !used.isEmpty)
  }

  private func forReference(_ event: OracleEvent) -> OracleEvent {
    OracleEvent(stimulus: event.stimulus, sendingFails: event.sendingFails && !Difference.spares(kind))
  }
}
