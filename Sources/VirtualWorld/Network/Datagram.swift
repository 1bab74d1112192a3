import Instant
import SIP
import Timeline

/// Bytes on their way between two hosts.
public struct Datagram: Hashable, Sendable {
  public var bytes: [UInt8]
  /// The IP address and port that it comes from, and the transport that it travels over.
  public var source: Endpoint
  /// Where it goes, as the sender named it: a host name or an IP address.
  public var destination: Endpoint
  /// What the timeline knows of the message.
  public var facts: MessageFacts
  /// The call's name, for faults that are about one call.
  public var call: String?
  /// The number of the record of its sending. The network does not read it: it comes back with every arrival, also
  /// with one that another message frees.
  public var record: Int

  public init(
    bytes: [UInt8], source: Endpoint, destination: Endpoint, facts: MessageFacts, call: String?, record: Int = 0
  ) {
    self.bytes = bytes
    self.source = source
    self.destination = destination
    self.facts = facts
    self.call = call
    self.record = record
  }
}
