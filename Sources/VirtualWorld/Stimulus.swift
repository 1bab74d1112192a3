import SIP
import Timeline

/// What a script can do to a world.
public enum Stimulus: Hashable, Sendable {
  /// A VoIP push is delivered to the phone.
  case push(call: String, callID: String?, caller: String?)
  /// The user acts; several acts are one CallKit transaction.
  case user([UserAct], inApp: Bool)
  /// A peer sends a message.
  case message(PeerMessage)
  /// The system does something that no rule makes it do.
  case system(SystemAct)
  /// A peer is gone: what it sends and what is sent to it is lost.
  case vanish(String)
  /// It is there again, with everything that it knew.
  case comeBack(String)
}

/// What the system does to the phone because the script says so.
public enum SystemAct: Hashable, Sendable {
  case activatesAudio
  case deactivatesAudio
  case interruptsAudio
  case endsInterruption
  /// The next start of the audio unit fails (AV-4).
  case failsUnit
  /// The phone has no network: what it sends and what is sent to it is lost, pushes included.
  case losesNetwork
  /// The phone has a network again.
  case restoresNetwork
}

/// One act of the user.
public struct UserAct: Hashable, Sendable {
  public enum Verb: String, Hashable, Sendable {
    case answers, declines, ends, calls, holds, resumes, mutes, unmutes
    /// Digits, as ``UserAct/argument``.
    case presses
    /// The call is held, and the one that ``UserAct/argument`` names is resumed.
    case swaps
    /// The other side is to talk to the party of ``UserAct/argument``.
    case transfers
    /// The other side is to talk to that of the call that ``UserAct/argument`` names.
    case connects
  }

  public var verb: Verb
  /// The script's name of the call.
  public var call: String
  /// The SIP URI to call or to transfer to, the digits to press, or the other call.
  public var argument: String?

  public init(_ verb: Verb, call: String, argument: String? = nil) {
    self.verb = verb
    self.call = call
    self.argument = argument
  }
}

/// A message that the script has a peer send.
public struct PeerMessage: Hashable, Sendable {
  public enum Content: Hashable, Sendable {
    /// A complete request from the built-in template of its method.
    case request(method: String)
    /// A complete response to the request that ``PeerMessage/subject`` names.
    case response(status: Int)
    /// These bytes as they stand.
    case raw([UInt8])
  }

  public enum Subject: Hashable, Sendable {
    case none
    /// A message of this run by its number (``MessageFacts/id``): the request to answer, the 2xx to acknowledge, the
    /// INVITE to cancel.
    case message(Int)
    /// A call by its name: its dialog, or a new one with its Call-ID.
    case call(String)
  }

  /// The peer that sends.
  public var from: String
  /// The actor that it is sent to.
  public var to: String
  public var content: Content
  public var subject: Subject
  public var session: MessageFacts.Session?
  /// The status that a body of the type `message/sipfrag` reports (RFC 3515 2.4.5), with the fields of a NOTIFY that go
  /// with it.
  public var fragment: Int?
  /// Header fields to set, replacing those of the template.
  public var headers: [(name: String, value: String)]
  /// Header fields to leave out.
  public var omitted: [String]
  /// The Call-ID in place of the call's own.
  public var callID: String?

  public init(
    from: String, to: String, content: Content, subject: Subject = .none, session: MessageFacts.Session? = nil,
    fragment: Int? = nil, headers: [(name: String, value: String)] = [], omitted: [String] = [], callID: String? = nil
  ) {
    self.from = from
    self.to = to
    self.content = content
    self.subject = subject
    self.session = session
    self.fragment = fragment
    self.headers = headers
    self.omitted = omitted
    self.callID = callID
  }

  public static func == (left: PeerMessage, right: PeerMessage) -> Bool {
    left.from == right.from && left.to == right.to && left.content == right.content && left.subject == right.subject
      && left.session == right.session && left.fragment == right.fragment
      && left.headers.elementsEqual(right.headers, by: ==)
      && left.omitted == right.omitted && left.callID == right.callID
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(from)
    hasher.combine(to)
    hasher.combine(content)
    hasher.combine(subject)
    hasher.combine(callID)
  }
}

/// Why a stimulus cannot be carried out; the sentence is for the author of the script.
public struct StimulusRefusal: Error, Hashable, Sendable {
  public var why: String

  public init(_ why: String) {
    self.why = why
  }
}
