import Instant

/// What is due, in one total order: by instant, at the same instant what is not a timer first, then by insertion.
///
/// A binary heap; `O(log n)` for insertion and removal of the first. Cancelling is done by the owner of the events,
/// who ignores one that no longer means anything.
public struct EventQueue<Element: Hashable & Sendable>: Hashable, Sendable {
  /// Whether an event waits for its turn or for its time.
  public enum Rank: Int, Hashable, Sendable {
    /// Something that happens.
    case event
    /// A timer: at its instant it waits for everything that happens.
    case timer
  }

  private struct Entry: Hashable, Sendable {
    var instant: Instant
    var rank: Rank
    var sequence: UInt64
    var element: Element

    static func precedes(_ left: Entry, _ right: Entry) -> Bool {
      if left.instant != right.instant { return left.instant < right.instant }
      if left.rank != right.rank { return left.rank.rawValue < right.rank.rawValue }
      return left.sequence < right.sequence
    }
  }

  private var heap: [Entry] = []
  private var nextSequence: UInt64 = 0

  /// A queue with nothing due.
  public init() {}

  /// Whether nothing is due.
  public var isEmpty: Bool { heap.isEmpty }

  /// How many events are due.
  public var count: Int { heap.count }

  /// When the first event is due.
  public var nextInstant: Instant? { heap.first?.instant }

  /// The first event without removing it.
  public var first: (instant: Instant, element: Element)? {
    heap.first.map { ($0.instant, $0.element) }
  }

  /// Every event, in no particular order; for questions about all of them.
  public var elements: some Sequence<(instant: Instant, element: Element)> {
    heap.lazy.map { ($0.instant, $0.element) }
  }

  /// Adds an event behind those that are due at the same instant and have the same rank.
  public mutating func push(_ element: Element, at instant: Instant, rank: Rank = .event) {
    heap.append(Entry(instant: instant, rank: rank, sequence: nextSequence, element: element))
    nextSequence += 1
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard Entry.precedes(heap[child], heap[parent]) else { break }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  /// Removes and returns the first event.
  public mutating func pop() -> (instant: Instant, element: Element)? {
    guard let first = heap.first else { return nil }
    let last = heap.removeLast()
    if !heap.isEmpty {
      heap[0] = last
      siftDown()
    }
    return (first.instant, first.element)
  }

  private mutating func siftDown() {
    var parent = 0
    while true {
      var smallest = parent
      let left = 2 * parent + 1
      let right = left + 1
      if left < heap.count, Entry.precedes(heap[left], heap[smallest]) { smallest = left }
      if right < heap.count, Entry.precedes(heap[right], heap[smallest]) { smallest = right }
      if smallest == parent { return }
      heap.swapAt(parent, smallest)
      parent = smallest
    }
  }
}
