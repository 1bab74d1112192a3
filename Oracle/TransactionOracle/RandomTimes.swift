import SIP

/// Long random sequences in virtual time: timers fire in the order in which they are due, and other events come between
/// them.
struct RandomTimes {
  private var comparison: Comparison
  private(set) var result: ClassResult

  private static let longest = 60

  init(_ kind: TransactionClass, in stack: LibosipStack) throws {
    comparison = try Comparison(kind, in: stack)
    result = ClassResult(kind: kind, name: "random times")
  }

  var differences: Set<Difference> { comparison.differences }

  mutating func run(seeds: ClosedRange<UInt64>) {
    for seed in seeds { play(seed) }
  }

  private mutating func play(_ seed: UInt64) {
    var random = SplitMix(state: seed)
    guard let reference = comparison.reference(), case .agrees(var ours, _) = comparison.begin(reference) else {
      return result.fail([], "seed \(seed): begin")
    }
    let stimuli = comparison.kind.events.filter { if case .fire = $0.stimulus { false } else { true } }
    var now = 0
    var due: [TransactionTimer.Letter: Int] = [:]
    var past: [OracleEvent] = []
    var isListed = false
    note(ours, at: now, in: &due)
    while past.count < Self.longest, ours.state != nil {
      let next = due.min { ($0.value, $0.key.rawValue) < ($1.value, $1.key.rawValue) }
      let event: OracleEvent
      if let next, random.below(4) > 0 {
        now = next.value
        event = OracleEvent(stimulus: .fire(next.key), sendingFails: random.below(32) == 0)
      } else {
        now += random.below(max(1, (next?.value ?? now + 1_000) - now))
        event = stimuli[random.below(stimuli.count)]
      }
      past.append(event)
      switch comparison.take(event, ours: ours, in: reference) {
      case .agrees(let after, let listed):
        ours = after
        isListed = isListed || listed
        note(ours, at: now, in: &due)
      case .differs(let text): return result.fail(past, "seed \(seed), \(now) ms: \(text)")
      }
    }
    result.passed += 1
    if isListed { result.listed += 1 }
  }

  private func note(_ ours: OurTransaction, at now: Int, in due: inout [TransactionTimer.Letter: Int]) {
    for (letter, length) in ours.lastSet { due[letter] = now + length }
    due = due.filter { ours.running.contains($0.key) }
  }
}

/// The seeded generator of the random sequences (Steele, Lea, Flood: SplitMix64).
private struct SplitMix {
  var state: UInt64

  mutating func below(_ bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((mixed ^ (mixed >> 31)) % UInt64(bound))
  }
}
