import Instant
import Testing

@testable import CallEngine

@Suite struct DigitTests {
  @Test("one action sends all its digits and is complete after the last")
  func severalDigits() {
    var bench = Bench(Path.active)
    #expect(
      bench.send(action(2, .playDTMF("12#")), at: 1_000) == [
        .sendDigits(remoteLeg, ActionID(-2), "12#"),
        .setTimer(.watchdog(ActionID(-2)), at: milliseconds(11_600)),
      ])
    #expect(
      bench.send(.digitsSent(remoteLeg, ActionID(-2))) == [fulfil(2), .cancelTimer(.watchdog(ActionID(-2)))])
  }

  @Test("a second action waits for the first")
  func queue() {
    var bench = Bench(Path.active + [action(2, .playDTMF("1"))])
    #expect(bench.send(action(3, .playDTMF("2"))) == [])
    let commands = bench.send(.digitsSent(remoteLeg, ActionID(-2)))
    #expect(commands.contains(.sendDigits(remoteLeg, ActionID(-3), "2")))
    #expect(commands.contains(fulfil(2)))
    // A failure is that action's alone.
    #expect(bench.send(.digitsFailed(remoteLeg, ActionID(-3))).contains(fail(3)))
  }

  @Test(
    "digits need a call that is up and that nobody holds",
    arguments: [
      Path.ringing, Path.earlyAnswered, Path.accepting, Path.dialing, Path.ringback, Path.held,
      Path.held + [action(3, .setHeld(false))],
      Path.active + [.negotiated(remoteLeg, MediaState(isHeldThere: true))], Path.active + [.user(.end(uuid))],
      Path.active + [action(3, .end)], [],
    ])
  func notNow(path: [CoordinatorInput]) {
    var bench = Bench(path)
    #expect(bench.send(action(5, .playDTMF("1"))) == [fail(5)])
  }

  @Test("the acceptance is enough: media does not wait for the ACK")
  func beforeTheAcknowledgement() {
    var bench = Bench(Path.connecting)
    #expect(bench.send(action(5, .playDTMF("1"))).first == .sendDigits(remoteLeg, ActionID(-5), "1"))
  }

  @Test("what is no digit fails", arguments: ["", "x", "1,2", "12a", "١"])
  func noDigits(text: String) {
    var bench = Bench(Path.active)
    #expect(bench.send(action(2, .playDTMF(text))) == [fail(2)])
  }

  @Test("a hold stops the digits and fails them, those that wait too")
  func holdStopsThem() {
    var bench = Bench(Path.active + [action(2, .playDTMF("1")), action(3, .playDTMF("2"))])
    let commands = bench.send(action(4, .setHeld(true)))
    #expect(commands.filter { $0 == .stopDigits(remoteLeg) }.count == 1)
    for id in [2, 3] { #expect(commands.contains(fail(id))) }
    #expect(isIgnored(bench.send(.digitsSent(remoteLeg, ActionID(-2)))))
  }

  @Test("the end of the call fails them before it is told (invariant 13)")
  func endFailsThem() {
    var bench = Bench(Path.active + [action(2, .playDTMF("1"))])
    let commands = bench.send(.legEnded(remoteLeg, .remoteHangUp))
    #expect(commands.firstIndex(of: fail(2))! < commands.firstIndex(of: .reportEnded(uuid, .remoteEnded))!)
  }

  @Test("an end on this side stops them before it hangs up")
  func endHereStopsThem() throws {
    var bench = Bench(Path.active + [action(2, .playDTMF("12"))])
    let commands = bench.send(action(3, .end))
    let stop = try #require(commands.firstIndex(of: .stopDigits(remoteLeg)))
    let hangUp = try #require(commands.firstIndex(of: .hangUp(remoteLeg)))
    #expect(stop < hangUp)
    #expect(commands.filter { $0 == fail(2) }.count == 1)
  }

  @Test("the watchdog stops them, and the call goes on")
  func watchdog() {
    var bench = Bench(Path.active + [action(2, .playDTMF("1"))])
    #expect(
      bench.send(.timerFired(.watchdog(ActionID(-2)))) == [.stopDigits(remoteLeg), fail(2)])
    #expect(bench.coordinator.calls.first?.isLive == true)
  }

  @Test("in the app they are asked of CallKit")
  func fromTheApp() {
    var bench = Bench(Path.active)
    let asked = RequestedAction(id: ActionID(1), call: uuid, kind: .playDTMF("5"))
    #expect(bench.send(.user(.sendDigits(uuid, "5"))) == [.request(RequestID(1), [asked])])
  }
}
