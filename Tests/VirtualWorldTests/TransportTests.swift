import CallEngine
import Instant
import SIP
import SimulationKernel
import Testing
import Timeline

@testable import VirtualWorld

/// A message travels over the transport of its topmost Via, and nothing but that decides what is repeated, whatever the
/// two ends are set to (RFC 3261 17.1.1.2, 17.1.2.2, 17.2.1, 18.1.1).
@Suite struct TransportTests {
  /// A wire of 700 ms, so that T1 runs out before any answer comes. The app refuses what comes and dials when told to.
  private func simulation(phone: Transport, alice: Transport) -> Simulation {
    let coordinator = ScriptedCoordinator { input in
      switch input {
      case .invitationArrived(let invitation): [.reject(invitation.leg, .declined)]
      case .user: [.invite(LegID(.local, 1), Party(uri: "sip:alice@10.0.0.1:5060"))]
      default: []
      }
    }
    var setup = makeSetup(links: [Link(latency: .milliseconds(700) ... .milliseconds(700))])
    setup.phone.address.transport = phone
    setup.peers[0].address.transport = alice
    return Simulation(setup, coordinator: coordinator)
  }

  private func request(_ method: String) -> Stimulus {
    .message(
      PeerMessage(
        from: "alice", to: "phone", content: .request(method: method), subject: .call(method),
        session: method == "INVITE" ? .offer : nil))
  }

  /// Everything in both directions that an unreliable transport has repeated.
  private func records(phone: Transport, alice: Transport) throws -> [Record] {
    var simulation = simulation(phone: phone, alice: alice)
    var records = try simulation.perform(request("OPTIONS"), line: nil)
    records += try simulation.perform(request("INVITE"), line: nil)
    records += simulation.advance(to: .zero + .seconds(40))
    records += try simulation.perform(
      .user([UserAct(.calls, call: "out", argument: "sip:alice@10.0.0.1")], inApp: true), line: nil)
    records += simulation.advance(to: .zero + .seconds(41))
    let invite = try #require(
      records.last { $0.sip?.phase == .arrived && $0.to == "alice" && $0.sip?.message.method == "INVITE" })
    records += try simulation.perform(
      .message(
        PeerMessage(
          from: "alice", to: "phone", content: .response(status: 486),
          subject: .message(invite.sip?.message.id ?? 0))), line: nil)
    return records + simulation.run()
  }

  @Test(arguments: Transport.allCases, Transport.allCases)
  func theViaDecidesWhatIsRepeated(phone: Transport, alice: Transport) throws {
    let repeated = try records(phone: phone, alice: alice).compactMap { record -> String? in
      guard case .sent? = record.sip?.phase, record.sip?.message.origin == .retransmission else { return nil }
      return "\(record.from) \(record.sip?.message.status.map { "\($0) " } ?? "")\(record.sip?.message.method ?? "")"
    }
    let fromHer: Set = ["alice OPTIONS", "phone 200 OPTIONS", "alice INVITE", "phone 603 INVITE"]
    let fromHere: Set = ["phone INVITE", "alice 486 INVITE"]
    #expect(Set(repeated) == (alice == .udp ? fromHer : []).union(phone == .udp ? fromHere : []))
  }

  @Test(arguments: Transport.allCases, Transport.allCases)
  func aDatagramTravelsAsItsViaSays(via: Transport, configured: Transport) throws {
    let setup = makeSetup()
    var stage = Stage(
      calls: CallDirectory(calls: [], generator: SeededGenerator(seed: 1)),
      book: AddressBook([setup.phone.address, setup.peers[0].address]))
    let there = Endpoint(host: "10.0.0.2", port: 5060, transport: configured)
    let fields = [("Via", "SIP/2.0/\(via.rawValue) 10.0.0.1;branch=z9hG4bK1")]
    let texts = [
      try SIPMessage(.request(.options, uri: "sip:bob@10.0.0.2"), headers: fields),
      try SIPMessage(.response(status: 200, reason: "OK"), headers: fields),
    ]
    for message in texts {
      stage.send(message.bytes, message: message, from: 1, to: there, origin: .decision, causes: [])
    }
    stage.send([0x41], message: nil, from: 1, to: there, origin: .decision, causes: [])
    let datagrams = stage.takeDatagrams()
    #expect(datagrams.map(\.source.transport) == [via, via, configured])
    #expect(datagrams.map(\.destination.transport) == [via, via, configured])
  }
}
