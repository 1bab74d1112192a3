import SIP

/// How the sequences of one class fared.
public struct ClassResult: Sendable {
  public var kind: TransactionClass
  /// What is common to its sequences, such as their length.
  public var name: String
  public var passed = 0
  /// How many of the passed ones needed a listed difference at their last event, or, if random, anywhere.
  public var listed = 0
  public var failures: [String] = []
  public var failed = 0

  mutating func fail(_ events: [OracleEvent], _ text: String) {
    failed += 1
    if failures.count < 3 { failures.append("\(events.map(\.description).joined(separator: ", ")): \(text)") }
  }
}

/// Every sequence of events up to a length; those that are longer than four are made of the core events alone. A timer
/// fires only while it runs, and a terminated transaction takes one event more, which must come to nothing.
struct Exhaustive {
  private var comparison: Comparison
  private(set) var results: [ClassResult]
  private let events: [OracleEvent]
  private let coreEvents: [OracleEvent]

  /// Up to which length every event is tried everywhere.
  private static let fullLength = 4

  init(_ kind: TransactionClass, upTo length: Int, in stack: LibosipStack) throws {
    comparison = try Comparison(kind, in: stack)
    events = kind.events
    coreEvents = kind.coreEvents
    results = (0...length).map { ClassResult(kind: kind, name: "length \($0)") }
  }

  var differences: Set<Difference> { comparison.differences }

  mutating func run() {
    for sendingFails in comparison.kind.machine.isClient ? [true, false] : [false] {
      guard let reference = comparison.reference() else {
        results[0].fail([], "libosip2 has no transaction")
        continue
      }
      switch comparison.begin(reference, sendingFails: sendingFails) {
      case .agrees(let ours, _):
        results[0].passed += 1
        if !sendingFails { extend([], ours, state: ours.state) }
      case .differs(let text): results[0].fail([], text)
      }
    }
  }

  /// Tries every event after a sequence that both stacks agree on.
  private mutating func extend(_ past: [OracleEvent], _ ours: OurTransaction, state: TransactionState?) {
    let length = past.count + 1
    guard length < results.count, length <= Self.fullLength || past.allSatisfy(coreEvents.contains) else { return }
    for event in length <= Self.fullLength ? events : coreEvents {
      if case .fire(let letter) = event.stimulus, !ours.running.contains(letter) { continue }
      guard let reference = comparison.reference() else { continue }
      _ = reference.begin(sendingFails: false)
      for passed in past { comparison.replay(passed, in: reference) }
      switch comparison.take(event, ours: ours, in: reference) {
      case .agrees(let next, let isListed):
        results[length].passed += 1
        if isListed { results[length].listed += 1 }
        if state != nil { extend(past + [event], next, state: next.state) }
      case .differs(let text): results[length].fail(past + [event], text)
      }
    }
  }
}
