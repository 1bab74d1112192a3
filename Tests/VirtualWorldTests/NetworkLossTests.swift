import CallEngine
import Instant
import SIP
import Testing
import Timeline

@testable import VirtualWorld

/// A phone without a network: nothing leaves it and nothing reaches it, and the app knows (LP-24).
@Suite struct NetworkLossTests {
  private let loss = Stimulus.system(.losesNetwork)
  private let restoration = Stimulus.system(.restoresNetwork)

  private func invite(_ session: MessageFacts.Session? = .offer) -> Stimulus {
    .message(
      PeerMessage(
        from: "alice", to: "phone", content: .request(method: "INVITE"), subject: .call("c1"), session: session))
  }

  private func losses(_ records: [Record]) -> [String] {
    records.compactMap { record in
      guard case .lost(let why)? = record.sip?.phase, let message = record.sip?.message else { return nil }
      return "\(record.instant) \(message.from) \(message.summary): \(why)"
    }
  }

  @Test func theAppHearsOfBoth() throws {
    let coordinator = ScriptedCoordinator { _ in [] }
    var simulation = Simulation(makeSetup(), coordinator: coordinator)
    let lost = try simulation.perform(loss, line: 4)
    #expect(lost.map(\.event) == [.lifecycle(.networkLost)])
    #expect(lost.map(\.from) == ["phone"] && lost.map(\.line) == [4])
    simulation.moveClock(to: .zero + .seconds(1))
    #expect(try simulation.perform(restoration, line: 5).map(\.event) == [.lifecycle(.networkRestored)])
    let inputs = (simulation.world.phone.coordinator.base as? ScriptedCoordinator)?.inputs
    #expect(inputs == [.networkLost, .networkRestored])
  }

  @Test func losingTwiceIsSaidToBeInVain() throws {
    let coordinator = ScriptedCoordinator { _ in [] }
    var simulation = Simulation(makeSetup(), coordinator: coordinator)
    let records = try [restoration, loss, loss].flatMap { try simulation.perform($0, line: 3) }
    #expect(
      records.map(\.event) == [
        .ignored("phone has a network"), .lifecycle(.networkLost), .ignored("phone has no network already"),
      ])
    #expect(records.map(\.line) == [3, 3, 3])
    let inputs = (simulation.world.phone.coordinator.base as? ScriptedCoordinator)?.inputs
    #expect(inputs == [.networkLost])
  }

  /// SIP's timers go on in both directions: what they send is lost until the network is back.
  @Test func nothingReachesItAndNothingLeavesIt() throws {
    var simulation = Simulation(makeSetup(), coordinator: CallCoordinator())
    _ = try simulation.perform(invite(), line: nil)
    _ = simulation.advance(to: .zero + .seconds(1))
    _ = try simulation.perform(loss, line: nil)
    var records = try simulation.perform(.user([UserAct(.answers, call: "c1")], inApp: false), line: nil)
    records += try simulation.perform(
      .message(PeerMessage(from: "alice", to: "phone", content: .request(method: "OPTIONS"))), line: nil)
    records += simulation.advance(to: .zero + .milliseconds(2_000))
    #expect(
      losses(records).sorted() == [
        "1.000 alice OPTIONS: phone has no network", "1.000 phone 200 to INVITE: phone has no network",
        "1.500 alice OPTIONS: phone has no network", "1.500 phone 200 to INVITE: phone has no network",
      ])
    _ = try simulation.perform(restoration, line: nil)
    let later = simulation.advance(to: .zero + .seconds(4))
    #expect(losses(later).isEmpty)
    #expect(later.contains { $0.sip?.phase == .arrived && $0.sip?.message.summary == "200 to INVITE" })
    #expect(later.contains { $0.sip?.phase == .arrived && $0.sip?.message.summary == "200 to OPTIONS" })
  }

  /// What was sent before is on its way: it arrives at a peer, and not at the phone.
  @Test func whatIsOnItsWayIsLostWhereTheNetworkIsMissing() throws {
    let links = [Link(latency: .seconds(1)...(.seconds(1)))]
    var simulation = Simulation(makeSetup(links: links), coordinator: CallCoordinator())
    let dial = UserAct(.calls, call: "c1", argument: "sip:alice@10.0.0.1:5060")
    var records = try simulation.perform(.user([dial], inApp: true), line: nil)
    records += simulation.advance(to: .zero + .milliseconds(100))
    records += try simulation.perform(
      .message(PeerMessage(from: "alice", to: "phone", content: .request(method: "OPTIONS"))), line: nil)
    records += try simulation.perform(loss, line: nil)
    records += simulation.advance(to: .zero + .milliseconds(1_200))
    #expect(records.contains { $0.sip?.phase == .arrived && $0.sip?.message.summary == "INVITE" })
    #expect(losses(records).contains("1.100 alice OPTIONS: phone has no network"))
  }

  /// A push is not kept for a phone that cannot be reached (PK-7).
  @Test func noPushArrives() throws {
    let push = Stimulus.push(call: "c1", callID: nil, caller: "Alice")
    var simulation = Simulation(makeSetup(), coordinator: CallCoordinator())
    _ = try simulation.perform(loss, line: nil)
    let records = try simulation.perform(push, line: 7)
    #expect(records.count == 1 && records.first?.line == 7 && records.first?.call?.name == "c1")
    guard case .ignored(let why)? = records.first?.event else {
      Issue.record("\(records.lines)")
      return
    }
    #expect(why.contains("PK-7"))
    #expect(try simulation.perform(restoration, line: nil).lines == ["0.000 network restored"])
    #expect(try simulation.perform(push, line: nil).lines.contains("0.000 push"))
  }

  @Test func anAppThatDoesNotRunHearsNothing() throws {
    let coordinator = ScriptedCoordinator { _ in [] }
    var simulation = Simulation(makeSetup(), coordinator: coordinator)
    _ = try simulation.perform(.push(call: "c1", callID: nil, caller: nil), line: nil)
    #expect(simulation.world.phone.process == .killed)
    #expect(try simulation.perform(loss, line: nil).lines == ["0.000 network lost"])
    let records = try simulation.perform(invite(), line: nil) + simulation.run(until: .zero)
    #expect(losses(records) == ["0.000 alice INVITE: phone has no network"])
    #expect(try simulation.perform(restoration, line: nil).lines == ["0.000 network restored"])
    let inputs = (simulation.world.phone.coordinator.base as? ScriptedCoordinator)?.inputs
    #expect(inputs?.count == 1)
  }
}
