import Instant
import Testing

@testable import SIP

/// Two user agents that refer each other within several sessions at random, on a wire that loses, doubles and delays.
@Suite struct UserAgentTransferorRandomTests {
  private struct Run {
    var network: AgentNetwork
    /// The last REFER that each owner has named.
    var named = [0, 0]
    var counts: [String: Int] = [:]
    var problems: [String] = []
    let sessions: Int
    let isPatient: Bool

    init(seed: UInt64) {
      network = AgentNetwork(2, seed: seed, loss: [0, 0, 15, 40][Int(seed % 4)])
      sessions = 1 + network.random.below(2)
      isPatient = network.random.below(2) == 0
    }

    /// The names of the sessions from each side.
    func sessions(of owner: Int) -> [SessionID] {
      (1...sessions).map { SessionID(owner == 0 ? .local : .remote, $0) }
    }

    mutating func refer(by owner: Int) {
      let own = sessions(of: owner)
      let session = own[network.random.below(own.count)]
      let targets: [ReferralTarget] = [
        .uri("sip:c@10.0.0.3", name: nil), .uri("sip:c@10.0.0.3", name: "C"), .uri("nowhere", name: nil),
        .session(own[network.random.below(own.count)]),
      ]
      named[owner] += 1
      network.perform(
        .refer(session, ReferralID(.local, named[owner]), to: targets[network.random.below(targets.count)]), by: owner)
    }

    /// What an owner does with a REFER that has come: it answers or lets it be, and reports some of the time.
    static func react(_ network: inout AgentNetwork, _ told: AgentNetwork.Told) {
      guard case .referred(_, let id, _) = told.event else { return }
      if network.random.below(8) == 0 { return }
      let answer = UserAgentCommand.answerReferral(id, accepts: network.random.below(5) > 0)
      network.schedule(answer, by: told.owner, after: .milliseconds(Int64(network.random.below(190))))
      for _ in 0..<network.random.below(5) {
        let status = [180, 183, 200, 486, 603][network.random.below(5)]
        network.schedule(
          .reportReferral(id, status: status), by: told.owner,
          after: .milliseconds(200 + Int64(network.random.below(20_000))))
      }
    }

    mutating func run() {
      for id in sessions(of: 0) {
        network.perform(.invite(id, target: "sip:b@10.0.0.2", callID: nil), by: 0)
      }
      network.run(.seconds(5)) { network, told in
        if case .invited(let id, _) = told.event { network.perform(.accept(id), by: told.owner) }
      }
      for _ in 0..<(5 + network.random.below(20)) {
        let owner = network.random.below(2)
        switch network.random.below(10) {
        case 0..<5: refer(by: owner)
        case 5 where !isPatient:
          let own = sessions(of: owner)
          network.perform(.hangUp(own[network.random.below(own.count)]), by: owner)
        default:
          let span = network.random.below(3) == 0 ? 15_000 : 400
          network.run(.milliseconds(Int64(network.random.below(span)))) { Self.react(&$0, $1) }
        }
      }
      network.run(.seconds(isPatient ? 100 : 0)) { Self.react(&$0, $1) }
      for owner in [0, 1] {
        for id in sessions(of: owner) { network.perform(.hangUp(id), by: owner) }
        network.run(.seconds(100)) { Self.react(&$0, $1) }
      }
      network.run(.seconds(200)) { Self.react(&$0, $1) }
      problems += network.leftovers
      for owner in [0, 1] where named[owner] > 0 {
        for number in 1...named[owner] { check(ReferralID(.local, number), of: owner) }
      }
    }

    /// What must be so of every REFER that an owner has commanded.
    mutating func check(_ id: ReferralID, of owner: Int) {
      let states = network.states(of: id, by: owner)
      if states.filter(\.isLast).count != 1 || states.last?.isLast != true { problems.append("\(id): \(states)") }
      if states.filter({ $0 == .accepted }).count > 1 { problems.append("\(id) is accepted twice: \(states)") }
      for state in states {
        switch state {
        case .accepted: counts["accepted", default: 0] += 1
        case .progress: counts["progress", default: 0] += 1
        case .ended: counts["ended", default: 0] += 1
        case .refused(let status): counts[status == nil ? "none" : "refused", default: 0] += 1
        case .unknown: counts["unknown", default: 0] += 1
        }
        // Only a refusal may come without acceptance.
        if case .refused = state { continue }
        if states.first != .accepted { problems.append("\(id) is not accepted: \(states)") }
      }
    }
  }

  @Test func everyREFEREndsOnceAndNothingIsLeft() {
    var counts: [String: Int] = [:]
    for seed in 1...200 as ClosedRange<UInt64> {
      var run = Run(seed: seed)
      run.run()
      #expect(run.problems == [], "seed \(seed), loss \(run.network.loss)")
      counts.merge(run.counts) { $0 + $1 }
      let refers = run.network.sent.filter { $0.message.method == .refer }
      counts["REFER", default: 0] += refers.count
    }
    // The runs reach what they are for.
    for name in ["REFER", "accepted", "progress", "ended", "refused", "none", "unknown"] {
      #expect(counts[name, default: 0] >= 50, "\(name)")
    }
  }

  /// On a wire that loses nothing, what one owner reports is what the other one learns.
  @Test(arguments: [1, 2, 3, 4, 5] as [UInt64]) func theOutcomeIsTheOneThatWasReported(seed: UInt64) {
    var network = AgentNetwork(2, seed: seed)
    network.perform(.invite(SessionID(.local, 1), target: "sip:b@10.0.0.2", callID: nil), by: 0)
    network.run(.seconds(1)) { network, told in
      if case .invited(let id, _) = told.event { network.perform(.accept(id), by: told.owner) }
    }
    var expected: [ReferralID: Int] = [:]
    for number in 1...20 {
      network.perform(
        .refer(SessionID(.local, 1), ReferralID(.local, number), to: .uri("sip:c@10.0.0.3", name: nil)), by: 0)
      expected[ReferralID(.local, number)] = 200 + network.random.below(500)
    }
    var order = Array(1...20)
    order.shuffle(using: &network.random)
    network.run(.milliseconds(100)) { network, told in
      guard case .referred(_, let id, _) = told.event else { return }
      network.perform(.answerReferral(id, accepts: true), by: 1)
    }
    for number in order {
      network.perform(
        .reportReferral(ReferralID(.remote, number), status: expected[ReferralID(.local, number)] ?? 0), by: 1)
      network.run(.milliseconds(Int64(network.random.below(200))))
    }
    network.run(.seconds(1))
    for (id, status) in expected {
      #expect(network.states(of: id, by: 0) == [.accepted, .progress(status: 100), .ended(status: status)])
    }
    #expect(network.agents.allSatisfy { $0.referralCount == 0 })
  }
}
