import CallEngine
import Instant
import Testing
import Timeline

@testable import VirtualWorld

/// What the system does with the other calls when one is answered, resumed or ended (CK-31 to CK-34).
@Suite struct SecondCallTests {
  private func settings(groups: Int = 2, handover: PhoneSettings.AudioHandover = .none) -> PhoneSettings {
    var settings = PhoneSettings()
    settings.maximumCallGroups = groups
    settings.audioHandover = handover
    return settings
  }

  /// `c1` has been answered at 1 s, `c2` rings.
  private func screen(
    _ settings: PhoneSettings, app: @escaping @Sendable (CoordinatorInput) -> [CoordinatorCommand]? = { _ in nil }
  ) -> CallScreen {
    var screen = CallScreen(settings, app: app)
    screen.push("c1")
    screen.tap(UserAct(.answers, call: "c1"), at: 1_000)
    screen.advance(to: 1_500)
    screen.push("c2")
    return screen
  }

  // MARK: Answering

  @Test func aTapOnAnswerHoldsTheOtherCall() {
    var screen = screen(settings())
    screen.tap(UserAct(.answers, call: "c2"), at: 2_000)
    #expect(
      screen.sentences(from: 2_000) == [
        "2.000 c1 hold pending (system)", "2.000 c1 hold fulfilled", "2.000 c2 answer pending (user)",
        "2.000 c2 answer fulfilled",
      ])
  }

  @Test func aTapOnAnswerEndsTheOtherCallWhereThereIsNoRoom() {
    var screen = screen(settings(groups: 1))
    screen.tap(UserAct(.answers, call: "c2"), at: 2_000)
    #expect(
      screen.sentences(from: 2_000) == [
        "2.000 c1 end pending (system)", "2.000 c1 end fulfilled", "2.000 c2 answer pending (user)",
        "2.000 c2 answer fulfilled",
      ])
  }

  @Test func theHeldCallEndsForAThird() {
    var screen = screen(settings())
    screen.tap(UserAct(.answers, call: "c2"), at: 2_000)
    screen.push("c3")
    screen.tap(UserAct(.answers, call: "c3"), at: 3_000)
    #expect(
      screen.sentences(from: 3_000) == [
        "3.000 c1 end pending (system)", "3.000 c1 end fulfilled", "3.000 c2 hold pending (system)",
        "3.000 c2 hold fulfilled", "3.000 c3 answer pending (user)", "3.000 c3 answer fulfilled",
      ])
  }

  @Test func aCallThatIsStillBeingAnsweredEndsForAnother() {
    var screen = screen(settings()) { input in
      guard case .perform(let action) = input, action.kind == .answer, action.call == CallScreen.c1 else { return nil }
      return []
    }
    screen.tap(UserAct(.answers, call: "c2"), at: 2_000)
    #expect(
      screen.sentences(from: 2_000) == [
        "2.000 c1 end pending (system)", "2.000 c1 end fulfilled", "2.000 c2 answer pending (user)",
        "2.000 c2 answer fulfilled", "2.020 activates",
      ])
  }

  /// What the line itself says about the other call stands in place of what the system would do.
  @Test(arguments: [
    (UserAct(.holds, call: "c1"), "hold"), (UserAct(.ends, call: "c1"), "end"),
  ])
  func whatTheLineSaysGoesBefore(act: UserAct, kind: String) {
    var screen = screen(settings())
    screen.tap(act, UserAct(.answers, call: "c2"), at: 2_000)
    #expect(
      screen.sentences(from: 2_000) == [
        "2.000 c1 \(kind) pending (user)", "2.000 c1 \(kind) fulfilled", "2.000 c2 answer pending (user)",
        "2.000 c2 answer fulfilled",
      ])
  }

  // MARK: Swapping

  /// `c1` is held, `c2` is talked on.
  private func twoCalls(
    _ settings: PhoneSettings, app: @escaping @Sendable (CoordinatorInput) -> [CoordinatorCommand]? = { _ in nil }
  ) -> CallScreen {
    var screen = screen(settings, app: app)
    screen.tap(UserAct(.holds, call: "c1"), UserAct(.answers, call: "c2"), at: 2_000)
    screen.advance(to: 5_000)
    return screen
  }

  @Test(arguments: [
    (UserAct(.swaps, call: "c2", argument: "c1"), "user"), (UserAct(.resumes, call: "c1"), "system"),
  ])
  func aSwapHoldsTheOneAndResumesTheOther(act: UserAct, origin: String) {
    var screen = twoCalls(settings())
    screen.tap(act)
    #expect(
      screen.sentences(from: 5_000) == [
        "5.000 c2 hold pending (\(origin))", "5.000 c2 hold fulfilled", "5.000 c1 unhold pending (user)",
        "5.000 c1 unhold fulfilled",
      ])
  }

  @Test(arguments: [
    UserAct(.swaps, call: "c1", argument: "c2"), UserAct(.swaps, call: "c2", argument: "c2"),
    UserAct(.swaps, call: "c2", argument: "c3"), UserAct(.swaps, call: "c2", argument: "nobody"),
    UserAct(.swaps, call: "c2"),
  ])
  func aSwapNeedsOneOfEach(act: UserAct) {
    var screen = twoCalls(settings())
    screen.tap(act)
    #expect(
      screen.sentences(from: 5_000) == [
        "5.000 \(act.call) ignored: the call screen has nothing there that swaps \(act.call)"
      ])
  }

  // MARK: One call at a time (CK-33)

  private func act(_ id: Int, _ call: CallUUID, _ kind: ActionKind) -> CoordinatorCommand {
    .request(RequestID(id), [RequestedAction(id: ActionID(id), call: call, kind: kind)])
  }

  @Test func anUnholdOfTheAppsOwnEndsTheOtherCall() {
    let unhold = act(1, CallScreen.c1, .setHeld(false))
    var screen = twoCalls(settings()) { input in
      if case .user = input { return [unhold] }
      return nil
    }
    screen.perform(.user([UserAct(.answers, call: "c1")], inApp: true))
    #expect(
      screen.sentences(from: 5_000) == [
        "5.005 c1 unhold pending (app)", "5.005 c1 unhold fulfilled", "5.005 c2 end pending (system)",
        "5.005 c2 end fulfilled",
      ])
  }

  @Test func aCallThatIsConnectedBesideAnotherEndsThatOne() {
    let start = act(1, CallScreen.c3, .start(Party(uri: "sip:a@b")))
    var screen = CallScreen { input in
      switch input {
      case .user(.dial): [start]
      case .user: [.reportConnected(CallScreen.c3)]
      default: nil
      }
    }
    screen.push("c1")
    screen.tap(UserAct(.answers, call: "c1"), at: 1_000)
    screen.perform(.user([UserAct(.calls, call: "c3", argument: "sip:a@b")], inApp: true))
    screen.advance(to: 2_000)
    screen.perform(.user([UserAct(.answers, call: "c3")], inApp: true))
    #expect(
      screen.sentences(from: 2_000) == ["2.000 c1 end pending (system)", "2.000 c1 end fulfilled"])
  }

  /// A hold that is slow may still make room for the call that was answered; one that fails does not.
  @Test(arguments: [true, false]) func aHoldThatFailsCostsTheCall(isFulfilled: Bool) {
    var screen = screen(settings()) { input in
      switch input {
      case .perform(let action) where action.kind == .setHeld(true): return []
      // The first action that the system makes by itself for c1 is the Answer.
      case .user: return isFulfilled ? [.fulfil(ActionID(-2))] : [.fail(ActionID(-2))]
      default: return nil
      }
    }
    screen.tap(UserAct(.answers, call: "c2"), at: 2_000)
    #expect(screen.sentences(from: 2_000, until: 2_500).last == "2.000 c2 answer fulfilled")
    screen.advance(to: 3_000)
    screen.perform(.user([UserAct(.answers, call: "c2")], inApp: true))
    #expect(
      screen.sentences(from: 3_000)
        == (isFulfilled
          ? ["3.000 c1 hold fulfilled"]
          : ["3.000 c1 hold failed", "3.000 c1 end pending (system)", "3.000 c1 end fulfilled"]))
  }

  // MARK: The held call afterwards (CK-34)

  @Test func aLocalEndResumesTheHeldCall() {
    var screen = twoCalls(settings())
    screen.tap(UserAct(.ends, call: "c2"))
    #expect(
      screen.sentences(from: 5_000) == [
        "5.000 c2 end pending (user)", "5.000 c2 end fulfilled", "5.000 c1 unhold pending (system)",
        "5.000 c1 unhold fulfilled",
      ])
  }

  @Test func anEndByTheAppForTheUserResumesTheHeldCallToo() {
    let end = act(1, CallScreen.c2, .end)
    var screen = twoCalls(settings()) { input in
      if case .user = input { return [end] }
      return nil
    }
    screen.perform(.user([UserAct(.ends, call: "c2")], inApp: true))
    #expect(
      screen.sentences(from: 5_000).suffix(2) == ["5.005 c1 unhold pending (system)", "5.005 c1 unhold fulfilled"])
  }

  @Test func aRemoteEndLeavesTheHeldCallHeld() {
    var screen = twoCalls(settings()) { input in
      if case .user = input { return [.reportEnded(CallScreen.c2, .remoteEnded)] }
      return nil
    }
    screen.perform(.user([UserAct(.ends, call: "c2")], inApp: true))
    #expect(screen.sentences(from: 5_000) == ["5.020 deactivates"])
  }

  @Test func withoutTheSettingTheHeldCallStaysHeld() {
    var plain = settings()
    plain.resumesAfterLocalEnd = false
    var screen = twoCalls(plain)
    screen.tap(UserAct(.ends, call: "c2"))
    #expect(
      screen.sentences(from: 5_000) == [
        "5.000 c2 end pending (user)", "5.000 c2 end fulfilled", "5.020 deactivates",
      ])
  }

  @Test func theEndOfTheHeldCallLeavesTheOtherAlone() {
    var screen = twoCalls(settings())
    screen.tap(UserAct(.ends, call: "c1"))
    #expect(screen.sentences(from: 5_000) == ["5.000 c1 end pending (user)", "5.000 c1 end fulfilled"])
  }

  @Test func endAndAcceptResumesNothing() {
    var screen = twoCalls(settings())
    screen.push("c3")
    screen.tap(UserAct(.ends, call: "c2"), UserAct(.answers, call: "c3"), at: 6_000)
    #expect(
      screen.sentences(from: 6_000) == [
        "6.000 c2 end pending (user)", "6.000 c2 end fulfilled", "6.000 c3 answer pending (user)",
        "6.000 c3 answer fulfilled",
      ])
  }

  @Test func ofSeveralHeldCallsTheLatestIsResumed() {
    var screen = screen(settings(groups: 3))
    screen.tap(UserAct(.holds, call: "c1"), UserAct(.answers, call: "c2"), at: 2_000)
    screen.push("c3")
    screen.tap(UserAct(.answers, call: "c3"), at: 3_000)
    screen.tap(UserAct(.ends, call: "c3"), at: 4_000)
    #expect(
      screen.sentences(from: 4_000) == [
        "4.000 c3 end pending (user)", "4.000 c3 end fulfilled", "4.000 c2 unhold pending (system)",
        "4.000 c2 unhold fulfilled",
      ])
  }

  // MARK: The audio session on the way (CK-26)

  @Test func withCycleTheSessionIsTakenAndGivenOnTheWay() {
    var screen = screen(settings(handover: .cycle))
    screen.tap(UserAct(.answers, call: "c2"), at: 2_000)
    #expect(screen.sentences(from: 2_000).suffix(2) == ["2.020 deactivates", "2.040 activates"])
  }

  /// The un-hold is fulfilled when the other side has agreed, 30 ms after the hold.
  @Test(arguments: PhoneSettings.AudioHandover.allCases)
  func theSessionWaitsForAnUnholdThatIsOpen(handover: PhoneSettings.AudioHandover) {
    var screen = twoCalls(settings(handover: handover)) { input in
      switch input {
      case .perform(let action) where action.kind == .setHeld(false):
        [.setTimer(.watchdog(action.id), at: .zero + .milliseconds(5_030))]
      case .timerFired(.watchdog(let id)): [.fulfil(id)]
      default: nil
      }
    }
    screen.tap(UserAct(.swaps, call: "c2", argument: "c1"))
    let actions = ["5.000 c2 hold pending (user)", "5.000 c2 hold fulfilled", "5.000 c1 unhold pending (user)"]
    let end = "5.030 c1 unhold fulfilled"
    #expect(
      screen.sentences(from: 5_000)
        == (handover == .none
          ? actions + [end] : actions + ["5.020 deactivates", end, "5.050 activates"]))
  }

  @Test func anUnholdThatFailsLetsTheSessionGo() {
    var screen = twoCalls(settings()) { input in
      switch input {
      case .perform(let action) where action.kind == .setHeld(false):
        [.setTimer(.watchdog(action.id), at: .zero + .milliseconds(5_030))]
      case .timerFired(.watchdog(let id)): [.fail(id)]
      default: nil
      }
    }
    screen.tap(UserAct(.swaps, call: "c2", argument: "c1"))
    #expect(screen.sentences(from: 5_030) == ["5.030 c1 unhold failed", "5.050 deactivates"])
  }

  /// The first call ends before its activation while the second is still being answered: nobody has the session.
  @Test func anOpenAnswerActivatesNothing() {
    var screen = CallScreen { input in
      switch input {
      case .perform(let action) where action.kind == .answer && action.call == CallScreen.c2:
        [.setTimer(.watchdog(action.id), at: .zero + .milliseconds(3_000))]
      case .timerFired(.watchdog(let id)): [.fulfil(id)]
      default: nil
      }
    }
    screen.push("c1", "c2")
    screen.tap(UserAct(.answers, call: "c1"), at: 1_000)
    screen.tap(UserAct(.holds, call: "c1"), UserAct(.answers, call: "c2"), at: 1_010)
    #expect(
      screen.sentences(from: 1_000) == [
        "1.000 c1 answer pending (user)", "1.000 c1 answer fulfilled", "1.010 c1 hold pending (user)",
        "1.010 c1 hold fulfilled", "1.010 c2 answer pending (user)", "3.000 c2 answer fulfilled", "3.020 activates",
      ])
  }
}
