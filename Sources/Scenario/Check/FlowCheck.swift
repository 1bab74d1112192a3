/// Finds flows about a call that an earlier flow is about already: a name belongs to one call of a run.
struct FlowCheck {
  let outline: Outline
  let names: Names

  func check(_ problems: inout Problems) {
    var first: [String: Outline.FlowPlace] = [:]
    for flow in outline.flows where names.has(flow.use) {
      if let before = first[flow.use.call.text] {
        report(flow.use, after: before.use, &problems)
      } else {
        first[flow.use.call.text] = flow
      }
    }
    for branch in outline.cases {
      var own: [String: FlowUse] = [:]
      for use in branch.flows where names.has(use) {
        let name = use.call.text
        if let before = own[name] ?? first[name].flatMap({ $0.place <= branch.fork ? $0.use : nil }) {
          report(use, after: before, &problems)
        } else {
          own[name] = use
        }
      }
    }
  }

  private func report(_ use: FlowUse, after first: FlowUse, _ problems: inout Problems) {
    problems.add(
      Diagnostic(
        .callUsedTwice, "`\(use.call.text)` is the call of an earlier flow", at: use.call.range,
        notes: [.init("used first here", range: first.range)],
        help: "declare another call: a second call gets another name than the first"))
  }
}

extension Names {
  /// Whether there is what the flow is about; else its line is reported by its names.
  fileprivate func has(_ use: FlowUse) -> Bool {
    calls.contains(use.call.text) && devices.contains(use.phone.text) && peers.contains(use.peer.text)
  }
}
