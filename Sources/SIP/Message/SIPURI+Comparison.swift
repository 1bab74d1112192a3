extension SIPURI {
  /// The URI parameters that never match a URI without them (RFC 3261 19.1.4); `transport` is among them by the examples
  /// there.
  private static let decisive = ["user", "ttl", "method", "maddr", "transport"]

  /// Whether two URIs are equal by the rules of RFC 3261 19.1.4: a port, and the parameters that change where a request
  /// goes, count even where they have their default; other parameters count only if both URIs have them.
  public func isEquivalent(to other: SIPURI) -> Bool {
    guard scheme == other.scheme, user.map(Self.plain) == other.user.map(Self.plain),
      Self.plain(host).lowercased() == Self.plain(other.host).lowercased(), port == other.port
    else { return false }
    let ours = Self.values(of: parameters)
    let theirs = Self.values(of: other.parameters)
    for (name, value) in ours {
      if let counterpart = theirs[name] {
        guard value == counterpart else { return false }
      } else if Self.decisive.contains(name) {
        return false
      }
    }
    guard !theirs.keys.contains(where: { ours[$0] == nil && Self.decisive.contains($0) }) else { return false }
    return Self.sorted(headers) == Self.sorted(other.headers)
  }

  /// The URI as a Request-URI: without headers and method (19.1.1). Headers are not taken over into the request, which
  /// 19.1.5 allows.
  var forRequest: SIPURI {
    var uri = self
    uri.headers = []
    uri.parameters.removeAll { $0.name.lowercased() == "method" }
    return uri
  }

  /// Of a parameter that stands twice the first counts.
  private static func values(of parameters: [Parameter]) -> [String: String] {
    var values: [String: String] = [:]
    for parameter in parameters {
      let name = plain(parameter.name).lowercased()
      if values[name] == nil { values[name] = parameter.value.map { "=" + plain($0).lowercased() } ?? "" }
    }
    return values
  }

  private static func sorted(_ headers: [Parameter]) -> [String] {
    headers.map { plain($0.name).lowercased() + ($0.value.map { "=" + plain($0) } ?? "") }.sorted()
  }

  /// A part with every escape undone that means the same as its character; those of reserved characters and of octets
  /// that are no printable ASCII stay, in capitals.
  private static func plain(_ text: String) -> String {
    let bytes = Array(text.utf8)
    var plain: [UInt8] = []
    var index = 0
    while index < bytes.count {
      guard bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count, let high = digit(bytes[index + 1]),
        let low = digit(bytes[index + 2])
      else {
        plain.append(bytes[index])
        index += 1
        continue
      }
      let octet = high << 4 | low
      if (0x21...0x7E).contains(octet), !";/?:@&=+$,%".utf8.contains(octet) {
        plain.append(octet)
      } else {
        plain += [UInt8(ascii: "%")] + Array("0123456789ABCDEF".utf8)[Int(high)...Int(high)]
        plain += Array("0123456789ABCDEF".utf8)[Int(low)...Int(low)]
      }
      index += 3
    }
    return plain.reading { $0.text(0..<$0.count) }
  }

  /// The value of a hexadecimal digit.
  static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
