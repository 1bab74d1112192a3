extension SessionDescription {
  /// Whether media flows, seen from the sender of the description.
  public enum Direction: String, Hashable, Sendable, CaseIterable {
    case sendrecv, sendonly, recvonly, inactive

    /// The direction of a side that sends and receives or not.
    public init(sends: Bool, receives: Bool) {
      switch (sends, receives) {
      case (true, true): self = .sendrecv
      case (true, false): self = .sendonly
      case (false, true): self = .recvonly
      case (false, false): self = .inactive
      }
    }

    /// The direction that the last attribute of some lines states.
    init?(in lines: [String]) {
      let stated = lines.compactMap { $0.hasPrefix("a=") ? Direction(rawValue: String($0.dropFirst(2))) : nil }
      guard let last = stated.last else { return nil }
      self = last
    }

    public var sends: Bool { self == .sendrecv || self == .sendonly }
    public var receives: Bool { self == .sendrecv || self == .recvonly }

    /// The same flow seen from the other side.
    public var reversed: Direction { Direction(sends: receives, receives: sends) }

    /// What a side that wants this direction may answer to an offered one: it sends only what the other side is
    /// willing to receive, and the other way round (RFC 3264 6.1).
    public func answer(to offered: Direction) -> Direction {
      Direction(sends: sends && offered.receives, receives: receives && offered.sends)
    }
  }
}
