import Testing

@testable import Replay
@testable import Scenario

/// What a run warns of.
@Suite struct WarningTests {
  private static let head = """
    callsim 1
    mode loose
    device phone sip:bob@10.0.0.2
      max-groups 1
    peer alice sip:alice@10.0.0.1 auto answers after 100ms
    peer carol sip:carol@10.0.0.3 auto answers after 100ms
    call a
    call b
    @0s user calls a to alice

    """
  private static let first = head.split(separator: "\n").count + 1

  /// The lines of the warnings, counted from the first behind the head, with their codes and titles.
  private func warnings(_ lines: [String], until: Bool = false) throws -> [String] {
    let text = Self.head + lines.joined(separator: "\n") + "\n"
    let (file, diagnostics) = ScenarioFile.parse(Array(text.utf8), named: "x.call")
    #expect(diagnostics == [])
    let plan = try #require(file?.plan(case: nil, params: [:]).plan)
    var run = Run(plan, seed: nil, until: until ? at(5_000) : nil)
    return run.execute { _ in }.warnings.map { "\(($0.range?.line ?? 0) - Self.first) \($0.code) \($0.title)" }
  }

  @Test(arguments: [
    (
      ["@9s user ends a", "@11s system ends interruption"],
      ["1 L024 what the system does at 11.000 has no effect: nothing interrupts the audio"]
    ),
    (
      ["@9s user ends a", "@11s system deactivates audio"],
      ["1 L024 what the system does at 11.000 has no effect: the audio session is not active"]
    ),
    (
      ["@9s user ends a", "@11s system interrupts audio"],
      ["1 L024 what the system does at 11.000 has no effect: the audio session is not active"]
    ),
    (["@5s alice returns"], ["0 L024 what alice does at 5.000 has no effect: alice has not vanished"]),
    (
      ["@5s alice vanishes", "@6s alice vanishes"],
      ["1 L024 what alice does at 6.000 has no effect: alice has vanished already"]
    ),
    (
      ["@9s system fails unit"],
      ["0 L024 what the system does at 9.000 has no effect: no audio unit was started after it"]
    ),
    (
      ["@0s system fails unit", "@0s system fails unit"],
      ["0 L024 what the system does at 0.000 has no effect: no audio unit was started after it"]
    ),
    (["@0s system fails unit"], []), (["@3s system interrupts audio", "@4s system ends interruption"], []),
    (["@3s system deactivates audio"], []), (["@3s alice vanishes", "@4s alice returns"], []),
  ])
  func whatChangesNothing(lines: [String], expected: [String]) throws {
    #expect(try warnings(lines) == expected)
  }

  /// What a run that was stopped has not shown may still come.
  @Test func aRunThatWasStoppedCannotTell() throws {
    #expect(try warnings(["@4s system fails unit", "@9s alice -> phone OPTIONS"], until: true) == [])
  }

  /// CallKit refuses the second call after the first one was held for it.
  @Test func whatHadAnEffectIsNotSaidToHaveNone() throws {
    let found = try warnings(["@3s user calls b to carol"])
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("0 L024 what the user does at 3.000 has not the whole effect: ") ?? false)
    let nothing = try warnings(["@3s user answers a"])
    #expect(
      nothing == ["0 L024 what the user does at 3.000 has no effect: the call screen has nothing there that answers a"])
    let half = try warnings(["@3s user ends a, answers b"])
    #expect(half.first?.hasPrefix("0 L024 what the user does at 3.000 has not the whole effect: ") ?? false)
  }

  /// The tap is what is told, however late its action.
  @Test func theInstantIsThatOfTheAct() throws {
    let head = Self.head.replacing("  max-groups 1\n", with: "  action-delay 2s\n")
    let (file, _) = ScenarioFile.parse(Array((head + "@3s user answers a\n").utf8), named: "x.call")
    var run = Run(try #require(file?.plan(case: nil, params: [:]).plan), seed: nil, until: nil)
    #expect(run.execute { _ in }.warnings.first?.title.contains("at 3.000 has no effect") ?? false)
  }

  @Test(arguments: ["@9s user calls a to alice", "@9s alice -> phone INVITE a", "@9s push a to phone"])
  func aNameThatIsTaken(line: String) throws {
    let found = try warnings(["@3s user ends a", line])
    #expect(found == ["1 L025 the name `a` belongs to another call already; this one is called `a-2`"])
    #expect(
      try warnings(["@3s user ends a", line.replacing(" a ", with: " b ").replacing("INVITE a", with: "INVITE b")])
        == [])
  }
}
