import SIP

/// Who is where: the names, addresses and ports of all actors. An actor whose host is a name gets an address of
/// TEST-NET-2 (RFC 5737), so that Via's `received` has one to show (RFC 3261 18.2.1).
struct AddressBook: Hashable, Sendable {
  /// The actors; the phone is the first.
  let actors: [ActorAddress]
  /// The IP address of each.
  let ipAddresses: [String]

  init(_ actors: [ActorAddress]) {
    self.actors = actors
    let taken = Set(actors.map(\.host))
    var last = 0
    var addresses: [String] = []
    for actor in actors {
      if Self.isIPAddress(actor.host) {
        addresses.append(actor.host)
        continue
      }
      repeat { last += 1 } while taken.contains("198.51.100.\(last)")
      addresses.append("198.51.100.\(last)")
    }
    ipAddresses = addresses
  }

  func index(named name: String) -> ActorIndex? {
    actors.firstIndex { $0.name == name }
  }

  /// Where packets of the actor come from over a transport.
  func source(of actor: ActorIndex, over transport: Transport) -> Endpoint {
    Endpoint(host: ipAddresses[actor], port: actors[actor].port, transport: transport)
  }

  /// Who listens at a destination. A host finds its actor by name or address and port; a request that names an
  /// address of record finds the actor that has it, or one of the same domain.
  func actor(at destination: Endpoint, requestURI: String?) -> ActorIndex? {
    let host = destination.host.lowercased()
    let here = actors.indices.filter { actors[$0].host.lowercased() == host || ipAddresses[$0] == host }
    if let exact = here.first(where: { actors[$0].port == destination.port }) { return exact }
    if !here.isEmpty { return nil }
    if let requestURI, let named = actors.firstIndex(where: { Self.sameAddress($0.uri, requestURI) }) { return named }
    return actors.firstIndex { SIPURI($0.uri)?.host.lowercased() == host }
  }

  private static func sameAddress(_ left: String, _ right: String) -> Bool {
    guard let left = SIPURI(left), let right = SIPURI(right) else { return false }
    return left.user == right.user && left.host.lowercased() == right.host.lowercased()
  }

  private static func isIPAddress(_ host: String) -> Bool {
    if host.contains(":") { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
  }
}
