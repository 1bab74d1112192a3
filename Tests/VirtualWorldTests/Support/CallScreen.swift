import CallEngine
import Instant
import Testing
import Timeline

@testable import VirtualWorld

/// A phone whose app a test scripts, with three calls that pushes announce: `c1`, `c2` and `c3`. What happens is noted as
/// short sentences: `1.000 c1 hold pending (system)`.
struct CallScreen {
  static let uuids = (1...3).map { CallUUID(high: 0, low: UInt64($0)) }
  static let c1 = uuids[0]
  static let c2 = uuids[1]
  static let c3 = uuids[2]

  private(set) var simulation: Simulation
  private(set) var records: [Record] = []

  /// An app that reports every push, does `first` with an input, and fulfils every action where `first` says nothing.
  init(
    _ settings: PhoneSettings = PhoneSettings(),
    app first: @escaping @Sendable (CoordinatorInput) -> [CoordinatorCommand]? = { _ in nil }
  ) {
    let coordinator = ScriptedCoordinator { input in
      if let commands = first(input) { return commands }
      switch input {
      case .pushArrived(let push): return [.reportIncoming(push.freshUUID, CallUpdate(caller: push.caller))]
      case .perform(let action): return [.fulfil(action.id)]
      default: return []
      }
    }
    let calls = Self.uuids.enumerated().map { index, uuid in NamedCall(name: "c\(index + 1)", uuid: uuid) }
    simulation = Simulation(makeSetup(settings: settings, calls: calls), coordinator: coordinator)
  }

  /// Lets everything happen that is due before an instant, in milliseconds.
  mutating func advance(to milliseconds: Int64) {
    records += simulation.advance(to: .zero + .milliseconds(milliseconds))
  }

  mutating func push(_ calls: String...) {
    for call in calls { perform(.push(call: call, callID: "\(call)@k", caller: nil)) }
    records += simulation.run(until: simulation.now + .milliseconds(10))
  }

  /// One line of the script: the user acts, on one transaction.
  mutating func tap(_ acts: UserAct..., at milliseconds: Int64? = nil) {
    if let milliseconds { advance(to: milliseconds) }
    perform(.user(acts, inApp: false))
  }

  mutating func perform(_ stimulus: Stimulus) {
    do { records += try simulation.perform(stimulus, line: 7) } catch { Issue.record("\(error.why)") }
  }

  /// What has happened from an instant on, in milliseconds, after everything else has: the actions, the audio and what
  /// hit nothing.
  mutating func sentences(from milliseconds: Int64 = 0, until last: Int64 = 200_000) -> [String] {
    records += simulation.run(until: .zero + .milliseconds(last))
    return records.filter { $0.instant >= .zero + .milliseconds(milliseconds) }.compactMap(\.sentence)
  }
}

extension Record {
  /// The record in a few words, if it is about an action, audio, media or something in vain.
  var sentence: String? {
    let call = call.map { "\($0.name) " } ?? ""
    switch event {
    case .action(let event):
      let origin = event.status == .pending ? " (\(event.origin.rawValue))" : ""
      return "\(instant) \(call)\(event.kind) \(event.status.rawValue)\(origin)"
    case .audio(let event): return "\(instant) \(isAboutOneCall ? call : "")\(event.word)"
    case .media(.digitStarts(let digit)): return "\(instant) \(call)digit \(digit)"
    case .media(.digitEnds(let digit, let duration)): return "\(instant) \(call)digit \(digit) ends, \(duration)"
    case .ignored(let why): return "\(instant) \(call)ignored: \(why)"
    default: return nil
    }
  }

  private var isAboutOneCall: Bool {
    switch event {
    case .audio(.silent), .audio(.heard): true
    default: false
    }
  }
}
