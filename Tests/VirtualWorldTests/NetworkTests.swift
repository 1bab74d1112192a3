import Instant
import SIP
import SimulationKernel
import Testing
import Timeline

@testable import VirtualWorld

@Suite struct NetworkTests {
  @Test func withoutALinkThereIsNoLatency() {
    var network = VirtualNetwork(links: [], faults: [], generator: SeededGenerator(seed: 1))
    #expect(network.carry(datagram(1), at: at(5)) == Carriage(arrivals: [at(5)]))
    #expect(network.firedFaults == [])
  }

  @Test func theLinkThatNamesMoreCountsAndOfEqualOnesTheLater() {
    func link(_ from: String?, _ to: String?, _ latency: Int64) -> Link {
      Link(from: from, to: to, latency: .milliseconds(latency)...(.milliseconds(latency)))
    }
    var network = VirtualNetwork(
      links: [link("pbx", "phone", 1), link("pbx", "phone", 10), link("phone", nil, 20), link(nil, nil, 30)],
      faults: [], generator: SeededGenerator(seed: 1))
    #expect(network.carry(datagram(1), at: .zero).arrivals == [at(10)])
    #expect(network.carry(datagram(2, from: "phone", to: "pbx"), at: .zero).arrivals == [at(20)])
    #expect(network.carry(datagram(3, from: "carol", to: "phone"), at: .zero).arrivals == [at(30)])
  }

  @Test func latencyIsDrawnForEveryDatagramAndTheSameForTheSameSeed() {
    let first = randomArrivals(seed: 5, transport: .udp)
    #expect(first == randomArrivals(seed: 5, transport: .udp))
    #expect(first != randomArrivals(seed: 6, transport: .udp))
    #expect(Set(first).count > 20)
    #expect(first != first.sorted())
    #expect(first.allSatisfy { (at(10)...at(149)).contains($0) })
  }

  @Test(arguments: [Transport.tcp, .tls]) func aReliableTransportKeepsTheOrder(transport: Transport) {
    let arrivals = randomArrivals(seed: 5, transport: transport)
    #expect(arrivals == arrivals.sorted())
    #expect(Set(arrivals).count > 3)
  }

  @Test func theOtherDirectionOfAReliableTransportIsNotHeldUp() {
    var network = network([fault(.delay(.seconds(1)...(.seconds(1))), .first)])
    #expect(network.carry(datagram(1, transport: .tcp), at: .zero).arrivals == [at(1_000)])
    #expect(network.carry(datagram(2, transport: .tcp), at: at(1)).arrivals == [at(1_000)])
    #expect(network.carry(datagram(3, from: "phone", to: "pbx", transport: .tcp), at: at(1)).arrivals == [at(1)])
  }

  @Test func dropTakesTheMessage() {
    var network = network([fault(.drop, .first)])
    let lost = network.carry(datagram(1), at: .zero)
    #expect(lost.arrivals == [] && lost.loss == "dropped by fault f1")
    #expect(lost.faults == [FaultEvent(name: "f1", effect: "drop")])
    #expect(network.carry(datagram(2), at: .zero) == Carriage(arrivals: [.zero]))
    #expect(network.firedFaults == ["f1"])
  }

  @Test func delayMovesTheArrival() {
    var network = network([fault(.delay(.milliseconds(25)...(.milliseconds(25))), .every)])
    let late = network.carry(datagram(1), at: at(100))
    #expect(late.arrivals == [at(125)])
    #expect(late.faults == [FaultEvent(name: "f1", effect: "delay by 25ms")])
  }

  @Test func delayIsDrawnForEachMessage() {
    var network = network([fault(.delay(.milliseconds(10)...(.milliseconds(50))), .every)])
    let arrivals = (1...20).flatMap { network.carry(datagram($0), at: .zero).arrivals }
    #expect(Set(arrivals).count > 10)
    #expect(arrivals.allSatisfy { (at(10)...at(50)).contains($0) })
  }

  @Test func duplicateMakesCopies() {
    var network = network([
      fault(.duplicate(copies: 1, gap: .milliseconds(20)), .first),
      fault(.duplicate(copies: 2, gap: .zero), .nth(2), name: "f2"),
      fault(.duplicate(copies: .max, gap: .zero), .nth(3), name: "f3"),
    ])
    let first = network.carry(datagram(1), at: .zero)
    #expect(first.arrivals == [.zero, at(20)])
    #expect(first.faults.map(\.effect) == ["duplicate 1 copy after 20ms"])
    let second = network.carry(datagram(2), at: at(5))
    #expect(second.arrivals == [at(5), at(5), at(5)])
    #expect(second.faults.map(\.effect) == ["duplicate 2 copies after 0ms"])
    #expect(network.carry(datagram(3), at: at(5)).arrivals.count == 1 + VirtualNetwork.mostCopies)
  }

  @Test func reorderedMessageArrivesBehindTheNext() {
    var network = network([fault(.reorder, .first)])
    let held = network.carry(datagram(1), at: .zero)
    #expect(held.arrivals == [] && held.loss == nil)
    #expect(held.faults.map(\.effect) == ["reorder behind the next message"])
    #expect(held.held == Carriage.Hold(number: 1, until: at(500)))
    // Another way does not free it.
    #expect(network.carry(datagram(2, from: "phone", to: "pbx"), at: at(10)).released == [])
    let next = network.carry(datagram(3), at: at(30))
    #expect(next.arrivals == [at(30)])
    #expect(next.released == [Arrival(datagram(1), at: at(30))])
    #expect(held.held.map { network.release($0, at: at(500)) } == [])
    #expect(network.carry(datagram(4), at: at(31)).released == [])
  }

  @Test func reorderedMessageIsNotLostIfNoneFollows() throws {
    var network = network([fault(.reorder, .first)])
    let hold = try #require(network.carry(datagram(1), at: .zero).held)
    #expect(network.release(hold, at: hold.until) == [Arrival(datagram(1), at: at(500))])
    #expect(network.release(hold, at: hold.until) == [])
    #expect(network.carry(datagram(2), at: at(600)).released == [])
  }

  @Test func reorderingEveryMessageSwapsThemInPairs() {
    var network = network([fault(.reorder, .every)])
    var order: [Int] = []
    for number in 1...6 {
      let carriage = network.carry(datagram(number), at: at(Int64(number)))
      order += carriage.arrivals.map { _ in number } + carriage.released.map(\.datagram.facts.id)
    }
    #expect(order == [2, 1, 4, 3, 6, 5])
  }

  @Test func aLostMessageFreesNothing() {
    var network = network([fault(.reorder, .first), fault(.drop, .nth(2), name: "f2")])
    _ = network.carry(datagram(1), at: .zero)
    #expect(network.carry(datagram(2), at: at(1)).released == [])
    #expect(network.carry(datagram(3), at: at(2)).released == [Arrival(datagram(1), at: at(2))])
  }

  @Test func reorderOverridesTheOrderOfAReliableTransport() {
    var network = network([fault(.reorder, .first), fault(.delay(.seconds(1)...(.seconds(1))), .first, name: "f2")])
    _ = network.carry(datagram(1, transport: .tcp), at: .zero)
    let next = network.carry(datagram(2, transport: .tcp), at: at(1))
    #expect(next.arrivals == [at(1)])
    #expect(next.released.map(\.instant) == [at(1_000)])
  }

  @Test func dropWinsOverWhateverElseIsMeant() {
    var network = network([
      fault(.delay(.milliseconds(5)...(.milliseconds(5))), .every, name: "late"), fault(.drop, .first, name: "gone"),
      fault(.reorder, .first, name: "swapped"),
    ])
    let lost = network.carry(datagram(1), at: .zero)
    #expect(lost.arrivals == [] && lost.held == nil)
    #expect(lost.faults.map(\.name) == ["gone"])
    #expect(network.firedFaults == ["gone"])
    #expect(network.carry(datagram(2), at: .zero).arrivals == [at(5)])
    #expect(network.firedFaults == ["late", "gone"])
  }

  @Test func delaysAddUpAndCopiesFollowThem() {
    var network = network([
      fault(.duplicate(copies: 1, gap: .milliseconds(20)), .first, name: "twice"),
      fault(.delay(.milliseconds(5)...(.milliseconds(5))), .first, name: "a"),
      fault(.delay(.milliseconds(7)...(.milliseconds(7))), .first, name: "b"),
      fault(.reorder, .first, name: "swapped"),
    ])
    let held = network.carry(datagram(1), at: .zero)
    #expect(held.faults.map(\.name) == ["twice", "a", "b", "swapped"])
    #expect(held.held?.until == at(512))
    #expect(network.carry(datagram(2), at: at(40)).released.map(\.instant) == [at(40), at(60)])
  }

  @Test(arguments: [
    (Fault.Occurrence.first, [1]), (.every, [1, 2, 3, 4, 5]), (.nth(3), [3]), (.nth(0), []), (.nth(9), []),
    (.percent(0), []), (.percent(100), [1, 2, 3, 4, 5]),
  ])
  func occurrenceSelects(occurrence: Fault.Occurrence, expected: [Int]) {
    var network = network([fault(.drop, occurrence)])
    var lost: [Int] = []
    for number in 1...5 {
      // Messages that the pattern does not mean do not count.
      _ = network.carry(datagram(number, from: "phone", to: "pbx"), at: .zero)
      if network.carry(datagram(number), at: .zero).loss != nil { lost.append(number) }
    }
    #expect(lost == expected)
    #expect(network.firedFaults == (expected.isEmpty ? [] : ["f1"]))
  }

  @Test func percentIsDrawnAndAnotherFaultDoesNotMoveIt() {
    func lost(_ faults: [Fault]) -> [Int] {
      var network = network(faults)
      return (1...400).filter { network.carry(datagram($0), at: .zero).loss == "dropped by fault f1" }
    }
    let alone = lost([fault(.drop, .percent(30))])
    #expect((80...160).contains(alone.count))
    let other = fault(.delay(.zero...(.seconds(1))), .percent(50), name: "other")
    #expect(lost([other, fault(.drop, .percent(30))]) == alone)
  }

  @Test func isInForceBetweenItsBoundsOnly() {
    var limited = fault(.drop, .every)
    (limited.from, limited.until) = (at(10), at(20))
    var network = network([limited])
    let lost = [9, 10, 15, 20, 21].filter { network.carry(datagram(1), at: at($0)).loss != nil }
    #expect(lost == [10, 15, 20])
    limited.occurrence = .first
    var counted = self.network([limited])
    #expect([9, 10, 11].filter { counted.carry(datagram(1), at: at($0)).loss != nil } == [10])
  }

  @Test func extremeNumbersDoNotTrap() {
    let wide = Span(microseconds: .min)...Span(microseconds: .max)
    var network = VirtualNetwork(
      links: [Link(latency: wide)],
      faults: [
        fault(.delay(wide), .every), fault(.duplicate(copies: 3, gap: Span(microseconds: .max)), .every),
        fault(.duplicate(copies: -1, gap: Span(microseconds: .min)), .every), fault(.reorder, .percent(50)),
      ],
      generator: SeededGenerator(seed: 9))
    for number in 1...50 {
      let carriage = network.carry(datagram(number, transport: .tcp), at: at(Int64(number)))
      #expect(carriage.arrivals == carriage.arrivals.sorted())
      #expect(carriage.arrivals.allSatisfy { $0 >= at(Int64(number)) })
    }
  }

  private func network(_ faults: [Fault]) -> VirtualNetwork {
    VirtualNetwork(links: [], faults: faults, generator: SeededGenerator(seed: 1))
  }

  private func fault(_ effect: Fault.Effect, _ occurrence: Fault.Occurrence, name: String = "f1") -> Fault {
    let pattern = MessagePattern(from: "pbx", to: "phone", what: .any)
    return Fault(name: name, effect: effect, occurrence: occurrence, pattern: pattern)
  }

  private func randomArrivals(seed: UInt64, transport: Transport) -> [Instant] {
    let link = Link(latency: .milliseconds(10)...(.milliseconds(100)))
    var network = VirtualNetwork(links: [link], faults: [], generator: SeededGenerator(seed: seed))
    return (0..<50).flatMap { network.carry(datagram($0, transport: transport), at: at(Int64($0))).arrivals }
  }

  private func at(_ milliseconds: Int64) -> Instant {
    .zero + .milliseconds(milliseconds)
  }

  private func datagram(
    _ number: Int, from: String = "pbx", to: String = "phone", transport: Transport = .udp
  ) -> Datagram {
    Datagram(
      bytes: [], source: Endpoint(host: from, port: 5060, transport: transport),
      destination: Endpoint(host: to, port: 5060, transport: transport),
      facts: MessageFacts(id: number, from: from, to: to, method: "INVITE"), call: nil, record: number)
  }
}
