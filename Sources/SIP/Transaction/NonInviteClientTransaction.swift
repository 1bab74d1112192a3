import Instant

/// The client transaction of every request but INVITE and ACK (RFC 3261 17.1.2).
struct NonInviteClientTransaction: Hashable, Sendable {
  enum State: Hashable, Sendable { case trying, proceeding, completed }

  private(set) var state = State.trying
  private let isReliable: Bool
  private var interval = TransactionTiming.t1

  init(isReliable: Bool) {
    self.isReliable = isReliable
  }

  /// The request has been sent.
  func begin() -> [TransactionAction] {
    let timeout = TransactionAction.set(.f, after: TransactionTiming.timeout)
    return isReliable ? [timeout] : [.set(.e, after: interval), timeout]
  }

  mutating func receive(status: Int) -> [TransactionAction] {
    switch (state, status) {
    case (.trying, ..<200), (.proceeding, ..<200):
      state = .proceeding
      return [.deliver(isRepeated: false)]
    case (.trying, _), (.proceeding, _):
      state = .completed
      let end: [TransactionAction] = isReliable ? [.terminate] : [.set(.k, after: TransactionTiming.t4)]
      return [.cancel(.e), .cancel(.f), .deliver(isRepeated: false)] + end
    case (.completed, _):
      return [.absorb]
    }
  }

  mutating func fire(_ letter: TransactionTimer.Letter) -> [TransactionAction] {
    switch (state, letter) {
    case (.trying, .e):
      interval = min(interval * 2, TransactionTiming.t2)
      return [.repeatLast, .set(.e, after: interval)]
    case (.proceeding, .e):
      return [.repeatLast, .set(.e, after: TransactionTiming.t2)]
    case (.trying, .f), (.proceeding, .f):
      return [.giveUp, .terminate]
    case (.completed, .k):
      return [.terminate]
    case (.trying, _), (.proceeding, _), (.completed, _):
      return []
    }
  }

  /// The request could not be sent (RFC 3261 17.1.4). Once there is a final response there is nothing to send.
  func sendingFailed() -> [TransactionAction] {
    switch state {
    case .trying, .proceeding: [.giveUp, .terminate]
    case .completed: []
    }
  }
}
