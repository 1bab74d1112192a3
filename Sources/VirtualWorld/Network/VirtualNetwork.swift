import Instant
import SimulationKernel
import Timeline

/// A network in virtual time: latency, order and faults, all from the script and one generator.
public struct VirtualNetwork: Hashable, Sendable {
  public init(links: [Link], faults: [Fault], generator: SeededGenerator) {}

  /// Takes a datagram and says when it arrives.
  public mutating func carry(_ datagram: Datagram, at now: Instant) -> Carriage {
    Carriage(arrivals: [now])
  }

  /// The names of the faults that have taken effect, in the order of the script.
  public var firedFaults: [String] { [] }
}
