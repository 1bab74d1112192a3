import CallEngine
import Instant
import Scenario
import Timeline
import VirtualWorld

/// A plan driven through a simulation, judged while it runs.
///
/// A run is a plain value: a copy is a snapshot that can be run on by itself.
public struct Run: Sendable {
  private var replayer: Replayer<Simulation>

  /// A run of the plan that has not begun. Without a seed the plan's is used, without an end the run goes on until
  /// everything is decided and the world has settled, without a coordinator the engine with the plan's settings.
  public init(_ plan: Plan, seed: UInt64?, until: Instant?, coordinator: (any Coordinator)? = nil) {
    let world = PlannedWorld(plan, seed: seed)
    let simulation = Simulation(
      world.setup, coordinator: coordinator ?? CallCoordinator(settings: world.engine))
    replayer = Replayer(plan, world: simulation, until: until, diagnostics: world.diagnostics)
  }

  /// The instant of what happened last.
  public var now: Instant { replayer.now }

  /// Carries out the next line or event, or closes what ends before it. Returns whether there is more to do.
  public mutating func step(_ sink: (Record) -> Void) -> Bool {
    replayer.step(sink)
  }

  /// Runs to the end; every record goes to the sink as it is made.
  public mutating func execute(_ sink: (Record) -> Void) -> Verdict {
    replayer.execute(sink)
  }

  /// What can be said of the run so far.
  public var verdict: Verdict { replayer.verdict }
}
