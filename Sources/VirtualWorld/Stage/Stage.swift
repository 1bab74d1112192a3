import Instant
import SIP
import SimulationKernel
import Timeline

/// What all actors of a world share: the clock and the queue, the names, the address book, and the records of the step
/// that is being carried out.
struct Stage: Hashable, Sendable {
  private(set) var kernel = Kernel<WorldEvent>()
  private(set) var timers = TimerTable()
  var calls: CallDirectory
  private var messages = MessageLedger()
  let book: AddressBook
  /// The actors without a connection: what they send and what is sent to them is lost.
  private var disconnected: Set<ActorIndex> = []
  private(set) var recordCount = 0
  /// How many events are due that are no timers.
  private var eventCount = 0
  /// The records of this step, emptied when it ends.
  private var records: [Record] = []
  /// What this step has put on the wire, emptied when it ends.
  private var datagrams: [Datagram] = []

  init(calls: CallDirectory, book: AddressBook) {
    self.calls = calls
    self.book = book
  }

  var now: Instant { kernel.now }

  // MARK: Records

  /// Appends a record and returns its number. A record without a call of its own belongs to the call of its causes.
  @discardableResult
  mutating func record(
    from: String, to: String? = nil, call: CallLabel? = nil, _ event: Event, causes: [Int], line: Int? = nil
  ) -> Int {
    recordCount += 1
    let label = call ?? calls.label(ofRecords: causes)
    calls.remember(label, ofRecord: recordCount)
    records.append(
      Record(
        number: recordCount, instant: now, from: from, to: to, call: label, event: event, causes: causes, line: line))
    return recordCount
  }

  /// A record of this step; `nil` for an earlier one.
  func record(_ number: Int) -> Record? {
    guard let first = records.first, number >= first.number, number - first.number < records.count else { return nil }
    return records[number - first.number]
  }

  /// Hands over the records of this step.
  mutating func takeRecords() -> [Record] {
    defer { records = [] }
    return records
  }

  /// Hands over the datagrams of this step.
  mutating func takeDatagrams() -> [Datagram] {
    defer { datagrams = [] }
    return datagrams
  }

  // MARK: Time

  mutating func moveClock(to instant: Instant) { kernel.moveClock(to: instant) }

  mutating func schedule(_ event: WorldEvent, after span: Span) {
    kernel.schedule(event, after: span)
    eventCount += 1
  }

  mutating func schedule(_ event: WorldEvent, at instant: Instant) {
    kernel.schedule(event, at: instant)
    eventCount += 1
  }

  mutating func setTimer(_ key: TimerKey, after span: Span, isPeriodic: Bool = false, causes: [Int] = []) {
    setTimer(key, at: now + span, isPeriodic: isPeriodic, causes: causes)
  }

  mutating func setTimer(_ key: TimerKey, at instant: Instant, isPeriodic: Bool = false, causes: [Int] = []) {
    let serial = timers.set(key, isPeriodic: isPeriodic, causes: causes)
    kernel.scheduleTimer(.timer(key, serial: serial), at: instant)
  }

  @discardableResult
  mutating func cancelTimer(_ key: TimerKey) -> Bool { timers.cancel(key) }

  mutating func cancelTimers(where matches: (TimerKey) -> Bool) { timers.cancelAll(where: matches) }

  /// Takes a timer that expires out of the table; the causes that it was set with.
  mutating func expire(_ key: TimerKey) -> [Int] { timers.expire(key) }

  /// When something happens next.
  var nextInstant: Instant? { kernel.nextInstant }

  /// Whether nothing is due but what goes on by itself for as long as a call lives.
  var isSettled: Bool { eventCount == 0 && timers.finiteCount == 0 }

  /// Takes the next event and moves the clock to it.
  mutating func advance() -> WorldEvent? {
    guard let event = kernel.advance() else { return nil }
    if case .timer = event {} else { eventCount -= 1 }
    return event
  }

  /// Drops the timers at the head of the queue that were moved or cancelled, so that the next event is a real one.
  mutating func dropStaleTimers() {
    while case .timer(let key, let serial)? = kernel.next?.element, !timers.isLive(key, serial: serial) {
      kernel.dropNext()
    }
  }

  // MARK: Messages

  func isDisconnected(_ actor: ActorIndex) -> Bool { disconnected.contains(actor) }

  /// Takes an actor's connection away; whether it had one.
  mutating func disconnect(_ actor: ActorIndex) -> Bool { disconnected.insert(actor).inserted }

  /// Gives an actor its connection back; whether it had none.
  mutating func connect(_ actor: ActorIndex) -> Bool { disconnected.remove(actor) != nil }

  /// What the bytes of a datagram say, or why they say nothing.
  func read(_ bytes: [UInt8]) throws(SIPReadingError) -> SIPMessage { try messages.read(bytes) }

  /// Puts bytes on the wire and records it.
  @discardableResult
  mutating func send(
    _ bytes: [UInt8], message: SIPMessage?, from sender: ActorIndex, to destination: Endpoint,
    origin: MessageFacts.Origin, call: CallLabel? = nil, causes: [Int], line: Int? = nil
  ) -> Int {
    var requestURI: String?
    if case .request(_, let uri)? = message?.startLine { requestURI = uri }
    let receiver = book.actor(at: destination, requestURI: requestURI)
    let from = book.actors[sender].name
    let to = receiver.map { book.actors[$0].name } ?? "\(destination.host):\(destination.port)"
    let facts = messages.facts(of: bytes, message: message, from: from, to: to, origin: origin, at: now)
    let inviting = facts.method == "INVITE" && facts.status == nil
    let label = call ?? calls.label(ofCallID: facts.callID, inviting: inviting)
    let number = record(
      from: from, to: to, call: label, .sip(SIPEvent(phase: .sent(bytes: bytes), message: facts)), causes: causes,
      line: line)
    let destination = message.map(destination.carrying) ?? destination
    datagrams.append(
      Datagram(
        bytes: bytes, source: book.source(of: sender, over: destination.transport), destination: destination,
        facts: facts, call: label?.name, record: number))
    return number
  }
}
