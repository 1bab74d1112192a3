import CallEngine
import Instant
import SIP
import Testing
import Timeline

@testable import VirtualWorld

/// A peer that vanishes neither sends nor receives until it comes back.
@Suite struct VanishingTests {
  private let bye = Stimulus.message(
    PeerMessage(from: "alice", to: "phone", content: .request(method: "BYE"), subject: .call("c1")))

  private func invite(line: Int? = nil) -> Stimulus {
    .message(
      PeerMessage(
        from: "alice", to: "phone", content: .request(method: "INVITE"), subject: .call("c1"),
        session: MessageFacts.Session(role: .offer, direction: "sendrecv")))
  }

  private func losses(_ records: [Record]) -> [String] {
    records.compactMap { record in
      guard case .lost(let why)? = record.sip?.phase, let message = record.sip?.message else { return nil }
      return "\(record.instant) \(message.from) \(message.summary): \(why)"
    }
  }

  @Test func whatIsSentToItIsLost() throws {
    var simulation = Simulation(makeSetup(), coordinator: CallCoordinator())
    _ = try simulation.perform(invite(), line: nil)
    _ = simulation.advance(to: .zero + .seconds(1))
    let vanishing = try simulation.perform(.vanish("alice"), line: 4)
    #expect(vanishing.map(\.line) == [4])
    #expect(vanishing.map(\.from) == ["alice"])
    #expect(vanishing.lines == ["1.000 vanishes"])
    _ = try simulation.perform(.user([UserAct(.answers, call: "c1")], inApp: false), line: nil)
    let lost = losses(simulation.advance(to: .zero + .seconds(3)))
    #expect(
      lost == [
        "1.000 phone 200 to INVITE: alice has vanished", "1.500 phone 200 to INVITE: alice has vanished",
        "2.500 phone 200 to INVITE: alice has vanished",
      ])
    #expect(try simulation.perform(.comeBack("alice"), line: 5).lines == ["3.000 returns"])
    let later = simulation.advance(to: .zero + .seconds(5))
    #expect(losses(later).isEmpty)
    #expect(later.contains { $0.sip?.phase == .arrived && $0.sip?.message.status == 200 })
  }

  /// Its timers go on: what they send again is lost.
  @Test func whatItSendsByItselfIsLost() throws {
    let links = [Link(latency: .seconds(1)...(.seconds(1)))]
    var simulation = Simulation(makeSetup(links: links), coordinator: ScriptedCoordinator { _ in [] })
    var records = try simulation.perform(invite(), line: nil)
    records += try simulation.perform(.vanish("alice"), line: nil)
    records += simulation.advance(to: .zero + .seconds(3))
    #expect(
      losses(records).prefix(2) == [
        "0.500 alice INVITE: alice has vanished", "1.500 alice INVITE: alice has vanished",
      ])
    // What was under way already arrives.
    #expect(records.first { $0.sip?.phase == .arrived }?.instant == .zero + .seconds(1))
  }

  @Test func itKnowsItsCallsWhenItComesBack() throws {
    var simulation = Simulation(makeSetup(), coordinator: CallCoordinator())
    _ = try simulation.perform(invite(), line: nil)
    _ = simulation.advance(to: .zero + .seconds(1))
    _ = try simulation.perform(.vanish("alice"), line: nil)
    _ = try simulation.perform(.comeBack("alice"), line: nil)
    _ = try simulation.perform(.user([UserAct(.answers, call: "c1")], inApp: false), line: nil)
    _ = simulation.advance(to: .zero + .seconds(2))
    let records = try simulation.perform(bye, line: nil) + simulation.run(until: .zero + .seconds(2))
    #expect(records.contains { $0.sip?.message.summary == "200 to BYE" })
  }

  @Test func vanishingTwiceIsSaidToBeInVain() throws {
    var simulation = Simulation(makeSetup(), coordinator: CallCoordinator())
    let records = try [.comeBack("alice"), .vanish("alice"), .vanish("alice")].flatMap {
      try simulation.perform($0, line: 3)
    }
    #expect(
      records.map(\.event) == [
        .ignored("alice has not vanished"), .lifecycle(.vanishes), .ignored("alice has vanished already"),
      ])
    #expect(records.map(\.line) == [3, 3, 3])
  }

  @Test(arguments: [
    (Stimulus.vanish("bob"), "nobody is called `bob`"), (.comeBack("bob"), "nobody is called `bob`"),
    (.vanish("phone"), "`phone` is no peer, so the script cannot have it vanish"),
    (.comeBack("phone"), "`phone` is no peer, so the script cannot have it come back"),
    (
      .message(PeerMessage(from: "alice", to: "phone", content: .request(method: "OPTIONS"))),
      "`alice` has vanished, so it sends nothing until it comes back"
    ),
    (
      .message(PeerMessage(from: "alice", to: "phone", content: .raw(Array("x".utf8)))),
      "`alice` has vanished, so it sends nothing until it comes back"
    ),
  ])
  func whatCannotBeIsRefused(stimulus: Stimulus, why: String) throws {
    var simulation = Simulation(makeSetup(), coordinator: CallCoordinator())
    _ = try simulation.perform(.vanish("alice"), line: nil)
    let before = simulation
    #expect(throws: StimulusRefusal(why)) { try simulation.perform(stimulus, line: nil) }
    #expect(simulation == before)
  }
}
