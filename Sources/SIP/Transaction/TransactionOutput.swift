import Instant

/// What the transaction layer has its owner do, in order.
public enum TransactionOutput: Hashable, Sendable {
  /// Put these bytes on the wire.
  case send(Transmission)
  /// Have the timer fire a span from now; a timer that is set is moved.
  case setTimer(TransactionTimer, after: Span)
  case cancelTimer(TransactionTimer)
  /// A new request for the transaction user; ACK to a 2xx comes as ``acknowledgement(_:)``.
  case request(ServerTransactionID, SIPMessage, from: Endpoint)
  /// An ACK that belongs to no server transaction: the one to a 2xx.
  case acknowledgement(SIPMessage)
  /// A response for the transaction user; a 2xx to INVITE comes once for every arrival (RFC 6026 7.2), with
  /// `isRepeated` if one came before and no refusal did.
  case response(ClientTransactionID, SIPMessage, isRepeated: Bool)
  /// A response that belongs to no transaction (RFC 3261 17.1.1.2, RFC 6026 8).
  case strayResponse(SIPMessage)
  /// Nothing more comes of a request: no response came in time (timers B and F), or it or its ACK could not be sent
  /// (RFC 3261 17.1.4).
  case timedOut(ClientTransactionID)
  /// A client transaction is over; nothing more will come of it.
  case ended(ClientTransactionID)
  /// No ACK came for our non-2xx final response (timer H).
  case unacknowledged(ServerTransactionID)
  /// A repeated request was absorbed, a message was dropped, or a response could not be sent; why.
  case absorbed(why: String)
}

/// Bytes to put on the wire.
public struct Transmission: Hashable, Sendable {
  /// Why the bytes are sent; the words of the timeline.
  public enum Origin: Hashable, Sendable { case decision, rule, retransmission }

  public var message: SIPMessage
  public var destination: Endpoint
  public var origin: Origin
  /// The records that brought it about; a repetition has those of the first transmission.
  public var causes: [Int]

  public init(message: SIPMessage, destination: Endpoint, origin: Origin, causes: [Int]) {
    self.message = message
    self.destination = destination
    self.origin = origin
    self.causes = causes
  }
}

/// The identity of a client transaction within one layer.
public struct ClientTransactionID: Hashable, Comparable, Sendable {
  public var number: Int
  public init(_ number: Int) { self.number = number }
  public static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// The identity of a server transaction within one layer.
public struct ServerTransactionID: Hashable, Comparable, Sendable {
  public var number: Int
  public init(_ number: Int) { self.number = number }
  public static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// A timer of one transaction, by its letter in RFC 3261 17 and RFC 6026.
public struct TransactionTimer: Hashable, Sendable {
  public enum Letter: String, Hashable, Sendable, CaseIterable {
    case a, b, d, e, f, g, h, i, j, k, l, m
  }

  public enum Owner: Hashable, Sendable {
    case client(ClientTransactionID)
    case server(ServerTransactionID)
  }

  public var letter: Letter
  public var owner: Owner

  public init(_ letter: Letter, of owner: Owner) {
    self.letter = letter
    self.owner = owner
  }
}
