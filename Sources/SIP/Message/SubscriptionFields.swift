/// The value of Event in a NOTIFY (RFC 6665 8.2.1).
struct EventField: Hashable, Sendable {
  /// The event package; compared octet by octet.
  var package: String
  /// Which subscription of the dialog; compared octet by octet.
  var id: String?
}

/// The value of Subscription-State (RFC 6665 8.2.3).
struct SubscriptionState: Hashable, Sendable {
  /// Whether the subscription is over; every other state, known or not, lets it go on.
  var isTerminated: Bool
  /// How many seconds it lasts yet, if the notifier says so.
  var expires: Int?
}

extension SIPMessage {
  /// Event; `nil` unless there is exactly one that can be read.
  var event: EventField? {
    let values = values(of: "Event")
    guard values.count == 1, let (package, parameters) = Self.tokenWithParameters(values[0]) else { return nil }
    let ids = parameters.filter { $0.name.lowercased() == "id" }
    guard ids.count < 2 else { return nil }
    guard let id = ids.first else { return EventField(package: package) }
    guard let value = id.value, !value.isEmpty else { return nil }
    return EventField(package: package, id: value)
  }

  /// Subscription-State; `nil` unless there is exactly one that can be read.
  var subscriptionState: SubscriptionState? {
    let values = values(of: "Subscription-State")
    guard values.count == 1, let (state, parameters) = Self.tokenWithParameters(values[0]) else { return nil }
    let isTerminated = state.lowercased() == "terminated"
    let spans = parameters.filter { $0.name.lowercased() == "expires" }
    guard spans.count < 2 else { return nil }
    guard let span = spans.first else { return SubscriptionState(isTerminated: isTerminated) }
    // A number of seconds has 32 bits (RFC 3261 20.19).
    let seconds = Array((span.value ?? "").utf8).reading { $0.number(0..<$0.count, limit: Int(UInt32.max)) }
    guard let seconds else { return nil }
    return SubscriptionState(isTerminated: isTerminated, expires: seconds)
  }

  /// A value that is a token with parameters, and nothing else.
  private static func tokenWithParameters(_ text: String) -> (token: String, parameters: [SIPURI.Parameter])? {
    Array(text.utf8).reading { bytes in
      var cursor = FieldCursor(bytes, 0..<bytes.count)
      let token = cursor.token()
      guard !token.isEmpty else { return nil }
      var parameters: [SIPURI.Parameter] = []
      while let (name, value) = cursor.parameter() {
        if name.isEmpty { return nil }
        parameters.append(SIPURI.Parameter(bytes.text(name), value.map(bytes.unquotedText)))
      }
      return cursor.next() == nil ? (bytes.text(token), parameters) : nil
    }
  }
}
