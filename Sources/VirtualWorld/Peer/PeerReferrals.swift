import SIP

/// The REFERs that a peer got within a dialog, and the subscriptions that came with them (RFC 3515 2.4.4).
struct PeerReferrals: Hashable, Sendable {
  /// The CSeq number of the first REFER.
  private var first: Int?
  /// Those of the REFERs that are not answered yet or whose subscriptions are not over.
  private var open: [Int] = []

  var isEmpty: Bool { open.isEmpty }

  /// Event of the next NOTIFY, which is about the last REFER that is still reported on. It says which REFER is meant, but
  /// for the first one, whose earlier notifications did not either (RFC 3515 2.4.6).
  var event: String {
    guard let number = open.last, number != first else { return "refer" }
    return "refer;id=\(number)"
  }

  mutating func received(_ request: SIPMessage) {
    guard let number = request.sequence?.number, !open.contains(number) else { return }
    first = first ?? number
    open.append(number)
  }

  /// A REFER that is refused brings no subscription, nor does one that is accepted without it (RFC 4488).
  mutating func sent(response: SIPMessage, status: Int) {
    guard let number = response.sequence?.number else { return }
    let hasNone = status >= 300 || status >= 200 && response.value(of: "Refer-Sub")?.lowercased() == "false"
    if hasNone { open.removeAll { $0 == number } }
  }

  mutating func sent(notification: SIPMessage) {
    let state = notification.value(of: "Subscription-State")?.split(separator: ";").first
    guard state?.trimmed.lowercased() == "terminated" else { return }
    end(notification.value(of: "Event"))
  }

  /// The subscription with this value of Event is over.
  mutating func end(_ event: String?) {
    let parts = event?.split(separator: ";").map(\.trimmed) ?? []
    guard parts.first?.lowercased() == "refer" else { return }
    let id = parts.dropFirst().first { $0.lowercased().hasPrefix("id=") }?.dropFirst("id=".count)
    let number = id.map { Int($0) } ?? first
    open.removeAll { $0 == number }
  }
}

extension Substring {
  /// Without blanks at either end.
  fileprivate var trimmed: Substring {
    let front = drop { $0 == " " || $0 == "\t" }
    return front.lastIndex { $0 != " " && $0 != "\t" }.map { front[...$0] } ?? ""
  }
}
