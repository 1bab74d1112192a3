import CallEngine
import Instant
import Testing
import Timeline

@testable import VirtualWorld

/// A simulation is a value: a copy is a snapshot.
@Suite struct SnapshotTests {
  @Test func aCopyGoesTheSameWayAgain() throws {
    var simulation = Simulation(makeSetup(), coordinator: CallCoordinator())
    _ = try simulation.perform(.push(call: "c1", callID: "k", caller: "Alice"), line: nil)
    _ = simulation.advance(to: .zero + .milliseconds(400))
    var copy = simulation
    #expect(copy == simulation)
    let first = try simulation.perform(.user([UserAct(.answers, call: "c1")], inApp: false), line: nil)
    #expect(copy != simulation)
    let rest = simulation.run()
    let again = try copy.perform(.user([UserAct(.answers, call: "c1")], inApp: false), line: nil)
    #expect(again == first)
    #expect(copy.run() == rest)
    #expect(copy == simulation)
    #expect(copy.hashValue == simulation.hashValue)
  }
}
