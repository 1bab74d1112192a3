import Instant
import Testing

@testable import SIP

/// Several user agents on a wire that delays, and loses and doubles if it is told to, under one clock.
struct AgentNetwork {
  private enum Item: Hashable {
    case arrival(at: Int, from: Endpoint, SIPMessage)
    case timer(of: Int, UserAgentTimer, version: Int)
    case command(of: Int, UserAgentCommand)
  }

  private struct TimerKey: Hashable {
    var owner: Int
    var timer: UserAgentTimer
  }

  /// What an agent told its owner.
  struct Told: Hashable {
    var owner: Int
    var event: UserAgentEvent
  }

  var random: UserAgentRandomTests.Generator
  /// In percent.
  let loss: Int
  private(set) var agents: [UserAgent]
  private(set) var now = Instant.zero
  private(set) var told: [Told] = []
  /// Every message that has left, in order, with who sent it.
  private(set) var sent: [(owner: Int, message: SIPMessage)] = []
  private var queue: [(at: Instant, number: Int, item: Item)] = []
  private var pushed = 0
  private var versions: [TimerKey: Int] = [:]

  /// Agents at 10.0.0.1 and so on, called a, b and so on.
  init(_ count: Int, seed: UInt64 = 1, loss: Int = 0) {
    random = UserAgentRandomTests.Generator(state: seed)
    self.loss = loss
    agents = (0..<count).map { index in
      let name = String(UnicodeScalar(UInt8(ascii: "a") + UInt8(index)))
      return UserAgent(
        UserAgentIdentity(
          name: name, addressOfRecord: "sip:\(name)@example.com", contact: Self.endpoint(index),
          mediaAddress: Self.endpoint(index).host))
    }
  }

  static func endpoint(_ index: Int) -> Endpoint {
    Endpoint(host: "10.0.0.\(index + 1)", port: 5060, transport: .udp)
  }

  mutating func perform(_ command: UserAgentCommand, by owner: Int) {
    take(agents[owner].perform(command, causes: []), of: owner)
  }

  /// Has an owner command something later.
  mutating func schedule(_ command: UserAgentCommand, by owner: Int, after span: Span) {
    push(.command(of: owner, command), after: span)
  }

  /// Lets time pass; `react` sees what the owners are told, at once.
  mutating func run(_ span: Span, react: (inout AgentNetwork, Told) -> Void = { _, _ in }) {
    let limit = now + span
    while let place = queue.indices.min(by: { (queue[$0].at, queue[$0].number) < (queue[$1].at, queue[$1].number) }),
      queue[place].at <= limit
    {
      let entry = queue.remove(at: place)
      now = entry.at
      let seen = told.count
      step(entry.item)
      for told in told[seen...] { react(&self, told) }
    }
    now = limit
  }

  private mutating func step(_ item: Item) {
    switch item {
    case .arrival(let owner, let source, let message):
      take(agents[owner].receive(message, from: source, causes: []), of: owner)
    case .timer(let owner, let timer, let version):
      guard versions[TimerKey(owner: owner, timer: timer)] == version else { return }
      versions[TimerKey(owner: owner, timer: timer)] = nil
      take(agents[owner].fire(timer), of: owner)
    case .command(let owner, let command): perform(command, by: owner)
    }
  }

  private mutating func push(_ item: Item, after span: Span) {
    pushed += 1
    queue.append((now + span, pushed, item))
  }

  private mutating func take(_ outputs: [UserAgentOutput], of owner: Int) {
    for output in outputs {
      switch output {
      case .send(let transmission): transmit(transmission, from: owner)
      case .setTimer(let timer, let span, _): set(timer, of: owner, after: span)
      case .setRandomTimer(let timer, let range, _): set(timer, of: owner, after: range.lowerBound)
      case .cancelTimer(let timer): versions[TimerKey(owner: owner, timer: timer)] = nil
      case .event(let event, _): told.append(Told(owner: owner, event: event))
      case .dropped: break
      }
    }
  }

  private mutating func set(_ timer: UserAgentTimer, of owner: Int, after span: Span) {
    pushed += 1
    versions[TimerKey(owner: owner, timer: timer)] = pushed
    push(.timer(of: owner, timer, version: pushed), after: span)
  }

  private mutating func transmit(_ transmission: Transmission, from owner: Int) {
    sent.append((owner, transmission.message))
    guard let place = agents.indices.first(where: { Self.endpoint($0).host == transmission.destination.host }) else {
      return
    }
    let copies = loss == 0 ? 1 : random.below(100) < loss ? 0 : random.below(100) < 15 ? 2 : 1
    for _ in 0..<copies {
      let delay = loss == 0 ? 20 : random.below(10) == 0 ? random.below(3_000) : 5 + random.below(100)
      push(
        .arrival(at: place, from: Self.endpoint(owner), transmission.message), after: .milliseconds(Int64(delay)))
    }
  }

  // MARK: What there is to see

  func events(of owner: Int) -> [UserAgentEvent] { told.filter { $0.owner == owner }.map(\.event) }

  func states(of referral: ReferralID, by owner: Int) -> [ReferralState] {
    events(of: owner).compactMap { if case .referral(referral, let state) = $0 { state } else { nil } }
  }

  func ends(of owner: Int) -> [SessionID: [SessionEnd]] {
    var ends: [SessionID: [SessionEnd]] = [:]
    for case .ended(let id, let end) in events(of: owner) { ends[id, default: []].append(end) }
    return ends
  }

  /// What is left of sessions, transactions, referrals and timers.
  var leftovers: [String] {
    var leftovers: [String] = []
    for (owner, agent) in agents.enumerated() {
      if agent.sessionCount != 0 { leftovers.append("sessions of \(owner)") }
      if agent.transactions.count != 0 { leftovers.append("transactions of \(owner)") }
      if agent.referralCount != 0 { leftovers.append("referrals of \(owner)") }
      if !agent.referrals.requests.isEmpty || !agent.referrals.notifications.isEmpty {
        leftovers.append("REFERs or NOTIFYs of \(owner)")
      }
      if !agent.referrals.dialogs.isEmpty || !agent.dialogs.isEmpty { leftovers.append("dialogs of \(owner)") }
      if !agent.requested.isEmpty { leftovers.append("requests of \(owner)") }
    }
    if versions.contains(where: { _ in true }) { leftovers.append("timers") }
    return leftovers
  }
}
