import Instant
import Testing

@testable import SIP

/// REFERs, decisions, reports, responses and ends in any order.
@Suite struct UserAgentReferralRandomTests {
  private struct Generator {
    var state: UInt64

    /// A number from 0 to below the limit.
    mutating func below(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(limit))
    }
  }

  @Test(arguments: [Transport.udp, .tcp]) func reportsAreInOrderAndNothingIsLeft(transport: Transport) throws {
    var (finals, outlived) = (0, 0)
    for seed in 1...200 as ClosedRange<UInt64> {
      var random = Generator(state: seed)
      var call = try ReferredCall(random.below(2) == 0 ? .caller : .callee, over: transport)
      var answered: Set<SIPMessage> = []
      var isOver = false
      for _ in 0..<(10 + random.below(40)) {
        let id = ReferralID(.remote, 1 + random.below(4))
        switch random.below(12) {
        case 0, 1: try call.refer(to: random.below(8) == 0 ? nil : ReferredCall.target)
        case 2, 3, 4: call.bench.perform(.answerReferral(id, accepts: random.below(4) > 0))
        case 5, 6: call.report([100, 180, 183, 200, 486, 487][random.below(6)], on: id.number)
        case 7, 8, 9:
          let open = call.bench.sent.map(\.message).filter {
            [.notify, .bye].contains($0.method) && $0.fromTag != "peer" && !answered.contains($0)
          }
          guard let request = open.isEmpty ? nil : open[random.below(open.count)] else { continue }
          answered.insert(request)
          call.bench.receive(
            try call.bench.response([200, 200, 200, 481, 500][random.below(5)], to: request),
            from: Endpoint(host: "10.0.0.2", port: 5060, transport: transport))
        case 10: call.bench.run(.milliseconds(Int64(random.below(2) == 0 ? random.below(300) : random.below(20_000))))
        default:
          guard random.below(4) == 0 else { continue }
          isOver = true
          if random.below(2) == 0 {
            call.bench.perform(.hangUp(call.call.session))
          } else {
            try call.call.receive(.bye)
          }
        }
      }
      try call.call.receive(.bye)
      call.bench.runOut()
      #expect(call.bench.isEmpty, "seed \(seed)")
      #expect(call.bench.ends.count == 1, "seed \(seed)")
      #expect(call.sequences == call.sequences.indices.map { call.sequences[0] + $0 }, "seed \(seed)")
      // After the report that ends a subscription there is none.
      let reports = call.bench.sent.filter { $0.name == "NOTIFY" && $0.transmission.origin != .retransmission }
      for (event, group) in Dictionary(grouping: reports, by: { $0.message.value(of: "Event") ?? "" }) {
        let ends = group.map { $0.message.value(of: "Subscription-State")?.hasPrefix("terminated") == true }
        #expect(!ends.dropLast().contains(true), "seed \(seed), \(event)")
        finals += ends.last == true ? 1 : 0
      }
      // Every REFER has its answer.
      let answers = call.bench.sent.filter { $0.name.hasSuffix(" REFER") && $0.transmission.origin != .retransmission }
      #expect(Set(answers.compactMap { $0.message.sequence?.number }).count == answers.count, "seed \(seed)")
      #expect(answers.count >= call.referrals.count, "seed \(seed)")
      outlived += isOver && !reports.isEmpty ? 1 : 0
    }
    #expect(finals > 20)
    #expect(outlived > 20)
  }
}
