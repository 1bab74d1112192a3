/// A key of 16 octets and a salt of 14 for SRTP, in base64 (RFC 4568 6.1).
public struct MediaKey: Hashable, Sendable {
  static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  static let length = 40

  let text: String

  /// `nil` unless it is one of that length.
  init?(_ text: String) {
    guard text.utf8.count == Self.length, text.utf8.allSatisfy(Self.alphabet.contains) else { return nil }
    self.text = text
  }

  /// The key that names give: the same everywhere, and so one that protects nothing.
  init(from names: String) {
    // FNV-1a, which goes on over its own state for as many characters as are wanted.
    var state: UInt64 = 0xCBF2_9CE4_8422_2325
    func mix(_ byte: UInt8) { state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    names.utf8.forEach(mix)
    let bytes = (0..<Self.length).map { place in
      mix(UInt8(place))
      return Self.alphabet[Int((state >> 32) % UInt64(Self.alphabet.count))]
    }
    text = String(decoding: bytes, as: UTF8.self)
  }
}

/// One `a=crypto` (RFC 4568 9.1) with the suite that we have: the key of its sender's SRTP packets.
struct CryptoAttribute: Hashable, Sendable {
  /// The suite that whoever has SRTP keys in session descriptions has too (RFC 4568 6.2).
  static let suite = "AES_CM_128_HMAC_SHA1_80"

  /// What the answer names the chosen one by.
  var tag: Int
  var key: MediaKey

  init(tag: Int, key: MediaKey) {
    self.tag = tag
    self.key = key
  }

  /// Reads a line of a stream. `nil` if it is another one, or one that cannot be used: with another suite, a key of
  /// another length, or a session parameter, of which we know none and may pass over those that begin with `-`
  /// (RFC 4568 6.3).
  init?(line: String) {
    let start = "a=crypto:"
    guard line.hasPrefix(start) else { return nil }
    let fields = line.dropFirst(start.count).split(separator: " ")
    guard fields.count >= 3, (1...9).contains(fields[0].utf8.count), fields[0].utf8.allSatisfy(Characters.isDigit),
      let tag = Int(fields[0]), fields[1] == Self.suite, fields.dropFirst(3).allSatisfy({ $0.hasPrefix("-") }),
      fields[2].hasPrefix("inline:"),
      // After the key there may be its lifetime and its name.
      let key = MediaKey(String(fields[2].dropFirst("inline:".count).prefix { $0 != "|" }))
    else { return nil }
    self.init(tag: tag, key: key)
  }

  var line: String { "a=crypto:\(tag) \(Self.suite) inline:\(key.text)" }
}

extension MediaDescription {
  static let plainProfile = "RTP/AVP"
  static let secureProfile = "RTP/SAVP"

  /// The keys that can be used, in the order of preference.
  var keys: [CryptoAttribute] { lines.compactMap(CryptoAttribute.init) }

  /// Whether this description of ours and the other side's carry the stream in the same way: by one profile (RFC 3264
  /// 6), and with SRTP by a key of each side under the same tag (RFC 4568 5.1.2).
  func isCarried(like other: MediaDescription) -> Bool {
    guard profile == other.profile else { return false }
    guard profile == Self.secureProfile else { return true }
    return keys.contains { own in other.keys.contains { $0.tag == own.tag } }
  }
}

extension SessionDescription {
  /// Whether the first audio stream asks for SRTP.
  public var isSecure: Bool { audio?.profile == MediaDescription.secureProfile }
}
