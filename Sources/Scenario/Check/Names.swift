/// The names that are visible in the trunk or in one case.
struct Names {
  struct Label {
    /// Its place among the lines of the trunk or of the case; -1 for a label of the trunk in a case.
    var place: Int
    var isMessage: Bool
    var range: SourceRange
  }

  let tree: SyntaxTree
  let peers: Set<String>
  let devices: Set<String>
  let calls: Set<String>
  let faults: Set<String>
  let params: [String: ParamType]
  let trunkTexts: Set<String>
  /// The texts of a case.
  private var texts: Set<String> = []
  private(set) var labels: [String: Label] = [:]
  /// The trunk's labels and the last place of it that is visible in a case.
  private var base: [String: Label] = [:]
  private var fork = Int.max
  /// The messages that bear a label anywhere, for texts of the trunk, which are evaluated where they are used.
  private var messages: Set<String>?

  init(_ tree: SyntaxTree, _ outline: Outline) {
    self.tree = tree
    peers = Set(tree.peers.map(\.name))
    devices = Set(tree.devices.map(\.name))
    calls = Set(tree.calls.map(\.name))
    faults = Set(tree.faults.map(\.name))
    params = Dictionary(outline.params.map { ($0.name, $0.type) }) { first, _ in first }
    trunkTexts = Set(outline.texts.keys)
  }

  /// Sees what a case sees.
  mutating func enter(_ branch: Outline.Case, of trunk: Names) {
    (labels, base, fork) = ([:], trunk.labels, branch.fork)
    texts = Set(branch.texts.keys)
  }

  /// Sees every label of the file.
  func withEveryLabel(of outline: Outline) -> Names {
    var names = self
    var messages = Set(labels.filter(\.value.isMessage).keys)
    for branch in outline.cases {
      for line in branch.inserted + branch.lines {
        if let found = line.label, found.isMessage { messages.insert(found.name.text) }
      }
    }
    names.messages = messages
    return names
  }

  func label(_ name: String) -> Label? {
    if let own = labels[name] { return own }
    guard var label = base[name], label.place <= fork else { return nil }
    label.place = -1
    return label
  }

  mutating func define(_ lines: [Outline.Line], _ problems: inout Problems) {
    for (place, line) in lines.enumerated() {
      guard let (name, isMessage) = line.label else { continue }
      if let first = label(name.text) {
        problems.add(
          Diagnostic(
            .duplicateName, "the label `\(name.text)` is given twice", at: name.range,
            notes: [.init("first given here", range: first.range)]))
      } else if calls.contains(name.text) || peers.contains(name.text) || devices.contains(name.text) {
        problems.add(
          Diagnostic(
            .duplicateName, "`\(name.text)` is the name of \(calls.contains(name.text) ? "a call" : "an actor")",
            at: name.range, help: "choose another label"))
      } else {
        labels[name.text] = Label(place: place, isMessage: isMessage, range: name.range)
      }
    }
  }

  // MARK: Looking names up

  /// The lines of a case: those that are inserted see the trunk above their place only.
  func look(_ branch: Outline.Case, _ problems: inout Problems) {
    var inserted = self
    inserted.fork = min(fork, (branch.insertion ?? .max) - 1)
    inserted.look(branch.inserted, &problems)
    look(branch.lines, from: branch.inserted.count, &problems)
    for use in branch.uses { look(use, &problems) }
  }

  func look(_ lines: [Outline.Line], from first: Int = 0, _ problems: inout Problems) {
    for (place, line) in lines.enumerated() {
      switch line.statement {
      case .timed(let timed):
        if case .message(let arrow) = timed.stimulus, devices.contains(arrow.from) {
          problems.add(
            Diagnostic(
              .wrongActor, "the phone sends by itself; the script cannot have it send", at: arrow.range,
              help: "use `user …` for what is done, `expect` for what is to be seen"))
        }
        for use in timed.uses { look(use, before: first + place, &problems) }
      case .check(let check):
        for use in check.uses { look(use, &problems) }
      default: break
      }
    }
  }

  func look(_ use: NameUse, before place: Int? = nil, _ problems: inout Problems) {
    let name = use.name.text
    switch use.kind {
    case .actor:
      guard !peers.contains(name), !devices.contains(name) else { return }
      report(use, .unknownActor, "no device or peer is named `\(name)`", peers.union(devices), &problems)
    case .device:
      guard !devices.contains(name) else { return }
      report(use, .unknownActor, "no device is named `\(name)`", devices, &problems)
    case .peer:
      guard !peers.contains(name) else { return }
      report(use, .unknownActor, "no peer is named `\(name)`", peers, &problems)
    case .call:
      guard !calls.contains(name) else { return }
      report(use, .unknownCall, "no call is named `\(name)`", calls, &problems)
    case .peerOrCall:
      guard !peers.contains(name), !calls.contains(name) else { return }
      report(use, .unknownActor, "no peer or call is named `\(name)`", peers.union(calls), &problems)
    case .callOrLabel:
      guard !calls.contains(name) else { return }
      if label(name) == nil, base[name] == nil {
        return report(use, .unknownCall, "no call or label is named `\(name)`", calls, &problems)
      }
      lookLabel(use, isMessage: true, before: place, &problems)
    case .fault:
      guard !faults.contains(name) else { return }
      report(use, .unknownFault, "no fault is named `\(name)`", faults, &problems)
    case .durationParam:
      guard params[name] != .duration else { return }
      let durations = params.filter { $0.value == .duration }.keys
      report(use, .unknownParam, "no param of type duration is named `\(name)`", durations, &problems)
    case .label(let mayBeMissing):
      if mayBeMissing, base[name] != nil { return }
      lookLabel(use, isMessage: false, before: place, &problems)
    case .message: lookLabel(use, isMessage: true, before: place, &problems)
    case .reference: lookReference(use, before: place, &problems)
    }
  }

  private func lookLabel(_ use: NameUse, isMessage: Bool, before place: Int?, _ problems: inout Problems) {
    let name = use.name.text
    guard let found = label(name) else {
      guard let left = base[name] else {
        return report(use, .unknownLabel, "no line sets the label `\(name)`", labels.keys, &problems)
      }
      problems.add(
        Diagnostic(
          .labelNotInCase, "the case leaves out the line that sets the label `\(name)`", at: use.name.range,
          notes: [.init("it is set here", range: left.range)]))
      return
    }
    if let place, found.place >= place {
      report(use, .labelNotYetSet, "the label `\(name)` is set only further down", [], &problems)
    } else if isMessage, !found.isMessage {
      report(use, .labelOfWrongKind, "the label `\(name)` names no message", [], &problems)
    }
  }

  private func lookReference(_ use: NameUse, before place: Int?, _ problems: inout Problems) {
    let name = use.name.text
    guard !name.hasPrefix("hex:"), name != "auto" else { return }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    if parts.count == 1, params[name] != nil || trunkTexts.contains(name) || texts.contains(name) { return }
    if parts.count == 2, calls.contains(parts[0]), Vocabulary.callReferences.supported.contains(parts[1]) { return }
    if parts.count == 2, Vocabulary.labelReferences.supported.contains(parts[1]) {
      if let found = label(parts[0]), found.isMessage, found.place < place ?? .max { return }
      if messages?.contains(parts[0]) ?? false { return }
    }
    let known = params.keys.sorted() + trunkTexts.sorted()
    report(use, .unknownReference, "`${\(name)}` names nothing that there is", known, &problems)
  }

  private func report(
    _ use: NameUse, _ code: DiagnosticCode, _ title: String, _ known: @autoclosure () -> some Collection<String>,
    _ problems: inout Problems
  ) {
    let name = use.name.text
    // What a line that could not be read was to name is told there.
    guard !tree.broken.contains(name), !tree.broken.contains(String(name.prefix { $0 != "." })) else { return }
    let nearest = problems.isFull ? nil : Suggestion.nearest(to: name, in: known().sorted())
    problems.add(Diagnostic(code, title, at: use.name.range, label: nearest.map { "did you mean `\($0)`?" }))
  }
}

extension Outline.Line {
  /// The label that the line sets, and whether it is that of a message.
  var label: (name: Word, isMessage: Bool)? {
    switch statement {
    case .timed(let timed):
      guard let label = timed.label else { return nil }
      if case .message = timed.stimulus { return (label, true) }
      return (label, false)
    case .check(let check):
      guard let label = check.label else { return nil }
      if case .message = check.check.observation { return (label, true) }
      return (label, false)
    default: return nil
    }
  }

  /// The names that the line uses.
  var uses: [NameUse] {
    switch statement {
    case .timed(let timed): timed.uses
    case .check(let check): check.uses
    default: []
    }
  }
}
