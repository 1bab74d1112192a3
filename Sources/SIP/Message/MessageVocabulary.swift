/// The first line of a message.
public enum StartLine: Hashable, Sendable {
  case request(Method, uri: String)
  case response(status: Int, reason: String)
}

/// A SIP method; case matters (RFC 3261 7.1).
public struct Method: Hashable, Sendable, CustomStringConvertible {
  public var name: String

  public init(_ name: String) { self.name = name }

  public var description: String { name }

  public static let invite = Method("INVITE")
  public static let ack = Method("ACK")
  public static let bye = Method("BYE")
  public static let cancel = Method("CANCEL")
  public static let options = Method("OPTIONS")
  public static let register = Method("REGISTER")
  public static let info = Method("INFO")
  public static let refer = Method("REFER")
  public static let notify = Method("NOTIFY")
}

/// CSeq.
public struct CommandSequence: Hashable, Sendable {
  public var number: Int
  public var method: Method

  public init(number: Int, method: Method) {
    self.number = number
    self.method = method
  }
}

/// One Via (RFC 3261 20.42).
public struct Via: Hashable, Sendable {
  /// `UDP`, `TCP`, `TLS` … as it was written.
  public var transport: String
  public var host: String
  public var port: Int?
  public var branch: String?
  public var received: String?
  /// The value of `rport`; the parameter without value is `.some(nil)`.
  public var rport: Int??

  public init(
    transport: String, host: String, port: Int? = nil, branch: String? = nil, received: String? = nil,
    rport: Int?? = nil
  ) {
    self.transport = transport
    self.host = host
    self.port = port
    self.branch = branch
    self.received = received
    self.rport = rport
  }
}
