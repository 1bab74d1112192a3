/// The state of a transaction by its name in RFC 3261 17 and RFC 6026; a terminated transaction is not there any more.
package enum TransactionState: String, Hashable, Sendable {
  case calling, trying, proceeding, accepted, completed, confirmed
}

extension TransactionLayer {
  /// The state of a client transaction; `nil` if it is over.
  package func state(of id: ClientTransactionID) -> TransactionState? { clients[id]?.machine.stateName }

  /// The state of a server transaction; `nil` if it is over.
  package func state(of id: ServerTransactionID) -> TransactionState? { servers[id]?.machine.stateName }
}

extension InviteClientTransaction {
  var stateName: TransactionState {
    switch state {
    case .calling: .calling
    case .proceeding: .proceeding
    case .accepted: .accepted
    case .completed: .completed
    }
  }
}

extension NonInviteClientTransaction {
  var stateName: TransactionState {
    switch state {
    case .trying: .trying
    case .proceeding: .proceeding
    case .completed: .completed
    }
  }
}

extension InviteServerTransaction {
  var stateName: TransactionState {
    switch state {
    case .proceeding: .proceeding
    case .accepted: .accepted
    case .completed: .completed
    case .confirmed: .confirmed
    }
  }
}

extension NonInviteServerTransaction {
  var stateName: TransactionState {
    switch state {
    case .trying: .trying
    case .proceeding: .proceeding
    case .completed: .completed
    }
  }
}
