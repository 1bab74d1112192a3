/// Where the INVITE of one call has gone and may go yet (RFC 3261 8.1.3.4).
struct TargetSet: Hashable, Sendable {
  private struct Candidate: Hashable, Sendable {
    var uri: SIPURI
    /// In thousandths.
    var preference: Int
  }

  /// The most targets of a call, the first included.
  static let limit = 8
  /// The most targets that wait.
  private static let waitingLimit = 64

  /// In order of the attempts.
  private var tried: [SIPURI]
  /// In order of preference, and of appearance where that is the same.
  private var waiting: [Candidate] = []

  /// `nil` if the first target is no SIP URI.
  init?(first: String) {
    guard let uri = SIPURI(first) else { return nil }
    tried = [uri.forRequest]
  }

  /// Takes the targets that a refusal names. 300, 301, 302 and every 3xx that is not known, which counts as 300 (RFC 3261
  /// 8.1.3.2), name further targets; 305 names a proxy and 380 another service, which are not followed.
  mutating func take(_ response: SIPMessage, status: Int) {
    guard (300..<400).contains(status), status != 305, status != 380 else { return }
    for contact in response.contacts {
      guard waiting.count < Self.waitingLimit, let uri = contact.sipURI, isUsable(uri) else { continue }
      let candidate = Candidate(uri: uri.forRequest, preference: Self.preference(contact.parameter("q")))
      let place = waiting.firstIndex { $0.preference < candidate.preference } ?? waiting.endIndex
      waiting.insert(candidate, at: place)
    }
  }

  /// The next target that was not tried; `nil` if there is none.
  mutating func next() -> String? {
    while tried.count < Self.limit, !waiting.isEmpty {
      let uri = waiting.removeFirst().uri
      guard !tried.contains(where: { $0.isEquivalent(to: uri) }) else { continue }
      tried.append(uri)
      return uri.description
    }
    return nil
  }

  /// Whether an INVITE can go there: the URI asks for no other method, and a call that began with SIPS stays with it.
  private func isUsable(_ uri: SIPURI) -> Bool {
    let method = uri.parameter("method")
    guard method == nil || method?.value == "INVITE" else { return false }
    return tried.first?.scheme != "sips" || uri.scheme == "sips"
  }

  /// `qvalue` in thousandths (RFC 3261 25.1). None, or one that cannot be read, counts as 1.
  static func preference(_ text: String?) -> Int {
    guard let text else { return 1_000 }
    let bytes = Array(text.utf8)
    guard let first = bytes.first, first == UInt8(ascii: "0") || first == UInt8(ascii: "1"),
      bytes.count <= 5, bytes.count == 1 || bytes[1] == UInt8(ascii: ".")
    else { return 1_000 }
    var value = first == UInt8(ascii: "1") ? 1 : 0
    for place in 2..<5 {
      let byte = place < bytes.count ? bytes[place] : UInt8(ascii: "0")
      guard Characters.isDigit(byte) else { return 1_000 }
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
    }
    return min(value, 1_000)
  }
}
