import Instant
import Timeline

/// The labels that have happened, and where and when.
///
/// A label on a message has several places: its sending, and its arrival. Checks mean the record at the phone, a
/// reaction means the place where the reacting actor stands.
struct LabelTable: Hashable, Sendable {
  /// A place in the record order and its instant.
  struct Place: Hashable, Sendable {
    var number: Int
    var instant: Instant
  }

  /// What is known of one label.
  struct Entry: Hashable, Sendable {
    /// The message, where the label names one.
    var message: MessageFacts?
    /// Where the message left its sender, where that is known.
    var sent: Place?
    /// Where the message arrived at its receiver.
    var arrived: Place?
    /// Where checks see it; `nil` until a peer's message has arrived at the phone.
    var seen: Place?
    /// UUID and Call-ID of every call at this label.
    var calls: [String: Identity]
  }

  /// What identified a call at a label.
  struct Identity: Hashable, Sendable {
    var uuid: String?
    var callID: String?
  }

  private let phone: String
  private var entries: [String: Entry] = [:]
  /// The labels of messages that are on their way, by the message's number.
  private var underway: [Int: [String]] = [:]
  /// Grows with everything that is learnt, so that others know when to look again.
  private(set) var version = 0

  init(phone: String) {
    self.phone = phone
  }

  subscript(name: String) -> Entry? { entries[name] }

  /// Where checks see the label, once it has happened.
  func place(_ name: String) -> Place? { entries[name]?.seen }

  /// When the label happened where the actor stands; an actor of `nil` stands at the phone.
  func instant(of name: String, for actor: String?) -> Instant? {
    guard let entry = entries[name] else { return nil }
    guard let message = entry.message, let actor else { return entry.seen?.instant }
    if actor == message.to { return entry.arrived?.instant }
    if actor == message.from { return (entry.sent ?? entry.seen)?.instant }
    return entry.seen?.instant
  }

  /// Gives the record a name. The first record of a name keeps it.
  mutating func name(_ record: Record, _ name: String, book: CallBook) {
    let place = Place(number: record.number, instant: record.instant)
    guard case .sip(let event) = record.event else {
      set(name, Entry(seen: place, calls: book.identities))
      return
    }
    var entry = Entry(message: event.message, calls: book.identities)
    switch event.phase {
    case .sent, .lost:
      entry.sent = place
      if event.message.to != phone { entry.seen = place }
      underway[event.message.id, default: []].append(name)
    case .arrived, .dropped:
      entry.arrived = place
      entry.seen = place
    }
    set(name, entry)
  }

  /// Gives a moment a name at which nothing happened: the one at which a question was answered.
  mutating func name(momentAt place: Place, _ name: String, book: CallBook) {
    set(name, Entry(seen: place, calls: book.identities))
  }

  private mutating func set(_ name: String, _ entry: Entry) {
    guard entries[name] == nil else { return }
    entries[name] = entry
    version += 1
  }

  /// Follows labelled messages to their receivers; the labels that checks see from now on are returned.
  mutating func follow(_ record: Record) -> [String] {
    guard case .sip(let event) = record.event else { return [] }
    switch event.phase {
    case .sent, .lost: return []
    case .arrived, .dropped: break
    }
    guard let names = underway.removeValue(forKey: event.message.id) else { return [] }
    let place = Place(number: record.number, instant: record.instant)
    version += 1
    var new: [String] = []
    for name in names {
      entries[name]?.arrived = place
      if entries[name]?.seen == nil {
        entries[name]?.seen = place
        new.append(name)
      }
    }
    return new
  }
}

extension CallBook {
  /// What identifies every call now.
  fileprivate var identities: [String: LabelTable.Identity] {
    var result: [String: LabelTable.Identity] = [:]
    for call in calls { result[call.name] = LabelTable.Identity(uuid: call.uuid, callID: call.callID) }
    return result
  }
}
