import Instant
import SIP

/// One flow with our user agent in the place of one party.
struct FlowPart: Sendable {
  /// Such as `rfc3665/3.1`.
  var flow: String
  var party: String
  /// The messages that are played; all if `nil`.
  var places: ClosedRange<Int>?
  /// Where we can be reached, as a URI, if no message of ours says so.
  var contact: String?
  var policy = UserAgentPolicy()
  /// What stands in the flow's messages in the place of what is quoted, since we go another way than the flow, and why.
  var instead: FlowDetour?
  /// The section whose race it is, where its figure comes without messages and those of `flow` stand in.
  var race: String?
  /// What the flow has lost, so that it does not arrive in its place.
  var lost: Set<Int> = []
  /// The order in which the party sees messages that have crossed; the RFC's if `nil`.
  var order: [Int]?
  /// What happens before a message of the flow: what our owner decides, and what the RFC's figure has and does not quote.
  var before: [Int: [FlowAct]] = [:]
  /// What happens after the last one.
  var after: [FlowAct] = []
  /// Where we do otherwise than the flow, and why.
  var differs: [Int: [FlowDifference]] = [:]
  /// How the sessions stand at the end, in the order of their beginning.
  var ends: [FlowEnd]

  init(
    _ flow: String, _ party: String, _ places: ClosedRange<Int>? = nil, contact: String? = nil,
    policy: UserAgentPolicy = UserAgentPolicy(), instead: FlowDetour? = nil, race: String? = nil, lost: Set<Int> = [],
    order: [Int]? = nil, before: [Int: [FlowAct]] = [:],
    after: [FlowAct] = [],
    differs: [Int: [FlowDifference]] = [:], ends: [FlowEnd]
  ) {
    self.flow = flow
    self.party = party
    self.places = places
    self.contact = contact
    self.policy = policy
    self.instead = instead
    self.race = race
    self.lost = lost
    self.order = order
    self.before = before
    self.after = after
    self.differs = differs
    self.ends = ends
  }
}

/// Another way to the same end than the flow's.
struct FlowDetour: Sendable {
  var why: String
  /// Text of the flow's messages, and what stands for it.
  var texts: [(quoted: String, meant: String)]
}

/// A line of the table.
enum FlowEntry: Sendable {
  case plays(FlowPart)
  case notPlayed(String, String, why: String)

  var flow: String {
    switch self {
    case .plays(let part): part.race ?? part.flow
    case .notPlayed(let flow, _, _): flow
    }
  }

  /// With the RFC's numbers of the messages that are played, if these are not all.
  var party: String {
    switch self {
    case .plays(let part):
      if let places = part.places, part.race == nil {
        "\(part.party) \(QuotedFlow.numbers(places, of: part.flow))"
      } else {
        part.party
      }
    case .notPlayed(_, let party, _): party
    }
  }
}

/// Something between two messages of a flow.
enum FlowAct: Sendable {
  /// What our owner decides.
  case owner(UserAgentCommand)
  /// Our owner begins the session of this number, with the Call-ID and the target of the message to come.
  case invites(Int, replacing: SessionID? = nil)
  /// The same, because the other side has asked for it by its first REFER.
  case invitesReferred(Int)
  /// Our owner begins a session with whom the message to come goes to, under its Call-ID: the dialog that the flow
  /// takes for granted.
  case calls(Int)
  /// The other side begins that dialog; or, where the message to come is a response, sends its request.
  case isAsked(headers: [(name: String, value: String)] = [])
  /// Something that has to do with another message than the one to come.
  indirect case at(Int, FlowAct)
  /// A response that the flow does not quote, to our last request of the method.
  case gets(Int, to: SIP.Method, tag: String? = nil, hasSession: Bool = false, contact: String? = nil)
  /// A request within the dialog of the last message that the flow does not quote.
  case getsRequest(SIP.Method, hasSession: Bool = false, headers: [(name: String, value: String)] = [])
  /// A message of the flow that was lost before, or is addressed to a proxy, comes to us as it is.
  case getsQuoted(Int)
  /// A message of the other side comes once more.
  case getsAgain(Int)
  /// We send something that the flow does not quote.
  case sends(String)
  case waits(Span)
}

extension FlowAct {
  /// Our owner has the nth session of the other side ring.
  static func rings(_ number: Int = 1) -> FlowAct { .owner(.ring(.theirs(number))) }
  static func accepts(_ number: Int = 1) -> FlowAct { .owner(.accept(.theirs(number))) }
  static func rejects(_ status: Int) -> FlowAct { .owner(.reject(.theirs(1), status: status)) }
  static func hangsUp(_ id: SessionID) -> FlowAct { .owner(.hangUp(id)) }
  static func holds(_ id: SessionID) -> FlowAct { .owner(.setHold(id, true)) }
  /// Our owner takes the first REFER, or reports on it.
  static let takesReferral = FlowAct.owner(.answerReferral(ReferralID(.remote, 1), accepts: true))
  static func reports(_ status: Int) -> FlowAct { .owner(.reportReferral(ReferralID(.remote, 1), status: status)) }
  /// Our owner has the other side call somebody.
  static func refers(_ id: SessionID, to target: ReferralTarget, _ number: Int = 1) -> FlowAct {
    .owner(.refer(id, ReferralID(.local, number), to: target))
  }
  static func resumes(_ id: SessionID) -> FlowAct { .owner(.setHold(id, false)) }
}

/// Where we do otherwise than a flow, and why. What is named so is not compared, and the flow counts as played in part.
enum FlowDifference: Sendable {
  /// We do not send the message.
  case unsent(why: String)
  /// We answer with another status.
  case status(Int, why: String)
  /// A header field, `Request-URI`, `body` or `To tag` that is not as quoted.
  case field(String, why: String)
  /// What we are sent has another value there, or none, `body` being a session description: the flow as quoted cannot be
  /// played.
  case given(String, String?, why: String)
  /// We are not sent the message.
  case unheard(why: String)

  var why: String {
    switch self {
    case .unsent(let why), .status(_, let why), .field(_, let why), .given(_, _, let why), .unheard(let why): why
    }
  }
}

/// How a session stands at the end of a flow.
enum FlowEnd: Hashable, Sendable {
  /// Neither answered nor over.
  case early
  /// Answered and not over.
  case up
  case over(SessionEnd)
}

extension SessionID {
  /// The nth session that the other side began.
  static func theirs(_ number: Int) -> SessionID { SessionID(.remote, number) }
  /// The nth session that we began.
  static func ours(_ number: Int) -> SessionID { SessionID(.local, number) }
}
