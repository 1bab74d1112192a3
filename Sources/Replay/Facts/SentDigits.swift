import Instant
import SIP
import Timeline

/// The digits that the phone has sent in one call, in the order in which their sending was over: as telephone events,
/// or as INFO requests that the other side has taken.
struct SentDigits: Hashable, Sendable {
  /// A digit that was cut shorter need not be recognized by the other side (ITU-T Q.24), so it does not count as sent.
  static let shortestDigit = Span.milliseconds(40)

  /// An INFO that has no final response yet.
  private struct Request: Hashable, Sendable {
    var callID: String
    var sequence: Int
    var digits: String
  }

  private(set) var sent = ""
  private var underway: [Request] = []

  mutating func take(_ event: MediaEvent) {
    if case .digitEnds(let digit, let duration) = event, duration >= Self.shortestDigit { sent += digit }
  }

  /// Takes a message at the phone.
  mutating func take(_ event: SIPEvent, phone: String) {
    let message = event.message
    guard message.method == "INFO" else { return }
    if let status = message.status {
      guard status >= 200, message.to == phone,
        let place = underway.firstIndex(where: { $0.callID == message.callID && $0.sequence == message.sequence })
      else { return }
      let request = underway.remove(at: place)
      if status < 300 { sent += request.digits }
    } else if message.from == phone, message.origin != .retransmission, case .sent(let bytes) = event.phase,
      let digits = Self.digits(inInfo: bytes)
    {
      underway.append(Request(callID: message.callID, sequence: message.sequence, digits: digits))
    }
  }

  /// The digit in the body of an INFO: `Signal=5` in application/dtmf-relay, `5` in application/dtmf.
  static func digits(inInfo bytes: [UInt8]) -> String? {
    guard let message = try? SIPMessage(reading: bytes) else { return nil }
    let type = message.value(of: "Content-Type")?.lowercased().prefix { $0 != ";" && $0 != " " }
    let lines = String(decoding: message.body, as: UTF8.self).split { $0.isNewline }
    switch type {
    case "application/dtmf": return lines.first.map(trimmed)
    case "application/dtmf-relay":
      for line in lines {
        let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2, trimmed(parts[0]).lowercased() == "signal" { return trimmed(parts[1]) }
      }
      return nil
    default: return nil
    }
  }

  private static func trimmed(_ text: Substring) -> String {
    String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
