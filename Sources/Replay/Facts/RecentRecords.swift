import Instant
import Timeline

/// The last records, without the bytes of messages, for the cause chains of diagnostics. Bounded, so that a long run
/// does not keep its whole timeline.
struct RecentRecords: Hashable, Sendable {
  private static let capacity = 2_048
  private var ring: [Record] = []
  /// For each of them the record of what the script did that brought it about, of several the last.
  private var roots: [Root?] = []
  /// The number of the last record.
  private var last = 0

  /// A record of something that the script did.
  struct Root: Hashable, Sendable {
    var number: Int
    var instant: Instant
    var line: Int
  }

  /// Takes the next record.
  mutating func take(_ record: Record) {
    let slim = record.withoutBytes
    let root = root(of: record)
    last = record.number
    if ring.count < Self.capacity {
      ring.append(slim)
      roots.append(root)
    } else {
      ring[Self.slot(of: record.number)] = slim
      roots[Self.slot(of: record.number)] = root
    }
  }

  /// What the script did that brought this new record about, of several things the last; `nil` if that is too long ago.
  func root(of record: Record) -> Root? {
    if let line = record.line { return Root(number: record.number, instant: record.instant, line: line) }
    return record.causes.compactMap { self[$0] == nil ? nil : roots[Self.slot(of: $0)] }.max { $0.number < $1.number }
  }

  /// The record of this number, if it is not too long ago.
  subscript(number: Int) -> Record? {
    let slot = Self.slot(of: number)
    guard slot < ring.count, ring[slot].number == number else { return nil }
    return ring[slot]
  }

  /// The last records, so many at most, back to the first that does not fit; in order.
  func last(_ limit: Int, while fits: (Record) -> Bool) -> [Record] {
    var records: [Record] = []
    while records.count < limit, let record = self[last - records.count], fits(record) { records.append(record) }
    return records.reversed()
  }

  /// Records are numbered from 1 without gaps.
  private static func slot(of number: Int) -> Int {
    (max(number, 1) - 1) % capacity
  }
}

extension Record {
  /// The record without the bytes of a message.
  var withoutBytes: Record {
    guard case .sip(let event) = event, case .sent(let bytes) = event.phase, !bytes.isEmpty else { return self }
    var slim = self
    slim.event = .sip(SIPEvent(phase: .sent(bytes: []), message: event.message))
    return slim
  }
}
