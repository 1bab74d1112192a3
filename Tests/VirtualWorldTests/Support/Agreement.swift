import Instant
import Timeline

@testable import SIP
@testable import VirtualWorld

/// Follows the exchanges of offer and answer as each side saw them, and says at the end whether the two agree.
///
/// What a side believes is read from the timeline: an exchange is complete for it when it has sent or received the
/// answer. That the phone's own books say the same is checked as well.
struct Agreement {
  /// What lets two sides disagree that both keep to SIP. It takes somebody who was gone.
  enum Exception: String, CaseIterable {
    case phoneEndLost = "every BYE or CANCEL of the phone was lost while the peer was gone"
    case peerEndLost = "every BYE of the peer was lost while it was gone"
    case refusalLost = "every refusal of the phone was lost while the peer was gone"
    case answerLost = "every 2xx of the peer was lost while it was gone"
    case unheard = "nothing was heard of an INVITE of the phone before its time was over"
  }

  struct Result {
    var violations: [String] = []
    var exceptions: [Exception] = []
    /// How many calls go on, and both sides agree on them.
    var agreed = 0
  }

  private typealias Transaction = MessagePattern.Transaction

  /// The directions of the last exchange, each as its own side describes it.
  private struct Media: Equatable {
    var phone: String
    var peer: String
    var isPhonesOffer: Bool
  }

  /// Offers by the side that knows them, and those of them that are answered.
  private struct Books {
    var offers: [Transaction: (isPhones: Bool, direction: String)] = [:]
    var complete: Set<Transaction> = []
    var media: [String: Media] = [:]
  }

  private var phone = Books()
  private var peer = Books()
  /// The messages that decide about a call: which have been sent and which have come to the other side.
  private var sent: Set<Decision> = []
  private var arrived: Set<Decision> = []

  /// When the phone first sent its INVITE, and the calls of which it heard before Timer B fired: without that there is
  /// nothing to cancel (RFC 3261 9.1, 17.1.1.2), and whoever has the INVITE rings on.
  private var invited: [String: Instant] = [:]
  private var heard: Set<String> = []

  /// A message that decides whether there is a dialog.
  private struct Decision: Hashable {
    enum Kind { case end, success, refusal }
    var kind: Kind
    var isFromPhone: Bool
    var callID: String

    init?(_ message: MessageFacts) {
      switch (message.method, message.status) {
      case ("BYE", nil), ("CANCEL", nil): kind = .end
      case ("INVITE", let status?) where status >= 200: kind = status < 300 ? .success : .refusal
      default: return nil
      }
      isFromPhone = message.from == "phone"
      callID = message.callID
    }

    init(_ kind: Kind, isFromPhone: Bool, _ callID: String) {
      (self.kind, self.isFromPhone, self.callID) = (kind, isFromPhone, callID)
    }
  }

  mutating func read(_ record: Record) {
    guard case .sip(let sip) = record.event else { return }
    let message = sip.message
    let isFromPhone = message.from == "phone"
    let decision = Decision(message)
    switch sip.phase {
    case .sent:
      if isFromPhone { note(message, in: &phone) } else { note(message, in: &peer) }
      if let decision { sent.insert(decision) }
      if isFromPhone, message.method == "INVITE", message.status == nil, invited[message.callID] == nil {
        invited[message.callID] = record.instant
      }
    case .arrived:
      if !isFromPhone, message.method == "INVITE", message.status != nil, let start = invited[message.callID],
        record.instant < start + .seconds(32)
      {
        heard.insert(message.callID)
      }
      if isFromPhone { note(message, in: &peer) } else { note(message, in: &phone) }
      if let decision { arrived.insert(decision) }
    case .lost, .dropped: break
    }
  }

  private func note(_ message: MessageFacts, in books: inout Books) {
    guard let session = message.session else { return }
    let isFromPhone = message.from == "phone"
    let transaction = Transaction(
      callID: message.callID, sequence: message.sequence, requester: message.status == nil ? message.from : message.to)
    switch session.role {
    case .offer: books.offers[transaction] = (isFromPhone, session.direction)
    case .answer:
      guard let offer = books.offers[transaction], offer.isPhones != isFromPhone,
        books.complete.insert(transaction).inserted
      else { return }
      books.media[message.callID] = Media(
        phone: offer.isPhones ? offer.direction : session.direction,
        peer: offer.isPhones ? session.direction : offer.direction, isPhonesOffer: offer.isPhones)
    }
  }

  // MARK: The end

  func check(_ simulation: Simulation, _ calls: [EverydayRun.Call], everGone: Set<String>) -> Result {
    var result = Result()
    for call in calls {
      let peer = simulation.world.peers.first { $0.setup.address.name == call.peer }
      let theirs = peer.flatMap { $0.dialogs[$0.dialogs.main(call.callID)] }
      let ours = simulation.world.phone.agent.sessions.values.filter { $0.invite.callID == call.callID }
      func note(_ what: String) { result.violations.append("\(call.name): \(what)") }
      if ours.count > 1 { note("the phone has \(ours.count) sessions of one call") }
      switch (ours.first, theirs) {
      case (nil, nil): break
      case (nil, let theirs?):
        if everGone.contains(call.peer), isLost(.end, isFromPhone: true, call) {
          result.exceptions.append(.phoneEndLost)
        } else if everGone.contains(call.peer), !theirs.isConfirmed, isLost(.refusal, isFromPhone: true, call) {
          result.exceptions.append(.refusalLost)
        } else if !theirs.isConfirmed, invited[call.callID] != nil, !heard.contains(call.callID) {
          result.exceptions.append(.unheard)
        } else {
          note("it has ended at the phone, and the peer still has \(theirs.isConfirmed ? "the dialog" : "an INVITE")")
        }
      case (let ours?, nil):
        if everGone.contains(call.peer), ours.state == .proceeding, isLost(.success, isFromPhone: false, call) {
          result.exceptions.append(.answerLost)
        } else if everGone.contains(call.peer), isLost(.end, isFromPhone: false, call) {
          result.exceptions.append(.peerEndLost)
        } else {
          note("it goes on at the phone, and the peer has no dialog")
        }
      case (let ours?, let theirs?):
        let before = result.violations.count
        for what in disagreements(ours, theirs, peer, call) { note(what) }
        if result.violations.count == before { result.agreed += 1 }
      }
    }
    return result
  }

  /// Whether such messages were sent, and none of them has come to the other side.
  private func isLost(_ kind: Decision.Kind, isFromPhone: Bool, _ call: EverydayRun.Call) -> Bool {
    let decision = Decision(kind, isFromPhone: isFromPhone, call.callID)
    return sent.contains(decision) && !arrived.contains(decision)
  }

  private func disagreements(
    _ ours: Session, _ theirs: PeerDialog, _ peer: Peer?, _ call: EverydayRun.Call
  ) -> [String] {
    let waiting = peer?.inbox.first(callID: call.callID) { $0.method == .invite }
    if ours.state == .proceeding || ours.state == .calling {
      return waiting == nil || theirs.isConfirmed ? ["the phone waits for an answer that the peer has given"] : []
    }
    guard ours.state == .confirmed, let dialog = ours.dialog else { return ["the phone's session is \(ours.state)"] }
    var found: [String] = []
    if theirs.localTag != dialog.id.remoteTag || theirs.remoteTag != dialog.id.localTag || !theirs.isConfirmed {
      found.append("the two sides are in different dialogs")
    }
    if ours.success != nil || ours.negotiation.state != .stable || ours.negotiation.dueOffer != nil {
      found.append("the phone has not finished an exchange: \(ours.negotiation.state)")
    }
    let isUnanswered = theirs.sentInvite.map { $0.isPending || !$0.successes.isEmpty && $0.acknowledgement == nil }
    if isUnanswered ?? false || waiting != nil || !theirs.repeatedSuccesses.isEmpty {
      found.append("the peer has not finished an exchange")
    }
    guard let mine = phone.media[call.callID], let media = self.peer.media[call.callID] else {
      return found + ["no exchange is complete on both sides"]
    }
    if mine != media { found.append("the phone believes \(mine), the peer \(media)") }
    guard let own = SessionDescription.Direction(rawValue: mine.phone),
      let other = SessionDescription.Direction(rawValue: mine.peer)
    else { return found + ["no direction: \(mine)"] }
    // The answer sends what the offer receives at most, and the other way round (RFC 3264 6.1).
    let (offer, answer) = mine.isPhonesOffer ? (own, other) : (other, own)
    if answer.answer(to: offer) != answer { found.append("the answer does not fit the offer: \(mine)") }
    guard let agreed = ours.negotiation.agreed else { return found + ["the phone has agreed on nothing"] }
    if agreed.isHeldThere == other.receives || agreed.isHeldHere && own.receives {
      found.append("the phone's books say \(agreed), the wire \(mine)")
    }
    return found
  }
}
