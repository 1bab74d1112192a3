/// Base 64 (RFC 4648 4).
enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func encoded(_ bytes: [UInt8]) -> String {
    var result: [UInt8] = []
    result.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let padded = Array(group) + Array(repeating: 0, count: 3 - group.count)
      let bits = UInt32(padded[0]) << 16 | UInt32(padded[1]) << 8 | UInt32(padded[2])
      for position in 0..<4 {
        result.append(position <= group.count ? alphabet[Int(bits >> (18 - 6 * UInt32(position))) & 63] : 61)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
