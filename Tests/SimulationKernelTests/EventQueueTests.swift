import Instant
import SimulationKernel
import Testing

@Suite struct EventQueueTests {
  @Test func comesOutByInstant() {
    var queue = EventQueue<String>()
    queue.push("third", at: Instant(microseconds: 3))
    queue.push("first", at: Instant(microseconds: 1))
    queue.push("second", at: Instant(microseconds: 2))
    #expect(drain(&queue) == ["first", "second", "third"])
  }

  @Test func comesOutInOrderOfInsertionAtOneInstant() {
    var queue = EventQueue<Int>()
    for number in 0..<50 { queue.push(number, at: .zero) }
    #expect(drain(&queue) == Array(0..<50))
  }

  @Test func timersComeBehindEverythingElseOfTheirInstant() {
    var queue = EventQueue<String>()
    queue.push("timer", at: .zero, rank: .timer)
    queue.push("later", at: Instant(microseconds: 1))
    queue.push("event", at: .zero)
    #expect(drain(&queue) == ["event", "timer", "later"])
  }

  @Test func nothingComesOutOfAnEmptyQueue() {
    var queue = EventQueue<Int>()
    #expect(queue.pop() == nil)
    #expect(queue.isEmpty && queue.nextInstant == nil && queue.first == nil)
  }

  @Test func firstRemovesNothing() {
    var queue = EventQueue<Int>()
    queue.push(2, at: Instant(microseconds: 2))
    queue.push(1, at: Instant(microseconds: 1))
    #expect(queue.first?.element == 1)
    #expect(queue.nextInstant == Instant(microseconds: 1))
    #expect(queue.count == 2)
  }

  /// Pushes and pops in random turns agree with a list that is sorted anew each time.
  @Test(arguments: 1...20) func agreesWithASortedList(seed: UInt64) {
    struct Reference { var instant: Instant, isTimer: Bool, number: Int }
    var generator = SeededGenerator(seed: seed)
    var queue = EventQueue<Int>()
    var list: [Reference] = []
    for number in 0..<400 {
      let instant = Instant(microseconds: generator.number(in: 0...12))
      let isTimer = generator.number(in: 0...2) == 0
      queue.push(number, at: instant, rank: isTimer ? .timer : .event)
      list.append(Reference(instant: instant, isTimer: isTimer, number: number))
      if generator.number(in: 0...2) > 0 { continue }
      let expected = list.enumerated().min { left, right in
        let (a, b) = (left.element, right.element)
        return (a.instant, a.isTimer ? 1 : 0, a.number) < (b.instant, b.isTimer ? 1 : 0, b.number)
      }
      let popped = queue.pop()
      #expect(popped?.element == expected?.element.number)
      #expect(popped?.instant == expected?.element.instant)
      if let expected { list.remove(at: expected.offset) }
    }
    let rest = list.sorted { ($0.instant, $0.isTimer ? 1 : 0, $0.number) < ($1.instant, $1.isTimer ? 1 : 0, $1.number) }
    #expect(drain(&queue) == rest.map(\.number))
  }

  private func drain<Element>(_ queue: inout EventQueue<Element>) -> [Element] {
    var elements: [Element] = []
    while let next = queue.pop() { elements.append(next.element) }
    return elements
  }
}
