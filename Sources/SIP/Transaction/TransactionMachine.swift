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
  /// Nothing came in time: tell the transaction user.
  case giveUp
  /// The message means nothing in this state.
  case absorb
  /// The transaction is over; its timers are cancelled.
  case terminate
}
