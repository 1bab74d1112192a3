/// A body of the type `message/sipfrag` (RFC 3420) as it reports on a REFER: the status line of a response, and what else
/// of the response its sender lets see (RFC 3515 2.4.5).
public enum SIPFragment {
  /// The value of Content-Type.
  public static let type = "message/sipfrag;version=2.0"

  /// The fragment of a response with this status, with the reason phrase that goes with it.
  public static func bytes(status: Int) -> [UInt8] {
    Array("SIP/2.0 \(status) \(SIPMessage.reasonPhrase(for: status))\r\n".utf8)
  }
}

extension SIPMessage {
  /// The media type of the body without parameters, in lower case.
  var mediaType: String? {
    value(of: "Content-Type").map { $0.prefix { $0 != ";" && $0 != " " && $0 != "\t" }.lowercased() }
  }

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
