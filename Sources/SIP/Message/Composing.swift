extension SIPMessage {
  /// Writes a message in the order given and reads it back; Content-Length is added where it is missing and set right
  /// where it is wrong. Line ends in a value are folded away, so that no value can add a header field.
  public init(
    _ startLine: StartLine, headers: [(name: String, value: String)], body: [UInt8] = []
  ) throws(SIPReadingError) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(512 + body.count)
    switch startLine {
    case .request(let method, let uri):
      guard !method.name.isEmpty, method.name.utf8.allSatisfy(Characters.isToken) else {
        throw SIPReadingError(why: "the method is no token", offset: 0)
      }
      bytes.append(contentsOf: "\(method.name) ".utf8)
      bytes.append(line: uri)
      bytes.append(contentsOf: " SIP/2.0\r\n".utf8)
    case .response(let status, let reason):
      bytes.append(contentsOf: "SIP/2.0 \(status) ".utf8)
      bytes.append(line: reason)
      bytes.append(contentsOf: "\r\n".utf8)
    }
    var hasLength = false
    for (name, value) in headers {
      guard !name.isEmpty, name.utf8.allSatisfy(Characters.isToken) else {
        throw SIPReadingError(why: "a header field has a name that is no token", offset: bytes.count)
      }
      let nameStart = bytes.count
      bytes.append(contentsOf: name.utf8)
      let isLength = bytes.reading { FieldName($0, nameStart..<$0.count) } == .contentLength
      if isLength, hasLength {
        bytes.removeSubrange(nameStart...)
        continue
      }
      bytes.append(contentsOf: ": ".utf8)
      if isLength {
        hasLength = true
        bytes.append(contentsOf: String(body.count).utf8)
      } else {
        bytes.append(line: value)
      }
      bytes.append(contentsOf: "\r\n".utf8)
    }
    if !hasLength { bytes.append(contentsOf: "Content-Length: \(body.count)\r\n".utf8) }
    bytes.append(contentsOf: "\r\n".utf8)
    bytes.append(contentsOf: body)
    try self.init(reading: bytes)
  }
}

extension [UInt8] {
  /// Appends text as part of one line: every run of line ends and the white space around it becomes one space.
  fileprivate mutating func append(line text: String) {
    let octets = Array(text.utf8)
    append(contentsOf: octets.reading { $0.text($0.trimmed(0..<$0.count)) }.utf8)
  }
}
