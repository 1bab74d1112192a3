import Instant
import Timeline
import VirtualWorld

@testable import Replay

/// A world in which exactly what is written down happens.
struct ScriptedWorld: SimulatedWorld {
  /// Something that will happen.
  struct Happening: Sendable {
    var instant: Instant
    var from: String
    var to: String?
    var call: String?
    var event: Event
    var causes: [Int] = []
    /// Whether it goes on for as long as a call lives.
    var isPeriodic = false
  }

  var now: Instant = .zero
  var happenings: [Happening]
  /// How long a peer's message is on its way; `nil` if all are lost.
  var latency: Span? = .zero
  var refusals: [String: String] = [:]
  private var count = 0
  private var messages = 1_000

  init(_ happenings: [Happening] = [], latency: Span? = .zero, refusing refusals: [String: String] = [:]) {
    self.happenings = happenings
    self.latency = latency
    self.refusals = refusals
  }

  var nextInstant: Instant? { happenings.first?.instant }

  var isSettled: Bool { happenings.allSatisfy(\.isPeriodic) }

  mutating func moveClock(to instant: Instant) { now = max(now, instant) }

  mutating func step() -> [Record] {
    let next = happenings.removeFirst()
    now = max(now, next.instant)
    return [record(next)]
  }

  mutating func perform(_ stimulus: Stimulus, line: Int?) throws(StimulusRefusal) -> [Record] {
    switch stimulus {
    case .push(let call, let callID, let caller):
      let event = Event.push(PushEvent(callID: callID, caller: caller))
      return [record(Happening(instant: now, from: "system", to: "phone", call: call, event: event), line)]
    case .user(let acts, let inApp):
      guard let act = acts.first else { throw StimulusRefusal("no act") }
      if let why = refusals[act.verb.rawValue] { throw StimulusRefusal(why) }
      let event = Event.user(UserEvent(verb: act.verb.rawValue, inApp: inApp))
      return [record(Happening(instant: now, from: "user", to: "phone", call: act.call, event: event), line)]
    case .system:
      return [record(Happening(instant: now, from: "system", to: "phone", call: nil, event: .audio(.activates)), line)]
    case .vanish(let peer):
      return [record(Happening(instant: now, from: peer, to: nil, call: nil, event: .lifecycle(.vanishes)), line)]
    case .comeBack(let peer):
      return [record(Happening(instant: now, from: peer, to: nil, call: nil, event: .lifecycle(.returns)), line)]
    case .message(let message):
      messages += 1
      var facts = MessageFacts(
        id: messages, from: message.from, to: message.to, method: "", callID: "k", sequence: messages - 1_000)
      switch message.content {
      case .request(let method): facts.method = method
      case .response(let status):
        facts.method = "INVITE"
        facts.status = status
      case .raw: break
      }
      if let latency {
        let arrival = Happening(
          instant: now + latency, from: message.from, to: message.to, call: "c1",
          event: .sip(SIPEvent(phase: .arrived, message: facts)))
        let place = happenings.firstIndex { $0.instant >= arrival.instant } ?? happenings.count
        happenings.insert(arrival, at: place)
      }
      let event = Event.sip(SIPEvent(phase: .sent(bytes: []), message: facts))
      return [record(Happening(instant: now, from: message.from, to: message.to, call: "c1", event: event), line)]
    }
  }

  private mutating func record(_ happening: Happening, _ line: Int? = nil) -> Record {
    count += 1
    return Record(
      number: count, instant: happening.instant, from: happening.from, to: happening.to,
      call: happening.call.map { CallLabel(name: $0) }, event: happening.event, causes: happening.causes, line: line)
  }
}

/// Something that happens to c1 by itself.
func happens(_ milliseconds: Int64, _ event: Event, call: String? = "c1", causes: [Int] = []) -> ScriptedWorld.Happening
{
  .init(instant: at(milliseconds), from: "phone", call: call, event: event, causes: causes)
}

/// A message that the phone sends.
func sends(
  _ milliseconds: Int64, _ method: String, status: Int? = nil, sequence: Int = 1, id: Int = 1,
  origin: MessageFacts.Origin = .decision
) -> ScriptedWorld.Happening {
  let message = MessageFacts(
    id: id, from: "phone", to: "pbx", method: method, status: status, callID: "k", sequence: sequence, origin: origin)
  return .init(
    instant: at(milliseconds), from: "phone", to: "pbx", call: "c1",
    event: .sip(SIPEvent(phase: .sent(bytes: []), message: message)))
}

func becomes(_ milliseconds: Int64, _ state: String, call: String = "c1") -> ScriptedWorld.Happening {
  happens(milliseconds, .state(old: nil, new: state, reason: nil), call: call)
}

func action(_ id: Int, _ kind: String, _ status: ActionEvent.Status) -> Event {
  .action(ActionEvent(id: id, kind: kind, status: status, origin: .user))
}

/// A world in which one thing happens again and again, a millisecond apart; it keeps no list of it.
struct TickingWorld: SimulatedWorld {
  var event: Event
  var count: Int
  var now: Instant = .zero
  private var records = 0

  init(event: Event, count: Int) {
    self.event = event
    self.count = count
  }

  var nextInstant: Instant? { count > 0 ? now + ms(1) : nil }
  var isSettled: Bool { count == 0 }

  mutating func moveClock(to instant: Instant) { now = max(now, instant) }

  mutating func step() -> [Record] {
    count -= 1
    now = now + ms(1)
    return [record("phone", nil, event, nil)]
  }

  mutating func perform(_ stimulus: Stimulus, line: Int?) throws(StimulusRefusal) -> [Record] {
    guard case .user(let acts, _) = stimulus, let act = acts.first else { throw StimulusRefusal("only the user acts") }
    return [record("user", act.call, .user(UserEvent(verb: act.verb.rawValue)), line)]
  }

  private mutating func record(_ from: String, _ call: String?, _ event: Event, _ line: Int?) -> Record {
    records += 1
    return Record(
      number: records, instant: now, from: from, call: call.map { CallLabel(name: $0) }, event: event, line: line)
  }
}
