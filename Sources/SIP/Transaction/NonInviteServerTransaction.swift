import Instant

/// The server transaction of every request but INVITE and ACK (RFC 3261 17.2.2).
struct NonInviteServerTransaction: Hashable, Sendable {
  enum State: Hashable, Sendable { case trying, proceeding, completed }

  private(set) var state = State.trying
  private let isReliable: Bool

  init(isReliable: Bool) {
    self.isReliable = isReliable
  }

  /// The transaction user sends a response; `nil` if none may be sent any more.
  mutating func send(status: Int) -> [TransactionAction]? {
    switch (state, status) {
    case (.trying, ..<200), (.proceeding, ..<200):
      state = .proceeding
      return []
    case (.trying, _), (.proceeding, _):
      state = .completed
      return isReliable ? [.terminate] : [.set(.j, after: TransactionTiming.timeout)]
    case (.completed, _):
      return nil
    }
  }

  /// The request came again.
  func receiveRepetition() -> [TransactionAction] {
    switch state {
    case .trying: [.absorb]
    case .proceeding, .completed: [.repeatLast, .absorb]
    }
  }

  mutating func fire(_ letter: TransactionTimer.Letter) -> [TransactionAction] {
    switch (state, letter) {
    case (.completed, .j): [.terminate]
    case (.trying, _), (.proceeding, _), (.completed, _): []
    }
  }

  /// A response could not be sent (RFC 3261 17.2.4).
  func sendingFailed() -> [TransactionAction] { [.reportUnsent, .terminate] }
}
