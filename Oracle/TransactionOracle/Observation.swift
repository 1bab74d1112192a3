import SIP

/// What can be seen of a transaction at one event: the same for both stacks.
struct Observation: Hashable, Sendable, CustomStringConvertible {
  /// What the transaction user is told.
  enum Notice: Hashable, Sendable {
    case request
    case response(Int)
    case acknowledgement
    /// No response came (timers B and F).
    case timeout
    /// No ACK came (timer H).
    case noAcknowledgement
    /// The transport failed.
    case unsent
  }

  /// `nil` once the transaction is terminated.
  var state: TransactionState?
  /// What was given to the transport, in order, each as ``OracleMessages`` sums it up.
  var sent: [String] = []
  var told: [Notice] = []
  /// The timers that were set at this event, in milliseconds.
  var set: [TransactionTimer.Letter: Int] = [:]
  /// The timers that run after this event.
  var running: Set<TransactionTimer.Letter> = []

  var description: String {
    let timers = running.map { $0.rawValue.uppercased() }.sorted().joined()
    let armed = set.map { "\($0.key.rawValue.uppercased())=\($0.value)" }.sorted().joined(separator: " ")
    return "\(state?.rawValue ?? "terminated"), sent \(sent), told \(told), set [\(armed)], running [\(timers)]"
  }
}
