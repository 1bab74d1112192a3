import Instant
import SIP
import SimulationKernel
import Testing
import Timeline

@testable import VirtualWorld

/// A peer that is called by an agent which asks for SRTP.
@Suite struct PeerSecureMediaTests {
  /// An agent and a peer on a wire that takes no time; of the timers only those of an automatic peer's answers count.
  private struct Call {
    static let callID = "K1"
    static let session = SessionID(.local, 1)
    let agentAddress = ActorAddress(name: "phone", uri: "sip:phone@example.com", host: "10.0.0.1")
    let peerAddress = ActorAddress(name: "bob", uri: "sip:bob@example.com", host: "10.0.0.2")
    var agent: UserAgent
    var peer: Peer
    var events: [UserAgentEvent] = []
    var messages: [SIPMessage] = []

    init(isAutomatic: Bool) throws {
      agent = UserAgent(
        UserAgentIdentity(
          name: "phone", addressOfRecord: agentAddress.uri, contact: agentAddress.endpoint, mediaAddress: "10.0.0.1"))
      peer = Peer(
        PeerSetup(address: peerAddress, isAutomatic: isAutomatic, answersAfter: .zero),
        generator: SeededGenerator(seed: 1))
      try perform(.invite(Self.session, target: "sip:bob@10.0.0.2", callID: Self.callID, fallbackCallID: "K2"))
    }

    mutating func perform(_ command: UserAgentCommand) throws { try take(agent.perform(command, causes: [])) }

    mutating func say(
      _ content: PeerMessage.Content, _ role: MessageFacts.Session.Role?, _ direction: String = "sendrecv",
      in callID: String = callID
    ) throws {
      let message = PeerMessage(
        from: "bob", to: "phone", content: content, subject: .call("c1"),
        session: role.map { MessageFacts.Session(role: $0, direction: direction) })
      try take(peer.send(message, callID: callID, destination: agentAddress, at: .zero, causes: []))
    }

    private mutating func take(_ outputs: [UserAgentOutput]) throws {
      for output in outputs {
        switch output {
        case .send(let transmission):
          messages.append(transmission.message)
          try take(
            peer.receive(
              transmission.message, number: messages.count, from: agentAddress.endpoint, at: .zero, causes: []))
        case .event(let event, _): events.append(event)
        case .setTimer, .setRandomTimer, .cancelTimer, .dropped: break
        }
      }
    }

    private mutating func take(_ outputs: [PeerOutput]) throws {
      for output in outputs {
        switch output {
        case .send(let transmission):
          messages.append(transmission.message)
          try take(agent.receive(transmission.message, from: peerAddress.endpoint, causes: []))
        case .setTimer(.answer(let transaction), _): try take(peer.fire(.answer(transaction), at: .zero))
        case .setTimer(.acknowledge(let callID), _): try take(peer.fire(.acknowledge(callID: callID), at: .zero))
        case .setTimer, .cancelTimer, .sendRaw, .dropped: break
        }
      }
    }

    /// Whether the descriptions that were sent ask for SRTP, in order.
    var areSecure: [Bool] { messages.compactMap { $0.sessionDescription?.isSecure } }
    var agreements: [SessionMedia] {
      events.compactMap { if case .negotiated(_, let media) = $0 { media } else { nil } }
    }
  }

  @Test(arguments: [true, false]) func itAnswersAsItIsAsked(isAutomatic: Bool) throws {
    var call = try Call(isAutomatic: isAutomatic)
    if !isAutomatic { try call.say(.response(status: 200), .answer) }
    #expect(call.areSecure == [true, true])
    #expect(call.events.contains(.answered(Call.session)))
    #expect(call.agreements.count == 1)
    // Each side has a key of its own.
    let keys = Set(call.messages.compactMap(\.sessionDescription).flatMap { $0.audio?.lines ?? [] })
      .filter { $0.hasPrefix("a=crypto:1 ") }
    #expect(keys.count == 2)
    try call.perform(.setHold(Call.session, true))
    if !isAutomatic { try call.say(.response(status: 200), .answer, "recvonly") }
    #expect(call.areSecure == [true, true, true, true])
    #expect(call.agreements.last?.isHeldHere == true)
  }

  @Test func itHoldsWithSRTPToo() throws {
    var call = try Call(isAutomatic: true)
    try call.say(.request(method: "re-INVITE"), .offer, "sendonly")
    #expect(call.areSecure == [true, true, true, true])
    #expect(call.agreements.last?.isHeldThere == true)
  }

  @Test func itIsCalledAgainWithoutSRTPWhenItHasNone() throws {
    var call = try Call(isAutomatic: false)
    try call.say(.response(status: 488), nil)
    #expect(call.events.last == .callIDChanged(Call.session, to: "K2"))
    try call.say(.response(status: 200), .answer, in: "K2")
    #expect(call.areSecure == [true, false, false])
    #expect(call.agreements.count == 1)
    try call.say(.request(method: "re-INVITE"), .offer, "sendonly", in: "K2")
    #expect(call.areSecure == [true, false, false, false, false])
    #expect(call.agreements.last?.isHeldThere == true)
  }
}
