/// How a message travels.
public enum Transport: String, Hashable, Sendable, CaseIterable {
  case udp, tcp, tls

  /// Whether the transport delivers everything in order by itself, so that transactions do not repeat (RFC 3261 17).
  public var isReliable: Bool { self != .udp }
}

/// Where a message goes or comes from: a host name or address, a port and a transport.
public struct Endpoint: Hashable, Sendable {
  public var host: String
  public var port: Int
  public var transport: Transport

  public init(host: String, port: Int, transport: Transport) {
    self.host = host
    self.port = port
    self.transport = transport
  }
}
