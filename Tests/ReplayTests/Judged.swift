import Instant
import Scenario

@testable import Replay

/// The verdict on what happens in a scripted world.
func judged(_ plan: Plan, _ world: some SimulatedWorld, until: Instant? = nil) -> Verdict {
  var replayer = Replayer(plan, world: world, until: until)
  return replayer.execute { _ in }
}

func judged(_ blocks: [Block], _ happenings: [ScriptedWorld.Happening] = []) -> Verdict {
  judged(plan(blocks), ScriptedWorld(happenings))
}

extension Verdict {
  var codes: [String] { diagnostics.map(\.code) }

  /// Everything that a diagnostic says, for the words in it.
  var words: String {
    diagnostics.map { diagnostic in
      ([diagnostic.title, diagnostic.label ?? ""] + diagnostic.notes.map(\.text) + [diagnostic.help ?? ""])
        .joined(separator: "\n")
    }.joined(separator: "\n")
  }
}
