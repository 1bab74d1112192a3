import Foundation
import Testing
import Timeline

@testable import Replay
@testable import Scenario

/// What the words about hold, mute, digits, media and audio mean in a run.
@Suite struct EverydayRunTests {
  /// The codes and lines, counted from the line behind the flow, of what does not hold.
  private func failures(_ lines: String, settings: String = "") throws -> [String] {
    let head = """
      callsim 1
      mode loose
      device phone sip:bob@10.0.0.2
      \(settings)
      peer pbx sip:alice@10.0.0.1
      call c1
      use incoming-established(c1, phone, pbx)

      """
    let (file, diagnostics) = ScenarioFile.parse(Array((head + lines).utf8), named: "x.call")
    #expect(diagnostics == [])
    let plan = try #require(file?.plan(case: nil, params: [:]).plan)
    var run = Run(plan, seed: nil, until: nil)
    return run.execute { _ in }.diagnostics.map { "\($0.code) \(($0.range?.line ?? 0) - 7)" }
  }

  @Test func mediaAreWhatTheLastExchangeAgreedOn() throws {
    let hold = """
      +1s user holds c1
      expect within 1s phone -> pbx re-INVITE c1 offer sendonly as h
      expect c1 has media sendrecv
      on h+20ms pbx -> phone 200 to h answer recvonly
      expect within 1s c1 becomes held
      expect c1 has media sendonly
      +1s user resumes c1
      expect within 1s phone -> pbx re-INVITE c1 as r
      on r+20ms pbx -> phone 488 to r
      expect within 1s c1 action unhold is failed

      """
    #expect(try failures(hold + "expect c1 has media sendonly\n") == [])
    #expect(try failures(hold + "expect c1 has media sendrecv\n") == ["R110 11"])
  }

  @Test func thePeerHoldsAndInforms() throws {
    let lines = """
      +1s pbx -> phone re-INVITE c1 offer sendonly as h
      expect within 1s phone -> pbx 200 to h answer recvonly as ok
      expect within 1s c1 becomes held-by-remote
      expect c1 has media recvonly
      on ok pbx -> phone ACK to ok
      +1s pbx -> phone INFO c1 with "Content-Type: text/plain" as i
      expect within 1s pbx -> phone INFO c1
      expect within 1s phone -> pbx 200 to i

      """
    #expect(try failures(lines) == [])
    // A re-INVITE needs the dialog of its call.
    #expect(try failures("+1s pbx -> phone BYE c1\n+1s pbx -> phone re-INVITE c1 offer sendrecv\n") == ["R161 2"])
  }

  @Test func muteIsWhatCallKitShows() throws {
    let lines = """
      +1s user mutes c1
      expect within 1s c1 action mute is fulfilled
      expect c1 has mute on
      +1s user unmutes c1 in app
      expect within 1s phone requests unmute c1
      expect within 1s c1 action unmute is fulfilled
      expect c1 has mute off

      """
    #expect(try failures(lines) == [])
    #expect(try failures("+1s user mutes c1\nexpect c1 has mute off\n") == ["R110 2"])
  }

  @Test(arguments: ["", "  dtmf info"])
  func digitsCountWhenTheyAreSent(settings: String) throws {
    let events = """
      +1s user presses "1#" on c1
      expect c1 has dtmf ""
      +9s pbx -> phone OPTIONS
      expect c1 has dtmf "1#"

      """
    let info = """
      +1s user presses "1" on c1
      expect within 1s phone -> pbx INFO c1 as i
      expect c1 has dtmf ""
      on i+20ms pbx -> phone 200 to i
      expect c1 has dtmf "1"

      """
    #expect(try failures(settings.isEmpty ? events : info, settings: settings) == [])
    let refused = info.replacing("200 to i", with: "415 to i")
    if !settings.isEmpty { #expect(try failures(refused, settings: settings) == ["R110 5"]) }
  }

  @Test func anInterruptionSilencesTheCall() throws {
    let lines = """
      +1s system interrupts audio as x
      expect within 1s audio unit stops
      expect audio is interrupted
      expect audio is inactive
      expect audio is silent interrupted
      expect audio unit is stopped
      +1s system ends interruption
      expect within 1s audio activates
      expect within 1s audio unit starts
      expect audio is active

      """
    #expect(try failures(lines) == [])
    #expect(try failures("+1s system interrupts audio\nexpect audio is silent unit-off\n") == ["R110 2"])
  }

  /// Without activation by the rules a call stays silent until the script activates the session.
  @Test func activationCanBeLeftToTheScript() throws {
    // The flow waits for the start of the unit, which comes with the activation.
    let manual = "  activation manual"
    #expect(try failures("+500ms system activates audio\nexpect audio unit runs\n", settings: manual) == [])
    let late = "+500ms pbx -> phone OPTIONS\nexpect audio is silent not-activated\n+9s system activates audio\n"
    #expect(try failures(late, settings: manual) == ["R101 0"])
  }

  @Test func whatIsSentToOneThatHasVanishedIsLost() throws {
    let lines = """
      +1s pbx vanishes
      +1s user ends c1
      expect within 1s phone -> pbx BYE c1 as bye
      never within 3s pbx -> phone any
      +4s pbx returns
      on bye pbx -> phone 200 to bye
      """
    // The repetitions of the BYE find the peer again.
    #expect(try failures(lines) == [])
  }

  /// A larger scenario as a whole, in exhaustive mode: a second call, a swap, crossing re-INVITEs, and three faults.
  @Test func holdAndSwapHold() throws {
    let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "ScenarioTests/Fixtures/02-hold-second-call-swap.call")
    let file = ScenarioFile.parse(Array(try Data(contentsOf: path)), named: "02.call").file
    let plan = try #require(file?.plan(case: nil, params: [:]).plan)
    var run = Run(plan, seed: nil, until: nil)
    let verdict = run.execute { _ in }
    #expect(verdict.diagnostics.map(\.title) == [] && verdict.warnings.map(\.title) == [])
    #expect(verdict.outcome == .held)
  }
}
