import CallEngine
import Instant
import Testing
import Timeline

@testable import VirtualWorld

/// What the system does with hold, mute and digits of one call.
@Suite struct HoldActionTests {
  /// A call that has been answered after one second, and what happens from two seconds on.
  private func answered(
    _ settings: PhoneSettings = PhoneSettings(),
    app: @escaping @Sendable (CoordinatorInput) -> [CoordinatorCommand]? = { _ in nil }
  ) -> CallScreen {
    var screen = CallScreen(settings, app: app)
    screen.push("c1")
    screen.tap(UserAct(.answers, call: "c1"), at: 1_000)
    screen.advance(to: 2_000)
    return screen
  }

  @Test func aFulfilledHoldReleasesTheSessionAndAnUnholdTakesIt() {
    var screen = answered()
    screen.tap(UserAct(.holds, call: "c1"))
    screen.tap(UserAct(.resumes, call: "c1"), at: 3_000)
    #expect(
      screen.sentences(from: 2_000) == [
        "2.000 c1 hold pending (user)", "2.000 c1 hold fulfilled", "2.020 deactivates",
        "3.000 c1 unhold pending (user)", "3.000 c1 unhold fulfilled", "3.020 activates",
      ])
  }

  @Test func aFailedHoldLeavesTheCallAsItIs() {
    var screen = answered { input in
      guard case .perform(let action) = input, action.kind == .setHeld(true) else { return nil }
      return [.fail(action.id)]
    }
    screen.tap(UserAct(.holds, call: "c1"))
    // It is still un-held: it can be held, not resumed.
    screen.tap(UserAct(.resumes, call: "c1"), at: 3_000)
    screen.tap(UserAct(.holds, call: "c1"), at: 4_000)
    #expect(
      screen.sentences(from: 2_000) == [
        "2.000 c1 hold pending (user)", "2.000 c1 hold failed",
        "3.000 c1 ignored: the call screen has nothing there that resumes c1",
        "4.000 c1 hold pending (user)", "4.000 c1 hold failed",
      ])
  }

  @Test func aFailedUnholdLeavesTheCallHeld() {
    var screen = answered { input in
      guard case .perform(let action) = input, action.kind == .setHeld(false) else { return nil }
      return [.fail(action.id)]
    }
    screen.tap(UserAct(.holds, call: "c1"))
    screen.tap(UserAct(.resumes, call: "c1"), at: 3_000)
    screen.tap(UserAct(.holds, call: "c1"), at: 4_000)
    #expect(
      screen.sentences(from: 3_000) == [
        "3.000 c1 unhold pending (user)", "3.000 c1 unhold failed",
        "4.000 c1 ignored: the call screen has nothing there that holds c1",
      ])
  }

  @Test func severalActsAreOneTransactionInTheirOrder() {
    var screen = answered()
    screen.tap(
      UserAct(.mutes, call: "c1"), UserAct(.unmutes, call: "c1"), UserAct(.holds, call: "c1"),
      UserAct(.resumes, call: "c1"))
    #expect(
      screen.sentences(from: 2_000, until: 2_010) == [
        "2.000 c1 mute pending (user)", "2.000 c1 mute fulfilled", "2.000 c1 unmute pending (user)",
        "2.000 c1 unmute fulfilled", "2.000 c1 hold pending (user)", "2.000 c1 hold fulfilled",
        "2.000 c1 unhold pending (user)", "2.000 c1 unhold fulfilled",
      ])
  }

  static let ringing: [UserAct] = [
    UserAct(.holds, call: "c1"), UserAct(.resumes, call: "c1"), UserAct(.mutes, call: "c1"),
    UserAct(.unmutes, call: "c1"), UserAct(.presses, call: "c1", argument: "1"),
    UserAct(.swaps, call: "c1", argument: "c2"),
  ]

  @Test(arguments: ringing) func aRingingCallHasNoSuchButton(act: UserAct) {
    var screen = CallScreen()
    screen.push("c1", "c2")
    screen.tap(act, at: 1_000)
    #expect(
      screen.sentences() == ["1.000 c1 ignored: the call screen has nothing there that \(act.verb.rawValue) c1"])
  }

  @Test(arguments: ["", "1x", "12 ", "e", "+"]) func whatIsNoDigitCannotBePressed(digits: String) {
    var screen = answered()
    screen.tap(UserAct(.presses, call: "c1", argument: digits))
    #expect(
      screen.sentences(from: 2_000) == ["2.000 c1 ignored: the call screen has nothing there that presses c1"])
  }

  @Test func allDigitsAreOneAction() {
    var screen = answered { input in
      guard case .perform(let action) = input, action.kind == .playDTMF("12#") else { return nil }
      return [.fulfil(action.id)]
    }
    screen.tap(UserAct(.presses, call: "c1", argument: "12#"))
    #expect(screen.sentences(from: 2_000) == ["2.000 c1 dtmf pending (user)", "2.000 c1 dtmf fulfilled"])
  }

  // MARK: Limits (CK-6)

  @Test(arguments: [UserAct.Verb.holds, .resumes]) func aHoldThatIsNotCompletedCostsTheCall(verb: UserAct.Verb) {
    let kind = ActionKind.setHeld(verb == .holds)
    var screen = answered { input in
      guard case .perform(let action) = input, action.kind == kind else { return nil }
      return []
    }
    screen.tap(UserAct(.holds, call: "c1"))
    if verb == .resumes { screen.tap(UserAct(.resumes, call: "c1"), at: 2_000) }
    #expect(
      screen.sentences(from: 62_000, until: 62_010) == [
        "62.000 c1 \(kind.word) timed-out", "62.000 c1 end pending (system)", "62.000 c1 end fulfilled",
      ])
  }

  @Test(arguments: [UserAct(.mutes, call: "c1"), UserAct(.presses, call: "c1", argument: "1")])
  func whatDoesNotDecideAboutTheCallTimesOutAlone(act: UserAct) {
    var screen = answered { input in
      guard case .perform(let action) = input, action.kind != .answer else { return nil }
      return []
    }
    screen.tap(act)
    let sentences = screen.sentences(from: 62_000)
    #expect(sentences == ["62.000 c1 \(act.verb == .mutes ? "mute" : "dtmf") timed-out"])
  }

  @Test func theEndOfACallDropsWhatIsOpen() {
    var screen = answered { input in
      guard case .perform(let action) = input else { return nil }
      switch action.kind {
      case .setHeld, .setMuted, .playDTMF: return []
      default: return nil
      }
    }
    screen.tap(UserAct(.holds, call: "c1"), UserAct(.mutes, call: "c1"), UserAct(.presses, call: "c1", argument: "1"))
    screen.tap(UserAct(.ends, call: "c1"), at: 3_000)
    #expect(
      screen.sentences(from: 3_000) == [
        "3.000 c1 end pending (user)", "3.000 c1 end fulfilled", "3.020 deactivates",
      ])
  }

  // MARK: The system unmutes by itself (CK-13)

  @Test func aCallThatEndsMutedIsUnmutedAfterwards() {
    var screen = answered { input in
      guard case .perform(let action) = input, action.kind == .setMuted(false) else { return nil }
      return [.fail(action.id)]
    }
    screen.tap(UserAct(.mutes, call: "c1"))
    screen.tap(UserAct(.ends, call: "c1"), at: 3_000)
    #expect(
      screen.sentences(from: 3_000) == [
        "3.000 c1 end pending (user)", "3.000 c1 end fulfilled", "3.000 c1 unmute pending (system)",
        "3.000 c1 unmute failed", "3.020 deactivates",
      ])
  }

  @Test func anOutgoingCallThatIsMutedIsUnmutedOnceWhenItIsConnected() {
    let start = RequestedAction(id: ActionID(1), call: CallScreen.c1, kind: .start(Party(uri: "sip:a@b")))
    var screen = CallScreen { input in
      switch input {
      case .user(.dial): return [.request(RequestID(1), [start])]
      case .user: return [.reportConnected(CallScreen.c1), .reportConnected(CallScreen.c1)]
      default: return nil
      }
    }
    screen.perform(.user([UserAct(.calls, call: "c1", argument: "sip:a@b")], inApp: true))
    screen.tap(UserAct(.mutes, call: "c1"), at: 1_000)
    screen.advance(to: 2_000)
    screen.perform(.user([UserAct(.answers, call: "c1")], inApp: true))
    // Muted again, it stays so.
    screen.tap(UserAct(.mutes, call: "c1"), at: 3_000)
    screen.advance(to: 4_000)
    screen.perform(.user([UserAct(.answers, call: "c1")], inApp: true))
    #expect(
      screen.sentences(from: 1_000) == [
        "1.000 c1 mute pending (user)", "1.000 c1 mute fulfilled", "2.000 c1 unmute pending (system)",
        "2.000 c1 unmute fulfilled", "3.000 c1 mute pending (user)", "3.000 c1 mute fulfilled",
      ])
  }

  // MARK: Requests (CK-8)

  static let kinds: [ActionKind] = [.setHeld(true), .setHeld(false), .setMuted(true), .playDTMF("1")]

  private func error(of kind: ActionKind, for call: CallUUID, afterAnswer isAnswered: Bool) -> Event? {
    var screen = CallScreen { input in
      guard case .user = input else { return nil }
      return [.request(RequestID(1), [RequestedAction(id: ActionID(1), call: call, kind: kind)])]
    }
    screen.push("c1")
    if isAnswered { screen.tap(UserAct(.answers, call: "c1"), at: 1_000) }
    screen.advance(to: 2_000)
    screen.perform(.user([UserAct(.mutes, call: "c1")], inApp: true))
    _ = screen.sentences(until: 2_005)
    return screen.records.last { if case .request = $0.event { true } else { false } }?.event
  }

  @Test(arguments: kinds) func aRequestNeedsAConnectedCall(kind: ActionKind) {
    #expect(
      error(of: kind, for: CallScreen.c3, afterAnswer: true) == .request(.refused(id: 1, error: "unknownCallUUID")))
    #expect(
      error(of: kind, for: CallScreen.c1, afterAnswer: false) == .request(.refused(id: 1, error: "invalidAction")))
    #expect(error(of: kind, for: CallScreen.c1, afterAnswer: true) == .request(.accepted(id: 1)))
  }

  @Test func aRequestForWhatIsNoDigitIsRefused() {
    #expect(
      error(of: .playDTMF("1x"), for: CallScreen.c1, afterAnswer: true)
        == .request(.refused(id: 1, error: "invalidAction")))
  }
}
