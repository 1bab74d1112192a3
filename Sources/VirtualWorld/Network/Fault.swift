import Instant
import Timeline

/// Something that the network does to a message.
public struct Fault: Hashable, Sendable {
  public enum Effect: Hashable, Sendable {
    case drop
    case delay(ClosedRange<Span>)
    case duplicate(copies: Int, gap: Span)
    /// The message is held until the next one on the same way has passed it.
    case reorder
  }

  /// Which of the messages that match.
  public enum Occurrence: Hashable, Sendable {
    case first, every
    case nth(Int)
    /// Each with this probability, drawn from the network's generator.
    case percent(Int)
  }

  public var name: String
  public var effect: Effect
  public var occurrence: Occurrence
  public var pattern: MessagePattern
  /// When it is in force, both bounds included.
  public var from: Instant?
  public var until: Instant?

  public init(
    name: String, effect: Effect, occurrence: Occurrence, pattern: MessagePattern, from: Instant? = nil,
    until: Instant? = nil
  ) {
    self.name = name
    self.effect = effect
    self.occurrence = occurrence
    self.pattern = pattern
    self.from = from
    self.until = until
  }
}
