import Instant

/// What is due at which instant, the first at hand: a binary heap, `O(log n)` for what is added and what is removed.
///
/// An item is the place of a line or a check in the file; of several at one instant the first in the file is first.
struct Agenda: Hashable, Sendable {
  struct Entry: Hashable, Sendable {
    var instant: Instant
    var item: Int

    fileprivate func precedes(_ other: Entry) -> Bool { (instant, item) < (other.instant, other.item) }
  }

  private var heap: [Entry] = []

  var first: Entry? { heap.first }

  mutating func add(_ item: Int, at instant: Instant) {
    heap.append(Entry(instant: instant, item: item))
    var child = heap.count - 1
    while child > 0, heap[child].precedes(heap[(child - 1) / 2]) {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  mutating func removeFirst() {
    guard let last = heap.popLast(), !heap.isEmpty else { return }
    heap[0] = last
    var parent = 0
    while true {
      var first = parent
      for child in 2 * parent + 1...2 * parent + 2 where child < heap.count && heap[child].precedes(heap[first]) {
        first = child
      }
      if first == parent { return }
      heap.swapAt(parent, first)
      parent = first
    }
  }

  /// Removes what is due at the instant or before; the items in the order of the file.
  mutating func removeAll(through instant: Instant) -> [Int] {
    var items: [Int] = []
    while let first, first.instant <= instant {
      items.append(first.item)
      removeFirst()
    }
    return items.sorted()
  }
}
