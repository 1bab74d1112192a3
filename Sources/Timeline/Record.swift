import Instant

/// One thing that happened. A timeline is a list of records in the order in which they happened; text, JSON Lines,
/// assertions and explanations are all views of it.
public struct Record: Hashable, Sendable {
  /// The place in the timeline, from 1 and without gaps.
  public var number: Int
  /// When it happened.
  public var instant: Instant
  /// Who did it: an actor of the scenario, `user`, `system` or `network`.
  public var from: String
  /// Whom it was done to, where that is somebody else.
  public var to: String?
  /// The call that it belongs to.
  public var call: CallLabel?
  /// What happened.
  public var event: Event
  /// The numbers of the records that together brought it about, ascending; empty for what the script does.
  public var causes: [Int]
  /// The line of the scenario that did it (from 1), for what the script does.
  public var line: Int?

  public init(
    number: Int, instant: Instant, from: String, to: String? = nil, call: CallLabel? = nil, event: Event,
    causes: [Int] = [], line: Int? = nil
  ) {
    self.number = number
    self.instant = instant
    self.from = from
    self.to = to
    self.call = call
    self.event = event
    self.causes = causes
    self.line = line
  }
}

/// How a record names its call.
public struct CallLabel: Hashable, Sendable {
  /// The scenario's name of the call, or one that was made up for a call that the scenario does not name.
  public var name: String
  /// CallKit's UUID in its text form, once there is one.
  public var uuid: String?

  public init(name: String, uuid: String? = nil) {
    self.name = name
    self.uuid = uuid
  }
}
