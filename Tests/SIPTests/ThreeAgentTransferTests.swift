import Instant
import Testing

@testable import SIP

/// Transfers from beginning to end among three agents of ours: the transferor is 0, the transferee 1, the target 2
/// (RFC 5589 6.1 and 7.3).
@Suite struct ThreeAgentTransferTests {
  private static let first = SessionID(.local, 1)
  private static let consultation = SessionID(.local, 2)
  private static let referral = ReferralID(.local, 1)
  private static let transferred = SessionID(.local, 9)

  /// How the first session came about.
  enum Start: CaseIterable { case called, wasCalled }

  /// What the target does with the INVITE.
  enum Target: CaseIterable { case answers, rejects }

  private func session(_ start: Start) -> (transferor: SessionID, transferee: SessionID) {
    start == .called ? (Self.first, SessionID(.remote, 1)) : (SessionID(.remote, 1), Self.first)
  }

  private func network(_ start: Start) -> AgentNetwork {
    var network = AgentNetwork(3)
    let (caller, callee) = start == .called ? (0, 1) : (1, 0)
    network.perform(.invite(Self.first, target: "sip:x@10.0.0.\(callee + 1)", callID: nil), by: caller)
    network.run(.seconds(1))
    network.perform(.accept(SessionID(.remote, 1)), by: callee)
    network.run(.seconds(1))
    network.perform(.setHold(session(start).transferor, true), by: 0)
    network.run(.seconds(1))
    return network
  }

  private func consult(_ network: inout AgentNetwork) {
    network.perform(.invite(Self.consultation, target: "sip:c@10.0.0.3", callID: nil), by: 0)
    network.run(.seconds(1))
    network.perform(.accept(SessionID(.remote, 1)), by: 2)
    network.run(.seconds(1))
  }

  /// The owner of the transferee accepts and calls, and reports what comes of it.
  private func transferee(_ network: inout AgentNetwork, _ told: AgentNetwork.Told) {
    guard told.owner == 1 else { return }
    let taken = ReferralID(.remote, 1)
    switch told.event {
    case .referred(_, let id, _):
      network.perform(.answerReferral(id, accepts: true), by: 1)
      network.perform(.inviteReferred(Self.transferred, id, callID: "new@10.0.0.2"), by: 1)
    case .provisional(Self.transferred, let status, _) where status > 100:
      network.perform(.reportReferral(taken, status: status), by: 1)
    case .answered(Self.transferred): network.perform(.reportReferral(taken, status: 200), by: 1)
    case .ended(Self.transferred, .rejected(let status)):
      network.perform(.reportReferral(taken, status: status), by: 1)
    default: break
    }
  }

  private func end(_ network: inout AgentNetwork) {
    for owner in 0...2 {
      for id in [Self.first, Self.consultation, Self.transferred, SessionID(.remote, 1), SessionID(.remote, 2)] {
        network.perform(.hangUp(id), by: owner)
      }
    }
    network.run(.seconds(200))
    #expect(network.leftovers == [])
  }

  @Test(arguments: Start.allCases, Target.allCases) func aTransferToASession(start: Start, target: Target) throws {
    var network = network(start)
    consult(&network)
    network.perform(.refer(session(start).transferor, Self.referral, to: .session(Self.consultation)), by: 0)
    network.run(.seconds(1)) { network, told in
      transferee(&network, told)
      guard told.owner == 2, case .invited(let id, let invitation) = told.event else { return }
      #expect(invitation.replaces == SessionID(.remote, 1))
      #expect(invitation.referredBy == "sip:a@example.com")
      #expect(invitation.callID == "new@10.0.0.2")
      guard target == .answers else { return network.perform(.reject(id, status: 486), by: 2) }
      network.perform(.accept(id), by: 2)
      network.perform(.hangUp(SessionID(.remote, 1)), by: 2)
    }
    let outcome = target == .answers ? 200 : 486
    #expect(
      network.states(of: Self.referral, by: 0) == [.accepted, .progress(status: 100), .ended(status: outcome)])
    // The target has ended the consultation, or keeps it; our first session is ours to end.
    #expect(network.ends(of: 0) == (target == .answers ? [Self.consultation: [.remoteBye]] : [:]))
    #expect(network.ends(of: 1)[Self.transferred] == (target == .answers ? nil : [.rejected(status: 486)]))
    if target == .answers {
      network.perform(.hangUp(session(start).transferor), by: 0)
      network.run(.seconds(40))
      #expect(network.ends(of: 0)[session(start).transferor] == [.local])
      #expect(network.ends(of: 1) == [session(start).transferee: [.remoteBye]])
      #expect(network.agents[1].sessionCount == 1)
      #expect(network.agents[2].sessionCount == 1)
    }
    end(&network)
  }

  @Test(arguments: Start.allCases, Target.allCases) func aTransferToAURI(start: Start, target: Target) throws {
    var network = network(start)
    let targetURI = ReferralTarget.uri("sip:c@10.0.0.3", name: "C")
    network.perform(.refer(session(start).transferor, Self.referral, to: targetURI), by: 0)
    network.run(.seconds(1)) { network, told in
      transferee(&network, told)
      guard told.owner == 2, case .invited(let id, let invitation) = told.event else { return }
      #expect(invitation.replaces == nil)
      #expect(invitation.referredBy == "sip:a@example.com")
      network.perform(.ring(id), by: 2)
      network.schedule(
        target == .answers ? .accept(id) : .reject(id, status: 603), by: 2, after: .milliseconds(500))
    }
    let referrals = network.events(of: 1).compactMap {
      if case .referred(_, _, let referral) = $0 { referral } else { nil }
    }
    #expect(referrals == [Referral(target: "sip:c@10.0.0.3", targetName: "C")])
    #expect(
      network.states(of: Self.referral, by: 0) == [
        .accepted, .progress(status: 100), .progress(status: 180), .ended(status: target == .answers ? 200 : 603),
      ])
    #expect(network.ends(of: 0).isEmpty)
    end(&network)
  }

  /// RFC 5589 6.1: the transferor may go once the REFER is accepted, and still learns the outcome (RFC 5057 5.1).
  @Test(arguments: Start.allCases, Target.allCases) func theTransferorMayGoEarly(start: Start, target: Target) throws {
    var network = network(start)
    let transferor = session(start).transferor
    network.perform(.refer(transferor, Self.referral, to: .uri("sip:c@10.0.0.3", name: nil)), by: 0)
    network.run(.seconds(5)) { network, told in
      transferee(&network, told)
      if told.owner == 0, told.event == .referral(Self.referral, .accepted) {
        network.perform(.hangUp(transferor), by: 0)
      }
      guard told.owner == 2, case .invited(let id, _) = told.event else { return }
      network.schedule(
        target == .answers ? .accept(id) : .reject(id, status: 486), by: 2, after: .seconds(3))
    }
    #expect(network.ends(of: 0) == [transferor: [.local]])
    #expect(
      network.states(of: Self.referral, by: 0) == [
        .accepted, .progress(status: 100), .ended(status: target == .answers ? 200 : 486),
      ])
    end(&network)
  }

  /// Nobody takes the consultation over whom its other side has not let.
  @Test func aTargetThatIsGoneIsReported() throws {
    var network = network(.called)
    consult(&network)
    network.perform(.refer(Self.first, Self.referral, to: .session(Self.consultation)), by: 0)
    network.perform(.hangUp(SessionID(.remote, 1)), by: 2)
    network.run(.seconds(1)) { transferee(&$0, $1) }
    #expect(network.states(of: Self.referral, by: 0).last == .ended(status: 603))
    end(&network)
  }

  /// Reports that never end: the transferee's owner says nothing (RFC 3515 2.4.4, RFC 6665 4.1.3).
  @Test func anOutcomeThatIsNeverReportedIsUnknownAfterAMinute() throws {
    var network = network(.called)
    network.perform(.refer(Self.first, Self.referral, to: .uri("sip:c@10.0.0.3", name: nil)), by: 0)
    network.run(.seconds(70)) { network, told in
      guard case .referred(_, let id, _) = told.event else { return }
      network.perform(.answerReferral(id, accepts: true), by: 1)
    }
    #expect(network.states(of: Self.referral, by: 0) == [.accepted, .progress(status: 100), .unknown])
    // The report that says so comes when the time is over, and is no report on nothing.
    let answers = network.sent.filter { $0.owner == 0 && $0.message.method == .notify }.map(\.message.startLine)
    #expect(answers == Array(repeating: .response(status: 200, reason: "OK"), count: 2))
    end(&network)
  }
}
