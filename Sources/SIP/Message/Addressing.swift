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

extension SIPMessage {
  /// The transport that the message travels over: the one that its topmost Via says, in a request as in the response
  /// that goes back the same way (RFC 3261 18.1.1, 18.2.2). One that no Via tells of travels as its sender wishes.
  ///
  /// Both ends read it off the same octets, so that a transaction has one transport, and one set of timers, whatever
  /// either of them is configured to prefer.
  public func transport(else wished: Transport) -> Transport {
    topVia.flatMap { Transport(rawValue: $0.transport.lowercased()) } ?? wished
  }
}

extension Endpoint {
  /// The same place, reached the way that the message travels.
  public func carrying(_ message: SIPMessage) -> Endpoint {
    Endpoint(host: host, port: port, transport: message.transport(else: transport))
  }
}
