/// Where an actor listens, as far as its declaration says.
struct HostAddress: Hashable, Sendable {
  /// In lower case, since case makes no difference (RFC 3261 19.1.4).
  var host: String
  /// 5060 unless it is given (RFC 3261 19.1.2).
  var port = 5_060

  /// Reads the host and port of a SIP URI, or `host:port`; `nil` without a host or with a port that is none.
  init?(_ text: String) {
    var rest = Array(text.lowercased().utf8)[...]
    for scheme in ["sip:", "sips:"] where rest.starts(with: scheme.utf8) { rest = rest.dropFirst(scheme.utf8.count) }
    if let at = rest.lastIndex(of: 0x40) { rest = rest[(at + 1)...] }
    rest = rest.prefix { ![0x3B, 0x3F, 0x3E].contains($0) }
    var end = rest.firstIndex(of: 0x3A) ?? rest.endIndex
    if rest.first == 0x5B {
      guard let close = rest.firstIndex(of: 0x5D) else { return nil }
      end = close + 1
    }
    let host = rest[..<end]
    guard host.contains(where: Self.isHostByte),
      host.allSatisfy({ Self.isHostByte($0) || [0x5B, 0x5D, 0x3A].contains($0) })
    else { return nil }
    self.host = String(decoding: host, as: UTF8.self)
    guard end < rest.endIndex else { return }
    let digits = String(decoding: rest[(end + 1)...], as: UTF8.self)
    guard rest[end] == 0x3A, let port = Number.read(digits), (1...65_535).contains(port) else { return nil }
    self.port = port
  }

  private static func isHostByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
    default: false
    }
  }
}
