import Instant

/// The INVITE server transaction (RFC 3261 17.2.1, with the Accepted state of RFC 6026 7.1).
struct InviteServerTransaction: Hashable, Sendable {
  enum State: Hashable, Sendable { case proceeding, accepted, completed, confirmed }

  private(set) var state = State.proceeding
  private let isReliable: Bool
  private var interval = TransactionTiming.t1

  init(isReliable: Bool) {
    self.isReliable = isReliable
  }

  /// The transaction user sends a response; `nil` if none may be sent any more.
  mutating func send(status: Int) -> [TransactionAction]? {
    switch (state, status) {
    case (.proceeding, ..<200):
      return []
    case (.proceeding, 200..<300):
      state = .accepted
      return [.set(.l, after: TransactionTiming.timeout)]
    case (.proceeding, _):
      state = .completed
      let timeout = TransactionAction.set(.h, after: TransactionTiming.timeout)
      return isReliable ? [timeout] : [.set(.g, after: interval), timeout]
    case (.accepted, 200..<300):
      return []
    case (.accepted, _), (.completed, _), (.confirmed, _):
      return nil
    }
  }

  /// The INVITE came again.
  func receiveRepetition() -> [TransactionAction] {
    switch state {
    case .proceeding, .completed: [.repeatLast, .absorb]
    // The user agent core repeats a 2xx by itself.
    case .accepted, .confirmed: [.absorb]
    }
  }

  /// An ACK came that names this transaction. `nil` in Accepted: it belongs to the 2xx and to the transaction user.
  mutating func receiveAcknowledgement() -> [TransactionAction]? {
    switch state {
    case .completed:
      state = .confirmed
      let end: [TransactionAction] = isReliable ? [.terminate] : [.set(.i, after: TransactionTiming.t4)]
      return [.cancel(.g), .cancel(.h)] + end
    case .accepted:
      return nil
    case .proceeding, .confirmed:
      return [.absorb]
    }
  }

  mutating func fire(_ letter: TransactionTimer.Letter) -> [TransactionAction] {
    switch (state, letter) {
    case (.completed, .g):
      interval = min(interval * 2, TransactionTiming.t2)
      return [.repeatLast, .set(.g, after: interval)]
    case (.completed, .h):
      return [.giveUp, .terminate]
    case (.accepted, .l), (.confirmed, .i):
      return [.terminate]
    case (.proceeding, _), (.accepted, _), (.completed, _), (.confirmed, _):
      return []
    }
  }

  /// A response could not be sent. The transaction stays as it is and its timers end it, so that a repeated INVITE is
  /// not taken for a new one (RFC 6026 7.1).
  func sendingFailed() -> [TransactionAction] { [.reportUnsent] }
}
