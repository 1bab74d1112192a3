import Instant

/// What one transaction has its layer do, in order. The machines know neither messages nor addresses.
enum TransactionAction: Hashable, Sendable {
  /// Send the request, or the last response, again.
  case repeatLast
  case set(TransactionTimer.Letter, after: Span)
  case cancel(TransactionTimer.Letter)
  /// Hand the response to the transaction user.
  case deliver(isRepeated: Bool)
  /// Acknowledge the non-2xx final response (RFC 3261 17.1.1.3).
  case acknowledge
  /// Nothing came in time, or a request or ACK could not be sent: tell the transaction user.
  case giveUp
  /// A response could not be sent: tell the transaction user.
  case reportUnsent
  /// The message means nothing in this state.
  case absorb
  /// The transaction is over; its timers are cancelled.
  case terminate
}

/// One of the four state machines of RFC 3261 17.
protocol TransactionMachine: Hashable, Sendable {
  /// What can happen to it.
  associatedtype Event

  init(isReliable: Bool)

  var stateName: TransactionState { get }

  /// What is to be done; `nil` if the event is none of this transaction's business.
  mutating func take(_ event: Event) -> [TransactionAction]?
}

/// What happens to a client transaction.
enum ClientTransactionEvent: Hashable, Sendable {
  /// The request has been sent.
  case begins
  case response(status: Int)
  case timer(TransactionTimer.Letter)
  /// The transport could not send the request or the ACK.
  case sendingFailed
}

/// What happens to a server transaction.
enum ServerTransactionEvent: Hashable, Sendable {
  /// The transaction user sends a response.
  case response(status: Int)
  /// The request came again.
  case repetition
  case acknowledgement
  case timer(TransactionTimer.Letter)
  /// The transport could not send a response.
  case sendingFailed
}

extension InviteClientTransaction: TransactionMachine {
  mutating func take(_ event: ClientTransactionEvent) -> [TransactionAction]? {
    switch event {
    case .begins: begin()
    case .response(let status): receive(status: status)
    case .timer(let letter): fire(letter)
    case .sendingFailed: sendingFailed()
    }
  }
}

extension NonInviteClientTransaction: TransactionMachine {
  mutating func take(_ event: ClientTransactionEvent) -> [TransactionAction]? {
    switch event {
    case .begins: begin()
    case .response(let status): receive(status: status)
    case .timer(let letter): fire(letter)
    case .sendingFailed: sendingFailed()
    }
  }
}

extension InviteServerTransaction: TransactionMachine {
  mutating func take(_ event: ServerTransactionEvent) -> [TransactionAction]? {
    switch event {
    case .response(let status): send(status: status)
    case .repetition: receiveRepetition()
    case .acknowledgement: receiveAcknowledgement()
    case .timer(let letter): fire(letter)
    case .sendingFailed: sendingFailed()
    }
  }
}

extension NonInviteServerTransaction: TransactionMachine {
  mutating func take(_ event: ServerTransactionEvent) -> [TransactionAction]? {
    switch event {
    case .response(let status): send(status: status)
    case .repetition: receiveRepetition()
    // Only an INVITE is acknowledged.
    case .acknowledgement: nil
    case .timer(let letter): fire(letter)
    case .sendingFailed: sendingFailed()
    }
  }
}

/// The machine of one side: that for INVITE, or that for every other request.
enum MachineForMethod<Invite: TransactionMachine, Other: TransactionMachine>: Hashable, Sendable
where Invite.Event == Other.Event {
  case invite(Invite)
  case other(Other)

  init(_ method: Method, isReliable: Bool) {
    self = method == .invite ? .invite(Invite(isReliable: isReliable)) : .other(Other(isReliable: isReliable))
  }

  var stateName: TransactionState {
    switch self {
    case .invite(let machine): machine.stateName
    case .other(let machine): machine.stateName
    }
  }

  mutating func take(_ event: Invite.Event) -> [TransactionAction]? {
    switch self {
    case .invite(var machine):
      defer { self = .invite(machine) }
      return machine.take(event)
    case .other(var machine):
      defer { self = .other(machine) }
      return machine.take(event)
    }
  }
}
