import CallEngine
import Instant
import SIP
import Testing
import Timeline

@testable import VirtualWorld

/// The coordinator is a seam: another one can take the engine's place, as a value or as a class.
@Suite struct SeamTests {
  private static let push = Stimulus.push(call: "c1", callID: "k", caller: "Alice")

  /// The engine, but every report of an incoming call is made when the push handler has returned.
  struct LateReporter: Coordinator {
    private var engine = CallCoordinator()
    private var late: [CoordinatorOutput] = []
    private static let timer = TimerID.watchdog(ActionID(.max))

    mutating func handle(_ input: CoordinatorInput, at now: Instant, causes: Causes) -> [CoordinatorOutput] {
      if input == .timerFired(Self.timer) {
        defer { late = [] }
        return late
      }
      let outputs = engine.handle(input, at: now, causes: causes)
      guard case .pushArrived = input else { return outputs }
      late = outputs
      return [CoordinatorOutput(.setTimer(Self.timer, at: now), causes: causes)]
    }
  }

  @Test func theMutantThatReportsTooLateIsKilled() throws {
    var simulation = Simulation(makeSetup(), coordinator: LateReporter())
    let records = try simulation.perform(Self.push, line: 1) + simulation.run()
    #expect(records.lines == ["0.000 push", "0.000 timer watchdog set", "0.000 killed"])
    guard case .lifecycle(.killed(let reason))? = records.last?.event else {
      Issue.record("the app lives on")
      return
    }
    #expect(reason.contains("PK-1"))
    #expect(records.last?.causes == [1])
  }

  @Test func whatArrivesAfterTheKillFindsNobody() throws {
    var simulation = Simulation(makeSetup(), coordinator: LateReporter())
    _ = try simulation.perform(Self.push, line: 1)
    let invite = PeerMessage(
      from: "alice", to: "phone", content: .request(method: "INVITE"), subject: .call("c1"), callID: "k")
    let records = try simulation.perform(.message(invite), line: 2) + simulation.run(until: .zero)
    guard case .lost? = records.last?.sip?.phase else {
      Issue.record("the INVITE was not lost: \(records.lines)")
      return
    }
  }

  /// What an ended process knew of SIP is gone with it: a BYE of an old dialog meets nothing.
  @Test func aRelaunchedAppKnowsNoOldDialog() throws {
    var agent = UserAgent(
      UserAgentIdentity(
        name: "phone", addressOfRecord: "sip:bob@10.0.0.2",
        contact: Endpoint(host: "10.0.0.2", port: 5060, transport: .udp), mediaAddress: "10.0.0.2"))
    _ = agent.perform(
      .invite(SessionID(.local, 1), target: "sip:alice@10.0.0.1", callID: "k"), causes: [])
    #expect(agent.sessionCount == 1)
    agent.restart()
    #expect(agent.sessionCount == 0)
    // The identifiers go on: nothing of the new process is taken for something of the old one.
    var fresh = agent
    let outputs = fresh.perform(
      .invite(SessionID(.local, 1), target: "sip:alice@10.0.0.1", callID: "l"), causes: [])
    guard case .send(let sent)? = outputs.first else {
      Issue.record("nothing was sent")
      return
    }
    #expect(sent.message.topVia?.branch == "z9hG4bKphone-2")
  }

  /// The engine, written as a class.
  final class ObjectCoordinator: CoordinatorObject {
    private var engine = CallCoordinator()

    func handle(_ input: CoordinatorInput, at now: Instant, causes: Causes) -> [CoordinatorOutput] {
      engine.handle(input, at: now, causes: causes)
    }
  }

  /// Push, answer after 400 ms, and what follows.
  private func earlyAnswer(_ simulation: inout Simulation) throws -> [Record] {
    var records = try simulation.perform(Self.push, line: 1)
    records += simulation.advance(to: .zero + .milliseconds(400))
    records += try simulation.perform(.user([UserAct(.answers, call: "c1")], inApp: false), line: 2)
    return records + simulation.run()
  }

  @Test func aClassBehindTheAdapterDoesWhatTheValueDoes() throws {
    var value = Simulation(makeSetup(), coordinator: CallCoordinator())
    var object = Simulation(makeSetup(), coordinator: ReplayedCoordinator { ObjectCoordinator() })
    #expect(try earlyAnswer(&object) == earlyAnswer(&value))
  }

  @Test func goingBackReplaysTheClassFromTheStart() throws {
    var simulation = Simulation(makeSetup(), coordinator: ReplayedCoordinator { ObjectCoordinator() })
    _ = try simulation.perform(Self.push, line: 1)
    _ = simulation.advance(to: .zero + .milliseconds(400))
    var snapshot = simulation
    let tap = Stimulus.user([UserAct(.answers, call: "c1")], inApp: false)
    let first = try simulation.perform(tap, line: 2) + simulation.run()
    // The object has gone on with the first run: the snapshot needs another one in the state that it had.
    let again = try snapshot.perform(tap, line: 2) + snapshot.run()
    #expect(again == first)
    #expect(snapshot == simulation)
  }
}
