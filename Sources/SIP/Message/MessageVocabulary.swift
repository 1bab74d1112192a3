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

/// Something that is wrong with a message.
public struct Finding: Hashable, Sendable {
  /// The header field, or `start line`, `body`.
  public var field: String
  /// Where in the bytes, from 0.
  public var offset: Int
  /// One sentence, lower case, no full stop.
  public var text: String
  /// What a UAS answers if this is a request; `nil` where the message is to be dropped or the finding is harmless.
  public var status: Int?
  /// Whether the message cannot be processed as it stands.
  public var isFatal: Bool

  public init(field: String, offset: Int, text: String, status: Int? = nil, isFatal: Bool = true) {
    self.field = field
    self.offset = offset
    self.text = text
    self.status = status
    self.isFatal = isFatal
  }
}

/// Why bytes are no SIP message.
public struct SIPReadingError: Error, Hashable, Sendable {
  public var why: String
  /// Where in the bytes, from 0.
  public var offset: Int

  public init(why: String, offset: Int) {
    self.why = why
    self.offset = offset
  }
}
