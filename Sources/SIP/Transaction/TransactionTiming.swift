import Instant

/// The timer values of RFC 3261 17.1.1.1.
public enum TransactionTiming {
  /// The estimate of the round trip.
  public static let t1 = Span.milliseconds(500)
  /// The longest interval between repetitions of a non-INVITE request or of a response to INVITE.
  public static let t2 = Span.seconds(4)
  /// How long a message stays in the network.
  public static let t4 = Span.seconds(5)
  /// How long a transaction waits: timers B, F, H, J, L and M, and D over an unreliable transport.
  public static let timeout = t1 * 64
}
