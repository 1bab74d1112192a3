import Instant
import Timeline

/// Something that the network does to a message.
///
/// A retransmission is a message like any other: it counts for ``Occurrence/first``, ``Occurrence/nth(_:)`` and
/// ``Occurrence/every``. So does one that another fault drops. Messages outside of the time in which the fault is in
/// force do not count. A fault does to a reliable transport, too, what it says, although a real one would repair it.
public struct Fault: Hashable, Sendable {
  public enum Effect: Hashable, Sendable {
    case drop
    /// It arrives later than it would, by a span drawn for each message.
    case delay(ClosedRange<Span>)
    /// So many copies arrive besides the message, each a gap after the one before.
    case duplicate(copies: Int, gap: Span)
    /// The message is held until the next one from the same actor to the same actor has been carried, and arrives right
    /// behind it; if none comes it arrives T1 (500 ms) late. While one is held no other is: it passes.
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
