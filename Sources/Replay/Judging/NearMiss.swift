import SIP
import Scenario
import Timeline

/// What is nearly what an expectation looked for.
struct NearMiss: Hashable, Sendable {
  var record: Record
  /// How it differs, as `came with answer recvonly`.
  var how: String
}

extension Matcher {
  /// How the record differs from what is looked for, if it does so only in details.
  func nearMiss(_ record: Record, _ observation: Observation) -> NearMiss? {
    guard let essence = observation.essence, matches(record, essence), !matches(record, observation) else { return nil }
    guard case .message(let arrow) = observation, case .sip(let event) = record.event else {
      return NearMiss(record: record, how: "`\(record.expectation)` came instead")
    }
    let message = event.message
    let name = "`\(message.from) -> \(message.to) \(message.status.map(String.init) ?? message.method)`"
    let how = details(of: event, unlike: arrow).joined(separator: ", ")
    return NearMiss(record: record, how: "\(name) came " + (how.isEmpty ? "otherwise" : how))
  }

  /// What of the message is not as the arrow wants it.
  private func details(of event: SIPEvent, unlike arrow: Arrow) -> [String] {
    let bare = arrow.bare
    func fits(_ change: (inout Arrow) -> Void) -> Bool {
      var one = bare
      change(&one)
      return matches(event, of: one.callName, one)
    }
    var details: [String] = []
    let session = event.message.session
    if !fits({ ($0.role, $0.direction) = (arrow.role, arrow.direction) }) {
      details.append(session.map { "with \($0.role.rawValue) \($0.direction)" } ?? "without a session description")
    }
    if !fits({ $0.fragment = arrow.fragment }) {
      details.append(event.message.fragment.map { "reporting \($0)" } ?? "without a status that it reports")
    }
    if !fits({ $0.callID = arrow.callID }) { details.append("with Call-ID \(event.message.callID)") }
    let message = messages[event.message.id].flatMap { try? SIPMessage(reading: $0) }
    func field(_ name: String) -> String {
      message?.value(of: name).map { "with `\(name): \($0)`" } ?? "without \(name)"
    }
    for line in arrow.with where !fits({ $0.with = [line] }) {
      let text = (try? values.text(line)) ?? ""
      details.append(headerField(text).map { field($0.name) } ?? "with another header field")
    }
    for name in arrow.without where !fits({ $0.without = [name] }) { details.append(field(name)) }
    return details
  }
}

extension Arrow {
  /// The message without its details: its way, what it is, and what it belongs to.
  fileprivate var bare: Arrow {
    var arrow = self
    arrow.role = nil
    arrow.direction = nil
    arrow.fragment = nil
    arrow.with = []
    arrow.without = []
    arrow.callID = nil
    return arrow
  }

  /// The call that the arrow names.
  fileprivate var callName: String? { Observation.message(self).call }
}

extension Observation {
  /// What is looked for without its details; `nil` if it has none.
  fileprivate var essence: Observation? {
    switch self {
    case .message(let arrow): arrow == arrow.bare ? nil : .message(arrow.bare)
    case .reports(let call, .ended(.some)): .reports(call: call, report: .ended(reason: nil))
    case .updates(let call, let caller, let handle):
      caller == nil && handle == nil ? nil : .updates(call: call, caller: nil, handle: nil)
    case .transfer(let call, let phase, .some): .transfer(call: call, phase: phase, status: nil)
    case .becomes(let call, let state, .some): .becomes(call: call, state: state, reason: nil)
    default: nil
    }
  }
}
