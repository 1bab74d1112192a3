import CallEngine
import Instant
import Testing
import Timeline

@testable import VirtualWorld

/// What the phone does by itself, whatever the app on it does.
@Suite struct PhoneSystemTests {
  /// Reports the push, answers nothing else.
  static func reporter(_ extra: @escaping @Sendable (CoordinatorInput) -> [CoordinatorCommand] = { _ in [] })
    -> ScriptedCoordinator
  {
    ScriptedCoordinator { input in
      guard case .pushArrived(let push) = input else { return extra(input) }
      return [.reportIncoming(push.freshUUID, CallUpdate(caller: push.caller))] + extra(input)
    }
  }

  /// Reports the push and fulfils every action.
  static let fulfiller = reporter { input in
    guard case .perform(let action) = input else { return [] }
    return [.fulfil(action.id)]
  }

  static let push = Stimulus.push(call: "c1", callID: "k", caller: "Alice")

  @Test func aReportIsAnsweredAfterItsDelay() throws {
    var simulation = Simulation(makeSetup(), coordinator: Self.reporter())
    let records = try simulation.perform(Self.push, line: 7) + simulation.run()
    #expect(
      records.lines == [
        "0.000 push", "0.000 report incoming(caller: Optional(\"Alice\"), handle: nil)", "0.005 report accepted",
      ])
    #expect(records.map(\.line) == [7, nil, nil])
    #expect(records.map(\.causes) == [[], [1], [2]])
    #expect(records.allSatisfy { $0.call?.name == "c1" })
  }

  @Test func doNotDisturbRefusesTheReport() throws {
    var settings = PhoneSettings()
    settings.doNotDisturb = true
    var simulation = Simulation(makeSetup(settings: settings), coordinator: Self.reporter())
    let records = try simulation.perform(Self.push, line: nil) + simulation.run()
    #expect(records.last?.event == .report(.refused(error: "filteredByDoNotDisturb")))
  }

  @Test func aLiveUUIDIsRefusedASecondTime() throws {
    let uuid = CallUUID(high: 1, low: 2)
    let coordinator = ScriptedCoordinator { input in
      guard case .pushArrived = input else { return [] }
      return [.reportIncoming(uuid, CallUpdate())]
    }
    var simulation = Simulation(makeSetup(), coordinator: coordinator)
    var records = try simulation.perform(Self.push, line: nil) + simulation.run()
    records += try simulation.perform(Self.push, line: nil) + simulation.run()
    #expect(records.last?.event == .report(.refused(error: "callUUIDAlreadyExists")))
    // The first call is still on the screen: a tap on it is an action.
    records = try simulation.perform(.user([UserAct(.answers, call: "c1")], inApp: false), line: nil)
    #expect(simulation.run(until: simulation.now).lines == ["0.010 action answer pending"])
  }

  @Test func anAppThatReportsAfterThePushHandlerHasReturnedIsKilled() throws {
    let coordinator = ScriptedCoordinator { input in
      switch input {
      case .pushArrived: [.setTimer(.watchdog(ActionID(1)), at: .zero)]
      case .timerFired: [.reportIncoming(CallUUID(high: 0, low: 1), CallUpdate())]
      default: []
      }
    }
    var simulation = Simulation(makeSetup(), coordinator: coordinator)
    let records = try simulation.perform(Self.push, line: nil) + simulation.run()
    #expect(records.lines == ["0.000 push", "0.000 timer watchdog set", "0.000 killed"])
    guard case .lifecycle(.killed(let reason))? = records.last?.event else {
      Issue.record("the app was not killed")
      return
    }
    #expect(reason.contains("PK-1"))
  }

  @Test func theEndOfAPendingReportIsLost() throws {
    let coordinator = Self.reporter { input in
      guard case .pushArrived(let push) = input else { return [] }
      return [.reportEnded(push.freshUUID, .failed)]
    }
    var simulation = Simulation(makeSetup(), coordinator: coordinator)
    let records = try simulation.perform(Self.push, line: nil) + simulation.run()
    #expect(records.lines.suffix(2) == ["0.000 ignored", "0.005 report accepted"])
  }

  @Test func aTapBeforeTheCallIsShownHitsNothing() throws {
    var simulation = Simulation(makeSetup(), coordinator: Self.reporter())
    _ = try simulation.perform(Self.push, line: nil)
    _ = try simulation.perform(.user([UserAct(.answers, call: "c1")], inApp: false), line: nil)
    #expect(simulation.run(until: .zero).lines == ["0.000 ignored"])
  }

  @Test func anActionThatNobodyCompletesTimesOutAndTheSystemEndsTheCall() throws {
    var simulation = Simulation(makeSetup(), coordinator: Self.reporter())
    _ = try simulation.perform(Self.push, line: nil)
    _ = simulation.advance(to: .zero + .milliseconds(400))
    _ = try simulation.perform(.user([UserAct(.answers, call: "c1")], inApp: false), line: nil)
    let records = simulation.run(until: .zero + .seconds(61))
    #expect(
      records.lines == ["0.400 action answer pending", "60.400 action answer timed-out", "60.400 action end pending"])
  }

  @Test func aSecondCompletionIsRecordedAndHasNoEffect() throws {
    let coordinator = Self.reporter { input in
      guard case .perform(let action) = input else { return [] }
      return [.fulfil(action.id), .fail(action.id)]
    }
    var simulation = Simulation(makeSetup(), coordinator: coordinator)
    _ = try simulation.perform(Self.push, line: nil)
    _ = simulation.advance(to: .zero + .milliseconds(400))
    _ = try simulation.perform(.user([UserAct(.answers, call: "c1")], inApp: false), line: nil)
    #expect(
      simulation.run().lines == [
        "0.400 action answer pending", "0.400 action answer fulfilled", "0.400 action answer failed", "0.400 ignored",
        "0.420 audio activates",
      ])
  }

  @Test func anActivationThatHasBecomePointlessIsNotDelivered() throws {
    var simulation = Simulation(makeSetup(), coordinator: Self.fulfiller)
    _ = try simulation.perform(Self.push, line: nil)
    _ = simulation.advance(to: .zero + .milliseconds(400))
    _ = try simulation.perform(.user([UserAct(.answers, call: "c1")], inApp: false), line: nil)
    _ = simulation.advance(to: .zero + .milliseconds(410))
    _ = try simulation.perform(.user([UserAct(.ends, call: "c1")], inApp: false), line: nil)
    #expect(!simulation.run().contains { $0.event == .audio(.activates) })
  }

  @Test func theLastCallTakesTheSessionWithIt() throws {
    var simulation = Simulation(makeSetup(), coordinator: Self.fulfiller)
    _ = try simulation.perform(Self.push, line: nil)
    _ = simulation.advance(to: .zero + .milliseconds(400))
    _ = try simulation.perform(.user([UserAct(.answers, call: "c1")], inApp: false), line: nil)
    _ = simulation.advance(to: .zero + .seconds(1))
    _ = try simulation.perform(.user([UserAct(.ends, call: "c1")], inApp: false), line: nil)
    #expect(
      simulation.run().lines == ["1.000 action end pending", "1.000 action end fulfilled", "1.020 audio deactivates"])
  }

  private static func starting(_ id: Int, _ call: UInt64) -> RequestedAction {
    RequestedAction(id: ActionID(id), call: CallUUID(high: 0, low: call), kind: .start(Party(uri: "sip:a@b")))
  }

  @Test(arguments: [
    ([RequestedAction](), "emptyTransaction"),
    ([RequestedAction(id: ActionID(1), call: CallUUID(high: 0, low: 9), kind: .end)], "unknownCallUUID"),
    ([RequestedAction(id: ActionID(-1), call: CallUUID(high: 0, low: 9), kind: .end)], "invalidAction"),
    ([starting(1, 1), starting(2, 1)], "callUUIDAlreadyExists"), ([starting(1, 1), starting(1, 2)], "invalidAction"),
    ([starting(1, 1), starting(2, 2), starting(3, 3)], "maximumCallGroupsReached"),
    (
      [starting(1, 1), RequestedAction(id: ActionID(2), call: CallUUID(high: 0, low: 1), kind: .answer)],
      "invalidAction"
    ),
  ])
  func aRequestThatCannotBeMetIsRefused(actions: [RequestedAction], error: String) throws {
    let coordinator = ScriptedCoordinator { input in
      guard case .user = input else { return [] }
      return [.request(RequestID(1), actions)]
    }
    var simulation = Simulation(makeSetup(), coordinator: coordinator)
    _ = try simulation.perform(.user([UserAct(.calls, call: "c1", argument: "sip:a@b")], inApp: true), line: nil)
    let records = simulation.run()
    #expect(records.last?.event == .request(.refused(id: 1, error: error)))
    #expect(records.last?.instant == .zero + .milliseconds(5))
  }

  @Test func aScriptedUUIDIsHandedOutForItsCall() throws {
    let uuid = try #require(CallUUID("7A3C0F52-6B1E-4C55-9D0B-2F5B1E0C9A11"))
    var simulation = Simulation(
      makeSetup(calls: [NamedCall(name: "c1", uuid: uuid)]), coordinator: Self.reporter())
    let records = try simulation.perform(Self.push, line: nil) + simulation.run()
    #expect(records.last?.call == CallLabel(name: "c1", uuid: "7A3C0F52-6B1E-4C55-9D0B-2F5B1E0C9A11"))
  }

  @Test func aCoordinatorThatMakesItsOwnUUIDsIsFollowed() throws {
    let coordinator = ScriptedCoordinator { input in
      guard case .pushArrived = input else { return [] }
      return [.reportIncoming(CallUUID(high: 5, low: 5), CallUpdate())]
    }
    var simulation = Simulation(makeSetup(), coordinator: coordinator)
    let records = try simulation.perform(Self.push, line: nil) + simulation.run()
    #expect(records.last?.call?.name == "c1")
  }
}
