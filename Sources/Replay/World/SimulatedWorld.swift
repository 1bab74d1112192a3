import Instant
import Timeline
import VirtualWorld

/// What a run needs of a simulation.
protocol SimulatedWorld: Sendable {
  /// The instant of what happened last.
  var now: Instant { get }
  /// When the next event is due; `nil` if nothing will happen by itself any more.
  var nextInstant: Instant? { get }
  /// Whether nothing is due but what goes on for as long as a call lives.
  var isSettled: Bool { get }

  /// Moves the clock to an instant that is not behind the next event.
  mutating func moveClock(to instant: Instant)
  /// Carries out a line of the script now. The first record is the stimulus itself.
  mutating func perform(_ stimulus: Stimulus, line: Int?) throws(StimulusRefusal) -> [Record]
  /// Carries out the next event.
  mutating func step() -> [Record]
}

extension Simulation: SimulatedWorld {}
