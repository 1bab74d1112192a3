import Instant
import Timeline

/// A way to write a timeline. Records go in one by one and lines come out, so that no view holds more than one instant.
public protocol TimelineView: Sendable {
  /// The lines above the first record.
  func opening(_ heading: Heading) -> [String]
  /// The lines that can be written once this record is known.
  mutating func lines(for record: Record) -> [String]
  /// The lines behind the last record.
  mutating func closing(_ summary: Summary) -> [String]
}

extension Heading {
  /// The heading as one line for readers.
  func line(isASCII: Bool) -> String {
    var words = ["#", "\"\(title)\""]
    if let caseName { words.append("case \"\(caseName)\"") }
    words += params.map { "\($0.name)=\($0.value)" }
    words.append("seed \(seed)")
    return MessageText.printable(words.joined(separator: " ").utf8, isASCII: isASCII)
  }
}

/// Holds the records of one instant back until it is over, so that a message that arrives at the instant of its sending
/// is one entry.
struct InstantBuffer: Sendable {
  /// A record, and whether the message that it sends arrives at the same instant.
  struct Entry: Sendable {
    var record: Record
    var hasArrived = false
  }

  private var held: [Entry] = []

  /// Takes a record; the entries of the instant before come out, in order.
  mutating func add(_ record: Record) -> [Entry] {
    let over = held.first.map { $0.record.instant < record.instant } ?? false ? finish() : []
    if let sending = sending(of: record) {
      held[sending].hasArrived = true
    } else {
      held.append(Entry(record: record))
    }
    return over
  }

  /// The entries that are held back.
  mutating func finish() -> [Entry] {
    defer { held.removeAll(keepingCapacity: true) }
    return held
  }

  /// Where the sending stands that this record is the first arrival of. The cause says which: a retransmission sent at
  /// the instant in which an earlier copy arrives has the same message.
  private func sending(of record: Record) -> Int? {
    guard case .sip(let event) = record.event, event.phase == .arrived else { return nil }
    return held.firstIndex { candidate in
      guard !candidate.hasArrived, case .sip(let sent) = candidate.record.event, case .sent = sent.phase else {
        return false
      }
      return sent.message.id == event.message.id && record.causes.contains(candidate.record.number)
    }
  }
}

/// The headline state of each call that has not ended.
struct CallStates: Sendable {
  private var states: [String: String] = [:]

  /// Takes a record into account; the state of its call with it, which is `ended` for the last time.
  mutating func state(with record: Record) -> String? {
    guard let name = record.call?.name else { return nil }
    guard case .state(_, let new, _) = record.event else { return states[name] }
    states[name] = new == "ended" ? nil : new
    return new
  }

  /// The state of a call that is going on.
  subscript(name: String) -> String? { states[name] }
}
