import CallEngine
import Instant
import SIP
import SimulationKernel
import Timeline

@testable import VirtualWorld

/// Two calls, everything that can happen to them in everyday life in a random order, and peers that keep to SIP.
///
/// When everything has settled both sides must agree (``Agreement``), and when the user has ended what is left nothing
/// must be open (``Remains``). What the peers do is drawn too, but they react to everything, as ``PeerConduct`` says.
struct EverydayRun {
  /// One of the two calls.
  struct Call {
    var name: String
    var peer: String
    var isOutgoing: Bool
    /// Those that have carried it, the last one now.
    var callIDs: [String]
    var callID: String { callIDs.last ?? "" }

    init(name: String, peer: String, isOutgoing: Bool) {
      (self.name, self.peer, self.isOutgoing) = (name, peer, isOutgoing)
      // As the phone makes it for a call that goes out.
      callIDs = [isOutgoing ? "\(name)@10.0.0.2" : "\(name)@k"]
    }
  }

  static let peers = ["alice", "carol"]
  /// Nothing is drawn for later than this.
  private static let horizon: Int64 = 60_000

  private(set) var records: [Record] = []
  var violations: [String] = []
  /// What the two sides may disagree on, and how often.
  private(set) var exceptions: [Agreement.Exception] = []
  private(set) var callsThatWentOn = 0
  private(set) var simulation: Simulation
  var generator: SeededGenerator
  var calls: [Call] = []
  var agreement = Agreement()
  var conduct = PeerConduct()
  private var agenda: [Entry] = []
  private var lastEntry = 0

  private struct Entry {
    var instant: Instant
    var serial: Int
    var act: Act
  }

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed).split(for: "everyday")
    let (setup, engine) = Self.setup(seed: seed, &generator)
    simulation = Simulation(setup, coordinator: CallCoordinator(settings: engine))
    let isSamePeer = Self.below(3, &generator) == 0
    for (index, name) in ["c1", "c2"].enumerated() {
      let isOutgoing = Self.below(3, &generator) == 0
      calls.append(Call(name: name, peer: Self.peers[isSamePeer ? 0 : index], isOutgoing: isOutgoing))
    }
  }

  private static func setup(seed: UInt64, _ generator: inout SeededGenerator) -> (WorldSetup, EngineSettings) {
    var settings = PhoneSettings()
    settings.reportDelay = pick([.milliseconds(5), .milliseconds(5), .zero, .seconds(3)], &generator)
    settings.actionDelay = pick([.zero, .zero, .milliseconds(1), .milliseconds(700)], &generator)
    settings.activationDelay = pick([.milliseconds(20), .zero, .seconds(2)], &generator)
    settings.systemActionLimit = pick([.seconds(60), .seconds(60), .seconds(2)], &generator)
    settings.doNotDisturb = below(15, &generator) == 0
    settings.maximumCallGroups = pick([2, 2, 2, 1], &generator)
    settings.audioHandover = pick([.none, .cycle], &generator)
    settings.digitTransport = pick([.events, .info, .eventsElseInfo], &generator)
    settings.resumesAfterLocalEnd = below(3, &generator) > 0
    var engine = EngineSettings()
    engine.placeholderDeadline = pick([.seconds(15), .seconds(15), .seconds(2), .zero], &generator)
    engine.ringTimeout = pick([.seconds(45), .seconds(45), .seconds(1)], &generator)
    engine.resumesRemainingCall = below(3, &generator) == 0
    let phone = ActorAddress(name: "phone", uri: "sip:bob@10.0.0.2:5060", host: "10.0.0.2")
    let setup = WorldSetup(
      seed: seed, phone: PhoneSetup(address: phone, settings: settings),
      peers: peers.enumerated().map { index, name in
        PeerSetup(
          address: ActorAddress(name: name, uri: "sip:\(name)@10.0.0.\(index + 3):5060", host: "10.0.0.\(index + 3)"),
          isAutomatic: below(3, &generator) == 0)
      },
      links: [Link(latency: Span.zero...pick([.zero, .milliseconds(1), .milliseconds(40), .seconds(1)], &generator))],
      faults: faults(&generator))
    return (setup, engine)
  }

  private static func faults(_ generator: inout SeededGenerator) -> [Fault] {
    let effects: [Fault.Effect] = [
      .drop, .drop, .delay(.milliseconds(1)...(.seconds(2))), .duplicate(copies: 2, gap: .milliseconds(30)),
      .duplicate(copies: 1, gap: .zero), .reorder,
    ]
    return (0..<below(4, &generator)).map { index in
      let peer = pick(peers, &generator)
      let isFromPhone = below(2, &generator) == 0
      return Fault(
        name: "f\(index)", effect: pick(effects, &generator),
        occurrence: pick([.first, .nth(2), .nth(3), .percent(30)], &generator),
        pattern: MessagePattern(from: isFromPhone ? "phone" : peer, to: isFromPhone ? peer : "phone", what: .any))
    }
  }

  // MARK: Chance

  /// A number from 0 to one less than the bound.
  static func below(_ bound: Int, _ generator: inout SeededGenerator) -> Int {
    Int(generator.number(in: 0...Int64(bound - 1)))
  }

  static func pick<Choice>(_ choices: [Choice], _ generator: inout SeededGenerator) -> Choice {
    choices[below(choices.count, &generator)]
  }

  mutating func below(_ bound: Int) -> Int { Self.below(bound, &generator) }

  mutating func pick<Choice>(_ choices: [Choice]) -> Choice { Self.pick(choices, &generator) }

  /// Any instant, or one that has been drawn, or 1 ms around it.
  private mutating func instant() -> Instant {
    let drawn = agenda.map(\.instant)
    if drawn.isEmpty || below(2) == 0 { return .zero + .milliseconds(generator.number(in: 1...Self.horizon)) }
    return pick(drawn) + pick([.zero, .zero, .milliseconds(1), .milliseconds(-1)])
  }

  // MARK: The run

  mutating func play() {
    for call in calls { begin(call) }
    for _ in 0..<(4 + below(12)) {
      let time = instant()
      for (span, act) in draw() { plan(act, at: time + span) }
    }
    run(for: .milliseconds(Self.horizon))
    for peer in Self.peers { perform(.stimulus(.comeBack(peer))) }
    perform(.stimulus(.system(.restoresNetwork)))
    settle()
    let result = agreement.check(simulation, calls, everGone: conduct.everGone)
    violations += result.violations
    exceptions = result.exceptions
    callsThatWentOn = result.agreed
    endEverything()
    violations += Remains.of(
      simulation, peersMayWait: exceptions.contains { [.refusalLost, .phoneEndLost, .unheard].contains($0) })
    violations += Rulebook(records).violations
  }

  private mutating func endEverything() {
    // A call that comes about under a name that is taken gets one of its own.
    for call in Set(records.compactMap(\.call?.name)).sorted() {
      perform(.stimulus(.user([UserAct(.ends, call: call)], inApp: false)))
      run(for: .seconds(1))
    }
    settle()
    // A peer that has missed the end asks, and learns it.
    for call in calls { for callID in call.callIDs { perform(.bye(call.name, callID: callID)) } }
    settle()
    run(for: TransactionTiming.timeout * 3)
  }

  mutating func plan(_ act: Act, at instant: Instant) {
    lastEntry += 1
    let entry = Entry(instant: max(instant, simulation.now), serial: lastEntry, act: act)
    let place = agenda.firstIndex { $0.instant > entry.instant } ?? agenda.count
    agenda.insert(entry, at: place)
  }

  mutating func plan(_ act: Act, after span: Span) { plan(act, at: simulation.now + span) }

  private mutating func perform(_ act: Act) {
    // A peer that is gone does it when it is there again.
    if let debtor = debtor(of: act), isGone(debtor) { return plan(act, after: .milliseconds(700)) }
    // A peer may have nothing to answer, acknowledge or cancel: then nothing happens.
    guard let stimulus = stimulus(of: act), let made = try? simulation.perform(stimulus, line: nil) else { return }
    take(made)
  }

  private mutating func take(_ made: [Record]) {
    records += made
    for record in made {
      agreement.read(record)
      react(to: record)
    }
  }

  /// Carries out what is next, of the script or of the world, up to an instant. Of one instant either may be first.
  private mutating func step(until limit: Instant) -> Bool {
    let act = agenda.first?.instant
    let event = simulation.nextInstant
    if let act, act <= limit, event.map({ act < $0 || act == $0 && below(2) == 0 }) ?? true {
      let entry = agenda.removeFirst()
      simulation.moveClock(to: entry.instant)
      perform(entry.act)
      return true
    }
    guard let event, event <= limit else { return false }
    take(simulation.step())
    return true
  }

  private mutating func run(for span: Span) {
    let limit = simulation.now + span
    while step(until: limit) {}
    simulation.moveClock(to: limit)
  }

  private mutating func settle() {
    let limit = simulation.now + .seconds(600)
    while !agenda.isEmpty || !simulation.isSettled, step(until: limit) {}
    if !agenda.isEmpty || !simulation.isSettled { violations.append("not settled after 600 s") }
  }
}
