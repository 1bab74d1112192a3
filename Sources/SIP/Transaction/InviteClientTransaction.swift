import Instant

/// The INVITE client transaction (RFC 3261 17.1.1, with the Accepted state of RFC 6026 7.2).
struct InviteClientTransaction: Hashable, Sendable {
  enum State: Hashable, Sendable { case calling, proceeding, accepted, completed }

  private(set) var state = State.calling
  private let isReliable: Bool
  private var interval = TransactionTiming.t1

  init(isReliable: Bool) {
    self.isReliable = isReliable
  }

  /// The request has been sent.
  func begin() -> [TransactionAction] {
    let timeout = TransactionAction.set(.b, after: TransactionTiming.timeout)
    return isReliable ? [timeout] : [.set(.a, after: interval), timeout]
  }

  mutating func receive(status: Int) -> [TransactionAction] {
    switch (state, status) {
    case (.calling, ..<200):
      state = .proceeding
      return [.cancel(.a), .cancel(.b), .deliver(isRepeated: false)]
    case (.proceeding, ..<200):
      return [.deliver(isRepeated: false)]
    case (.calling, 200..<300), (.proceeding, 200..<300):
      state = .accepted
      return [.cancel(.a), .cancel(.b), .set(.m, after: TransactionTiming.timeout), .deliver(isRepeated: false)]
    case (.accepted, 200..<300):
      return [.deliver(isRepeated: true)]
    case (.calling, 300...), (.proceeding, 300...):
      state = .completed
      let end: [TransactionAction] = isReliable ? [.terminate] : [.set(.d, after: TransactionTiming.timeout)]
      return [.cancel(.a), .cancel(.b), .acknowledge, .deliver(isRepeated: false)] + end
    case (.completed, 300...):
      return [.acknowledge, .absorb]
    // A proxy forwards a 2xx even after another final response (RFC 3261 16.7, step 5), and every 2xx is acknowledged.
    case (.completed, 200..<300):
      return [.deliver(isRepeated: false)]
    case (.accepted, _), (.completed, _), (.calling, _), (.proceeding, _):
      return [.absorb]
    }
  }

  mutating func fire(_ letter: TransactionTimer.Letter) -> [TransactionAction] {
    switch (state, letter) {
    case (.calling, .a):
      interval = interval * 2
      return [.repeatLast, .set(.a, after: interval)]
    case (.calling, .b):
      return [.giveUp, .terminate]
    case (.accepted, .m), (.completed, .d):
      return [.terminate]
    case (.calling, _), (.proceeding, _), (.accepted, _), (.completed, _):
      return []
    }
  }

  /// The INVITE or the ACK could not be sent (RFC 3261 17.1.4). In the other states there is nothing to send.
  func sendingFailed() -> [TransactionAction] {
    switch state {
    case .calling, .completed: [.giveUp, .terminate]
    case .proceeding, .accepted: []
    }
  }
}
