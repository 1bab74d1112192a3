import CallEngine
import Instant
import Testing
import Timeline

@testable import VirtualWorld

/// Which call a record of the audio carries: the one that the session or the unit serves, not the one that made room.
@Suite struct AudioLabelTests {
  /// The user calls alice, three seconds later carol, and three seconds later does something.
  private func records(_ handover: PhoneSettings.AudioHandover, then act: UserAct) throws -> [Record] {
    var settings = PhoneSettings()
    settings.resumesAfterLocalEnd = false
    settings.audioHandover = handover
    var setup = makeSetup(settings: settings, calls: [NamedCall(name: "a"), NamedCall(name: "b")])
    setup.peers = [("alice", "10.0.0.1"), ("carol", "10.0.0.3")].map { name, host in
      PeerSetup(
        address: ActorAddress(name: name, uri: "sip:\(name)@\(host):5060", host: host), isAutomatic: true,
        answersAfter: .milliseconds(100))
    }
    var simulation = Simulation(setup, coordinator: CallCoordinator())
    var records = try simulation.perform(
      .user([UserAct(.calls, call: "a", argument: "sip:alice@10.0.0.1:5060")], inApp: true), line: nil)
    records += simulation.advance(to: .zero + .seconds(3))
    records += try simulation.perform(
      .user([UserAct(.calls, call: "b", argument: "sip:carol@10.0.0.3:5060")], inApp: true), line: nil)
    records += simulation.advance(to: .zero + .seconds(6))
    records += try simulation.perform(.user([act], inApp: false), line: nil)
    return records + simulation.run(until: .zero + .seconds(9))
  }

  private func words(_ records: [Record], from seconds: Int64, to end: Int64) -> [String] {
    records.filter { $0.instant >= .zero + .seconds(seconds) && $0.instant < .zero + .seconds(end) }
      .compactMap { record in
        guard case .audio(let event) = record.event else { return nil }
        switch event {
        case .activates, .deactivates, .configures, .unitStarts, .unitStops, .microphoneOpens:
          return "\(record.call?.name ?? "-") \(event.word)"
        default: return nil
        }
      }
  }

  @Test func whatATakeoverStartsIsForTheCallThatTakesOver() throws {
    let records = try records(.cycle, then: UserAct(.swaps, call: "b", argument: "a"))
    #expect(
      words(records, from: 0, to: 3) == ["a configures", "a activates", "a unit starts", "a microphone opens"])
    for (seconds, old, new) in [(3, "a", "b"), (6, "b", "a")] as [(Int64, String, String)] {
      let told = words(records, from: seconds, to: seconds + 3)
      let change = try #require(told.firstIndex { $0.hasSuffix(" deactivates") })
      #expect(told[change] == "\(old) deactivates")
      #expect(told.contains("\(new) activates"))
      #expect(told.contains("\(new) unit starts"))
      #expect(told.dropFirst(change + 1).allSatisfy { $0.hasPrefix("\(new) ") })
    }
  }

  @Test func whereTheSessionStaysTheUnitHasTheLabelOfItsCall() throws {
    let records = try records(.none, then: UserAct(.swaps, call: "b", argument: "a"))
    #expect(words(records, from: 3, to: 6).filter { $0.hasSuffix("unit starts") } == ["b unit starts"])
    #expect(words(records, from: 6, to: 9).filter { $0.contains("unit st") } == ["b unit stops", "a unit starts"])
  }

  /// Also where the session has stayed while one call gave it to another.
  @Test(arguments: [PhoneSettings.AudioHandover.none, .cycle])
  func theEndOfTheSessionIsForTheCallThatHadItLast(handover: PhoneSettings.AudioHandover) throws {
    let records = try records(handover, then: UserAct(.ends, call: "b"))
    #expect(words(records, from: 6, to: 9) == ["b unit stops", "b deactivates"])
  }

  /// A session that no call needs is nobody's.
  @Test func anActivationForNoCallHasNoLabel() throws {
    var simulation = Simulation(makeSetup(calls: [NamedCall(name: "a")]), coordinator: CallCoordinator())
    let records = try simulation.perform(.system(.activatesAudio), line: 7)
    #expect(records.map(\.call) == [nil])
  }
}
