import Instant

@testable import SIP

/// Plays one party of a flow with a live user agent under a clock of its own. What the other parties send is quoted from
/// the flow; only our tags, branches and numbers in it are those of the live dialogs.
struct FlowPlayer {
  let part: FlowPart
  private let messages: [QuotedMessage]
  private var agent: UserAgent
  private var now = Instant.zero
  private var timers: [UserAgentTimer: (at: Instant, number: Int)] = [:]
  private var timersSet = 0
  var identifiers = FlowIdentifiers()
  /// What we have sent, repetitions left out, and how much of it the flow has had its place for.
  private(set) var sent: [SIPMessage] = []
  private var taken = 0
  /// The last message of each dialog, whoever has sent it, and each side's view of it.
  var dialogs: [String: FlowDialog] = [:]
  var lastCallID: String?
  var made = 0
  private var rules = FlowRules()
  private var fed: [Int: SIPMessage] = [:]
  private var order: [SessionID] = []
  private var ends: [SessionID: FlowEnd] = [:]
  /// What was not as in the flow.
  private(set) var mismatches: [String] = []

  init(_ part: FlowPart) throws {
    self.part = part
    let texts = part.instead?.texts ?? []
    messages = try QuotedFlow.messages(of: part.flow, instead: texts)
    agent = UserAgent(try Self.identity(of: part, in: messages), policy: part.policy)
  }

  /// Who we are, by what the party says of itself.
  private static func identity(of part: FlowPart, in messages: [QuotedMessage]) throws -> UserAgentIdentity {
    let ours = messages.filter { $0.sender == part.party && part.places?.contains($0.place) ?? true }
    let any = ours.first ?? messages.first { $0.receiver == part.party }
    guard let any else { throw QuotedFlow.Unreadable(why: "\(part.party) has no message in \(part.flow)") }
    let isFrom = any.message.isRequest == (any.sender == part.party)
    let address = isFrom ? any.message.from : any.message.to
    let contact =
      part.contact ?? ours.lazy.compactMap { $0.message.contacts.first?.uri }.first ?? address?.uri ?? ""
    let transport = any.message.topVia.flatMap { Transport(rawValue: $0.transport.lowercased()) } ?? .udp
    guard let address, let place = SIPURI(contact) else { throw QuotedFlow.Unreadable(why: "\(contact) is no place") }
    return UserAgentIdentity(
      name: "live", addressOfRecord: address.uri, displayName: address.displayName,
      contact: Endpoint(host: place.host, port: place.port ?? (transport == .tls ? 5061 : 5060), transport: transport),
      mediaAddress: "192.0.2.100")
  }

  // MARK: Playing

  /// The messages in the order in which the party sees them.
  private var played: [QuotedMessage] {
    let played = messages.filter { part.places?.contains($0.place) ?? true }
    guard let order = part.order else { return played }
    return order.flatMap { place in played.filter { $0.place == place } }
  }

  /// Plays everything; what was not as in the flow is in `mismatches` then.
  mutating func play() {
    for message in played {
      for act in part.before[message.place] ?? [] { perform(act, at: message) }
      if message.sender == part.party {
        expect(message)
      } else if message.receiver == part.party, !part.lost.contains(message.place) {
        feed(message)
      }
    }
    if let last = played.last {
      for act in part.after { perform(act, at: last) }
    }
    noteUnexpected(before: "the end")
    let standing = order.map { ends[$0] ?? .early }
    if standing != part.ends { mismatches.append("the sessions end as \(standing), not as \(part.ends)") }
  }

  private func differs(_ message: QuotedMessage) -> [FlowDifference] { part.differs[message.place] ?? [] }

  private mutating func expect(_ quoted: QuotedMessage) {
    let differs = differs(quoted)
    if differs.contains(where: { if case .unsent = $0 { true } else { false } }) { return }
    guard taken < sent.count else {
      mismatches.append("\(quoted.number) \(quoted.name) is not sent")
      return
    }
    let live = sent[taken]
    taken += 1
    let comparison = FlowComparison(quoted.message, live, differs, &identifiers)
    mismatches += comparison.mismatches.map { "\(quoted.number) \(quoted.name): \($0)" }
  }

  private mutating func feed(_ quoted: QuotedMessage) {
    noteUnexpected(before: "\(quoted.number) \(quoted.name)")
    if differs(quoted).contains(where: { if case .unheard = $0 { true } else { false } }) { return }
    guard let message = adapted(quoted.message, differs(quoted)) else {
      mismatches.append("\(quoted.number) \(quoted.name) cannot be adapted to the live dialog")
      return
    }
    fed[quoted.place] = message
    receive(message)
  }

  private mutating func noteUnexpected(before place: String) {
    while taken < sent.count {
      mismatches.append("\(sent[taken].flowName) is sent before \(place)")
      taken += 1
    }
  }

  private mutating func perform(_ act: FlowAct, at quoted: QuotedMessage) {
    switch act {
    case .owner(let command): carryOut(command)
    case .invites(let number, let replacing):
      guard case .request(_, let target) = quoted.message.startLine else { return }
      carryOut(.invite(.ours(number), target: target, callID: quoted.message.callID, replacing: replacing))
    case .invitesReferred(let number):
      carryOut(.inviteReferred(.ours(number), ReferralID(.remote, 1), callID: quoted.message.callID))
    case .calls(let number):
      let other = quoted.sender == part.party ? quoted.message.to : quoted.message.from
      let target = other?.uri ?? ""
      carryOut(.invite(.ours(number), target: target, callID: quoted.message.callID))
    case .isAsked(let headers):
      receive(opening(of: quoted.message, isOurs: quoted.sender == part.party, headers: headers))
    case .gets(let status, let method, let tag, let hasSession, let contact):
      receive(response(status, to: method, tag: tag, hasSession: hasSession, contact: contact))
    case .getsRequest(let method, let hasSession, let headers):
      receive(request(method, hasSession: hasSession, headers: headers))
    case .at(let place, let act): for message in messages where message.place == place { perform(act, at: message) }
    case .getsQuoted(let place): for message in messages where message.place == place { feed(message) }
    case .getsAgain(let place): receive(fed[place])
    case .sends(let name):
      guard taken < sent.count, sent[taken].flowName == name else {
        mismatches.append("\(name) is not sent, but \(taken < sent.count ? sent[taken].flowName : "nothing")")
        return
      }
      taken += 1
    case .waits(let span): run(span)
    }
  }

  // MARK: The agent

  private mutating func carryOut(_ command: UserAgentCommand) {
    let outputs = agent.perform(command, causes: [])
    for case .dropped(let why, _) in outputs { mismatches.append("\(command): \(why)") }
    take(outputs)
  }

  private mutating func receive(_ message: SIPMessage?) {
    guard let message else {
      mismatches.append("there is no dialog for what the other side is to send")
      return
    }
    note(message, isOurs: false)
    rules.receive(message)
    let source = message.isRequest ? message.topVia : nil
    let transport = agent.identity.contact.transport
    take(
      agent.receive(
        message, from: Endpoint(host: source?.host ?? "192.0.2.200", port: source?.port ?? 5060, transport: transport),
        causes: []))
  }

  private mutating func take(_ outputs: [UserAgentOutput]) {
    for output in outputs {
      switch output {
      case .send(let transmission):
        guard transmission.origin != .retransmission else { continue }
        sent.append(transmission.message)
        mismatches += rules.send(transmission.message)
        note(transmission.message, isOurs: true)
      case .setTimer(let timer, let span, _): set(timer, after: span)
      case .setRandomTimer(let timer, let range, _): set(timer, after: range.lowerBound)
      case .cancelTimer(let timer): timers[timer] = nil
      case .event(let event, _): take(event)
      case .dropped: break
      }
    }
  }

  private mutating func take(_ event: UserAgentEvent) {
    switch event {
    case .invited(let id, _), .inviteSent(let id, _): order.append(id)
    case .acceptSent(let id), .answered(let id): ends[id] = .up
    case .ended(let id, let end): ends[id] = .over(end)
    default: break
    }
  }

  private mutating func set(_ timer: UserAgentTimer, after span: Span) {
    timersSet += 1
    timers[timer] = (now + span, timersSet)
  }

  private mutating func run(_ span: Span) {
    let end = now + span
    while let next = timers.min(by: { ($0.value.at, $0.value.number) < ($1.value.at, $1.value.number) }),
      next.value.at <= end
    {
      now = next.value.at
      timers[next.key] = nil
      take(agent.fire(next.key))
    }
    now = end
  }
}
