/// What finds the client transaction of a response (RFC 3261 17.1.3).
struct ClientKey: Hashable, Sendable {
  var branch: String
  var method: Method

  /// `nil` if the message names no transaction.
  init?(_ message: SIPMessage) { self.init(message, method: message.method) }

  init?(_ message: SIPMessage, method: Method) {
    guard let branch = message.topVia?.branch else { return nil }
    self.branch = branch
    self.method = method
  }
}

/// What finds the server transaction of a request (RFC 3261 17.2.3). An ACK has the key of its INVITE.
struct ServerKey: Hashable, Sendable {
  /// With the magic cookie the branch alone; without it, what RFC 2543 compared.
  private enum Identity: Hashable {
    case branch(String)
    case fields(uri: String, callID: String, sequence: Int, fromTag: String?, branch: String?)
  }

  private var identity: Identity
  private var sentBy: String
  private var method: Method

  /// `nil` if the request has no Via.
  init?(_ request: SIPMessage, method: Method) {
    guard let via = request.topVia, case .request(_, let uri) = request.startLine else { return nil }
    if let branch = via.branch, branch.lowercased().hasPrefix("z9hg4bk"), branch.count > 7 {
      identity = .branch(branch)
    } else {
      identity = .fields(
        uri: uri, callID: request.callID, sequence: request.sequence?.number ?? 0, fromTag: request.fromTag,
        branch: via.branch)
    }
    sentBy = "\(via.host.lowercased()):\(via.port ?? 5060)"
    self.method = method == .ack ? .invite : method
  }
}

/// What two copies of one request have in common that came on different ways (RFC 3261 8.2.2.2).
struct MergeKey: Hashable, Sendable {
  private var callID: String
  private var fromTag: String?
  private var sequence: CommandSequence

  /// `nil` for a request within a dialog, and for CANCEL and ACK, which belong to another request.
  init?(_ request: SIPMessage, method: Method) {
    guard request.toTag == nil, method != .cancel, method != .ack, let sequence = request.sequence else { return nil }
    callID = request.callID
    fromTag = request.fromTag
    self.sequence = sequence
  }
}
