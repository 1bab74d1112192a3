import CallEngine
import Instant
import Testing
import Timeline

@testable import VirtualWorld

/// Each activation and deactivation comes its own delay after what asked for it, also where a pointless one is between.
@Suite struct AudioChangeTests {
  /// The instants of the changes, with a delay of 10 s; `acts` are the user's taps by instant in seconds.
  private func changes(_ acts: [(second: Int64, verb: UserAct.Verb, call: String)]) throws -> [String] {
    var settings = PhoneSettings()
    settings.activationDelay = .seconds(10)
    var simulation = Simulation(makeSetup(settings: settings), coordinator: CallCoordinator())
    var records: [Record] = []
    for call in ["c1", "c2"] {
      let invite = PeerMessage(from: "alice", to: "phone", content: .request(method: "INVITE"), subject: .call(call))
      records += try simulation.perform(.message(invite), line: nil)
    }
    for act in acts {
      records += simulation.advance(to: .zero + .seconds(act.second))
      records += try simulation.perform(.user([UserAct(act.verb, call: act.call)], inApp: false), line: nil)
    }
    records += simulation.run()
    return records.filter { [.audio(.activates), .audio(.deactivates)].contains($0.event) }.lines
  }

  @Test func aPointlessActivationDoesNotServeTheNextCall() throws {
    #expect(
      try changes([(1, .answers, "c1"), (3, .ends, "c1"), (5, .answers, "c2"), (20, .ends, "c2")]) == [
        "15.000 audio activates", "30.000 audio deactivates",
      ])
  }

  @Test func aPointlessDeactivationDoesNotServeTheNextCall() throws {
    #expect(
      try changes([(1, .answers, "c1"), (12, .ends, "c1"), (14, .answers, "c2"), (16, .ends, "c2")]) == [
        "11.000 audio activates", "26.000 audio deactivates",
      ])
  }

  @Test func theSecondCallDoesNotPutTheActivationOff() throws {
    #expect(
      try changes([(1, .answers, "c1"), (3, .answers, "c2"), (20, .ends, "c1"), (22, .ends, "c2")]) == [
        "11.000 audio activates", "32.000 audio deactivates",
      ])
  }
}
