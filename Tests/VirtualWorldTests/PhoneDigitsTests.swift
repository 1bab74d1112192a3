import CallEngine
import Instant
import Testing
import Timeline

@testable import VirtualWorld

/// Digits from the key to the wire: as events where they were agreed on, else as INFO where the app is set so.
@Suite struct PhoneDigitsTests {
  /// An app that sends the digits of an action and completes it when they have been sent.
  private static let app: @Sendable (CoordinatorInput) -> [CoordinatorCommand]? = { input in
    switch input {
    case .perform(let action):
      guard case .playDTMF(let digits) = action.kind else { return nil }
      return [.sendDigits(TalkBench.leg, action.id, digits)]
    case .digitsSent(_, let action): return [.fulfil(action)]
    case .digitsFailed(_, let action): return [.fail(action)]
    case .user: return [.stopDigits(TalkBench.leg)]
    default: return nil
    }
  }

  private func talk(_ transport: PhoneSettings.DigitTransport) throws -> TalkBench {
    var settings = PhoneSettings()
    settings.digitTransport = transport
    var bench = try TalkBench(settings, app: Self.app)
    try bench.alice("ACK")
    bench.advance(to: 10_000)
    return bench
  }

  private func press(_ digits: String) -> Stimulus {
    .user([UserAct(.presses, call: "c1", argument: digits)], inApp: false)
  }

  @Test(arguments: [PhoneSettings.DigitTransport.events, .eventsElseInfo])
  func eventsLeaveAtTheirTimes(transport: PhoneSettings.DigitTransport) throws {
    var bench = try talk(transport)
    bench.perform(press("12#"))
    #expect(
      bench.sentences(from: 10_000) == [
        "10.000 c1 dtmf pending (user)", "10.000 c1 digit 1", "10.100 c1 digit 1 ends, 100ms", "10.200 c1 digit 2",
        "10.300 c1 digit 2 ends, 100ms", "10.400 c1 digit #", "10.500 c1 digit # ends, 100ms",
        "10.540 c1 dtmf fulfilled",
      ])
    let media = bench.records.filter { if case .media = $0.event { true } else { false } }
    #expect(media.allSatisfy { $0.from == "phone" && $0.to == "alice" && !$0.causes.isEmpty })
  }

  @Test func infoRequestsFollowTheirAnswers() throws {
    var bench = try talk(.info)
    bench.perform(press("12#"))
    for instant: Int64 in [10_030, 10_230, 10_430] {
      bench.advance(to: instant)
      try bench.alice(answers: "INFO", 200)
    }
    let infos = bench.records.filter { record in
      guard case .sent? = record.sip?.phase else { return false }
      return record.sip?.message.method == "INFO" && record.sip?.message.status == nil
    }
    #expect(infos.map(\.instant) == [10_000, 10_200, 10_400].map { .zero + .milliseconds($0) })
    #expect(bench.sentences(from: 10_000).last == "10.430 c1 dtmf fulfilled")
  }

  @Test func aRefusedInfoFailsTheAction() throws {
    var bench = try talk(.info)
    bench.perform(press("12"))
    bench.advance(to: 10_030)
    try bench.alice(answers: "INFO", 405)
    #expect(bench.sentences(from: 10_000) == ["10.000 c1 dtmf pending (user)", "10.030 c1 dtmf failed"])
  }

  @Test func stoppingEndsTheEvent() throws {
    var bench = try talk(.events)
    bench.perform(press("12"))
    bench.advance(to: 10_240)
    bench.perform(.user([UserAct(.mutes, call: "c1")], inApp: true))
    #expect(
      bench.sentences(from: 10_000, until: 12_000) == [
        "10.000 c1 dtmf pending (user)", "10.000 c1 digit 1", "10.100 c1 digit 1 ends, 100ms", "10.200 c1 digit 2",
        "10.240 c1 digit 2 ends, 40ms",
      ])
  }

  @Test func theEndOfTheCallStopsTheDigits() throws {
    var bench = try talk(.events)
    bench.perform(press("12"))
    bench.advance(to: 10_040)
    try bench.alice("BYE")
    #expect(
      bench.sentences(from: 10_000, until: 12_000) == [
        "10.000 c1 dtmf pending (user)", "10.000 c1 digit 1", "10.040 c1 digit 1 ends, 40ms",
      ])
    #expect(bench.records.filter { if case .media = $0.event { true } else { false } }.allSatisfy { $0.to == "alice" })
  }

  /// On hold no events leave, and before a session nothing does.
  @Test func withoutMediaThereAreNoEvents() throws {
    var bench = try talk(.events)
    try bench.alice("re-INVITE", offer: "sendonly")
    try bench.alice("ACK")
    bench.perform(press("1"))
    #expect(bench.sentences(from: 10_000) == ["10.000 c1 dtmf pending (user)", "10.000 c1 dtmf failed"])
  }

  @Test func aLegThatIsUnknownSendsNothing() {
    let coordinator = ScriptedCoordinator { input in
      if case .user = input { return [.sendDigits(LegID(.local, 5), ActionID(1), "1"), .stopDigits(LegID(.local, 6))] }
      return []
    }
    var simulation = Simulation(makeSetup(), coordinator: coordinator)
    _ = try? simulation.perform(.user([UserAct(.calls, call: "c1", argument: "sip:a@b")], inApp: true), line: nil)
    #expect(simulation.run().isEmpty)
    #expect(simulation.isSettled)
  }
}
