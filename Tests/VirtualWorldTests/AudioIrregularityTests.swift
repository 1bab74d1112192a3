import CallEngine
import Instant
import Testing
import Timeline

@testable import VirtualWorld

/// What can happen to the audio session and the unit beside the rule, because the script says so.
@Suite struct AudioIrregularityTests {
  private static let leg = LegID(.remote, 1)

  private static func plan(unit: Int = 1, microphone: Bool = true) -> AudioPlan {
    AudioPlan(isConfigured: true, legs: [leg], microphoneIsOpen: microphone, unit: unit)
  }

  private static let configured = AudioPlan(isConfigured: true)

  /// An app that answers with these plans.
  private func screen(
    manual: Bool = false, plans: @escaping @Sendable (CoordinatorInput) -> AudioPlan?
  ) -> CallScreen {
    var settings = PhoneSettings()
    settings.activatesAudioByItself = !manual
    var screen = CallScreen(settings) { input in
      if let plan = plans(input) { return [.setAudioPlan(plan)] }
      return nil
    }
    screen.push("c1")
    screen.tap(UserAct(.answers, call: "c1"), at: 1_000)
    screen.advance(to: 2_000)
    return screen
  }

  /// An app that starts one unit at the first activation and never does anything else.
  private func lazy(manual: Bool = false) -> CallScreen {
    screen(manual: manual) { $0 == .audioActivated ? Self.plan() : nil }
  }

  private func lines(_ screen: CallScreen) -> [Int] { screen.records.compactMap(\.line) }

  @Test func aSecondActivationIsDeliveredAndASecondDeactivationIgnored() {
    var screen = CallScreen()
    for act in [SystemAct.activatesAudio, .activatesAudio, .deactivatesAudio, .deactivatesAudio] {
      screen.perform(.system(act))
    }
    #expect(
      screen.sentences() == [
        "0.000 activates", "0.000 activates", "0.000 deactivates", "0.000 ignored: the audio session is not active",
      ])
    #expect(screen.records.map(\.line) == [7, 7, 7, 7])
    #expect(screen.records.map(\.from) == Array(repeating: "system", count: 4))
  }

  @Test func whereTheScriptActivatesTheRulesDoNot() {
    var screen = lazy(manual: true)
    screen.perform(.system(.activatesAudio))
    screen.tap(UserAct(.ends, call: "c1"), at: 3_000)
    #expect(
      screen.sentences() == [
        "1.000 c1 answer pending (user)", "1.000 c1 answer fulfilled", "2.000 activates", "2.000 configures",
        "2.000 unit starts", "3.000 c1 end pending (user)", "3.000 c1 end fulfilled",
      ])
  }

  @Test func anActivationByTheScriptOvertakesTheRule() {
    var screen = CallScreen()
    screen.push("c1")
    screen.tap(UserAct(.answers, call: "c1"), at: 1_000)
    screen.advance(to: 1_010)
    screen.perform(.system(.activatesAudio))
    screen.tap(UserAct(.ends, call: "c1"), at: 3_000)
    #expect(
      screen.sentences(from: 1_001) == [
        "1.010 activates", "3.000 c1 end pending (user)", "3.000 c1 end fulfilled", "3.020 deactivates",
      ])
  }

  /// What the script takes away the rules do not give back until something asks for it.
  @Test func aDeactivationByTheScriptLasts() {
    var screen = lazy()
    screen.perform(.system(.deactivatesAudio))
    screen.advance(to: 3_000)
    screen.perform(.system(.activatesAudio))
    screen.tap(UserAct(.ends, call: "c1"), at: 4_000)
    #expect(
      screen.sentences(from: 2_000) == [
        "2.000 deactivates", "3.000 activates", "4.000 c1 end pending (user)", "4.000 c1 end fulfilled",
        "4.020 deactivates",
      ])
  }

  @Test func anActivationBeforeAnyCallCountsForTheNext() {
    var screen = CallScreen()
    screen.perform(.system(.activatesAudio))
    screen.push("c1")
    screen.tap(UserAct(.answers, call: "c1"), at: 1_000)
    screen.tap(UserAct(.ends, call: "c1"), at: 2_000)
    #expect(
      screen.sentences() == [
        "0.000 activates", "1.000 c1 answer pending (user)", "1.000 c1 answer fulfilled", "2.000 c1 end pending (user)",
        "2.000 c1 end fulfilled", "2.020 deactivates",
      ])
  }

  // MARK: Interruptions (AV-7)

  @Test func anInterruptionStopsTheUnitAndItsEndActivatesAgain() {
    var screen = screen { input in
      switch input {
      case .audioActivated: Self.plan()
      case .interruptionBegan: Self.configured
      default: nil
      }
    }
    screen.perform(.system(.interruptsAudio))
    screen.advance(to: 3_000)
    screen.perform(.system(.endsInterruption))
    #expect(
      screen.sentences(from: 2_000, until: 3_500) == [
        "2.000 interrupted", "2.000 unit stops", "3.000 interruption ends", "3.020 activates", "3.020 unit starts",
      ])
    #expect(screen.records.first { $0.event == .audio(.interrupted) }?.line == 7)
    #expect(screen.records.first { $0.event == .audio(.interruptionEnds) }?.line == 7)
  }

  @Test func theAppIsToldOfTheInterruptionWhenItsUnitHasStopped() {
    let screen = screen { input in
      switch input {
      case .audioActivated: Self.plan()
      case .interruptionBegan: Self.plan(microphone: false)
      default: nil
      }
    }
    var interrupted = screen
    interrupted.perform(.system(.interruptsAudio))
    // The plan asks for the unit that the system has stopped: nothing changes.
    #expect(interrupted.sentences(from: 2_000) == ["2.000 interrupted", "2.000 unit stops"])
  }

  @Test func withoutACallTheEndOfAnInterruptionActivatesNothing() {
    var screen = lazy()
    screen.perform(.system(.interruptsAudio))
    screen.tap(UserAct(.ends, call: "c1"), at: 3_000)
    screen.perform(.system(.endsInterruption))
    #expect(
      screen.sentences(from: 3_000) == [
        "3.000 interruption ends", "3.000 c1 end pending (user)", "3.000 c1 end fulfilled",
      ])
  }

  /// What the script has the system do although there is nothing to do is no event: the record tells the line, and the
  /// app hears nothing.
  @Test(arguments: [
    ([SystemAct.endsInterruption], "nothing interrupts the audio"),
    ([.interruptsAudio, .endsInterruption, .endsInterruption], "nothing interrupts the audio"),
    ([.interruptsAudio, .activatesAudio, .endsInterruption], "nothing interrupts the audio"),
    ([.deactivatesAudio, .deactivatesAudio], "the audio session is not active"),
    ([.interruptsAudio, .deactivatesAudio], "the audio session is not active"),
  ]) func whatTheSystemCannotDoIsIgnored(acts: [SystemAct], why: String) throws {
    var screen = lazy()
    for act in acts.dropLast() { screen.perform(.system(act)) }
    let (told, before) = (screen.sentences(from: 2_000, until: 2_000), screen.records.count)
    screen.perform(.system(try #require(acts.last)))
    #expect(screen.sentences(from: 2_000, until: 2_000) == told + ["2.000 ignored: \(why)"])
    let new = screen.records.dropFirst(before)
    #expect(new.map(\.event) == [.ignored(why)])
    #expect(new.first?.line == 7)
  }

  @Test func whereTheScriptActivatesAnInterruptionEndsSilently() {
    var screen = lazy(manual: true)
    screen.perform(.system(.activatesAudio))
    screen.perform(.system(.interruptsAudio))
    screen.perform(.system(.endsInterruption))
    #expect(
      screen.sentences(from: 2_000).suffix(3) == ["2.000 interrupted", "2.000 unit stops", "2.000 interruption ends"])
  }

  // MARK: The unit

  @Test func anotherUnitIsAStopAndAStart() {
    var screen = screen { input in
      switch input {
      case .audioActivated: Self.plan()
      case .user: Self.plan(unit: 2)
      default: nil
      }
    }
    screen.perform(.user([UserAct(.answers, call: "c1")], inApp: true))
    #expect(screen.sentences(from: 2_000) == ["2.000 unit stops", "2.000 unit starts"])
  }

  @Test func theMicrophoneOfARunningUnitIsNoted() {
    var screen = screen { input in
      switch input {
      case .audioActivated: Self.plan(microphone: false)
      case .user(.setMuted(_, let isMuted)): Self.plan(microphone: !isMuted)
      case .user: Self.plan(unit: 2)
      default: nil
      }
    }
    for verb in [UserAct.Verb.unmutes, .unmutes, .mutes, .answers, .mutes] {
      screen.perform(.user([UserAct(verb, call: "c1")], inApp: true))
    }
    #expect(
      screen.sentences(from: 2_000) == [
        "2.000 microphone opens", "2.000 microphone closes", "2.000 unit stops", "2.000 unit starts",
        "2.000 unit stops", "2.000 unit starts",
      ])
  }

  @Test func aUnitDoesNotStartInAnInactiveSession() {
    let screen = screen { input in
      if case .perform = input { return Self.plan() }
      return nil
    }
    #expect(
      screen.records.compactMap(\.sentence).prefix(3) == [
        "1.000 c1 answer pending (user)", "1.000 configures", "1.000 unit fails",
      ])
  }

  @Test func theScriptHasTheNextStartFail() throws {
    var screen = screen { input in
      switch input {
      case .audioActivated: Self.plan()
      case .user(.answer): Self.plan(unit: 2)
      case .user(.end): Self.plan(unit: 3)
      // A plan that asks for the unit that has failed does not start it again.
      case .user: Self.plan(unit: 2, microphone: false)
      default: nil
      }
    }
    screen.perform(.system(.failsUnit))
    for verb in [UserAct.Verb.answers, .mutes, .ends] {
      screen.perform(.user([UserAct(verb, call: "c1")], inApp: true))
    }
    #expect(screen.sentences(from: 2_000) == ["2.000 unit stops", "2.000 unit fails", "2.000 unit starts"])
    let armed = try #require(screen.records.first { if case .fault = $0.event { true } else { false } })
    let failure = try #require(screen.records.first { $0.event == .audio(.unitFails(code: 561_015_905)) })
    #expect(armed.line == 7)
    #expect(failure.causes.contains(armed.number))
  }

  @Test(arguments: [
    SystemAct.activatesAudio, .deactivatesAudio, .interruptsAudio, .endsInterruption, .failsUnit,
  ])
  func everyActIsRecordedAlsoWithoutAnApp(act: SystemAct) throws {
    let killed = ScriptedCoordinator { _ in [] }
    var simulation = Simulation(makeSetup(), coordinator: killed)
    var records = try simulation.perform(.push(call: "c1", callID: nil, caller: nil), line: 1)
    #expect(records.last?.event.words == "killed")
    records = try simulation.perform(.system(act), line: 2)
    #expect(records.first?.line == 2)
    #expect(records.first?.from == "system")
  }
}
