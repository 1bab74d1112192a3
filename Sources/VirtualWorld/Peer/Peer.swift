import Instant
import SIP
import SimulationKernel

/// A SIP peer: its transaction layer works by itself, its decisions come from the script, its dialogs are learnt from
/// the bytes that it sent and received.
public struct Peer: Hashable, Sendable {
  public let setup: PeerSetup

  public init(_ setup: PeerSetup, generator: SeededGenerator) {
    self.setup = setup
  }

  /// Takes a message that arrived; its number in the run is how the script refers to it.
  public mutating func receive(
    _ message: SIPMessage, number: Int, from source: Endpoint, at now: Instant, causes: [Int]
  ) -> [PeerOutput] {
    []
  }

  /// Sends what the script says. `callID` is that of the call that the message names, `destination` where the actor
  /// that it is sent to listens.
  public mutating func send(
    _ message: PeerMessage, callID: String?, destination: ActorAddress, at now: Instant, causes: [Int]
  ) throws(StimulusRefusal) -> [PeerOutput] {
    []
  }

  /// A timer is due.
  public mutating func fire(_ timer: PeerTimer, at now: Instant) -> [PeerOutput] {
    []
  }
}

/// What a peer has the world do, in order.
public enum PeerOutput: Hashable, Sendable {
  case send(Transmission)
  /// Put these bytes on the wire as they are; the peer does not look after them.
  case sendRaw([UInt8], destination: Endpoint, causes: [Int])
  case setTimer(PeerTimer, after: Span)
  case cancelTimer(PeerTimer)
  /// A message that arrived was absorbed or dropped; why.
  case dropped(why: String, causes: [Int])
}

/// A timer of a peer.
public enum PeerTimer: Hashable, Sendable {
  case transaction(TransactionTimer)
  /// Send the 2xx to this INVITE again until its ACK comes.
  case repeatSuccess(ServerTransactionID)
  /// Give up on the ACK.
  case awaitAcknowledgement(ServerTransactionID)
  /// An automatic peer answers the INVITE.
  case answer(ServerTransactionID)
}
