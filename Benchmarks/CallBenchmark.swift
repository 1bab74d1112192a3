import CallEngine
import Instant
import SIP
import Timeline
import VirtualWorld

/// Whole incoming calls, one after the other in one world: push, INVITE, 180, the user's answer, 200, ACK, BYE, 200,
/// with all CallKit actions, audio and records. Every call has fresh identifiers, so that no message equals another.
struct CallBenchmark {
  private static let phone = ActorAddress(name: "phone", uri: "sip:bob@10.0.0.2:5060", host: "10.0.0.2")
  private static let caller = ActorAddress(name: "alice", uri: "sip:alice@10.0.0.1:5060", host: "10.0.0.1")

  /// What so many calls brought about.
  struct Result {
    var calls = 0
    var records = 0
    var messages = 0
    /// Calls that did not end as they should.
    var failures = 0
  }

  func run(calls: Int) throws -> Result {
    let setup = WorldSetup(phone: PhoneSetup(address: Self.phone), peers: [PeerSetup(address: Self.caller)])
    var simulation = Simulation(setup, coordinator: CallCoordinator())
    var result = Result()
    for number in 1...calls { try place(number, in: &simulation, &result) }
    return result
  }

  private func place(_ number: Int, in simulation: inout Simulation, _ result: inout Result) throws {
    let name = "c\(number)"
    var ok: MessageFacts?
    var ended = false
    func take(_ records: [Record]) {
      result.records += records.count
      for record in records {
        switch record.event {
        case .sip(let event):
          guard case .sent = event.phase else { continue }
          result.messages += 1
          if event.message.status == 200, event.message.method == "INVITE" { ok = ok ?? event.message }
        case .state(_, "ended", _): ended = true
        default: break
        }
      }
    }
    let start = simulation.now
    take(try simulation.perform(.push(call: name, callID: nil, caller: "Alice"), line: nil))
    take(advance(&simulation, to: start + .milliseconds(100)))
    let offer = MessageFacts.Session(role: .offer, direction: "sendrecv")
    take(try simulation.perform(message(.request(method: "INVITE"), .call(name), offer), line: nil))
    take(advance(&simulation, to: start + .milliseconds(500)))
    take(try simulation.perform(.user([UserAct(.answers, call: name)], inApp: false), line: nil))
    take(advance(&simulation, to: start + .milliseconds(600)))
    if let ok { take(try simulation.perform(message(.request(method: "ACK"), .message(ok.id)), line: nil)) }
    take(advance(&simulation, to: start + .seconds(2)))
    take(try simulation.perform(message(.request(method: "BYE"), .call(name)), line: nil))
    take(advance(&simulation, to: start + .seconds(3)))
    result.calls += 1
    if !ended { result.failures += 1 }
  }

  private func message(
    _ content: PeerMessage.Content, _ subject: PeerMessage.Subject, _ session: MessageFacts.Session? = nil
  ) -> Stimulus {
    .message(PeerMessage(from: "alice", to: "phone", content: content, subject: subject, session: session))
  }

  /// Lets everything happen that is due until an instant.
  private func advance(_ simulation: inout Simulation, to instant: Instant) -> [Record] {
    var records: [Record] = []
    while let next = simulation.nextInstant, next <= instant { records += simulation.step() }
    simulation.moveClock(to: instant)
    return records
  }
}
