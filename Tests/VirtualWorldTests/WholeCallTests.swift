import CallEngine
import Instant
import Testing
import Timeline

@testable import VirtualWorld

/// Whole calls through every layer: the engine in the phone, SIP on the wire, a peer at the other end.
@Suite struct WholeCallTests {
  /// Sends a message of alice's.
  private func alice(
    _ content: PeerMessage.Content, _ subject: PeerMessage.Subject, session: MessageFacts.Session? = nil
  ) -> Stimulus {
    .message(PeerMessage(from: "alice", to: "phone", content: content, subject: subject, session: session))
  }

  private let offer = MessageFacts.Session(role: .offer, direction: "sendrecv")

  @Test func anIncomingCallIsAnsweredAndHungUpByTheCaller() throws {
    var simulation = Simulation(makeSetup(), coordinator: CallCoordinator())
    var records = try simulation.perform(alice(.request(method: "INVITE"), .call("c1"), session: offer), line: 1)
    records += simulation.advance(to: .zero + .seconds(2))
    records += try simulation.perform(.user([UserAct(.answers, call: "c1")], inApp: false), line: 2)
    records += simulation.run(until: .zero + .milliseconds(2_030))
    let ok = try #require(records.last { $0.sip?.message.status == 200 }?.sip?.message)
    records += try simulation.perform(alice(.request(method: "ACK"), .message(ok.id)), line: 3)
    records += simulation.advance(to: .zero + .seconds(5))
    records += try simulation.perform(alice(.request(method: "BYE"), .call("c1")), line: 4)
    records += simulation.run()
    #expect(
      records.filter { $0.isOfInterest }.lines == [
        "0.000 sip INVITE", "0.000 report incoming(caller: nil, handle: Optional(\"sip:alice@10.0.0.1\"))",
        "0.005 report accepted", "0.005 sip 180 to INVITE", "0.005 state - ringing -", "2.000 user answers",
        "2.000 action answer pending", "2.000 audio configures", "2.000 sip 200 to INVITE",
        "2.000 state ringing connecting -", "2.000 action answer fulfilled", "2.020 audio activates",
        "2.020 audio unit starts", "2.020 sip ACK", "2.020 state connecting active -", "5.000 sip BYE",
        "5.000 sip 200 to BYE", "5.000 audio unit stops", "5.000 report ended(reason: \"remote-ended\")",
        "5.000 state active ended remote-ended", "5.020 audio deactivates",
      ])
    #expect(simulation.isSettled)
  }
}

extension Record {
  var sip: SIPEvent? {
    if case .sip(let event) = event { event } else { nil }
  }

  /// Whether the record is neither a timer nor the arrival of a message.
  var isOfInterest: Bool {
    switch event {
    case .timer: false
    case .sip(let event): event.phase != .arrived
    default: true
    }
  }
}
