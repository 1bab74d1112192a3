/// Looks up every name that a file uses.
struct Checker {
  let tree: SyntaxTree
  let outline: Outline

  func check(_ problems: inout Problems) {
    if tree.devices.isEmpty, tree.broken.isEmpty, problems.errorCount == 0 {
      problems.add(
        Diagnostic(.deviceMissing, "the scenario has no device", at: nil, help: "add `device phone sip:bob@10.0.0.2`"))
    }
    duplicates(tree.devices.map { ($0.name, $0.range) } + tree.peers.map { ($0.name, $0.range) }, &problems)
    duplicates(tree.calls.map { ($0.name, $0.range) }, &problems)
    duplicates(tree.faults.map { ($0.name, $0.range) }, &problems)
    var names = Names(tree, outline)
    names.define(outline.trunk, &problems)
    let trunk = names
    for use in tree.uses + outline.uses { trunk.look(use, anyLabel: true, &problems) }
    trunk.look(outline.trunk, &problems)
    NeverCheck(tree, outline.trunk).check(outline.trunk, &problems)
    variants(&problems)
    for branch in outline.cases {
      names.labels = [:]
      names.base = trunk.labels
      names.fork = branch.fork
      names.texts = Set(branch.texts.keys)
      names.define(branch.inserted + branch.lines, &problems)
      names.look(branch.inserted + branch.lines, &problems)
    }
  }

  /// What is multiplied must stay small enough to be listed.
  private func variants(_ problems: inout Problems) {
    var total = 0
    for branch in [nil] + outline.cases.map(Optional.some) {
      var count = 1
      for param in outline.params(in: branch) where count <= 10_000 { count *= max(param.values.count, 1) }
      total += count
      if total > 10_000 {
        problems.add(
          Diagnostic(.tooManyVariants, "cases and listed values multiply to more than 10000 runs", at: nil))
        return
      }
    }
  }

  private func duplicates(_ names: [(name: String, range: SourceRange)], _ problems: inout Problems) {
    var seen: [String: SourceRange] = [:]
    for (name, range) in names {
      if let first = seen[name] {
        problems.add(
          Diagnostic(
            .duplicateName, "`\(name)` is given twice", at: range, notes: [.init("first given here", range: first)]))
      } else {
        seen[name] = range
      }
    }
  }
}

/// The names that are visible in the trunk or in one case.
struct Names {
  struct Label {
    var place: Int
    var isMessage: Bool
  }

  let tree: SyntaxTree
  let peers: Set<String>
  let devices: Set<String>
  let calls: Set<String>
  let faults: Set<String>
  let params: [String: ParamType]
  let trunkTexts: Set<String>
  var texts: Set<String> = []
  var labels: [String: Label] = [:]
  /// The trunk's labels and the place up to which they are visible in a case.
  var base: [String: Label] = [:]
  var fork = Int.max

  init(_ tree: SyntaxTree, _ outline: Outline) {
    self.tree = tree
    peers = Set(tree.peers.map(\.name))
    devices = Set(tree.devices.map(\.name))
    calls = Set(tree.calls.map(\.name))
    faults = Set(tree.faults.map(\.name))
    params = Dictionary(outline.params.map { ($0.name, $0.type) }) { first, _ in first }
    trunkTexts = Set(outline.texts.keys)
  }

  func label(_ name: String) -> Label? {
    if let own = labels[name] { return own }
    guard let label = base[name], label.place <= fork else { return nil }
    return Label(place: -1, isMessage: label.isMessage)
  }

  mutating func define(_ lines: [Outline.Line], _ problems: inout Problems) {
    for (place, line) in lines.enumerated() {
      var name: Word?
      var isMessage = false
      switch line.statement {
      case .timed(let timed):
        name = timed.label
        if case .message = timed.stimulus { isMessage = true }
      case .check(let check):
        name = check.label
        if case .message = check.check.observation { isMessage = true }
      default: break
      }
      guard let name else { continue }
      if label(name.text) != nil {
        problems.add(Diagnostic(.duplicateName, "the label `\(name.text)` is given twice", at: name.range))
      } else {
        labels[name.text] = Label(place: place, isMessage: isMessage)
      }
    }
  }

  func look(_ lines: [Outline.Line], _ problems: inout Problems) {
    for (place, line) in lines.enumerated() {
      switch line.statement {
      case .timed(let timed):
        if case .message(let arrow) = timed.stimulus, devices.contains(arrow.from) {
          problems.add(
            Diagnostic(
              .wrongActor, "the phone sends by itself; the script cannot have it send", at: arrow.range,
              help: "use `user …` for what is done, `expect` for what is to be seen"))
        }
        for use in timed.uses { look(use, before: place, &problems) }
      case .check(let check):
        for use in check.uses { look(use, &problems) }
      default: break
      }
    }
  }

  func look(_ use: NameUse, before place: Int? = nil, anyLabel: Bool = false, _ problems: inout Problems) {
    let name = use.name.text
    func report(_ code: DiagnosticCode, _ title: String, _ known: some Collection<String>) {
      guard !tree.broken.contains(name) else { return }
      let nearest = problems.isFull ? nil : Suggestion.nearest(to: name, in: known.sorted())
      problems.add(Diagnostic(code, title, at: use.name.range, label: nearest.map { "did you mean `\($0)`?" }))
    }
    switch use.kind {
    case .actor:
      if !peers.contains(name), !devices.contains(name) {
        report(.unknownActor, "no device or peer is named `\(name)`", peers.union(devices))
      }
    case .device:
      if !devices.contains(name) { report(.unknownActor, "no device is named `\(name)`", devices) }
    case .peer:
      if !peers.contains(name) { report(.unknownActor, "no peer is named `\(name)`", peers) }
    case .call:
      if !calls.contains(name) { report(.unknownCall, "no call is named `\(name)`", calls) }
    case .callOrLabel:
      if !calls.contains(name), label(name) == nil {
        report(.unknownCall, "no call or label is named `\(name)`", calls)
      }
    case .fault:
      if !faults.contains(name) { report(.unknownFault, "no fault is named `\(name)`", faults) }
    case .durationParam:
      if params[name] != .duration {
        report(.unknownParam, "no param of type duration is named `\(name)`", params.keys)
      }
    case .label, .message:
      guard let found = label(name) else {
        if use.kind == .label(mayBeMissing: true), base[name] != nil { return }
        return report(.unknownLabel, "no line sets the label `\(name)`", labels.keys)
      }
      if let place, found.place >= place {
        report(.labelNotYetSet, "the label `\(name)` is set only further down", [String]())
      } else if use.kind == .message, !found.isMessage {
        report(.labelOfWrongKind, "the label `\(name)` names no message", [String]())
      }
    case .reference:
      guard !name.hasPrefix("hex:"), name != "auto" else { return }
      let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      if parts.count == 1, params[name] != nil || trunkTexts.contains(name) || texts.contains(name) { return }
      if parts.count == 2, calls.contains(parts[0]), Vocabulary.callReferences.supported.contains(parts[1]) { return }
      if parts.count == 2, Vocabulary.labelReferences.supported.contains(parts[1]) {
        if let found = label(parts[0]), found.isMessage, found.place < place ?? .max { return }
        if anyLabel { return }
      }
      report(.unknownReference, "`${\(name)}` names nothing that there is", params.keys.sorted() + trunkTexts.sorted())
    }
  }
}
