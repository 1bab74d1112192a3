/// A fragment of a message (RFC 3420): a start line, header fields and a body, each of which may be missing.
public struct SIPFragment: Hashable, Sendable {
  public var startLine: StartLine?
  /// The header fields in order, with their names as written and their values without folding.
  public var headers: [BodyPart.Header] = []
  /// Where the body lies in the octets that were read.
  public var bodyRange: Range<Int>

  /// Reads a fragment. The error says what stands where neither a start line nor a header field can be read.
  public init(reading bytes: ArraySlice<UInt8>) throws(SIPReadingError) {
    let bytes = Array(bytes)
    let read = try bytes.reading { (octets) throws(SIPReadingError) in try Self.read(octets) }
    (startLine, headers, bodyRange) = read
  }

  private static func read(
    _ bytes: Octets
  ) throws(SIPReadingError) -> (StartLine?, [BodyPart.Header], Range<Int>) {
    var startLine: StartLine?
    var headers: [BodyPart.Header] = []
    var index = 0
    func pass(_ end: Int) -> Int {
      guard end < bytes.count else { return end }
      let isPair =
        bytes[end] == Characters.carriageReturn && end + 1 < bytes.count && bytes[end + 1] == Characters.lineFeed
      return end + (isPair ? 2 : 1)
    }
    while index < bytes.count {
      let start = index
      var end = bytes.lineEnd(index..<bytes.count)
      index = pass(end)
      if end == start { return (startLine, headers, index..<bytes.count) }
      var name = start
      while name < end, Characters.isToken(bytes[name]) { name += 1 }
      let nameEnd = name
      while name < end, Characters.isBlank(bytes[name]) { name += 1 }
      if nameEnd > start, name < end, bytes[name] == UInt8(ascii: ":") {
        while index < bytes.count, Characters.isBlank(bytes[index]) {
          end = bytes.lineEnd(index..<bytes.count)
          index = pass(end)
        }
        headers.append(
          .init(name: bytes.text(start..<nameEnd), value: bytes.text(bytes.trimmed(name + 1..<end))))
      } else if start == 0 {
        var findings: [Finding] = []
        startLine = try StartLineParts(bytes, start..<end, findings: &findings).value
      } else {
        throw SIPReadingError(why: "a line of the fragment is no header field", offset: start, rule: .fragment)
      }
    }
    return (startLine, headers, bytes.count..<bytes.count)
  }
}

extension SIPFragment {
  /// The value of Content-Type.
  public static let type = "message/sipfrag;version=2.0"

  /// The fragment of a response with this status, with the reason phrase that goes with it, as it reports on a REFER
  /// (RFC 3515 2.4.5).
  public static func bytes(status: Int) -> [UInt8] {
    Array("SIP/2.0 \(status) \(SIPMessage.reasonPhrase(for: status))\r\n".utf8)
  }
}

extension SIPMessage {
  /// The status, 100 to 699, of the status line that a body of the type `message/sipfrag` begins with (RFC 3420 2); `nil`
  /// if the message has no such body. What follows the status line is not looked at.
  public var sipFragmentStatus: Int? {
    guard mediaType == "message/sipfrag" else { return nil }
    let body = Array(body)
    return body.reading { bytes in
      var findings: [Finding] = []
      let line = 0..<bytes.lineEnd(0..<bytes.count)
      guard let parts = try? StartLineParts(bytes, line, findings: &findings), !findings.contains(where: \.isFatal),
        case .response(let status, _) = parts.value
      else { return nil }
      return status
    }
  }
}
