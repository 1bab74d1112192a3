import CallEngine
import Instant
import SIP
import Testing
import Timeline

@testable import VirtualWorld

/// A phone whose app a test scripts and a call of alice's, `c1`, over real SIP: she invites at 0 s, the user answers at
/// 1 s, and she acknowledges when the test says so.
struct TalkBench {
  static let uuid = CallUUID(high: 0, low: 1)
  static let leg = LegID(.remote, 1)
  /// The unit feeds the call.
  static let plan = AudioPlan(isConfigured: true, legs: [leg], microphoneIsOpen: true, unit: 1)

  private(set) var simulation: Simulation
  private(set) var records: [Record] = []

  /// An app that reports and accepts the invitation, fulfils every action, and does `first` where that says something.
  init(
    _ settings: PhoneSettings = PhoneSettings(),
    app first: @escaping @Sendable (CoordinatorInput) -> [CoordinatorCommand]? = { _ in nil }
  ) throws {
    let coordinator = ScriptedCoordinator { input in
      if let commands = first(input) { return commands }
      switch input {
      case .invitationArrived(let invitation): return [.reportIncoming(invitation.freshUUID, CallUpdate())]
      case .perform(let action) where action.kind == .answer: return [.accept(Self.leg), .fulfil(action.id)]
      case .perform(let action): return [.fulfil(action.id)]
      default: return []
      }
    }
    simulation = Simulation(
      makeSetup(settings: settings, calls: [NamedCall(name: "c1", uuid: Self.uuid)]), coordinator: coordinator)
    try alice("INVITE", offer: "sendrecv")
    advance(to: 1_000)
    perform(.user([UserAct(.answers, call: "c1")], inApp: false))
    records += simulation.run(until: simulation.now)
  }

  /// Lets everything happen that is due before an instant, in milliseconds.
  mutating func advance(to milliseconds: Int64) {
    records += simulation.advance(to: .zero + .milliseconds(milliseconds))
  }

  mutating func perform(_ stimulus: Stimulus) {
    do { records += try simulation.perform(stimulus, line: 7) } catch { Issue.record("\(error.why)") }
  }

  /// Alice sends a request in the call, which arrives at once.
  mutating func alice(_ method: String, offer: String? = nil) throws {
    perform(
      .message(
        PeerMessage(
          from: "alice", to: "phone", content: .request(method: method), subject: .call("c1"),
          session: offer.map { MessageFacts.Session(role: .offer, direction: $0) })))
    records += simulation.run(until: simulation.now)
  }

  /// Alice answers the last request of the phone that has this method.
  mutating func alice(answers method: String, _ status: Int, answer: String? = nil) throws {
    let request = try #require(
      records.last { $0.sip?.phase == .arrived && $0.sip?.message.method == method && $0.sip?.message.to == "alice" })
    perform(
      .message(
        PeerMessage(
          from: "alice", to: "phone", content: .response(status: status),
          subject: .message(request.sip?.message.id ?? 0),
          session: answer.map { MessageFacts.Session(role: .answer, direction: $0) })))
    records += simulation.run(until: simulation.now)
  }

  /// What has happened from an instant on, in milliseconds, and is about actions, audio or media.
  mutating func sentences(from milliseconds: Int64 = 0, until last: Int64 = 20_000) -> [String] {
    records += simulation.run(until: .zero + .milliseconds(last))
    return records.filter { $0.instant >= .zero + .milliseconds(milliseconds) }.compactMap(\.sentence)
  }

  /// What has happened to the audio.
  mutating func audio(from milliseconds: Int64 = 0, until last: Int64 = 20_000) -> [String] {
    records += simulation.run(until: .zero + .milliseconds(last))
    return records.filter { record in
      guard case .audio = record.event else { return false }
      return record.instant >= .zero + .milliseconds(milliseconds)
    }.compactMap(\.sentence)
  }
}
