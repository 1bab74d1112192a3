import CallEngine
import Instant
import SIP
import SimulationKernel
import Timeline

/// The hosts of a run with their clock: a phone and its peers. The world delivers nothing by itself: a step yields
/// datagrams that a network takes and hands back as arrivals.
struct World: Hashable, Sendable {
  private(set) var stage: Stage
  private(set) var phone: Phone
  private(set) var peers: [Peer]

  init(_ setup: WorldSetup, coordinator: any Coordinator, generator: SeededGenerator) {
    let book = AddressBook([setup.phone.address] + setup.peers.map(\.address))
    stage = Stage(
      calls: CallDirectory(calls: setup.calls, generator: generator.split(for: "uuid")), book: book)
    phone = Phone(
      setup.phone, index: 0, mediaAddress: book.ipAddresses[0], coordinator: coordinator,
      generator: generator.split(for: setup.phone.address.name))
    peers = setup.peers.map { Peer($0, generator: generator.split(for: $0.address.name)) }
  }

  /// What a step did.
  struct Step {
    var records: [Record]
    var datagrams: [Datagram]
  }

  mutating func takeStep() -> Step {
    phone.judgeAudio(on: &stage)
    stage.dropStaleTimers()
    return Step(records: stage.takeRecords(), datagrams: stage.takeDatagrams())
  }

  mutating func moveClock(to instant: Instant) { stage.moveClock(to: instant) }

  // MARK: The script

  mutating func perform(_ stimulus: Stimulus, line: Int?) throws(StimulusRefusal) {
    switch stimulus {
    case .push(let call, let callID, let caller):
      if let callID { stage.calls.bind(callID: callID, toCallNamed: call) }
      let label = stage.calls.declare(call)
      let known = stage.calls.callID(named: call, callerHost: callerHost)
      phone.receivePush(call: label, callID: known, caller: caller, line: line, on: &stage)
    case .user(let acts, let inApp):
      for act in acts { stage.calls.declare(act.call) }
      phone.perform(acts, inApp: inApp, line: line, on: &stage)
    case .message(let message):
      try send(message, line: line)
    case .system(let act): phone.perform(act, line: line, on: &stage)
    case .vanish(let name):
      let peer = try index(ofPeer: name, whichCannot: "vanish")
      let isNew = stage.disconnect(peer)
      note(isNew ? .lifecycle(.vanishes) : .ignored("\(name) has vanished already"), name, line)
    case .comeBack(let name):
      let peer = try index(ofPeer: name, whichCannot: "come back")
      note(stage.connect(peer) ? .lifecycle(.returns) : .ignored("\(name) has not vanished"), name, line)
    }
  }

  private mutating func note(_ event: Event, _ peer: String, _ line: Int?) {
    stage.record(from: peer, event, causes: [], line: line)
  }

  private func index(ofPeer name: String, whichCannot act: String) throws(StimulusRefusal) -> ActorIndex {
    guard let index = stage.book.index(named: name) else { throw StimulusRefusal("nobody is called `\(name)`") }
    guard index > 0 else { throw StimulusRefusal("`\(name)` is no peer, so the script cannot have it \(act)") }
    return index
  }

  /// The host of whoever calls, for a push that comes before the call's INVITE: the first peer's.
  private var callerHost: String {
    stage.book.actors.dropFirst().first?.host ?? stage.book.actors[phone.index].host
  }

  private mutating func send(_ message: PeerMessage, line: Int?) throws(StimulusRefusal) {
    let sender = try index(ofPeer: message.from, whichCannot: "send")
    if stage.isDisconnected(sender) {
      throw StimulusRefusal("`\(message.from)` has vanished, so it sends nothing until it comes back")
    }
    guard let receiver = stage.book.index(named: message.to) else {
      throw StimulusRefusal("nobody is called `\(message.to)`")
    }
    let callID = bindCallID(of: message, sender: sender)
    let outputs = try peers[sender - 1].send(
      message, callID: callID, destination: stage.book.actors[receiver], at: stage.now, causes: [])
    carryOut(outputs, of: sender, line: line)
  }

  /// The Call-ID of the call that a message names. The text of a raw message, or an own Call-ID, decides about the call.
  private mutating func bindCallID(of message: PeerMessage, sender: ActorIndex) -> String? {
    guard case .call(let name) = message.subject else { return message.callID }
    if let callID = message.callID {
      stage.calls.bind(callID: callID, toCallNamed: name)
    } else if case .raw(let bytes) = message.content {
      if let raw = try? SIPMessage(reading: bytes), !raw.callID.isEmpty {
        stage.calls.bind(callID: raw.callID, toCallNamed: name)
      }
    }
    return stage.calls.callID(named: name, callerHost: stage.book.actors[sender].host)
  }

  // MARK: Time

  /// Carries out the next event. A hold of the network that has run out is handed back to the network.
  mutating func performNext() -> Carriage.Hold? {
    guard let event = stage.advance() else { return nil }
    switch event {
    case .release(let hold): return hold
    case .arrival(let datagram, let receiver, let causes): receive(datagram, at: receiver, causes: causes)
    case .system(let work, let causes): perform(work, causes: causes)
    case .timer(let key, _): fire(key)
    }
    return nil
  }

  private mutating func perform(_ work: SystemWork, causes: [Int]) {
    switch work {
    case .completeReport(let uuid, let error): phone.completeReport(uuid, error, causes: causes, on: &stage)
    case .completeRequest(let id, let actions): phone.completeRequest(id, actions, causes: causes, on: &stage)
    case .deliver(let acts): phone.deliver(acts, causes: causes, on: &stage)
    case .activateAudio(let change): phone.activateAudio(change, causes: causes, on: &stage)
    case .deactivateAudio(let change): phone.deactivateAudio(change, causes: causes, on: &stage)
    case .react(let reaction): phone.react(reaction, causes: causes, on: &stage)
    }
  }

  private mutating func fire(_ key: TimerKey) {
    let causes = stage.expire(key)
    switch key {
    case .coordinator(let timer): phone.fire(timer, causes: causes, on: &stage)
    case .actionLimit(let action): phone.timeOut(action, causes: causes, on: &stage)
    case .agent(let timer): phone.fire(timer, causes: causes, on: &stage)
    case .digits(let leg): phone.fireDigits(on: leg, causes: causes, on: &stage)
    case .peer(let index, let timer): carryOut(peers[index - 1].fire(timer, at: stage.now), of: index, causes: causes)
    }
  }

  // MARK: Messages

  /// A datagram has arrived. What is no SIP message goes no further: a record says why.
  private mutating func receive(_ datagram: Datagram, at receiver: ActorIndex, causes: [Int]) {
    let name = stage.book.actors[receiver].name
    let call = call(of: datagram)
    if let why = whyDeaf(receiver) {
      lose(datagram, why, causes: causes)
      return
    }
    let number = stage.record(
      from: datagram.facts.from, to: name, call: call,
      .sip(SIPEvent(phase: .arrived, message: datagram.facts)), causes: causes)
    let message: SIPMessage
    do {
      message = try stage.read(datagram.bytes)
    } catch {
      stage.record(
        from: name, call: call,
        .sip(SIPEvent(phase: .dropped("\(error.why), at octet \(error.offset)"), message: datagram.facts)),
        causes: [number])
      return
    }
    if receiver == phone.index {
      phone.receive(message, from: datagram.source, causes: [number], on: &stage)
    } else {
      let outputs = peers[receiver - 1].receive(
        message, number: datagram.facts.id, from: datagram.source, at: stage.now, causes: [number])
      carryOut(outputs, of: receiver, causes: [number])
    }
  }

  /// Why nothing reaches an actor; `nil` if something does.
  private func whyDeaf(_ receiver: ActorIndex) -> String? {
    if stage.isDisconnected(receiver) { return whyUnreachable(receiver) }
    return receiver == phone.index && phone.process == .killed ? "no app listens" : nil
  }

  private func whyUnreachable(_ actor: ActorIndex) -> String {
    actor == phone.index ? "\(phone.name) has no network" : "\(stage.book.actors[actor].name) has vanished"
  }

  private mutating func carryOut(
    _ outputs: [PeerOutput], of index: ActorIndex, causes received: [Int] = [], line: Int? = nil
  ) {
    var lastSent: Int?
    for output in outputs {
      switch output {
      case .send(let transmission):
        lastSent = stage.send(transmission, from: index, fallback: received, line: line)
      case .sendRaw(let bytes, let destination, let causes):
        lastSent = stage.send(
          bytes, message: try? stage.read(bytes), from: index, to: destination, origin: .decision,
          causes: causes.isEmpty ? received : causes, line: line)
      case .setTimer(let timer, let span):
        stage.setTimer(.peer(index, timer), after: span, causes: lastSent.map { [$0] } ?? received)
      case .cancelTimer(let timer): stage.cancelTimer(.peer(index, timer))
      case .dropped(let why):
        stage.record(from: stage.book.actors[index].name, .ignored(why), causes: received)
      }
    }
  }

  // MARK: The network's side

  /// Why a datagram does not even get onto the network; `nil` if it does.
  func obstacle(to datagram: Datagram) -> String? {
    if let sender = stage.book.index(named: datagram.facts.from), stage.isDisconnected(sender) {
      return whyUnreachable(sender)
    }
    return stage.book.index(named: datagram.facts.to) == nil ? "nobody listens there" : nil
  }

  /// A datagram will arrive.
  mutating func accept(_ arrival: Arrival, causes: [Int]) {
    guard let receiver = stage.book.index(named: arrival.datagram.facts.to) else { return }
    stage.schedule(.arrival(arrival.datagram, at: receiver, causes: causes.sorted()), at: arrival.instant)
  }

  /// The network keeps a datagram until then at the latest.
  mutating func hold(_ hold: Carriage.Hold) {
    stage.schedule(.release(hold), at: hold.until)
  }

  /// A datagram will not arrive.
  mutating func lose(_ datagram: Datagram, _ why: String, causes: [Int]) {
    stage.record(
      from: datagram.facts.from, to: datagram.facts.to, call: call(of: datagram),
      .sip(SIPEvent(phase: .lost(why), message: datagram.facts)), causes: causes)
  }

  /// A fault has taken effect on a datagram; returns the number of the record.
  mutating func note(_ fault: FaultEvent, on datagram: Datagram) -> Int {
    stage.record(from: "network", call: call(of: datagram), .fault(fault), causes: [datagram.record])
  }

  private func call(of datagram: Datagram) -> CallLabel? {
    datagram.call.flatMap { stage.calls.label(named: $0) }
  }
}
