/// A CallKit action as the provider's delegate receives it.
public struct CallAction: Hashable, Sendable {
  public var id: ActionID
  public var call: CallUUID
  public var kind: ActionKind
  /// The transaction that the action belongs to, its place in it (from 0) and how many actions it has, so that
  /// Hold & Accept can be seen as one decision (CK-32).
  public var transaction: Int
  public var index: Int
  public var count: Int

  public init(id: ActionID, call: CallUUID, kind: ActionKind, transaction: Int, index: Int = 0, count: Int = 1) {
    self.id = id
    self.call = call
    self.kind = kind
    self.transaction = transaction
    self.index = index
    self.count = count
  }
}

/// What an action asks for.
public enum ActionKind: Hashable, Sendable {
  /// CXStartCallAction: begin the outgoing call to this party.
  case start(Party)
  /// CXAnswerCallAction.
  case answer
  /// CXEndCallAction.
  case end
  /// CXSetHeldCallAction: hold the call, or resume it (CK-12).
  case setHeld(Bool)
  /// CXSetMutedCallAction (CK-13).
  case setMuted(Bool)
  /// CXPlayDTMFCallAction: send these digits in order; each is one of 0 to 9, `*`, `#`, A to D.
  case playDTMF(String)
}

extension ActionKind {
  /// The word for the action in timelines and scenarios.
  public var word: String {
    switch self {
    case .start: "start"
    case .answer: "answer"
    case .end: "end"
    case .setHeld(let isHeld): isHeld ? "hold" : "unhold"
    case .setMuted(let isMuted): isMuted ? "mute" : "unmute"
    case .playDTMF: "dtmf"
    }
  }

  /// Whether a text is digits that can be played: one at least, and no other than 0 to 9, `*`, `#` and A to D.
  package static func areDigits(_ text: String) -> Bool {
    !text.isEmpty && text.allSatisfy { "0123456789*#ABCD".contains($0) }
  }
}

/// Who is at the other end, as far as it is known.
public struct Party: Hashable, Sendable {
  /// The SIP URI, without display name, brackets or parameters of the header.
  public var uri: String
  /// The name to show.
  public var displayName: String?

  public init(uri: String, displayName: String? = nil) {
    self.uri = uri
    self.displayName = displayName
  }
}

/// CXCallUpdate: only what is set changes (CK-19).
public struct CallUpdate: Hashable, Sendable {
  /// The remote handle, a SIP URI here.
  public var handle: String?
  /// The localized caller name.
  public var caller: String?

  public init(handle: String? = nil, caller: String? = nil) {
    self.handle = handle
    self.caller = caller
  }

  /// Whether nothing is set.
  public var isEmpty: Bool { handle == nil && caller == nil }
}

/// CXCallEndedReason (CK-20). There is no reason for a local end: that is an End action.
public enum EndedReason: String, Hashable, Sendable, CaseIterable {
  case failed
  case remoteEnded = "remote-ended"
  case unanswered
  case answeredElsewhere = "answered-elsewhere"
  case declinedElsewhere = "declined-elsewhere"
}

/// com.apple.CallKit.error.incomingcall (CK-15), by Apple's numbers.
public enum IncomingCallError: Int, Hashable, Sendable, CaseIterable {
  case unknown = 0
  case unentitled = 1
  case callUUIDAlreadyExists = 2
  case filteredByDoNotDisturb = 3
  case filteredByBlockList = 4
}

/// com.apple.CallKit.error.requesttransaction (CK-8), by Apple's numbers.
public enum RequestError: Int, Hashable, Sendable, CaseIterable {
  case unknown = 0
  case unentitled = 1
  case unknownCallProvider = 2
  case emptyTransaction = 3
  case unknownCallUUID = 4
  case callUUIDAlreadyExists = 5
  case invalidAction = 6
  case maximumCallGroupsReached = 7
  case callIsProtected = 8
}

/// How the system answered a report of an incoming call.
public enum ReportResult: Hashable, Sendable {
  case accepted
  case refused(IncomingCallError)
}

/// How the system answered a request for a transaction. Accepted is not performed (CK-7).
public enum RequestResult: Hashable, Sendable {
  case accepted
  case refused(RequestError)
}

/// One action of a transaction that the app asks for; the coordinator chooses the action's id.
public struct RequestedAction: Hashable, Sendable {
  public var id: ActionID
  public var call: CallUUID
  public var kind: ActionKind

  public init(id: ActionID, call: CallUUID, kind: ActionKind) {
    self.id = id
    self.call = call
    self.kind = kind
  }
}
