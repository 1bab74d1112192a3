import Instant
import SIP
import Timeline

@testable import VirtualWorld

/// What the peers of a transfer know and have decided.
struct TransferConduct {
  /// What becomes of the target; the first decision stands.
  var targetStatus: Int?
  /// An INVITE that waits for this decision.
  fileprivate var invite: MessageFacts?
  /// Whether alice accepts a REFER.
  fileprivate var acceptsRefer = false
  /// The REFER that has come to her.
  fileprivate var refer: MessageFacts?
  fileprivate var hasAnsweredRefer = false
  fileprivate var hasReported = false
  /// Whether alice has hung up.
  fileprivate var hasHungUp = false
  /// The requests that have been answered, by their numbers.
  fileprivate var seen: Set<Int> = []
}

extension TransferRun {
  // MARK: What is up to the order

  /// Alice has the phone call carol.
  mutating func refer() {
    guard isUp("alice"), !conduct.hasHungUp else { return }
    let replaces = order.form == .attendedTransferee ? "?Replaces=k2%4010.0.0.3%3Bto-tag%3Dt%3Bfrom-tag%3Df" : ""
    perform(
      message(
        "REFER", of: "alice",
        headers: [
          ("Refer-To", "<sip:carol@10.0.0.4:5060\(replaces)>"), ("Referred-By", "<sip:alice@10.0.0.3:5060>"),
        ]))
  }

  /// Alice calls carol for the phone, now or when she is asked to.
  mutating func acceptRefer() {
    conduct.acceptsRefer = true
    guard let refer = conduct.refer, !conduct.hasAnsweredRefer else { return }
    conduct.hasAnsweredRefer = true
    respond(200, to: refer)
    if !conduct.hasReported, owesReport { perform(message("NOTIFY", of: "alice", reporting: 100)) }
  }

  /// Carol answers or refuses what calls her, now or when it does.
  mutating func decide(_ status: Int) {
    conduct.targetStatus = conduct.targetStatus ?? status
    order.form.isTransferor ? reportIfDue() : answerIfDue()
  }

  mutating func hangUp() {
    guard isUp("alice") else { return }
    conduct.hasHungUp = true
    perform(message("BYE", of: "alice"))
  }

  /// The target has answered whoever the REFER had call it, or refused. If it has answered, it ends what is replaced: the
  /// two come from different hosts, in either order.
  private mutating func reportIfDue() {
    guard conduct.refer != nil, let status = conduct.targetStatus, !conduct.hasReported, owesReport else { return }
    conduct.hasReported = true
    let isReplaced = status == 200 && order.form.hasConsultation
    if isReplaced, order.form == .attendedTransferor, isUp("carol") { perform(message("BYE", of: "carol")) }
    perform(message("NOTIFY", of: "alice", reporting: status))
    if isReplaced, order.form == .consultation, isUp("carol") { perform(message("BYE", of: "carol")) }
  }

  private mutating func answerIfDue() {
    guard let invite = conduct.invite, let status = conduct.targetStatus, isWaiting(invite) else { return }
    conduct.invite = nil
    respond(status, to: invite)
  }

  // MARK: What follows by itself

  mutating func react(to record: Record) {
    guard case .sip(let sip) = record.event, sip.phase == .arrived, sip.message.to != "phone" else { return }
    let message = sip.message
    guard conduct.seen.insert(message.id).inserted else { return }
    if let status = message.status {
      if status == 200, message.method == "INVITE" { perform(self.message("ACK", of: message.to)) }
      return
    }
    switch message.method {
    case "BYE", "NOTIFY": respond(200, to: message)
    case "INVITE" where message.isReInvite:
      let isOver = message.to == "alice" && conduct.hasHungUp || dialog(message)?.isOver ?? true
      respond(isOver ? 481 : 200, to: message)
    case "INVITE":
      respond(180, to: message)
      conduct.invite = message
      answerIfDue()
    case "REFER":
      guard isUp("alice"), !conduct.hasHungUp else { return respond(481, to: message) }
      conduct.refer = message
      if conduct.acceptsRefer { acceptRefer() }
      reportIfDue()
    default: break
    }
  }

  // MARK: Messages

  private func peer(_ name: String) -> Peer? { simulation.world.peers.first { $0.setup.address.name == name } }

  private func dialog(_ message: MessageFacts) -> PeerDialog? { peer(message.to)?.dialogs[message.callID] }

  /// Whether alice can still report on the REFER: not if no report of hers has been answered.
  private var owesReport: Bool {
    var dialogs = peer("alice")?.dialogs ?? PeerDialogs()
    dialogs.chooseReporting(callID(with: "alice"))
    return dialogs[callID(with: "alice")]?.referrals.isEmpty == false
  }

  /// Whether the peer has a dialog for requests of its own.
  private func isUp(_ name: String) -> Bool {
    peer(name)?.dialogs[callID(with: name)].map { $0.isUp && $0.hasBothTags } ?? false
  }

  private func isWaiting(_ invite: MessageFacts) -> Bool {
    peer(invite.to)?.inbox.first(callID: invite.callID) { $0.number == invite.id } != nil
  }

  /// A request in the dialog of the call with a peer as it began; only an INVITE says which call it is for.
  func message(
    _ method: String, of peer: String, offer: String? = nil, reporting status: Int? = nil,
    headers: [(name: String, value: String)] = []
  ) -> Stimulus {
    .message(
      PeerMessage(
        from: peer, to: "phone", content: .request(method: method),
        subject: method == "INVITE" ? .call("c1") : .none,
        session: offer.map { MessageFacts.Session(role: .offer, direction: $0) }, fragment: status, headers: headers,
        callID: callID(with: peer)))
  }

  private mutating func respond(_ status: Int, to request: MessageFacts) {
    var session: MessageFacts.Session?
    if status == 200, request.method == "INVITE", let offer = request.session,
      let offered = SessionDescription.Direction(rawValue: offer.direction)
    {
      let answer = SessionDescription.Direction.sendrecv.answer(to: offered)
      session = MessageFacts.Session(role: .answer, direction: answer.rawValue)
    }
    perform(
      .message(
        PeerMessage(
          from: request.to, to: "phone", content: .response(status: status), subject: .message(request.id),
          session: session)))
  }
}
