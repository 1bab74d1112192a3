import Instant
import SIP
import SimulationKernel

/// A SIP peer: its transaction layer works by itself, its decisions come from the script, its dialogs are learnt from
/// the bytes that it sent and received.
///
/// By itself it repeats requests and final responses, absorbs repeats, acknowledges every non-2xx final response to its
/// INVITE, repeats a 2xx to INVITE until the ACK comes and an ACK to a 2xx when that comes again, and answers CANCEL
/// with 200 and the INVITE with 487. An automatic peer also rings, answers, sends the first ACK to a 2xx and accepts
/// every request within a dialog, unless the script has done it before: it decides when everything else of the instant
/// has happened. A REFER it declines with 603, since there is nobody whom it could call (RFC 5589 6.5).
///
/// It may answer one INVITE under several To tags, as the callees of a proxy that forks do: each has a dialog of its own,
/// and a further 2xx under another tag can follow the first (RFC 3261 13.2.2.4).
///
/// What it knows of a call lasts until its BYE is answered, or its first INVITE fails; of a dialog in which a REFER came,
/// until the last report on it has been sent as well (RFC 5057 5.1).
public struct Peer: Hashable, Sendable {
  /// Who the peer is and whether it decides by itself.
  public let setup: PeerSetup
  var transactions = TransactionLayer()
  var identifiers: IdentifierSource
  /// What is known of every call that an INVITE has begun, by Call-ID.
  var dialogs = PeerDialogs()
  var inbox = PeerInbox()
  /// The requests that wait for a final response.
  var outbox: [ClientTransactionID: SentRequest] = [:]
  /// The Call-IDs of the 2xx that wait for their ACK.
  var unacknowledged: [PeerSuccessID: String] = [:]

  /// A request of ours that has no final response yet.
  struct SentRequest: Hashable, Sendable {
    var callID: String
    var localTag: String?
    var sequence: CommandSequence
    /// The value of Event.
    var event: String?
    /// The script's own bytes: they are never sent again.
    var isRaw: Bool
  }

  /// A peer at the start of a run. The generator is there for decisions of chance; identifiers are counted.
  public init(_ setup: PeerSetup, generator: SeededGenerator) {
    self.setup = setup
    identifiers = IdentifierSource(name: setup.address.name, host: setup.address.host)
  }

  /// Takes a message that arrived; its number in the run is how the script refers to it.
  public mutating func receive(
    _ message: SIPMessage, number: Int, from source: Endpoint, at now: Instant, causes: [Int]
  ) -> [PeerOutput] {
    if let flaw = Self.unusable(message) { return [.dropped(why: flaw)] }
    let outputs = transactions.receive(message, from: source, causes: causes)
    let isSilent = message.topVia?.branch.map(inbox.isAnsweredRaw) ?? false
    return outputs.flatMap { output -> [PeerOutput] in
      if isSilent, case .send(let transmission) = output, transmission.origin == .retransmission { return [] }
      return handle(output, number: number, source: source, causes: causes)
    }
  }

  /// Sends what the script says. `callID` is that of the call, or of the message, that the message names; `destination`
  /// where the actor that it is sent to listens.
  public mutating func send(
    _ message: PeerMessage, callID: String?, destination: ActorAddress, at now: Instant, causes: [Int]
  ) throws(StimulusRefusal) -> [PeerOutput] {
    let before = self
    do {
      switch message.content {
      case .request(let method):
        return try sendRequest(method, message, callID: callID, destination: destination, causes: causes)
      case .response(let status):
        return try sendResponse(status, message, callID: callID, causes: causes)
      case .raw(let bytes):
        return sendRaw(bytes, to: destination.endpoint, causes: causes)
      }
    } catch {
      // What is refused leaves no trace, so that the identifiers of the rest of a run do not depend on it.
      self = before
      throw error
    }
  }

  /// A timer is due.
  public mutating func fire(_ timer: PeerTimer, at now: Instant) -> [PeerOutput] {
    switch timer {
    case .transaction(let timer):
      return transactions.fire(timer).flatMap { handle($0, number: nil, source: nil, causes: []) }
    case .repeatSuccess(let success):
      return repeatSuccess(success)
    case .awaitAcknowledgement(let success):
      return stopRepeating(success)
    case .answer(let transaction):
      return decide(in: transaction)
    case .acknowledge(let callID):
      return acknowledgeByItself(callID: callID)
    }
  }

  /// Why a message cannot be used at all.
  private static func unusable(_ message: SIPMessage) -> String? {
    if case .response = message.startLine, let fatal = message.findings.first(where: \.isFatal) { return fatal.text }
    if message.topVia == nil { return "there is no Via that can be read" }
    if message.sequence == nil { return "there is no CSeq that can be read" }
    return nil
  }
}

/// What a peer has the world do, in order.
public enum PeerOutput: Hashable, Sendable {
  /// Put a message on the wire.
  case send(Transmission)
  /// Put these bytes on the wire as they are; the peer does not look after them.
  case sendRaw([UInt8], destination: Endpoint, causes: [Int])
  /// Have the timer fire a span from now; a timer that is set is moved.
  case setTimer(PeerTimer, after: Span)
  /// Forget the timer if it is set.
  case cancelTimer(PeerTimer)
  /// A message that arrived was absorbed or dropped; why.
  case dropped(why: String)
}

/// A timer of a peer.
public enum PeerTimer: Hashable, Sendable {
  /// A timer of the transaction layer.
  case transaction(TransactionTimer)
  /// Send the 2xx to this INVITE again until its ACK comes.
  case repeatSuccess(PeerSuccessID)
  /// Give up on the ACK.
  case awaitAcknowledgement(PeerSuccessID)
  /// An automatic peer answers the request.
  case answer(ServerTransactionID)
  /// An automatic peer acknowledges the 2xx to its INVITE with this Call-ID.
  case acknowledge(callID: String)
}

extension ActorAddress {
  /// Where the actor listens.
  var endpoint: Endpoint { Endpoint(host: host, port: port, transport: transport) }
}
