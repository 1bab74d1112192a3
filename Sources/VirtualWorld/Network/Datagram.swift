import Instant
import SIP
import Timeline

/// Bytes on their way between two hosts.
public struct Datagram: Hashable, Sendable {
  public var bytes: [UInt8]
  /// The IP address, port and transport that it comes from.
  public var source: Endpoint
  /// Where it goes, as the sender named it: a host name or an IP address.
  public var destination: Endpoint
  /// What the timeline knows of the message.
  public var facts: MessageFacts
  /// The call's name, for faults that are about one call.
  public var call: String?

  public init(bytes: [UInt8], source: Endpoint, destination: Endpoint, facts: MessageFacts, call: String?) {
    self.bytes = bytes
    self.source = source
    self.destination = destination
    self.facts = facts
    self.call = call
  }
}

/// What a network does with a datagram.
public struct Carriage: Hashable, Sendable {
  /// When copies of it arrive, ascending; none if it is lost.
  public var arrivals: [Instant]
  /// Why it does not arrive.
  public var loss: String?
  /// The faults that took effect, with what they did.
  public var faults: [FaultEvent]

  public init(arrivals: [Instant], loss: String? = nil, faults: [FaultEvent] = []) {
    self.arrivals = arrivals
    self.loss = loss
    self.faults = faults
  }
}
