import Instant

/// A Call-ID and when it carried a call.
public struct CallIDPeriod: Hashable, Sendable {
  public var callID: String
  public var from: Instant
  /// When another one took its place or the call was over; `nil` while it carries the call.
  public var until: Instant?
}

/// Which Call-IDs carried a call, one after the other, while its UUID stayed the same.
struct CallIDHistory: Hashable, Sendable {
  /// In their order; only the last can be open.
  private(set) var periods: [CallIDPeriod] = []

  /// From this instant on this Call-ID carries the call; `nil` if the call is over.
  mutating func carry(_ callID: String?, from instant: Instant) {
    if let last = periods.indices.last, periods[last].until == nil {
      if periods[last].callID == callID { return }
      periods[last].until = instant
    }
    if let callID { periods.append(CallIDPeriod(callID: callID, from: instant, until: nil)) }
  }
}
