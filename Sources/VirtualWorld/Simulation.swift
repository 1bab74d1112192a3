import CallEngine
import Instant
import Timeline

/// A world and the virtual network that carries its datagrams, as one value: a copy is a snapshot.
///
/// The timeline is not in it. Every step returns its records; the simulation keeps only their count.
public struct Simulation: Sendable {
  public init(_ setup: WorldSetup, coordinator: any Coordinator) {}

  /// The instant of what happened last.
  public var now: Instant { .zero }

  /// When the next event is due; `nil` if nothing will happen by itself any more.
  public var nextInstant: Instant? { nil }

  /// Whether nothing is due but what goes on for as long as a call lives, such as the repeated 180.
  public var isSettled: Bool { true }

  /// How many records there are so far.
  public var recordCount: Int { 0 }

  /// Moves the clock to an instant that is not behind the next event.
  public mutating func moveClock(to instant: Instant) {}

  /// Carries out a line of the script now. The first record is the stimulus itself.
  public mutating func perform(_ stimulus: Stimulus, line: Int?) throws(StimulusRefusal) -> [Record] { [] }

  /// Carries out the next event.
  public mutating func step() -> [Record] { [] }
}
