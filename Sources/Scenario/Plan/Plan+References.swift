extension Plan {
  /// The names that the texts of the plan refer to.
  var references: Set<String> {
    var names: Set<String> = []
    func note(_ text: TemplateText?) {
      for case .reference(let name) in text?.pieces ?? [] { names.insert(name) }
    }
    func note(_ arrow: Arrow) {
      if case .raw(let lines, _, _) = arrow.what {
        for line in lines { note(line) }
      }
      for text in arrow.with { note(text) }
      note(arrow.callID)
    }
    for text in texts.values { note(text) }
    for arrow in ignored + faults.map(\.arrow) { note(arrow) }
    for block in blocks {
      switch block.stimulus {
      case .push(_, let caller, let callID):
        note(caller)
        note(callID)
      case .message(let arrow): note(arrow)
      case .start, .user, .system, .vanishes, .returns: break
      }
      for check in block.checks {
        switch check.observation {
        case .message(let arrow): note(arrow)
        case .updates(_, let caller, let handle):
          note(caller)
          note(handle)
        case .has(_, _, let value): note(value)
        default: break
        }
      }
    }
    return names
  }
}
