import Instant
import SIP
import SimulationKernel
import Timeline

@testable import VirtualWorld

/// Two peers and a wire of 10 ms between them, with a log of what is sent.
struct PeerLoop {
  private enum Event: Hashable, Sendable {
    case arrival(to: String, bytes: [UInt8])
    case timer(of: String, PeerTimer, version: Int)
  }

  private struct TimerKey: Hashable {
    var owner: String
    var timer: PeerTimer
  }

  private(set) var peers: [String: Peer] = [:]
  /// Every transmission: instant, way, summary, and `again` for a retransmission.
  private(set) var log: [String] = []
  private(set) var drops: [String] = []
  /// What was sent, in order.
  private(set) var messages: [SIPMessage] = []
  /// Transmissions that do not arrive, by their place in the log from 0.
  var lost: Set<Int> = []
  /// Transmissions that arrive twice.
  var doubled: Set<Int> = []
  private var kernel = Kernel<Event>()
  private var versions: [TimerKey: Int] = [:]
  private var timersSet = 0
  private var numbers: [[UInt8]: Int] = [:]

  init(automatic: Set<String> = [], answersAfter: Span = .seconds(1), transport: Transport = .udp) {
    for (name, host) in [("alice", "10.0.0.1"), ("bob", "10.0.0.2")] {
      let address = ActorAddress(name: name, uri: "sip:\(name)@example.com", host: host, transport: transport)
      let setup = PeerSetup(
        address: address, isAutomatic: automatic.contains(name), answersAfter: answersAfter)
      peers[name] = Peer(setup, generator: SeededGenerator(seed: 1))
    }
  }

  var now: Instant { kernel.now }
  var isIdle: Bool { kernel.nextInstant == nil }
  /// Whether nothing is left of any call at either peer.
  var isBlank: Bool { peers.values.allSatisfy { $0.isBlank } }

  /// The number of the last message whose log line ends like this.
  func number(_ summary: String) -> Int? {
    log.lastIndex { $0.hasSuffix(summary) }.flatMap { numbers[messages[$0].bytes] }
  }

  func message(_ summary: String) -> SIPMessage? {
    log.lastIndex { $0.hasSuffix(summary) }.map { messages[$0] }
  }

  /// Log lines without their instants.
  var flow: [String] { log.map { String($0.drop { $0 != " " }.dropFirst()) } }

  mutating func send(
    _ from: String, _ content: PeerMessage.Content, _ subject: PeerMessage.Subject = .call("c1"),
    session: MessageFacts.Session? = nil, fragment: Int? = nil, headers: [(name: String, value: String)] = [],
    omitted: [String] = [], callID: String? = "c1@example.com", overriding: String? = nil
  ) throws {
    let to = from == "alice" ? "bob" : "alice"
    guard let destination = peers[to]?.setup.address else { return }
    let message = PeerMessage(
      from: from, to: to, content: content, subject: subject, session: session, fragment: fragment, headers: headers,
      omitted: omitted, callID: overriding)
    let instant = now
    let outputs = try peers[from]?.send(message, callID: callID, destination: destination, at: instant, causes: [])
    perform(outputs ?? [], of: from)
  }

  /// Alice calls Bob, who rings and answers.
  mutating func establish() throws {
    try send("alice", .request(method: "INVITE"), session: .offer)
    run(for: .milliseconds(10))
    for status in [180, 200] {
      try send("bob", .response(status: status), session: status == 200 ? .answer : nil)
      run(for: .milliseconds(10))
    }
    try send("alice", .request(method: "ACK"))
    run(for: .milliseconds(10))
  }

  /// Lets everything happen that is due up to so long from now.
  mutating func run(for span: Span) {
    let end = now + span
    while let next = kernel.nextInstant, next <= end { step() }
    kernel.moveClock(to: end)
  }

  /// Lets everything happen, unless there is no end to it.
  mutating func runToTheEnd() {
    var steps = 0
    while !isIdle, steps < 20_000 {
      step()
      steps += 1
    }
  }

  private mutating func step() {
    switch kernel.advance() {
    case .arrival(let name, let bytes):
      guard let message = try? SIPMessage(reading: bytes) else {
        drops.append("unreadable")
        return
      }
      let source = peers[name == "alice" ? "bob" : "alice"]?.setup.address.endpoint
      guard let source else { return }
      let (number, instant) = (number(of: bytes), now)
      let outputs = peers[name]?.receive(message, number: number, from: source, at: instant, causes: [])
      perform(outputs ?? [], of: name)
    case .timer(let name, let timer, let version):
      guard versions[TimerKey(owner: name, timer: timer)] == version else { return }
      versions[TimerKey(owner: name, timer: timer)] = nil
      let instant = now
      perform(peers[name]?.fire(timer, at: instant) ?? [], of: name)
    case nil:
      return
    }
  }

  private mutating func perform(_ outputs: [PeerOutput], of name: String) {
    for output in outputs {
      switch output {
      case .send(let transmission):
        let again = transmission.origin == .retransmission ? " again" : ""
        put(transmission.message.bytes, from: name, suffix: again)
      case .sendRaw(let bytes, _, _):
        put(bytes, from: name, suffix: " raw")
      case .setTimer(let timer, let span):
        let key = TimerKey(owner: name, timer: timer)
        timersSet += 1
        versions[key] = timersSet
        kernel.scheduleTimer(.timer(of: name, timer, version: timersSet), at: now + span)
      case .cancelTimer(let timer):
        versions[TimerKey(owner: name, timer: timer)] = nil
      case .dropped(let why):
        drops.append(why)
      }
    }
  }

  private mutating func put(_ bytes: [UInt8], from name: String, suffix: String) {
    let place = log.count
    let to = name == "alice" ? "bob" : "alice"
    guard let message = try? SIPMessage(reading: bytes) else {
      log.append("\(now) \(name) unreadable\(suffix)")
      if let filler = try? SIPMessage(.response(status: 100, reason: ""), headers: []) { messages.append(filler) }
      kernel.schedule(.arrival(to: to, bytes: bytes), after: .milliseconds(10))
      return
    }
    var summary = message.method.name
    if case .response(let status, _) = message.startLine { summary = "\(status) \(summary)" }
    log.append("\(now) \(name) \(summary)\(suffix)")
    messages.append(message)
    _ = number(of: bytes)
    if lost.contains(place) { return }
    for _ in 0..<(doubled.contains(place) ? 2 : 1) {
      kernel.schedule(.arrival(to: to, bytes: bytes), after: .milliseconds(10))
    }
  }

  private mutating func number(of bytes: [UInt8]) -> Int {
    if let number = numbers[bytes] { return number }
    numbers[bytes] = numbers.count + 1
    return numbers.count
  }
}

extension MessageFacts.Session {
  static let offer = MessageFacts.Session(role: .offer, direction: "sendrecv")
  static let answer = MessageFacts.Session(role: .answer, direction: "sendrecv")
}

extension Peer {
  /// Whether nothing is left of any call.
  var isBlank: Bool { dialogs.isEmpty && outbox.isEmpty && unacknowledged.isEmpty }
}
