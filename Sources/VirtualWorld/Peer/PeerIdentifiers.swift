/// The identifiers of one peer: counters behind its name, so that they are unique in a run and easy to read.
struct PeerIdentifiers: Hashable, Sendable {
  private let name: String
  private let host: String
  private var tags = 0
  private var branches = 0
  private var callIDs = 0
  private var sessions = 0

  init(name: String, host: String) {
    self.name = name
    self.host = host
  }

  mutating func tag() -> String {
    tags += 1
    return "\(name)-\(tags)"
  }

  /// A branch with the magic cookie (RFC 3261 8.1.1.7).
  mutating func branch() -> String {
    branches += 1
    return "z9hG4bK\(name)-\(branches)"
  }

  mutating func callID() -> String {
    callIDs += 1
    return "\(name)-\(callIDs)@\(host)"
  }

  /// A new session: its identifier in `o=` and an even port from 40000 on, the first again when all have been used.
  mutating func session() -> PeerDialog.Session {
    sessions += 1
    return PeerDialog.Session(id: sessions, port: 40_000 + 2 * ((sessions - 1) % 12_768))
  }
}
