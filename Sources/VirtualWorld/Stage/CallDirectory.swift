import CallEngine
import Instant
import SimulationKernel
import Timeline

/// What the calls of a run are called: the script's names, CallKit's UUIDs and SIP's Call-IDs.
///
/// A name belongs to the UUID of the first report or Start that the call's push, INVITE or dialling brought about.
struct CallDirectory: Hashable, Sendable {
  /// How long a call that is over is known by its Call-ID: as long as anything may repeat one of its messages.
  private static let afterlife: Span = .seconds(100)

  private struct Retirement: Hashable {
    var instant: Instant
    var entry: Int
  }

  private struct Entry: Hashable {
    var label: CallLabel
    /// Whether the script declares the call, so that it is never forgotten.
    var isDeclared = false
    /// What the script fixes.
    var plannedUUID: CallUUID?
    var callIDs: [String] = []
    /// Whether an INVITE has been sent under one of them.
    var hasInvitation = false
    var uuid: CallUUID?
  }

  private var entries: [Int: Entry] = [:]
  private var lastEntry = 0
  /// Calls that are over and that the script did not declare, in order of the instant from which on they are forgotten.
  private var retired: [Retirement] = []
  private var byName: [String: Int] = [:]
  private var byUUID: [CallUUID: Int] = [:]
  private var byCallID: [String: Int] = [:]
  /// UUIDs that were handed out and not used yet.
  private var offered: [CallUUID: Int] = [:]
  /// The calls of the latest records, so that what has only causes finds its call.
  private var recent: RecentLabels = RecentLabels()
  private var generator: SeededGenerator
  private var unnamedCount = 0

  init(calls: [NamedCall], generator: SeededGenerator) {
    self.generator = generator
    for call in calls {
      let index = add(name: call.name)
      entries[index]?.isDeclared = true
      entries[index]?.plannedUUID = call.uuid
      if let callID = call.callID { bind(callID: callID, toEntry: index) }
    }
  }

  // MARK: Names

  /// The call of this name; one that is new from now on.
  @discardableResult
  mutating func declare(_ name: String) -> CallLabel {
    let index = byName[name] ?? add(name: name)
    return entries[index]?.label ?? CallLabel(name: name)
  }

  /// The call of this name.
  func label(named name: String) -> CallLabel? {
    byName[name].flatMap { entries[$0]?.label }
  }

  func uuid(named name: String) -> CallUUID? {
    byName[name].flatMap { entries[$0]?.uuid }
  }

  /// The Call-ID of the call of this name; without one the name, `@` and the caller's host, from then on.
  mutating func callID(named name: String, callerHost: String) -> String {
    let index = byName[name] ?? add(name: name)
    if let callID = entries[index]?.callIDs.last { return callID }
    let callID = "\(name)@\(callerHost)"
    bind(callID: callID, toEntry: index)
    return callID
  }

  /// The Call-ID that the call of this name has now.
  func callID(named name: String) -> String? {
    byName[name].flatMap { entries[$0]?.callIDs.last }
  }

  /// The Call-ID for an invitation of ours of the call of this name: its own for the first one; another one after any
  /// invitation, from then on. None that is reserved.
  mutating func callIDToInvite(named name: String, host: String, besides reserved: [String]) -> String {
    let entry = entries[byName[name] ?? add(name: name)]
    let own = entry?.callIDs.last ?? "\(name)@\(host)"
    let isFree = entry?.callIDs.contains(own) ?? false || byCallID[own] == nil
    guard entry?.hasInvitation == false, isFree, !reserved.contains(own) else {
      return anotherCallID(named: name, host: host, besides: reserved)
    }
    bind(callID: own, toCallNamed: name)
    return own
  }

  /// A Call-ID that no call has had, for another leg of the call of this name: `c1-2@` and the host, from then on.
  mutating func anotherCallID(named name: String, host: String, besides reserved: [String]) -> String {
    let callID = unusedCallID(named: name, host: host, besides: reserved)
    claim(callID: callID, forCallNamed: name)
    return callID
  }

  /// The Call-ID that ``anotherCallID(named:host:besides:)`` would give.
  func unusedCallID(named name: String, host: String, besides reserved: [String]) -> String {
    var number = 2
    func callID() -> String { "\(name)-\(number)@\(host)" }
    while byCallID[callID()] != nil || reserved.contains(callID()) { number += 1 }
    return callID()
  }

  /// The call that a Call-ID leads to.
  func label(ofKnownCallID callID: String) -> CallLabel? {
    byCallID[callID].flatMap { entries[$0]?.label }
  }

  /// Has a Call-ID lead to the call of this name, which keeps its own.
  mutating func claim(callID: String, forCallNamed name: String) {
    guard let index = byName[name] else { return }
    if let owner = byCallID[callID] {
      // A name that was made up for it when it was sent, before anybody knew what it was.
      guard entries[owner]?.isDeclared == false, entries[owner]?.uuid == nil else { return }
      entries[owner]?.callIDs.removeAll { $0 == callID }
    }
    entries[index]?.callIDs.insert(callID, at: 0)
    byCallID[callID] = index
  }

  /// Gives the call of this name another Call-ID; earlier ones still lead to it.
  mutating func bind(callID: String, toCallNamed name: String) {
    bind(callID: callID, toEntry: byName[name] ?? add(name: name))
  }

  /// The call of an invitation; one that nobody named gets a name of its own.
  mutating func label(ofCallID callID: String, inviting: Bool) -> CallLabel? {
    if byCallID[callID] == nil, inviting, !callID.isEmpty { bind(callID: callID, toEntry: addUnnamed()) }
    guard let index = byCallID[callID] else { return nil }
    if inviting { entries[index]?.hasInvitation = true }
    return entries[index]?.label
  }

  // MARK: UUIDs

  /// A fresh UUID for the call; the one that the script fixes if it has not been used.
  mutating func freshUUID(for label: CallLabel?) -> CallUUID {
    let index = label.flatMap { byName[$0.name] }
    let entry = index.flatMap { entries[$0] }
    var uuid = (entry?.uuid == nil ? entry?.plannedUUID : nil) ?? randomUUID()
    while byUUID[uuid] != nil { uuid = randomUUID() }
    if let index { offered[uuid] = index }
    return uuid
  }

  /// The call with this UUID. A UUID that is new belongs to the call it was handed out for, or to the call of the
  /// records that caused it; where that call has one already, or there is none, it is another call.
  mutating func label(of uuid: CallUUID, causes: [Int]) -> CallLabel {
    if let index = byUUID[uuid], let entry = entries[index] { return entry.label }
    let intended = offered.removeValue(forKey: uuid) ?? recent.label(of: causes).flatMap { byName[$0.name] }
    let index: Int
    if let intended, let entry = entries[intended] {
      index = entry.uuid == nil ? intended : add(name: unusedName(after: entry.label.name))
    } else {
      index = addUnnamed()
    }
    entries[index]?.uuid = uuid
    entries[index]?.label.uuid = uuid.description
    byUUID[uuid] = index
    return entries[index]?.label ?? CallLabel(name: "", uuid: uuid.description)
  }

  /// The call with this UUID, if there is one.
  func label(of uuid: CallUUID) -> CallLabel? {
    byUUID[uuid].flatMap { entries[$0]?.label }
  }

  /// The call is over. Unless the script declares it, it is forgotten once nothing can ask for it any more.
  mutating func retire(_ uuid: CallUUID, at now: Instant) {
    if let index = byUUID[uuid], entries[index]?.isDeclared == false {
      retired.append(Retirement(instant: now + Self.afterlife, entry: index))
    }
    while let first = retired.first, first.instant < now {
      forget(first.entry)
      retired.removeFirst()
    }
  }

  // MARK: Records

  /// The call that these records belong to.
  func label(ofRecords causes: [Int]) -> CallLabel? { recent.label(of: causes) }

  mutating func remember(_ label: CallLabel?, ofRecord number: Int) {
    if let label { recent.remember(label, ofRecord: number) }
  }

  // MARK: Parts

  private mutating func add(name: String) -> Int {
    lastEntry += 1
    entries[lastEntry] = Entry(label: CallLabel(name: name))
    byName[name] = lastEntry
    return lastEntry
  }

  private mutating func addUnnamed() -> Int {
    repeat { unnamedCount += 1 } while byName["call-\(unnamedCount)"] != nil
    return add(name: "call-\(unnamedCount)")
  }

  private func unusedName(after name: String) -> String {
    var number = 2
    while byName["\(name)-\(number)"] != nil { number += 1 }
    return "\(name)-\(number)"
  }

  private mutating func bind(callID: String, toEntry index: Int) {
    if entries[index]?.callIDs.last != callID {
      entries[index]?.callIDs.removeAll { $0 == callID }
      entries[index]?.callIDs.append(callID)
    }
    if byCallID[callID] == nil { byCallID[callID] = index }
  }

  private mutating func forget(_ index: Int) {
    guard let entry = entries.removeValue(forKey: index) else { return }
    byName[entry.label.name] = nil
    if let uuid = entry.uuid { byUUID[uuid] = nil }
    for callID in entry.callIDs where byCallID[callID] == index { byCallID[callID] = nil }
  }

  /// A version 4 UUID (RFC 9562 5.4) from the run's own generator.
  private mutating func randomUUID() -> CallUUID {
    let high = generator.next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
    let low = generator.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    return CallUUID(high: high, low: low)
  }
}

/// The calls of the latest records, bounded whatever the length of the run.
private struct RecentLabels: Hashable, Sendable {
  private static let capacity = 1_024
  private var slots: [Slot?] = []

  private struct Slot: Hashable {
    var number: Int
    var label: CallLabel
  }

  mutating func remember(_ label: CallLabel, ofRecord number: Int) {
    if slots.isEmpty { slots = Array(repeating: nil, count: Self.capacity) }
    slots[number % Self.capacity] = Slot(number: number, label: label)
  }

  func label(of records: [Int]) -> CallLabel? {
    for number in records.reversed() {
      if let slot = slots.isEmpty ? nil : slots[number % Self.capacity], slot.number == number { return slot.label }
    }
    return nil
  }
}
