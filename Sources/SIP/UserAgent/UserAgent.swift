import Instant

/// The SIP user agent of a phone: transactions, dialogs and sessions as one value without clock or sockets. It tells
/// its owner facts about sessions and takes commands about them; which message that is, is its own business.
public struct UserAgent: Hashable, Sendable {
  public init(_ identity: UserAgentIdentity) {
    self.identity = identity
  }

  public let identity: UserAgentIdentity

  /// Takes a message that arrived.
  public mutating func receive(
    _ message: SIPMessage, from source: Endpoint, at now: Instant, causes: [Int]
  ) -> [UserAgentOutput] {
    []
  }

  /// Does what the owner decided.
  public mutating func perform(_ command: UserAgentCommand, at now: Instant, causes: [Int]) -> [UserAgentOutput] {
    []
  }

  /// A timer is due.
  public mutating func fire(_ timer: UserAgentTimer, at now: Instant) -> [UserAgentOutput] {
    []
  }
}
