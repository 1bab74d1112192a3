import Instant
import Timeline

/// What a network does with a datagram.
///
/// Whoever drives the network schedules ``arrivals``, then ``released``, in this order, and has
/// ``VirtualNetwork/release(_:at:)`` called when ``held`` runs out.
public struct Carriage: Hashable, Sendable {
  /// When copies of it arrive, ascending; none if it is lost or held.
  public var arrivals: [Instant]
  /// Why it does not arrive.
  public var loss: String?
  /// The faults that took effect, with what they did, in the order of the script.
  public var faults: [FaultEvent]
  /// Set if the network keeps it until another message has passed it.
  public var held: Hold?
  /// Arrivals of an earlier datagram that was held and that this one has passed. Each comes behind the first of
  /// ``arrivals`` where both fall on one instant.
  public var released: [Arrival]

  /// A datagram that is held back.
  public struct Hold: Hashable, Sendable {
    /// Which one, for ``VirtualNetwork/release(_:at:)``.
    public var number: Int
    /// When it is let go although nothing has passed it.
    public var until: Instant

    public init(number: Int, until: Instant) {
      self.number = number
      self.until = until
    }
  }

  public init(
    arrivals: [Instant], loss: String? = nil, faults: [FaultEvent] = [], held: Hold? = nil, released: [Arrival] = []
  ) {
    self.arrivals = arrivals
    self.loss = loss
    self.faults = faults
    self.held = held
    self.released = released
  }
}

/// The arrival of one copy of a datagram.
public struct Arrival: Hashable, Sendable {
  public var datagram: Datagram
  public var instant: Instant

  public init(_ datagram: Datagram, at instant: Instant) {
    self.datagram = datagram
    self.instant = instant
  }
}
