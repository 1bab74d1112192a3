/// The host and port of a SIP URI, as far as the network needs them.
struct SIPAddress: Hashable, Sendable {
  var host: String
  /// 5060 unless the URI says otherwise (RFC 3261 19.1.2).
  var port: Int

  /// Reads `sip:user@host:port;parameters`, `sip:host`, or a bare `host:port`; `nil` without a host or with a port
  /// that is none.
  init?(_ text: String) {
    var rest = text[...]
    for scheme in ["sip:", "sips:"] where rest.lowercased().hasPrefix(scheme) {
      rest = rest.dropFirst(scheme.count)
    }
    if let at = rest.lastIndex(of: "@") { rest = rest[rest.index(after: at)...] }
    rest = rest.prefix { $0 != ";" && $0 != "?" && $0 != ">" }
    // An IPv6 reference has colons of its own and stands in brackets.
    let isReference = rest.first == "["
    if isReference, !rest.contains("]") { return nil }
    let end = isReference ? rest.firstIndex(of: "]").map { rest.index(after: $0) } : rest.firstIndex(of: ":")
    host = String(rest[..<(end ?? rest.endIndex)])
    let tail = end.map { rest[$0...] } ?? ""
    port = 5060
    if !tail.isEmpty {
      guard tail.first == ":", let number = Int(tail.dropFirst()), (1...65_535).contains(number) else { return nil }
      port = number
    }
    if host.isEmpty { return nil }
  }
}
