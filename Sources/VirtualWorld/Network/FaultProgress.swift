import Instant
import SimulationKernel
import Timeline

/// A fault and how far it has come in a run.
struct FaultProgress: Hashable, Sendable {
  let fault: Fault
  /// Whether it has taken effect.
  var hasFired = false
  private var matches = 0
  private var generator: SeededGenerator

  /// The generator is the fault's own, so that no other fault moves its draws.
  init(_ fault: Fault, generator: SeededGenerator) {
    self.fault = fault
    self.generator = generator
  }

  /// Counts a message that is sent now; whether the fault means it.
  mutating func means(_ datagram: Datagram, at now: Instant) -> Bool {
    if let from = fault.from, now < from { return false }
    if let until = fault.until, now > until { return false }
    guard fault.pattern.matches(datagram.facts, call: datagram.call) else { return false }
    matches += 1
    switch fault.occurrence {
    case .first: return matches == 1
    case .every: return true
    case .nth(let number): return matches == number
    case .percent(let percentage): return generator.number(in: 0...99) < Int64(percentage)
    }
  }

  /// A span of the range.
  mutating func draw(_ range: ClosedRange<Span>) -> Span {
    generator.span(in: range)
  }
}

extension SeededGenerator {
  /// A span of the range; one below zero counts as zero.
  mutating func span(in range: ClosedRange<Span>) -> Span {
    let drawn = number(in: range.lowerBound.microseconds...range.upperBound.microseconds)
    return max(.zero, Span(microseconds: drawn))
  }
}
