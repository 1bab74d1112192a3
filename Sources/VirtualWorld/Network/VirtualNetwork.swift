import Instant
import SIP
import SimulationKernel
import Timeline

/// A network in virtual time: latency, order and faults, all from the script and one generator.
///
/// - Latency is drawn for every datagram from the link that names most of its two ends, of equal ones the later; so a
///   link without ends is the default. Without a link there is no latency.
/// - On a reliable transport what one actor sends another arrives in the order of sending, whatever latency is drawn and
///   whatever a `delay` adds: what is late holds up what follows, as in TCP. Drops, copies and reordering are done
///   there as well because the script says so.
/// - All faults that mean a message are applied: a drop takes it whatever the others say (they have no effect on it then);
///   delays add up; the copies follow the delayed message; a reordered message is held with its copies.
///
/// Host names are not resolved here: a way leads from actor to actor, as ``MessageFacts/from`` and ``MessageFacts/to``
/// name them.
public struct VirtualNetwork: Hashable, Sendable {
  /// How long a reordered message waits for another one to pass it: T1.
  static let longestHold = Span.milliseconds(500)
  /// More copies of one message are not made.
  static let mostCopies = 1_000

  /// From one actor to another.
  private struct Way: Hashable, Sendable {
    var from: String
    var to: String
  }

  /// The messages that must stay in order.
  private struct Flow: Hashable, Sendable {
    var way: Way
    var transport: Transport
  }

  /// A datagram that waits to be passed.
  private struct Held: Hashable, Sendable {
    var hold: Carriage.Hold
    var datagram: Datagram
    /// When it and its copies would have arrived.
    var due: [Instant]

    /// Its arrivals, moved so that the first is not before the instant.
    func arrivals(notBefore instant: Instant) -> [Arrival] {
      let lag = due.first.map { max(.zero, instant - $0) } ?? .zero
      return due.map { Arrival(datagram, at: $0 + lag) }
    }
  }

  private let links: [Link]
  private var faults: [FaultProgress]
  private var latencies: SeededGenerator
  /// When the last message of a flow arrives.
  private var lastArrivals: [Flow: Instant] = [:]
  private var held: [Way: Held] = [:]
  private var holds = 0

  public init(links: [Link], faults: [Fault], generator: SeededGenerator) {
    self.links = links
    self.faults = faults.map { FaultProgress($0, generator: generator.split(for: "fault \($0.name)")) }
    latencies = generator.split(for: "latency")
  }

  /// Takes a datagram and says when it arrives.
  public mutating func carry(_ datagram: Datagram, at now: Instant) -> Carriage {
    let way = Way(from: datagram.facts.from, to: datagram.facts.to)
    // Drawn before anything else, so that a fault that drops the message does not move the latency of later ones.
    let latency = link(on: way).map { latencies.span(in: $0.latency) } ?? .zero
    let meant = faults.indices.filter { faults[$0].means(datagram, at: now) }

    let drops = meant.filter { faults[$0].fault.effect == .drop }
    if let first = drops.first {
      let effects = drops.map { effect("drop", of: $0) }
      return Carriage(arrivals: [], loss: "dropped by fault \(faults[first].fault.name)", faults: effects)
    }

    var effects: [FaultEvent] = []
    var delay = Span.zero
    var copies: [Span] = []
    var isHeld = false
    for index in meant {
      switch faults[index].fault.effect {
      case .drop: break
      case .delay(let range):
        let span = faults[index].draw(range)
        delay = delay + span
        effects.append(effect("delay by \(span)", of: index))
      case .duplicate(let wanted, let gap):
        let count = min(max(wanted, 0), Self.mostCopies)
        guard count > 0 else { break }
        let step = max(gap, .zero)
        copies += (1...Int64(count)).map { step * $0 }
        effects.append(effect("duplicate \(count) \(count == 1 ? "copy" : "copies") after \(step)", of: index))
      case .reorder:
        guard held[way] == nil, !isHeld else { break }
        isHeld = true
        effects.append(effect("reorder behind the next message", of: index))
      }
    }

    let first = inOrder(now + latency + delay, of: datagram, on: way, unless: isHeld)
    let due = [first] + copies.sorted().map { first + $0 }
    if isHeld {
      holds += 1
      let hold = Carriage.Hold(number: holds, until: first + Self.longestHold)
      held[way] = Held(hold: hold, datagram: datagram, due: due)
      return Carriage(arrivals: [], faults: effects, held: hold)
    }
    let released = held.removeValue(forKey: way)?.arrivals(notBefore: first) ?? []
    return Carriage(arrivals: due, faults: effects, released: released)
  }

  /// Lets a held datagram go that nothing has passed in time; nothing if it is not held any more.
  public mutating func release(_ hold: Carriage.Hold, at now: Instant) -> [Arrival] {
    // At most one datagram is held on a way, and holds have different numbers: the order does not matter.
    guard let way = held.first(where: { $0.value.hold == hold })?.key else { return [] }
    return held.removeValue(forKey: way)?.arrivals(notBefore: now) ?? []
  }

  /// The names of the faults that have taken effect, in the order of the script.
  public var firedFaults: [String] {
    faults.filter(\.hasFired).map(\.fault.name)
  }

  /// Notes that a fault takes effect.
  private mutating func effect(_ words: String, of index: Int) -> FaultEvent {
    faults[index].hasFired = true
    return FaultEvent(name: faults[index].fault.name, effect: words)
  }

  private func link(on way: Way) -> Link? {
    var best: (link: Link, namedEnds: Int)?
    for link in links where (link.from ?? way.from) == way.from && (link.to ?? way.to) == way.to {
      let namedEnds = (link.from == nil ? 0 : 1) + (link.to == nil ? 0 : 1)
      if best.map({ namedEnds >= $0.namedEnds }) ?? true { best = (link, namedEnds) }
    }
    return best?.link
  }

  /// The instant, or that of the message before it on a reliable transport, if that arrives later.
  private mutating func inOrder(
    _ instant: Instant, of datagram: Datagram, on way: Way, unless isReordered: Bool
  ) -> Instant {
    guard datagram.source.transport.isReliable else { return instant }
    let flow = Flow(way: way, transport: datagram.source.transport)
    let arrival = max(instant, lastArrivals[flow] ?? instant)
    // What is to be passed must not hold up what passes it.
    if !isReordered { lastArrivals[flow] = arrival }
    return arrival
  }
}
