/// Where the identifiers of one user agent come from: counters behind its name and the run's prefix, so that they are
/// unique in a run, the same in every run, and easy to read.
public struct IdentifierSource: Hashable, Sendable {
  private let stem: String
  private let host: String
  private var tags = 0
  private var branches = 0
  private var callIDs = 0
  private var sessions = 0

  public init(name: String, host: String, runPrefix: String = "") {
    stem = runPrefix + name
    self.host = host
  }

  /// A tag for From or To (RFC 3261 19.3).
  public mutating func tag() -> String {
    tags += 1
    return "\(stem)-\(tags)"
  }

  /// A branch for Via, with the magic cookie (RFC 3261 8.1.1.7).
  public mutating func branch() -> String {
    branches += 1
    return "z9hG4bK\(stem)-\(branches)"
  }

  /// A Call-ID (RFC 3261 8.1.1.4).
  public mutating func callID() -> String {
    callIDs += 1
    return "\(stem)-\(callIDs)@\(host)"
  }

  /// The key of our SRTP packets in a session (RFC 4568 6.1), by the session's number.
  public func mediaKey(ofSession number: Int) -> MediaKey { MediaKey(from: "\(stem)-\(number)@\(host)") }

  /// The number of a new session, for `o=`.
  public mutating func session() -> Int {
    sessions += 1
    return sessions
  }
}
