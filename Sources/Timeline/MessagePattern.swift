/// Which messages a fault, an `ignore` or an observation means.
public struct MessagePattern: Hashable, Sendable {
  /// The message itself.
  public enum What: Hashable, Sendable {
    case any
    /// A request; an in-dialog INVITE is matched by ``reInvite`` and by this with the method INVITE.
    case request(method: String)
    case reInvite
    /// A response, perhaps only those to one method.
    case response(status: Int, method: String?)
  }

  public var from: String
  public var to: String
  public var what: What
  /// Only messages of the call with this name.
  public var call: String?
  /// Only a message of these transactions: the branch, Call-ID and number of one request. Set where a scenario says
  /// `to LABEL`.
  public var transaction: Transaction?
  /// Only messages with such a session description.
  public var session: MessageFacts.Session?
  /// Only messages that report this status (RFC 3515 2.4.5).
  public var fragment: Int?

  /// What identifies a request towards its responses and its ACK.
  public struct Transaction: Hashable, Sendable {
    public var callID: String
    public var sequence: Int
    /// Who sent the request.
    public var requester: String

    public init(callID: String, sequence: Int, requester: String) {
      self.callID = callID
      self.sequence = sequence
      self.requester = requester
    }
  }

  public init(
    from: String, to: String, what: What, call: String? = nil, transaction: Transaction? = nil,
    session: MessageFacts.Session? = nil, fragment: Int? = nil
  ) {
    self.from = from
    self.to = to
    self.what = what
    self.call = call
    self.transaction = transaction
    self.session = session
    self.fragment = fragment
  }

  /// Whether the message is meant, where it belongs to the call of this name.
  public func matches(_ message: MessageFacts, call name: String?) -> Bool {
    guard message.from == from, message.to == to else { return false }
    if let call, call != name { return false }
    if let session, session != message.session { return false }
    if let fragment, fragment != message.fragment { return false }
    if let transaction {
      let requester = message.status == nil ? message.from : message.to
      guard message.callID == transaction.callID, message.sequence == transaction.sequence,
        requester == transaction.requester
      else { return false }
    }
    switch what {
    case .any: return true
    case .request(let method): return message.status == nil && message.method == method
    case .reInvite: return message.isReInvite
    case .response(let status, let method):
      return message.status == status && (method == nil || message.method == method)
    }
  }
}
