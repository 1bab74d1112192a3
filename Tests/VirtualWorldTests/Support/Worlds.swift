import CallEngine
import Instant
import Timeline

@testable import VirtualWorld

/// A phone `phone` at 10.0.0.2 and a peer `alice` at 10.0.0.1.
func makeSetup(
  settings: PhoneSettings = PhoneSettings(), calls: [NamedCall] = [], faults: [Fault] = [], links: [Link] = []
) -> WorldSetup {
  WorldSetup(
    phone: PhoneSetup(
      address: ActorAddress(name: "phone", uri: "sip:bob@10.0.0.2:5060", host: "10.0.0.2"), settings: settings),
    peers: [PeerSetup(address: ActorAddress(name: "alice", uri: "sip:alice@10.0.0.1:5060", host: "10.0.0.1"))],
    calls: calls, links: links, faults: faults)
}

extension Simulation {
  /// Runs until nothing is due, or to an instant; returns all records.
  mutating func run(until limit: Instant = .zero + .seconds(200)) -> [Record] {
    var records: [Record] = []
    while let next = nextInstant, next <= limit { records += step() }
    return records
  }

  /// Lets everything happen that is due before an instant and moves the clock there.
  mutating func advance(to instant: Instant) -> [Record] {
    let records = run(until: instant + Span(microseconds: -1))
    moveClock(to: instant)
    return records
  }
}

/// A coordinator that answers each input as the test says and writes down what it was told.
struct ScriptedCoordinator: Coordinator {
  private(set) var inputs: [CoordinatorInput] = []
  private let identity: String
  private let respond: @Sendable (CoordinatorInput) -> [CoordinatorCommand]

  init(_ identity: String = #function, respond: @escaping @Sendable (CoordinatorInput) -> [CoordinatorCommand]) {
    self.identity = identity
    self.respond = respond
  }

  mutating func handle(_ input: CoordinatorInput, at now: Instant, causes: Causes) -> [CoordinatorOutput] {
    inputs.append(input)
    return respond(input).map { CoordinatorOutput($0, causes: causes) }
  }

  static func == (left: ScriptedCoordinator, right: ScriptedCoordinator) -> Bool {
    left.identity == right.identity && left.inputs == right.inputs
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(identity)
    hasher.combine(inputs)
  }
}

extension Array where Element == Record {
  /// The records as short sentences: `0.005 report accepted`.
  var lines: [String] { map { "\($0.instant) \($0.event.words)" } }

  func first(_ matches: (Event) -> Bool) -> Record? { first { matches($0.event) } }
}

extension Event {
  /// What happened, in a few words.
  var words: String {
    switch self {
    case .push: "push"
    case .user(let event): "user \(event.verb)"
    case .action(let event): "action \(event.kind) \(event.status.rawValue)"
    case .report(let event): "report \(event)"
    case .request(let event): "request \(event)"
    case .audio(let event): "audio \(event.word)"
    case .sip(let event): "sip \(event.message.summary)"
    case .rebinding(_, let callID): "rebinding \(callID)"
    case .timer(let event): "timer \(event.name) \(event.phase.rawValue)"
    case .state(let old, let new, let reason): "state \(old ?? "-") \(new) \(reason ?? "-")"
    case .lifecycle(.killed): "killed"
    case .lifecycle(.launched): "launched"
    case .lifecycle(.vanishes): "vanishes"
    case .lifecycle(.returns): "returns"
    case .lifecycle(.networkLost): "network lost"
    case .lifecycle(.networkRestored): "network restored"
    case .transfer(let event): "transfer \(event.words)"
    case .media(.digitStarts(let digit)): "digit \(digit) starts"
    case .media(.digitEnds(let digit, _)): "digit \(digit) ends"
    case .fault(let event): "fault \(event.name) \(event.effect)"
    case .ignored: "ignored"
    }
  }
}
