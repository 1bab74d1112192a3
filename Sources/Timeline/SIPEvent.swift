/// A SIP message at one place of its way.
public struct SIPEvent: Hashable, Sendable {
  /// Where the message is.
  public enum Phase: Hashable, Sendable {
    /// It left its sender; this record alone carries the bytes.
    case sent(bytes: [UInt8])
    case arrived
    /// A fault or the network took it; why.
    case lost(String)
    /// It arrived and the receiver had no use for it; why.
    case dropped(String)
  }

  public var phase: Phase
  public var message: MessageFacts

  public init(phase: Phase, message: MessageFacts) {
    self.phase = phase
    self.message = message
  }
}

/// What a timeline needs to know of a message; the rest is in its bytes.
public struct MessageFacts: Hashable, Sendable {
  /// Why a message was sent, which decides whether a scenario has to expect it.
  public enum Origin: String, Hashable, Sendable {
    /// The app or the script decided it.
    case decision
    /// A rule of SIP demands it whatever anybody wants: 100, an ACK, the 200 to CANCEL and its 487.
    case rule
    /// The same bytes again.
    case retransmission
  }

  /// What the session description of a message is.
  public struct Session: Hashable, Sendable {
    public enum Role: String, Hashable, Sendable { case offer, answer }
    public var role: Role
    /// `sendrecv`, `sendonly`, `recvonly` or `inactive`.
    public var direction: String

    public init(role: Role, direction: String) {
      self.role = role
      self.direction = direction
    }
  }

  /// The number of the message in this run; every transmission of the same bytes has the same.
  public var id: Int
  public var from: String
  public var to: String
  /// The request's method, or the method in the response's CSeq; empty if the bytes are no SIP message.
  public var method: String
  /// The response's status.
  public var status: Int?
  /// The response's reason phrase.
  public var reason: String
  public var callID: String
  public var sequence: Int
  public var fromTag: String?
  public var toTag: String?
  /// The branch of the topmost Via.
  public var branch: String?
  public var session: Session?
  /// The status in a body of the type `message/sipfrag` (RFC 3515 2.4.5).
  public var fragment: Int?
  public var origin: Origin

  public init(
    id: Int, from: String, to: String, method: String, status: Int? = nil, reason: String = "", callID: String = "",
    sequence: Int = 0, fromTag: String? = nil, toTag: String? = nil, branch: String? = nil, session: Session? = nil,
    fragment: Int? = nil, origin: Origin = .decision
  ) {
    self.id = id
    self.from = from
    self.to = to
    self.method = method
    self.status = status
    self.reason = reason
    self.callID = callID
    self.sequence = sequence
    self.fromTag = fromTag
    self.toTag = toTag
    self.branch = branch
    self.session = session
    self.fragment = fragment
    self.origin = origin
  }
}

extension MessageFacts {
  /// Whether it is a request within a dialog that renegotiates the session.
  public var isReInvite: Bool { status == nil && method == "INVITE" && toTag != nil }

  /// The message in a few words: `INVITE`, `re-INVITE`, `200 to INVITE`; `unreadable message` for bytes that are none.
  public var summary: String {
    if let status { return "\(status) to \(method)" }
    if method.isEmpty { return "unreadable message" }
    return isReInvite ? "re-INVITE" : method
  }
}
