import Instant

/// What is due, in one total order: by instant, at the same instant what is not a timer first, then by insertion.
///
/// A binary heap; `O(log n)` for insertion and removal of the first. The heap moves small keys about and the events
/// stay where they are. Cancelling is done by the owner of the events, who ignores one that no longer means anything.
public struct EventQueue<Element: Hashable & Sendable>: Hashable, Sendable {
  /// Whether an event waits for its turn or for its time.
  public enum Rank: Int, Hashable, Sendable {
    /// Something that happens.
    case event
    /// A timer: at its instant it waits for everything that happens.
    case timer
  }

  private var keys = KeyHeap()
  /// The events; `nil` where a slot is free.
  private var slots: [Element?] = []
  private var freeSlots: [Int] = []

  /// A queue with nothing due.
  public init() {}

  /// Whether nothing is due.
  public var isEmpty: Bool { keys.first == nil }

  /// How many events are due.
  public var count: Int { keys.count }

  /// When the first event is due.
  public var nextInstant: Instant? { keys.first?.instant }

  /// The first event without removing it.
  public var first: (instant: Instant, element: Element)? {
    guard let key = keys.first, let element = slots[key.slot] else { return nil }
    return (key.instant, element)
  }

  /// Adds an event behind those that are due at the same instant and have the same rank.
  public mutating func push(_ element: Element, at instant: Instant, rank: Rank = .event) {
    let slot = freeSlots.popLast() ?? slots.count
    if slot == slots.count { slots.append(element) } else { slots[slot] = element }
    keys.push(instant: instant, rank: rank.rawValue, slot: slot)
  }

  /// Removes and returns the first event.
  public mutating func pop() -> (instant: Instant, element: Element)? {
    guard let key = keys.pop(), let element = slots[key.slot] else { return nil }
    slots[key.slot] = nil
    freeSlots.append(key.slot)
    return (key.instant, element)
  }
}

/// The order of the events, apart from the events themselves.
private struct KeyHeap: Hashable, Sendable {
  struct Key: Hashable, Sendable {
    var instant: Instant
    var rank: Int
    var sequence: UInt64
    /// Where the event is.
    var slot: Int

    func precedes(_ other: Key) -> Bool {
      if instant != other.instant { return instant < other.instant }
      if rank != other.rank { return rank < other.rank }
      return sequence < other.sequence
    }
  }

  private var heap: [Key] = []
  private var nextSequence: UInt64 = 0

  var count: Int { heap.count }

  var first: Key? { heap.first }

  mutating func push(instant: Instant, rank: Int, slot: Int) {
    heap.append(Key(instant: instant, rank: rank, sequence: nextSequence, slot: slot))
    nextSequence += 1
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[child].precedes(heap[parent]) else { break }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  mutating func pop() -> Key? {
    guard let first = heap.first else { return nil }
    let last = heap.removeLast()
    if !heap.isEmpty {
      heap[0] = last
      siftDown()
    }
    return first
  }

  private mutating func siftDown() {
    var parent = 0
    while true {
      var smallest = parent
      let left = 2 * parent + 1
      let right = left + 1
      if left < heap.count, heap[left].precedes(heap[smallest]) { smallest = left }
      if right < heap.count, heap[right].precedes(heap[smallest]) { smallest = right }
      if smallest == parent { return }
      heap.swapAt(parent, smallest)
      parent = smallest
    }
  }
}
