import Instant
import Testing
import Timeline

@testable import Replay
@testable import Scenario

/// Flows in runs.
@Suite struct FlowRunTests {
  private func run(_ text: String) throws -> (verdict: Verdict, records: [Record]) {
    let (file, diagnostics) = ScenarioFile.parse(Array(text.utf8), named: "x.call")
    #expect(diagnostics == [])
    let plan = try #require(file?.plan(case: nil, params: [:]).plan)
    var run = Run(plan, seed: nil, until: nil)
    var records: [Record] = []
    let verdict = run.execute { records.append($0) }
    return (verdict, records)
  }

  static let flows = Flow.allCases.map(\.rawValue)
  static let networks = [
    "", "network latency 10ms", "network latency 400ms", "network latency 0ms..300ms",
    "network phone -> pbx latency 1us\nnetwork pbx -> phone latency 800ms",
  ]

  /// Exhaustive mode: whatever the app does in a flow is expected there.
  @Test(arguments: flows, networks)
  func aFlowExplainsAllThatTheAppDoes(flow: String, network: String) throws {
    for peer in ["sip:alice@10.0.0.1", "sip:alice@10.0.0.1 auto"] {
      for settings in [
        "", "  report-delay 300ms\n  action-delay 200ms\n  activation-delay 500ms\n",
        "  action-delay 2s\n", "  report-delay 3s\n", "  activation-delay 3s\n  ring-timeout 5s\n",
        "  report-delay 3s\n  action-delay 2s\n  activation-delay 4s\n",
      ] {
        let head = "callsim 1\ndevice phone sip:bob@10.0.0.2\n\(settings)peer pbx \(peer)\ncall c1\n\(network)\n"
        let lines = "use \(flow)(c1, phone, pbx)\n+9s pbx -> phone OPTIONS as o\n"
        let checks = "expect within 9s phone -> pbx 200 to o\nexpect c1 is active\nexpect audio unit runs\n"
        let (verdict, _) = try run(head + lines + checks)
        #expect(verdict.outcome == .held, "\(flow) \(network) \(peer)")
        #expect(verdict.diagnostics.map(\.title) == [])
        #expect(verdict.warnings.map(\.title) == [])
      }
    }
  }

  @Test func whatGoesWrongInAFlowIsToldAtItsLine() throws {
    let head =
      "callsim 1\ndevice phone sip:bob@10.0.0.2\npeer pbx sip:alice@10.0.0.1\ncall c1\n\nfault f1: drop every pbx -> phone ACK\n"
    let verdict = try run(head + "use incoming-established(c1, phone, pbx)\n").verdict
    #expect(verdict.outcome == .failed)
    #expect(verdict.diagnostics.allSatisfy { $0.range?.line == 7 })
    #expect(verdict.diagnostics.first?.range == SourceRange(line: 7, column: 1, length: 40))
  }

  /// The script lets the call ring in place of the peer, which answers it as late as otherwise.
  @Test func anAutomaticPeerAnswersLaterWhatTheScriptLetRing() throws {
    let (verdict, records) = try run(
      """
      callsim 1
      mode loose
      device phone sip:bob@10.0.0.2
      peer pbx sip:alice@10.0.0.1 auto answers after 3s
      call c1
      @0s user calls c1 to pbx
      expect within 1s phone -> pbx INVITE c1 as i
      on i pbx -> phone 183 to i as p
      expect at p+3s pbx -> phone 200 to i
      never until end pbx -> phone 180
      """)
    #expect(verdict.diagnostics.map(\.title) == [])
    let answers = records.filter { record in
      guard case .sip(let event) = record.event, case .sent = event.phase else { return false }
      return event.message.status == 200
    }
    #expect(answers.count == 1)
  }
}
