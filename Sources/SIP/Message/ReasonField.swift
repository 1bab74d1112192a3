extension SIPMessage {
  /// The cause that the Reason header fields give for the protocol SIP (RFC 3326 2): the first that is a number.
  var reasonCause: Int? {
    for value in values(of: "Reason") {
      let cause = Array(value.utf8).reading { bytes -> Int? in
        var cursor = FieldCursor(bytes, 0..<bytes.count)
        guard bytes.matches(cursor.token(), "sip") else { return nil }
        while let (name, value) = cursor.parameter() {
          if bytes.matches(name, "cause"), let value { return bytes.number(value, limit: 699) }
        }
        return nil
      }
      if let cause { return cause }
    }
    return nil
  }
}
