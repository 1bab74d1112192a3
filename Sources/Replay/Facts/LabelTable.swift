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
    /// What identified the calls at this label of which something asks.
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
  /// The labels of each transaction's messages.
  private var transactions: [MessagePattern.Transaction: [String]] = [:]
  /// The label of everything that is learnt, in order, so that others know what to look at again.
  private(set) var news: [String] = []
  /// For each label the calls of which something asks what identified them then.
  private let remembered: [String: Set<String>]

  init(phone: String, remembering remembered: [String: Set<String>]) {
    self.phone = phone
    self.remembered = remembered
  }

  subscript(name: String) -> Entry? { entries[name] }

  /// Where checks see the label, once it has happened.
  func place(_ name: String) -> Place? { entries[name]?.seen }

  /// The labels of messages of the same transaction.
  func names(inTransactionOf message: MessageFacts) -> [String] { transactions[message.transaction] ?? [] }

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
      set(name, Entry(seen: place, calls: identities(at: name, book)))
      return
    }
    var entry = Entry(message: event.message, calls: identities(at: name, book))
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
    set(name, Entry(seen: place, calls: identities(at: name, book)))
  }

  private mutating func set(_ name: String, _ entry: Entry) {
    guard entries[name] == nil else { return }
    entries[name] = entry
    news.append(name)
    if let message = entry.message { transactions[message.transaction, default: []].append(name) }
  }

  private func identities(at label: String, _ book: CallBook) -> [String: Identity] {
    var result: [String: Identity] = [:]
    for name in remembered[label] ?? [] {
      if let call = book[name] { result[name] = Identity(uuid: call.uuid, callID: call.callID) }
    }
    return result
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
    news += names
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

extension MessageFacts {
  /// What the message has in common with the request that it is or belongs to.
  fileprivate var transaction: MessagePattern.Transaction {
    MessagePattern.Transaction(callID: callID, sequence: sequence, requester: status == nil ? from : to)
  }
}
