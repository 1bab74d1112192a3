import Instant

/// All transactions of one user agent, as one value without clock or sockets (RFC 3261 17, RFC 6026).
public struct TransactionLayer: Hashable, Sendable {
  public init() {}

  /// Takes a message that arrived. A response or an ACK finds its transaction; a request that is new begins one.
  public mutating func receive(_ message: SIPMessage, from source: Endpoint, causes: [Int]) -> [TransactionOutput] {
    []
  }

  /// Begins a client transaction and sends its request.
  public mutating func send(
    request: SIPMessage, to destination: Endpoint, origin: Transmission.Origin = .decision, causes: [Int]
  ) -> (ClientTransactionID, [TransactionOutput]) {
    (ClientTransactionID(0), [])
  }

  /// Sends a response in a server transaction. A 2xx to INVITE is repeated by the caller, not by the layer
  /// (RFC 3261 13.3.1.4).
  public mutating func send(
    response: SIPMessage, in transaction: ServerTransactionID, origin: Transmission.Origin = .decision, causes: [Int]
  ) -> [TransactionOutput] {
    []
  }

  /// A timer is due.
  public mutating func fire(_ timer: TransactionTimer) -> [TransactionOutput] {
    []
  }
}
