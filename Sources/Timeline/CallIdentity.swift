import Instant

/// What a call was known by: its UUID stays, and the Call-IDs that carry it can change (LP-23).
public struct CallIdentity: Hashable, Sendable {
  /// The name that the records have for the call.
  public var name: String
  /// CallKit's UUID in its text form.
  public var uuid: String
  /// The Call-IDs that carried it, one after the other. One that came back stands there twice.
  public var callIDs: [CallIDPeriod]

  /// A call and all the Call-IDs that carried it, in their order.
  public init(name: String, uuid: String, callIDs: [CallIDPeriod]) {
    self.name = name
    self.uuid = uuid
    self.callIDs = callIDs
  }
}

/// A Call-ID and when it carried a call.
public struct CallIDPeriod: Hashable, Sendable {
  /// The Call-ID as messages or the push have it.
  public var callID: String
  /// When it began to carry the call.
  public var from: Instant
  /// When another one took its place or the call was over; `nil` if it carried the call when the run ended.
  public var until: Instant?

  /// A Call-ID that carried a call from one instant until another, or from one instant on.
  public init(callID: String, from: Instant, until: Instant?) {
    self.callID = callID
    self.from = from
    self.until = until
  }
}
