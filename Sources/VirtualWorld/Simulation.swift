import CallEngine
import Instant
import SimulationKernel
import Timeline

/// A world and the virtual network that carries its datagrams, as one value: a copy is a snapshot, and two copies that
/// are driven alike stay equal.
///
/// The timeline is not in it. Every step returns its records; the simulation keeps only their count.
public struct Simulation: Hashable, Sendable {
  private(set) var world: World
  private var network: VirtualNetwork

  /// A world at its start, with nothing due.
  public init(_ setup: WorldSetup, coordinator: any Coordinator) {
    let generator = SeededGenerator(seed: setup.seed)
    world = World(setup, coordinator: coordinator, generator: generator)
    network = VirtualNetwork(
      links: setup.links, faults: setup.faults, generator: generator.split(for: "network"))
  }

  /// The instant of what happened last.
  public var now: Instant { world.stage.now }

  /// When the next event is due; `nil` if nothing will happen by itself any more.
  public var nextInstant: Instant? { world.stage.nextInstant }

  /// Whether nothing is due but what goes on for as long as a call lives, such as the repeated 180.
  public var isSettled: Bool { world.stage.isSettled }

  /// How many records there are so far.
  public var recordCount: Int { world.stage.recordCount }

  /// Moves the clock to an instant that is not behind the next event.
  public mutating func moveClock(to instant: Instant) { world.moveClock(to: instant) }

  /// Carries out a line of the script now. The first record is the stimulus itself.
  public mutating func perform(_ stimulus: Stimulus, line: Int?) throws(StimulusRefusal) -> [Record] {
    try world.perform(stimulus, line: line)
    return finishStep()
  }

  /// Carries out the next event.
  public mutating func step() -> [Record] {
    if let hold = world.performNext() {
      for arrival in network.release(hold, at: now) { world.accept(arrival, causes: [arrival.datagram.record]) }
    }
    return finishStep()
  }

  /// Hands what the step put on the wire to the network, and what the network makes of it back to the world.
  private mutating func finishStep() -> [Record] {
    var step = world.takeStep()
    guard !step.datagrams.isEmpty else { return step.records }
    for datagram in step.datagrams { carry(datagram) }
    step.records += world.takeStep().records
    return step.records
  }

  private mutating func carry(_ datagram: Datagram) {
    if let obstacle = world.obstacle(to: datagram) {
      world.lose(datagram, obstacle, causes: [datagram.record])
      return
    }
    let carriage = network.carry(datagram, at: now)
    let causes = [datagram.record] + carriage.faults.map { world.note($0, on: datagram) }
    for instant in carriage.arrivals { world.accept(Arrival(datagram, at: instant), causes: causes) }
    for arrival in carriage.released { world.accept(arrival, causes: [arrival.datagram.record, datagram.record]) }
    if let hold = carriage.held { world.hold(hold) }
    if let loss = carriage.loss { world.lose(datagram, loss, causes: causes) }
  }
}
