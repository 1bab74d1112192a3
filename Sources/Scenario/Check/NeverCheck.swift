/// Finds checks that cannot be violated, as far as that is plain from the file.
///
/// A raw line can be any message, an automatic peer takes decisions of its own, and a peer that is called answers by
/// its transaction layer: where one of them is in play nothing is claimed.
struct NeverCheck {
  let tree: SyntaxTree
  private var sent: Set<String> = []
  private var created: Set<String> = []
  private var claimsNothing = false

  /// The lines are all those of the trunk or of a case.
  init(_ tree: SyntaxTree, _ lines: [Outline.Line]) {
    self.tree = tree
    for line in lines {
      guard case .timed(let timed) = line.statement else { continue }
      switch timed.stimulus {
      case .push(let call, _, _): created.insert(call)
      case .user(let acts, _):
        for case .calls(let call, _) in acts { created.insert(call) }
      case .message(let arrow):
        if case .raw = arrow.what { claimsNothing = true }
        if case .request(let method) = arrow.what { sent.insert("\(arrow.from) \(arrow.to) \(method)") }
        if case .call(let call) = arrow.subject { created.insert(call) }
      case .start: break
      }
    }
  }

  func check(_ lines: [Outline.Line], _ problems: inout Problems) {
    var stimuli: [String: Int] = [:]
    var block = 0
    for line in lines {
      switch line.statement {
      case .timed(let timed):
        block += 1
        if let label = timed.label { stimuli[label.text] = block }
      case .check(let found):
        guard case .never(let scope) = found.check.kind else { continue }
        if case .until(let label) = scope, stimuli[label] == block {
          problems.add(
            Diagnostic(
              .scopeEndsBeforeStart, "the scope ends at `\(label)`, where it starts", at: found.check.range))
        } else if case .between(let first, let second) = scope, first == second || first == "end" {
          problems.add(
            Diagnostic(.scopeEndsBeforeStart, "the scope ends before it starts", at: found.check.range))
        } else if let why = cannotHappen(found.check.observation) {
          problems.add(
            Diagnostic(.neverCannotFail, "this `never` cannot be violated: \(why)", at: found.check.range))
        }
      default: break
      }
    }
  }

  private func cannotHappen(_ observation: Observation) -> String? {
    guard !claimsNothing else { return nil }
    switch observation {
    case .message(let arrow):
      guard let peer = tree.peers.first(where: { $0.name == arrow.from }), !peer.isAutomatic,
        case .request(let method) = arrow.what, method != "ACK",
        !sent.contains("\(arrow.from) \(arrow.to) \(method)")
      else { return nil }
      return "no line sends `\(arrow.from) -> \(arrow.to) \(method)`"
    case .reports(.some(let call), _), .updates(.some(let call), _, _), .requests(let call, _),
      .becomes(let call, _, _), .isInState(let call, _), .action(let call, _, _, _):
      return created.contains(call) ? nil : "no line creates the call `\(call)`"
    default: return nil
    }
  }
}
