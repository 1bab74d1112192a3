import Instant

/// A checked scenario, bound to one case and one value of each param: what is to be done and what is to be checked,
/// in the order of the file.
public struct Plan: Hashable, Sendable {
  /// How left-over acts of the app are judged.
  public enum Mode: String, Hashable, Sendable { case exhaustive, loose }

  public var title: String
  public var seed: UInt64
  public var mode: Mode
  /// The case that was chosen; `nil` for the trunk.
  public var caseName: String?
  /// The value of every param, in the order of declaration, as it was written.
  public var params: [ParamValue]
  public var device: DeviceDeclaration
  public var peers: [PeerDeclaration]
  public var links: [LinkDeclaration]
  public var calls: [CallDeclaration]
  public var faults: [FaultDeclaration]
  /// Named texts, evaluated where they are used.
  public var texts: [String: TemplateText]
  /// Messages that exhaustive mode passes over.
  public var ignored: [Arrow]
  /// What must hold all the time.
  public var invariants: [InvariantCheck]
  public var blocks: [Block]
}

/// A param and its value in this run.
public struct ParamValue: Hashable, Sendable {
  public var name: String
  public var value: String
}

/// A text with `${…}` in it.
public struct TemplateText: Hashable, Sendable {
  public enum Piece: Hashable, Sendable {
    case literal(String)
    /// `${name}` or `${owner.property}`, without the braces.
    case reference(String)
  }

  public var pieces: [Piece]
  public var range: SourceRange
}

/// The virtual phone.
public struct DeviceDeclaration: Hashable, Sendable {
  public var name: String
  public var uri: String
  public var settings: [Setting]
  public var range: SourceRange

  /// One setting of the phone; the checker has made sure that the value fits.
  public struct Setting: Hashable, Sendable {
    public enum Value: Hashable, Sendable {
      case duration(Span)
      case number(Int)
      case flag(Bool)
      case word(String)
    }

    public var name: String
    public var value: Value
    public var range: SourceRange
  }
}

/// A SIP peer.
public struct PeerDeclaration: Hashable, Sendable {
  public var name: String
  public var uri: String
  public var host: String?
  /// `udp`, `tcp` or `tls`.
  public var transport: String?
  /// Whether the peer takes the obvious decisions by itself, and after how long it answers.
  public var answersAfter: Span?
  public var isAutomatic: Bool
  public var range: SourceRange
}

/// The latency of one direction between two actors, or of everything.
public struct LinkDeclaration: Hashable, Sendable {
  public var from: String?
  public var to: String?
  public var latency: ClosedRange<Span>
  public var range: SourceRange
}

/// A name for a call.
public struct CallDeclaration: Hashable, Sendable {
  public var name: String
  /// Upper case, checked.
  public var uuid: String?
  public var callID: String?
  public var range: SourceRange
}

/// A fault of the network.
public struct FaultDeclaration: Hashable, Sendable {
  public enum Effect: Hashable, Sendable {
    case drop
    case delay(ClosedRange<Span>)
    case duplicate(copies: Int, gap: Span)
    /// The message is held until another one that follows it on the same way has passed it.
    case reorder
  }

  public enum Occurrence: Hashable, Sendable {
    case first, every
    case nth(Int)
    case percent(Int)
  }

  public var name: String
  /// Whether the run may pass without the fault having fired.
  public var isOptional: Bool
  public var effect: Effect
  public var occurrence: Occurrence
  public var arrow: Arrow
  /// When the fault is in force; everything else passes.
  public var from: Span?
  public var until: Span?
  public var range: SourceRange
}

/// A timed line and the untimed lines under it.
public struct Block: Hashable, Sendable {
  public var when: When
  public var stimulus: PlannedStimulus
  /// The name of the stimulus's record.
  public var label: String?
  /// Whether the run may pass without this line having run.
  public var isOptional: Bool
  public var checks: [PlannedCheck]
  /// The stimulus in the file.
  public var range: SourceRange
}

/// When a line runs.
public enum When: Hashable, Sendable {
  /// Since the start.
  case at(Span)
  /// After the nearest line above that has a time, from the instant it ran.
  case after(Span)
  /// After the labelled record happened where the reacting actor stands.
  case on(label: String, Span)
  /// At the same instant as the line before, after it.
  case next
}

/// What the script does.
public enum PlannedStimulus: Hashable, Sendable {
  /// Nothing: the checks above the first timed line, or a label on a place of the file.
  case start
  case push(call: String, caller: TemplateText?, callID: TemplateText?)
  case user([UserAct], inApp: Bool)
  /// A peer sends a message.
  case message(Arrow)
  /// The words after `system`, one of ``Vocabulary/systemActs``.
  case system(String)
  case vanishes(peer: String)
  case returns(peer: String)
}

/// One verb of the user.
public enum UserAct: Hashable, Sendable {
  case answers(call: String)
  case declines(call: String)
  case ends(call: String)
  /// The target is a peer's name or a SIP URI.
  case calls(call: String, target: String)
  case holds(call: String)
  case resumes(call: String)
  /// Two calls change places: the one on hold is resumed, the other is put on hold.
  case swaps(call: String, with: String)
  case mutes(call: String)
  case unmutes(call: String)
  /// The target is a peer's name or a SIP URI.
  case transfers(call: String, target: String)
  /// The other sides of the two calls are to talk to each other; the first call's is asked to call the second one's.
  case connects(call: String, with: String)
  /// Digits of 0 to 9, `*`, `#`, A to D, checked.
  case presses(digits: String, call: String)
}

/// A message that is sent or looked for.
public struct Arrow: Hashable, Sendable {
  public enum What: Hashable, Sendable {
    case any
    case request(method: String)
    case reInvite
    case response(status: Int)
    /// The lines of raw text; `verbatim` without substitution; the sizes of the pieces that a stream carries.
    case raw(lines: [TemplateText], verbatim: Bool, chunks: [Int])
  }

  public enum Subject: Hashable, Sendable {
    case none
    /// `to LABEL`: the request that is answered, the response that is acknowledged, the request that is cancelled.
    case label(String)
    /// `to METHOD`: in observations only.
    case method(String)
    case call(String)
    /// `any` where a call is named: in observations only.
    case anyCall
    /// `before.c1`: the call's dialog as it was at a label.
    case callAt(label: String, call: String)
  }

  public enum Role: String, Hashable, Sendable { case offer, answer }

  public var from: String
  public var to: String
  public var what: What
  public var subject: Subject
  /// The session description: its role, and `sendrecv`, `sendonly`, `recvonly` or `inactive`.
  public var role: Role?
  public var direction: String?
  /// The status in a body of the type `message/sipfrag`: `reporting 180`.
  public var fragment: Int?
  /// Header lines to set, `Name: value`.
  public var with: [TemplateText]
  /// Header names to leave out.
  public var without: [String]
  public var callID: TemplateText?
  /// In observations: a repetition is meant.
  public var isRetransmission: Bool
  public var range: SourceRange
}
