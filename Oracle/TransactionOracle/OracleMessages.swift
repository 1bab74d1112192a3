import SIP

/// The messages of one transaction, as text with identifiers of our own: libosip2 would take its own from a clock.
struct OracleMessages: Sendable {
  let kind: TransactionClass

  private var via: String {
    "SIP/2.0/\(kind.transport.rawValue.uppercased()) 10.0.0.2:5060;branch=z9hG4bKoracle"
  }

  var request: String { text("\(kind.machine.method) sip:a@10.0.0.1 SIP/2.0", method: kind.machine.method, toTag: nil) }

  /// The ACK to a refusal.
  var ack: String { text("ACK sip:a@10.0.0.1 SIP/2.0", method: "ACK", toTag: "t486") }

  /// Every status has a To tag of its own, so that an ACK shows which response it acknowledges.
  func response(_ status: Int) -> String {
    text("SIP/2.0 \(status) R", method: kind.machine.method, toTag: "t\(status)")
  }

  private func text(_ startLine: String, method: String, toTag: String?) -> String {
    startLine + "\r\nVia: \(via)\r\nMax-Forwards: 70\r\nRoute: <sip:r1;lr>\r\nFrom: <sip:f@b>;tag=f\r\nTo: <sip:t@b>"
      + (toTag.map { ";tag=\($0)" } ?? "") + "\r\nCall-ID: c\r\nCSeq: 1 \(method)\r\nContact: <sip:f@10.0.0.2>\r\n"
      + "Content-Length: 0\r\n\r\n"
  }

  /// What a message is, for comparing: its start line and the header fields that transactions and dialogs go by. An ACK
  /// has those of RFC 3261 17.1.1.3.
  static func summary(of message: SIPMessage) -> String {
    let start =
      switch message.startLine {
      case .request(let method, let uri): "\(method) \(uri)"
      case .response(let status, _): "\(status)"
      }
    let fields = ["Via", "Route", "From", "To", "Call-ID", "CSeq"].map { name in
      message.values(of: name).joined(separator: ",")
    }
    return ([start] + fields).joined(separator: " | ")
  }
}
