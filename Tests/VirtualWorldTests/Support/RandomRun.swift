import CallEngine
import Instant
import SIP
import SimulationKernel
import Timeline

@testable import VirtualWorld

/// One run of a random world: a random network and settings, random stimuli in random distances, and at the end a user
/// who ends what is left.
struct RandomRun {
  private(set) var records: [Record] = []
  private(set) var violations: [String] = []
  private var simulation: Simulation
  private var generator: SeededGenerator

  private static let calls = ["c1", "c2", "c3"]
  private static let pauses: [Span] = [
    .zero, .zero, .milliseconds(5), .milliseconds(20), .milliseconds(300), .seconds(2), .seconds(16),
  ]
  private static let peers = ["alice", "carol"]

  init(seed: UInt64) {
    var generator = SeededGenerator(seed: seed).split(for: "orders")
    var settings = PhoneSettings()
    settings.reportDelay = Self.pick([.milliseconds(5), .milliseconds(5), .zero, .seconds(3)], &generator)
    settings.actionDelay = Self.pick([.zero, .zero, .milliseconds(700)], &generator)
    settings.activationDelay = Self.pick([.milliseconds(20), .zero, .seconds(2)], &generator)
    settings.systemActionLimit = Self.pick([.seconds(60), .seconds(2)], &generator)
    settings.doNotDisturb = Self.below(10, &generator) == 0
    settings.maximumCallGroups = Self.pick([2, 2, 1, 3], &generator)
    settings.audioHandover = Self.pick([.none, .cycle], &generator)
    settings.digitTransport = Self.pick([.events, .info, .eventsElseInfo], &generator)
    settings.resumesAfterLocalEnd = Self.below(3, &generator) > 0
    settings.offer = Self.pick([.rtp, .srtpElseRTP], &generator)
    var engine = EngineSettings()
    engine.placeholderDeadline = Self.pick([.seconds(15), .seconds(2), .zero, .seconds(70)], &generator)
    engine.ringTimeout = Self.pick([.seconds(45), .seconds(1)], &generator)
    let faults = Self.faults(&generator)
    let setup = WorldSetup(
      seed: seed,
      phone: PhoneSetup(
        address: ActorAddress(name: "phone", uri: "sip:bob@10.0.0.2:5060", host: "10.0.0.2"), settings: settings),
      peers: Self.peers.enumerated().map { index, name in
        PeerSetup(
          address: ActorAddress(name: name, uri: "sip:\(name)@10.0.0.\(index + 3):5060", host: "10.0.0.\(index + 3)"),
          isAutomatic: Self.below(2, &generator) == 0)
      },
      links: [Link(latency: Span.zero...Self.pick([.zero, .milliseconds(40), .seconds(1)], &generator))], faults: faults
    )
    simulation = Simulation(setup, coordinator: CallCoordinator(settings: engine))
    self.generator = generator
  }

  /// A number from 0 to one less than the bound.
  private static func below(_ bound: Int, _ generator: inout SeededGenerator) -> Int {
    Int(generator.number(in: 0...Int64(bound - 1)))
  }

  private mutating func below(_ bound: Int) -> Int { Self.below(bound, &generator) }

  private static func pick<Choice>(_ choices: [Choice], _ generator: inout SeededGenerator) -> Choice {
    choices[below(choices.count, &generator)]
  }

  private static func faults(_ generator: inout SeededGenerator) -> [Fault] {
    let effects: [Fault.Effect] = [
      .drop, .delay(.milliseconds(1)...(.seconds(2))), .duplicate(copies: 2, gap: .milliseconds(30)), .reorder,
    ]
    return (0..<below(4, &generator)).map { index in
      let peer = pick(peers, &generator)
      let isFromPhone = below(2, &generator) == 0
      return Fault(
        name: "f\(index)", effect: pick(effects, &generator),
        occurrence: pick([.first, .every, .nth(2), .percent(30)], &generator),
        pattern: MessagePattern(from: isFromPhone ? "phone" : peer, to: isFromPhone ? peer : "phone", what: .any))
    }
  }

  // MARK: The run

  mutating func play() {
    for (call, peer) in zip(Self.calls, Self.peers).prefix(below(3)) { begin(call, with: peer) }
    for _ in 0..<(4 + below(12)) {
      advance(to: simulation.now + Self.pick(Self.pauses, &generator))
      perform(stimulus())
    }
    for peer in Self.peers { perform(.comeBack(peer)) }
    perform(.system(.restoresNetwork))
    settle()
    // A call that comes about under a name that is taken gets one of its own.
    for call in Set(records.compactMap(\.call?.name)).sorted() {
      perform(.user([UserAct(.ends, call: call)], inApp: false))
      advance(to: simulation.now + .seconds(1))
    }
    settle()
    violations += Rulebook(records).violations
  }

  /// A call comes and is answered, if nothing is in its way: most of what can happen happens in calls that go on.
  private mutating func begin(_ call: String, with peer: String) {
    let offer = MessageFacts.Session(role: .offer, direction: "sendrecv")
    for stimulus in [
      message(peer, "INVITE", call, session: offer), .user([UserAct(.answers, call: call)], inApp: false),
      message(peer, "ACK", call),
    ] {
      perform(stimulus)
      advance(to: simulation.now + Self.pick([.milliseconds(20), .milliseconds(300), .seconds(2)], &generator))
    }
  }

  private mutating func perform(_ stimulus: Stimulus?) {
    // A peer may have nothing to answer, acknowledge or cancel: then nothing happens.
    guard let stimulus, let made = try? simulation.perform(stimulus, line: nil) else { return }
    records += made
  }

  private mutating func advance(to instant: Instant) {
    while let next = simulation.nextInstant, next <= instant { records += simulation.step() }
    simulation.moveClock(to: instant)
  }

  private mutating func settle() {
    let limit = simulation.now + .seconds(400)
    while !simulation.isSettled, let next = simulation.nextInstant, next <= limit { records += simulation.step() }
    if !simulation.isSettled { violations.append("not settled after 400 s") }
  }

  private mutating func stimulus() -> Stimulus? {
    let call = Self.pick(Self.calls, &generator)
    let peer = Self.pick(Self.peers, &generator)
    switch below(28) {
    case 0: return .push(call: call, callID: "\(call)@k", caller: "Alice")
    case 1, 2, 3:
      return message(peer, "INVITE", call, session: MessageFacts.Session(role: .offer, direction: "sendrecv"))
    case 4: return message(peer, "CANCEL", call)
    case 5: return message(peer, "BYE", call)
    case 6, 7: return message(peer, "ACK", call)
    case 8: return response(of: peer)
    case 9:
      return .user(
        [UserAct(.calls, call: call, argument: "sip:\(peer)@10.0.0.\(peer == "alice" ? 3 : 4)")], inApp: true)
    case 10: return .user([UserAct(.declines, call: call)], inApp: false)
    case 11: return .user([UserAct(.ends, call: call)], inApp: below(2) == 0)
    case 12, 13: return .user([UserAct(.holds, call: call)], inApp: below(3) == 0)
    case 14, 15: return .user([UserAct(.resumes, call: call)], inApp: below(3) == 0)
    case 16: return .user([UserAct(.swaps, call: call, argument: Self.pick(Self.calls, &generator))], inApp: false)
    case 17: return .user([UserAct(Self.pick([.mutes, .unmutes], &generator), call: call)], inApp: below(3) == 0)
    case 18: return .user([UserAct(.presses, call: call, argument: Self.pick(["1", "12#"], &generator))], inApp: false)
    case 19:
      let acts = [SystemAct.activatesAudio, .deactivatesAudio, .interruptsAudio, .endsInterruption, .failsUnit]
      return .system(Self.pick(acts, &generator))
    case 20:
      let direction = Self.pick(["sendrecv", "sendonly", "inactive"], &generator)
      return message(peer, "re-INVITE", call, session: MessageFacts.Session(role: .offer, direction: direction))
    case 21: return below(2) == 0 ? .vanish(peer) : .comeBack(peer)
    case 22:
      return .user([UserAct(.transfers, call: call, argument: "sip:dave@10.0.0.9")], inApp: true)
    case 23: return .user([UserAct(.connects, call: call, argument: Self.pick(Self.calls, &generator))], inApp: true)
    case 24:
      return message(peer, "NOTIFY", call, fragment: Self.pick([nil, 100, 180, 200, 486], &generator))
    case 25: return .system(Self.pick([.losesNetwork, .restoresNetwork], &generator))
    default: return .user([UserAct(.answers, call: call)], inApp: below(3) == 0)
    }
  }

  private func message(
    _ peer: String, _ method: String, _ call: String, session: MessageFacts.Session? = nil, fragment: Int? = nil
  ) -> Stimulus {
    .message(
      PeerMessage(
        from: peer, to: "phone", content: .request(method: method), subject: .call(call), session: session,
        fragment: fragment, callID: "\(call)@k"))
  }

  /// A response to some request that has reached the peer.
  private mutating func response(of peer: String) -> Stimulus? {
    let requests = records.compactMap { record -> MessageFacts? in
      guard case .sip(let sip) = record.event, sip.phase == .arrived, sip.message.to == peer,
        sip.message.status == nil, sip.message.method != "ACK"
      else { return nil }
      return sip.message
    }
    guard !requests.isEmpty else { return nil }
    let request = Self.pick(requests, &generator)
    let status = Self.pick([100, 180, 183, 200, 200, 200, 302, 404, 486, 488, 500, 603], &generator)
    let hasAnswer = status == 200 && request.method == "INVITE"
    return .message(
      PeerMessage(
        from: peer, to: "phone", content: .response(status: status), subject: .message(request.id),
        session: hasAnswer ? MessageFacts.Session(role: .answer, direction: "sendrecv") : nil))
  }
}
