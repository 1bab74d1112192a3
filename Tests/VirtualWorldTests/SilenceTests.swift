import CallEngine
import Instant
import Testing
import Timeline

@testable import VirtualWorld

/// The audio lamp: a call that both sides have agreed on and that nobody holds must be heard; the phone says when it is
/// not, and why (AV-11).
@Suite struct SilenceTests {
  private static let configured = AudioPlan(isConfigured: true)

  /// An app with these plans, in a call that is acknowledged at an instant in milliseconds.
  private func talk(
    acknowledgedAt instant: Int64 = 1_500, manual: Bool = false,
    plans: @escaping @Sendable (CoordinatorInput) -> AudioPlan? = { $0 == .audioActivated ? TalkBench.plan : nil },
    app: @escaping @Sendable (CoordinatorInput) -> [CoordinatorCommand]? = { _ in nil }
  ) throws -> TalkBench {
    var settings = PhoneSettings()
    settings.activatesAudioByItself = !manual
    var bench = try TalkBench(settings) { input in
      if let plan = plans(input) { return [.setAudioPlan(plan)] }
      return app(input)
    }
    bench.advance(to: instant)
    try bench.alice("ACK")
    return bench
  }

  @Test func aCallThatIsHeardInTimeIsNotMentioned() throws {
    var bench = try talk()
    #expect(bench.audio() == ["1.020 activates", "1.020 configures", "1.020 unit starts"])
  }

  @Test func theCallIsJudgedFromItsAcknowledgementOn() throws {
    var bench = try talk(acknowledgedAt: 1_010)
    #expect(
      bench.audio() == [
        "1.010 c1 silent not-activated", "1.020 activates", "1.020 configures", "1.020 unit starts", "1.020 c1 heard",
      ])
    let silence = try #require(bench.records.first { $0.event == .audio(.silent(cause: .notActivated)) })
    let ack = try #require(bench.records.last { $0.sip?.message.method == "ACK" && $0.sip?.phase == .arrived })
    #expect(silence.causes.contains(ack.number))
    #expect(silence.call == CallLabel(name: "c1", uuid: TalkBench.uuid.description))
  }

  @Test func anActivationThatIsTakenAwayIsTheCause() throws {
    var bench = try talk { input in
      switch input {
      case .audioActivated: TalkBench.plan
      case .audioDeactivated: AudioPlan.off
      default: nil
      }
    }
    bench.advance(to: 2_000)
    bench.perform(.system(.deactivatesAudio))
    bench.advance(to: 3_000)
    bench.perform(.system(.activatesAudio))
    #expect(
      bench.audio(from: 2_000) == [
        "2.000 deactivates", "2.000 unit stops", "2.000 c1 silent deactivated", "3.000 activates", "3.000 configures",
        "3.000 unit starts", "3.000 c1 heard",
      ])
  }

  /// A unit of an earlier activation moves no sound (AV-9, CK-27).
  @Test(arguments: [[SystemAct.activatesAudio], [.deactivatesAudio, .activatesAudio]])
  func aUnitThatIsKeptThroughAnActivationIsSilent(acts: [SystemAct]) throws {
    var bench = try talk()
    bench.advance(to: 2_000)
    for act in acts { bench.perform(.system(act)) }
    #expect(bench.audio(from: 2_000).last == "2.000 c1 silent unit-off")
  }

  @Test func anInterruptionIsTheCauseUntilTheAppStartsAgain() throws {
    var bench = try talk { input in
      switch input {
      case .audioActivated: TalkBench.plan
      case .interruptionBegan: AudioPlan.off
      default: nil
      }
    }
    bench.advance(to: 2_000)
    bench.perform(.system(.interruptsAudio))
    bench.advance(to: 3_000)
    bench.perform(.system(.endsInterruption))
    #expect(
      bench.audio(from: 2_000) == [
        "2.000 interrupted", "2.000 unit stops", "2.000 c1 silent interrupted", "3.000 interruption ends",
        "3.000 c1 silent not-activated", "3.020 activates", "3.020 configures", "3.020 unit starts", "3.020 c1 heard",
      ])
  }

  @Test func withoutCategoryNothingIsHeard() throws {
    var bench = try talk { input in
      input == .audioActivated ? AudioPlan(isConfigured: false, legs: [], unit: 1) : nil
    }
    #expect(bench.audio() == ["1.020 activates", "1.500 c1 silent not-configured"])
  }

  @Test func anAppThatRunsNoUnitIsSilent() throws {
    var bench = try talk { $0 == .audioActivated ? Self.configured : nil }
    #expect(bench.audio() == ["1.020 activates", "1.020 configures", "1.500 c1 silent unit-off"])
  }

  @Test func aUnitThatFeedsAnotherLegIsSilent() throws {
    var bench = try talk { input in
      input == .audioActivated ? AudioPlan(isConfigured: true, legs: [LegID(.local, 9)], unit: 1) : nil
    }
    #expect(bench.audio().last == "1.500 c1 silent unit-off")
  }

  @Test func aUnitThatCannotStartIsTheCause() throws {
    var bench = try talk(manual: true) { input in
      switch input {
      case .audioActivated: TalkBench.plan
      case .unitFailed(code: 561_015_905): Self.configured
      case .timerFired: TalkBench.plan
      default: nil
      }
    }
    bench.perform(.system(.failsUnit))
    bench.perform(.system(.activatesAudio))
    #expect(
      bench.audio() == [
        "1.500 c1 silent not-activated", "1.500 activates", "1.500 configures", "1.500 unit fails",
        // The app has taken its plan back when it learnt of the failure.
        "1.500 c1 silent unit-off",
      ])
  }

  @Test func aFailureThatTheAppLeavesAsItIsIsNamed() throws {
    var bench = try talk(manual: true)
    bench.perform(.system(.failsUnit))
    bench.perform(.system(.activatesAudio))
    #expect(bench.audio().last == "1.500 c1 silent unit-failed")
  }

  // MARK: Calls that need not be heard

  private static let hold: @Sendable (CoordinatorInput) -> [CoordinatorCommand]? = { input in
    guard case .perform(let action) = input, case .setHeld(let isHeld) = action.kind else { return nil }
    return (isHeld ? [.setAudioPlan(configured)] : []) + [.setLocalHold(TalkBench.leg, isHeld), .fulfil(action.id)]
  }

  @Test func aCallThatWeHoldNeedNotBeHeard() throws {
    var bench = try talk(app: Self.hold)
    bench.advance(to: 2_000)
    bench.perform(.user([UserAct(.holds, call: "c1")], inApp: false))
    bench.advance(to: 2_030)
    try bench.alice(answers: "INVITE", 200, answer: "recvonly")
    bench.advance(to: 3_000)
    bench.perform(.user([UserAct(.resumes, call: "c1")], inApp: false))
    bench.advance(to: 3_010)
    #expect(bench.audio(from: 2_000, until: 3_010) == ["2.000 unit stops", "2.020 deactivates"])
    // Agreed before the activation: silent until that.
    try bench.alice(answers: "INVITE", 200, answer: "sendrecv")
    #expect(
      bench.audio(from: 3_000) == [
        "3.010 c1 silent not-activated", "3.020 activates", "3.020 unit starts", "3.020 c1 heard",
      ])
  }

  @Test(arguments: ["sendonly", "inactive"]) func aCallThatTheOtherSideHoldsNeedNotBeHeard(direction: String) throws {
    var bench = try talk { input in
      switch input {
      case .audioActivated: TalkBench.plan
      case .negotiated(_, let media): media.isHeldThere ? Self.configured : nil
      default: nil
      }
    }
    bench.advance(to: 2_000)
    try bench.alice("re-INVITE", offer: direction)
    try bench.alice("ACK")
    #expect(bench.audio(from: 2_000, until: 2_500) == ["2.000 unit stops"])
  }

  @Test func aCallThatHasEndedNeedNotBeHeard() throws {
    var bench = try talk { input in
      switch input {
      case .audioActivated: TalkBench.plan
      case .legEnded: AudioPlan.off
      default: nil
      }
    }
    bench.advance(to: 2_000)
    try bench.alice("BYE")
    #expect(bench.audio(from: 2_000) == ["2.000 unit stops"])
  }

  /// An End between the 2xx and its ACK: the ACK brings the BYE, not a call.
  @Test func aCallThatIsHungUpBeforeItsAcknowledgementIsNeverJudged() throws {
    var bench = try TalkBench { input in
      guard case .perform(let action) = input, action.kind == .end else { return nil }
      return [.hangUp(TalkBench.leg), .fulfil(action.id)]
    }
    bench.perform(.user([UserAct(.ends, call: "c1")], inApp: false))
    bench.advance(to: 1_500)
    try bench.alice("ACK")
    #expect(bench.audio(from: 1_000).isEmpty)
  }
}
