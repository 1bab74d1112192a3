import Instant
import Testing

@testable import SIP

/// Two user agents on a wire that loses, doubles and delays, with owners that command at random.
@Suite struct UserAgentRandomTests {
  /// SplitMix64, so that a seed gives the same run everywhere.
  struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }

    mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }
  }

  private enum Item: Hashable {
    case arrival(at: Int, SIPMessage)
    case timer(of: Int, UserAgentTimer, version: Int)
    case command(of: Int, UserAgentCommand)
  }

  private struct TimerKey: Hashable {
    var owner: Int
    var timer: UserAgentTimer
  }

  /// One run. Agent 0 calls, agent 1 is called.
  private struct Run {
    var random: Generator
    var agents: [UserAgent]
    var queue: [(at: Instant, number: Int, item: Item)] = []
    var pushed = 0
    var now = Instant.zero
    var versions: [TimerKey: Int] = [:]
    var armed = 0
    /// In percent.
    let loss: Int
    var problems: [String] = []
    var invited: [SessionID] = []
    var begun: [SessionID] = []
    var ended: [[SessionID: Int]] = [[:], [:]]
    /// By Call-ID: when the callee's first 200 left, whether an ACK arrived, a provisional response, an INVITE left.
    var accepted: [String: Instant] = [:]
    var acknowledged: Set<String> = []
    var provisional: Set<String> = []
    /// The Call-IDs under which sessions have begun again.
    var fallbacks: Set<String> = []
    var counts: [String: Int] = [:]
    /// Whether nobody hangs up before the quiet.
    let isPatient: Bool
    var books = NegotiationBooks()
    /// No owner commands after this but hanging up; the last others come long before.
    static let quiet = Instant.zero + .seconds(300)

    init(seed: UInt64) {
      random = Generator(state: seed)
      loss = [0, 10, 30, 60][random.below(4)]
      isPatient = random.below(2) == 0
      agents = ["a", "b"].enumerated().map { index, name in
        UserAgent(
          UserAgentIdentity(
            name: name, addressOfRecord: "sip:\(name)@example.com",
            contact: Endpoint(host: "10.0.0.\(index + 1)", port: 5060, transport: .udp),
            mediaAddress: "10.0.0.\(index + 1)"), policy: UserAgentPolicy(replacesAuthorisation: .anyone))
      }
    }

    mutating func push(_ item: Item, after span: Span) {
      pushed += 1
      queue.append((now + span, pushed, item))
    }

    mutating func take(_ outputs: [UserAgentOutput], of owner: Int) {
      for output in outputs {
        switch output {
        case .send(let transmission): transmit(transmission.message, from: owner)
        case .setTimer(let timer, let span, _):
          armed += 1
          versions[TimerKey(owner: owner, timer: timer)] = armed
          push(.timer(of: owner, timer, version: armed), after: span)
        case .setRandomTimer(let timer, let range, let step):
          armed += 1
          versions[TimerKey(owner: owner, timer: timer)] = armed
          let steps = (range.upperBound.microseconds - range.lowerBound.microseconds) / step.microseconds
          let drawn = Int64(random.below(Int(steps) + 1)) * step.microseconds
          let span = Span(microseconds: range.lowerBound.microseconds + drawn)
          push(.timer(of: owner, timer, version: armed), after: span)
        case .cancelTimer(let timer): versions[TimerKey(owner: owner, timer: timer)] = nil
        case .event(let event, _):
          books.note(event, of: owner, hasEnded: ended[owner])
          note(event, of: owner)
        case .dropped: break
        }
      }
    }

    mutating func transmit(_ message: SIPMessage, from owner: Int) {
      let id = message.callID
      books.note(sent: message, by: owner)
      switch message.startLine {
      case .request(let method, _):
        counts[method.name, default: 0] += 1
        if method == .cancel, !provisional.contains(id) { problems.append("CANCEL before a provisional") }
        if method == .bye, owner == 1, !acknowledged.contains(id) {
          let waited = accepted[id].map { now - $0 } ?? .zero
          if waited < .seconds(32) { problems.append("BYE by the callee after \(waited)") }
        }
      case .response(let status, _):
        counts["\(status)", default: 0] += 1
        if owner == 1, status == 200, message.method == .invite, accepted[id] == nil { accepted[id] = now }
      }
      let message = owner == 1 ? redirecting(message) : message
      let copies = random.below(100) < loss ? 0 : random.below(100) < 15 ? 2 : 1
      for _ in 0..<copies {
        // Below T4, so that a copy never outlives what waits for it.
        let delay = random.below(10) == 0 ? random.below(3_000) : 5 + random.below(100)
        push(.arrival(at: 1 - owner, message), after: .milliseconds(Int64(delay)))
      }
    }

    /// Some of the callee's refusals become redirects to another user of the same host.
    func redirecting(_ response: SIPMessage) -> SIPMessage {
      guard case .response(let status, _) = response.startLine, (480...486).contains(status) || status == 488,
        response.method == .invite,
        let sequence = response.sequence,
        response.topVia?.branch?.utf8.last.map({ $0 % 3 != 0 }) == true,
        let redirect = try? SIPMessage(
          .response(status: 302, reason: "R"),
          headers: response.headers + [("Contact", "<sip:b\(sequence.number)@10.0.0.2>")])
      else { return response }
      return redirect
    }

    mutating func note(_ event: UserAgentEvent, of owner: Int) {
      switch event {
      case .invited(let id, let invitation):
        invited.append(id)
        if invitation.replaces != nil { counts["replacements", default: 0] += 1 }
        pushWishes(id, of: 1)
        guard !isPatient else {
          return push(.command(of: 1, .accept(id)), after: .milliseconds(Int64(random.below(4_000))))
        }
        for _ in 0..<(1 + random.below(3)) {
          let commands: [UserAgentCommand] = [
            .ring(id), .ring(id), .accept(id), .accept(id), .reject(id, status: 486), .hangUp(id),
          ]
          push(
            .command(of: 1, commands[random.below(commands.count)]), after: .milliseconds(Int64(random.below(4_000))))
        }
        if random.below(3) == 0 { push(.command(of: 1, .hangUp(id)), after: .milliseconds(Int64(random.below(9_000)))) }
      case .inviteSent(let id, _): pushWishes(id, of: 0)
      case .redirected(let id, _):
        counts["redirects", default: 0] += 1
        if ended[owner][id] != nil { problems.append("\(id) is redirected after its end") }
      case .callIDChanged(let id, let callID):
        counts["fallbacks", default: 0] += 1
        if ended[owner][id] != nil { problems.append("\(id) begins again after its end") }
        if !fallbacks.insert(callID).inserted { problems.append("\(id) begins again twice") }
      case .ended(let id, _): ended[owner][id, default: 0] += 1
      case .provisional, .answered, .acceptSent, .acknowledged, .negotiated, .holdRefused, .infoAnswered, .referred,
        .referral:
        break
      }
    }

    /// Has an owner hold, resume, renew and dial at times at which the other one may do so as well.
    mutating func pushWishes(_ id: SessionID, of owner: Int) {
      for _ in 0..<random.below(8) {
        let moment = random.below(2) == 0 ? random.below(60_000) : 5_000 + 100 * random.below(20)
        let command: UserAgentCommand =
          switch random.below(6) {
          case 0, 1: .sendDigit(id, "5", lasting: .milliseconds(100))
          case 2: .renew(id)
          default: .setHold(id, random.below(2) == 0)
          }
        push(.command(of: owner, command), after: .milliseconds(Int64(moment)))
      }
    }

    /// What must be so when nothing has been wished for a long time.
    mutating func checkAgreement() {
      for id in begun {
        let caller = agents[0].sessions[id].flatMap { $0.state == .confirmed ? $0 : nil }
        guard let dialog = caller?.dialog?.id else { continue }
        let mirrored = Dialog.ID(callID: dialog.callID, localTag: dialog.remoteTag, remoteTag: dialog.localTag)
        guard let other = agents[1].dialogs[mirrored], let callee = agents[1].sessions[other],
          let here = caller?.negotiation, let there = callee.negotiation.agreed, let agreed = here.agreed
        else {
          if loss < 60 { problems.append("only the callee has ended \(id)") }
          continue
        }
        counts["agreements", default: 0] += 1
        if agreed.isHeldHere != there.isHeldThere || agreed.isHeldThere != there.isHeldHere {
          problems.append("the two sides of \(id) do not agree")
        }
        for (owner, session, negotiation) in [(0, id, here), (1, other, callee.negotiation)] {
          if negotiation.state != .stable { problems.append("\(session) is not settled") }
          if !negotiation.isAsWanted, !books.isRefused(session, of: owner) {
            problems.append("\(session) is not as wanted")
          }
          if negotiation.wantsHold { counts["held", default: 0] += 1 }
        }
        if callee.success != nil || caller?.success != nil { problems.append("a 2xx of \(id) waits for its ACK") }
      }
    }

    /// Takes everything that is due; `false` if nothing is left before the limit.
    mutating func step(until limit: Instant) -> Bool {
      guard let place = queue.indices.min(by: { (queue[$0].at, queue[$0].number) < (queue[$1].at, queue[$1].number) }),
        queue[place].at <= limit
      else { return false }
      let entry = queue.remove(at: place)
      now = entry.at
      switch entry.item {
      case .arrival(let owner, let message):
        books.note(arrived: message, at: owner)
        if owner == 1, message.method == .ack { acknowledged.insert(message.callID) }
        if owner == 0, message.method == .invite, case .response(..<200, _) = message.startLine {
          provisional.insert(message.callID)
        }
        let source = Endpoint(host: "10.0.0.\(2 - owner)", port: 5060, transport: .udp)
        take(agents[owner].receive(message, from: source, causes: []), of: owner)
      case .timer(let owner, let timer, let version):
        let key = TimerKey(owner: owner, timer: timer)
        guard versions[key] == version else { return true }
        versions[key] = nil
        take(agents[owner].fire(timer), of: owner)
      case .command(let owner, let command):
        let outputs = agents[owner].perform(command, causes: [])
        books.note(command, of: owner, agents[owner], outputs)
        take(outputs, of: owner)
      }
      return true
    }

    mutating func run() {
      for number in 1...(1 + random.below(3)) {
        let id = SessionID(.local, number)
        begun.append(id)
        let start = Int64(random.below(5_000))
        let fallback = random.below(3) == 0 ? "again\(number)" : nil
        let replaced = number > 1 && random.below(3) == 0 ? SessionID(.local, number - 1) : nil
        push(
          .command(
            of: 0,
            .invite(
              id, target: "sip:b@10.0.0.2", callID: nil, fallbackCallID: fallback, replacing: replaced)),
          after: .milliseconds(start))
        for _ in 0..<(isPatient ? 0 : random.below(3)) {
          push(.command(of: 0, .hangUp(id)), after: .milliseconds(start + 1 + Int64(random.below(15_000))))
        }
      }
      while step(until: Self.quiet) {}
      now = Self.quiet
      checkAgreement()
      // One side hangs up everything; what the wire hides from the other, it hangs up itself 100 s later.
      let first = random.below(2)
      for owner in [first, 1 - first] {
        for id in owner == 0 ? begun : invited {
          take(agents[owner].perform(.hangUp(id), causes: []), of: owner)
        }
        let limit = now + .seconds(100)
        while step(until: limit) {}
        now = limit
      }
      let limit = now + .seconds(200)
      while step(until: limit) {}
      for owner in 0...1 {
        let name = owner == 0 ? "caller" : "callee"
        if agents[owner].sessionCount != 0 { problems.append("the \(name) has sessions left") }
        if agents[owner].transactions.count != 0 { problems.append("the \(name) has transactions left") }
        if !agents[owner].dialogs.isEmpty || !agents[owner].invited.isEmpty || !agents[owner].requested.isEmpty {
          problems.append("the \(name) has an index left")
        }
        for id in owner == 0 ? begun : invited where ended[owner][id] != 1 {
          problems.append("the \(name) told the end of \(id) \(ended[owner][id] ?? 0) times")
        }
      }
      if versions.contains(where: { _ in true }) { problems.append("a timer is left") }
      problems += books.close()
      counts.merge(books.counts) { $0 + $1 }
    }
  }

  @Test func nothingIsLeftAndNothingComesOutOfOrder() {
    var counts: [String: Int] = [:]
    for seed in 1...400 as ClosedRange<UInt64> {
      var run = Run(seed: seed)
      run.run()
      #expect(run.problems.isEmpty, "seed \(seed), loss \(run.loss)")
      counts.merge(run.counts) { $0 + $1 }
    }
    // The runs reach what they are for.
    for name in [
      "INVITE", "ACK", "CANCEL", "BYE", "INFO", "100", "180", "200", "480", "486", "487", "481", "491", "agreements",
      "held", "holds", "resumes", "refusals", "digits",
      "redirects", "fallbacks", "replacements", "renewals",
    ] {
      #expect(counts[name, default: 0] >= 5, "\(name)")
    }
  }
}
