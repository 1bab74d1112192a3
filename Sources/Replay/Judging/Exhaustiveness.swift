import Scenario
import Timeline

/// Keeps the acts of the app that no expectation has consumed (exhaustive mode).
struct Exhaustiveness: Hashable, Sendable {
  private let isOn: Bool
  private let phone: String
  private let ignored: [Arrow]
  /// In record order.
  private(set) var leftOvers: [LeftOver] = []

  /// An act, without bytes, and the line of the scenario that brought it about, as far as that is known.
  struct LeftOver: Hashable, Sendable {
    var record: Record
    var line: Int?
  }

  init(_ plan: Plan) {
    isOn = plan.mode == .exhaustive
    phone = plan.device.name
    ignored = plan.ignored
  }

  /// Takes the next record, the line that brought it about, and whether an expectation has consumed it.
  mutating func take(_ record: Record, of line: Int?, isConsumed: Bool, matcher: Matcher) {
    guard isOn, !isConsumed, record.isActOfApp(on: phone) else { return }
    if case .sip(let event) = record.event {
      if ignored.contains(where: { matcher.matches(event, of: record.call?.name, $0) }) { return }
    }
    leftOvers.append(LeftOver(record: record.withoutBytes, line: line))
  }

  /// The record is explained after all.
  mutating func forgive(_ number: Int) {
    guard let place = leftOvers.lastIndex(where: { $0.record.number <= number }),
      leftOvers[place].record.number == number
    else {
      return
    }
    leftOvers.remove(at: place)
  }
}

extension Record {
  /// Whether the record is something that the app decided and a scenario therefore has to expect: its messages, its
  /// reports, its completions, its requests, and its audio unit.
  func isActOfApp(on phone: String) -> Bool {
    switch event {
    case .sip(let event):
      guard case .sent = event.phase else { return false }
      return event.message.from == phone && event.message.origin == .decision
    case .report(let report):
      switch report {
      case .incoming, .updated, .startedConnecting, .connected, .ended: return true
      case .accepted, .refused: return false
      }
    case .action(let action): return action.status == .fulfilled || action.status == .failed
    case .request(.asked): return true
    case .audio(let event): return event == .unitStarts || event == .unitStops
    case .transfer(let event): return event.phase.isFinal
    case .push, .user, .request, .media, .rebinding, .timer, .state, .lifecycle, .fault, .ignored: return false
    }
  }
}
