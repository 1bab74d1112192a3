import Instant

/// Digits as INFO (RFC 6086; the bodies are legacy usage by its section 2).
extension UserAgent {
  /// The digits that the body can name.
  private static let digits = "0123456789*#ABCD"
  /// The bodies that we understand.
  private static let types = ["application/dtmf-relay", "application/dtmf"]

  /// Sends one digit. What cannot be sent is answered at once, without a status.
  mutating func sendDigit(
    _ id: SessionID, _ digit: Character, lasting span: Span, causes: [Int]
  ) -> [UserAgentOutput] {
    guard let session = sessions[id], [.accepting, .confirmed].contains(session.state), !session.endIsTold,
      let digit = digit.uppercased().first, Self.digits.contains(digit), span > .zero,
      let (transaction, outputs) = request(
        .info, for: .info, in: id,
        body: MessageWriter.Body(digit: digit, milliseconds: max(1, span.microseconds / 1_000)),
        causes: causes)
    else { return [.event(.infoAnswered(id, status: nil), causes: causes)] }
    sessions[id]?.infos.insert(transaction)
    return outputs
  }

  /// A response to an INFO, or none in time. With 408, 481 and none the dialog is over (RFC 3261 12.2.1.2).
  mutating func receive(
    infoResponse status: Int?, in transaction: ClientTransactionID, of id: SessionID, causes: [Int]
  ) -> [UserAgentOutput] {
    if let status, status < 200 { return [] }
    guard sessions[id]?.infos.remove(transaction) != nil else { return [] }
    let answered: [UserAgentOutput] = [.event(.infoAnswered(id, status: status), causes: causes)]
    return [nil, 408, 481].contains(status) ? answered + fail(id, causes: causes) : answered
  }

  mutating func receive(info: IncomingRequest) -> [UserAgentOutput] {
    guard let id = session(of: info.message), let session = sessions[id], let dialog = session.dialog,
      session.state != .closing
    else { return answer(info, 481) }
    guard accept(info.message, in: dialog, of: id) else { return answer(info, 500) }
    // We take no Info Packages, and say so (RFC 6086 4.2.2).
    if info.message.value(of: "Info-Package") != nil { return answer(info, 469, [("Recv-Info", "")]) }
    if info.message.body.isEmpty { return answer(info, 200) }
    if let refusal = Self.refusal(ofCodingOf: info.message) { return answer(info, refusal.status, refusal.headers) }
    guard let type = info.message.mediaType, Self.types.contains(type) else {
      return answer(info, 415, [("Accept", Self.types.joined(separator: ", "))])
    }
    return answer(info, 200)
  }
}
