import Instant
import Replay
import Scenario

/// The replay of a long scenario: blocks with a label, an expectation and a `never` each.
struct ReplayBenchmark {
  /// What is measured did not run as it should.
  struct Failure: Error {}

  /// The seconds that a replay of so many blocks takes, without reading the file.
  func run(blocks: Int) throws -> Double {
    let (file, _) = ScenarioFile.parse(Array(scenario(blocks: blocks).utf8), named: "long.call")
    guard let plan = file?.plan(case: nil, params: [:]).plan else { throw Failure() }
    var outcome = Verdict.Outcome.failed
    let seconds = measured {
      var run = Run(plan, seed: nil, until: nil)
      outcome = run.execute { _ in }.outcome
    }
    guard outcome == .held else { throw Failure() }
    return seconds
  }

  private func scenario(blocks: Int) -> String {
    let head = """
      callsim 1
      scenario "long"
      device  phone  sip:bob@10.0.0.2:5060
      peer    pbx    sip:alice@10.0.0.1:5060

      """
    let lines = (0..<blocks).map { number in
      """
      @\(10 * number)ms  pbx -> phone OPTIONS  as o\(number)
        expect within 5ms  phone -> pbx 200 to o\(number)  as r\(number)
        never until end  phone -> pbx BYE

      """
    }
    return head + lines.joined()
  }
}
