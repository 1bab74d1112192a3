import Instant

/// The body of a file cut into trunk and cases.
struct Outline: Hashable, Sendable {
  /// A timed line or a check, with what the blocks around it say.
  struct Line: Hashable, Sendable {
    var statement: Statement
    var isOptional: Bool
    var order: Int?
  }

  /// A line that uses a flow, and the place in the trunk at which the flow begins.
  struct FlowPlace: Hashable, Sendable {
    var use: FlowUse
    var place: Int
  }

  struct Case: Hashable, Sendable {
    var name: String
    var from: Word
    var range: SourceRange
    /// The place in the trunk of the line that it branches from.
    var fork = 0
    var params: [Param] = []
    var texts: [String: TemplateText] = [:]
    /// The names that its texts and invariants use.
    var uses: [NameUse] = []
    var insertBefore: Word?
    /// The place in the trunk before which its first lines are inserted.
    var insertion: Int?
    /// The lines that use flows.
    var flows: [FlowUse] = []
    var inserted: [Line] = []
    var lines: [Line] = []
    var invariants: [InvariantCheck] = []
  }

  var trunk: [Line] = []
  var cases: [Case] = []
  var params: [Param] = []
  var texts: [String: TemplateText] = [:]
  var invariants: [InvariantCheck] = []
  var uses: [NameUse] = []
  /// The lines of the trunk that use flows.
  var flows: [FlowPlace] = []
  /// Where in the trunk each stimulus with a label stands.
  var stimuli: [String: Int] = [:]

  func params(in branch: Case?) -> [Param] {
    guard let branch, !branch.params.isEmpty else { return params }
    let restated = Dictionary(branch.params.map { ($0.name, $0) }) { first, _ in first }
    return params.map { restated[$0.name] ?? $0 }
  }

  init(_ tree: SyntaxTree, _ problems: inout Problems) {
    var open: [(block: Statement.Block, range: SourceRange)] = []
    var optionalDepth = 0
    var orderDepth = 0
    var insertDepth = 0
    var order = 0
    var current: Case?
    var types: [String: ParamType] = [:]
    var restated: Set<String> = []
    func close(_ problems: inout Problems) {
      for block in open where block.block != .unsupported {
        problems.add(
          Diagnostic(.blockWithoutEnd, "`\(block.block.rawValue)` is not closed", at: block.range, help: "add `end`"))
      }
    }
    for statement in tree.bodyWithFlows(&problems) {
      switch statement {
      case .use(let use):
        if current == nil {
          uses += use.uses
          flows.append(FlowPlace(use: use, place: trunk.count))
        } else {
          current?.uses += use.uses
          current?.flows.append(use)
        }
      case .timed, .check:
        let isOrdered = orderDepth > 0 && !statement.isOfFlow
        let line = Line(statement: statement, isOptional: optionalDepth > 0, order: isOrdered ? order : nil)
        if current == nil {
          if case .timed(let timed) = statement, let label = timed.label, stimuli[label.text] == nil {
            stimuli[label.text] = trunk.count
          }
          trunk.append(line)
        } else if insertDepth > 0 {
          current?.inserted.append(line)
        } else {
          current?.lines.append(line)
        }
      case .invariant(let invariant, let names):
        if current == nil {
          uses += names
          invariants.append(invariant)
        } else {
          current?.uses += names
          current?.invariants.append(invariant)
        }
      case .open(let block, let before, let range):
        open.append((block, range))
        switch block {
        case .optional: optionalDepth += 1
        case .inOrder:
          if orderDepth == 0 { order += 1 }
          orderDepth += 1
        case .unsupported: break
        case .insert:
          insertDepth += 1
          if current?.insertBefore != nil || current?.lines.isEmpty == false || current == nil {
            problems.add(Diagnostic(.lineMisplaced, "`insert` stands once, at the head of a case", at: range))
          }
          current?.insertBefore = before
        }
      case .end(let range):
        guard let block = open.popLast() else {
          problems.add(Diagnostic(.endWithoutBlock, "`end` closes nothing", at: range))
          continue
        }
        if block.block == .optional { optionalDepth -= 1 }
        if block.block == .inOrder { orderDepth -= 1 }
        if block.block == .insert { insertDepth -= 1 }
      case .caseStart(let name, let from, let range):
        close(&problems)
        (open, optionalDepth, orderDepth, insertDepth, restated) = ([], 0, 0, 0, [])
        if let current { cases.append(current) }
        current = Case(name: name, from: from, range: range)
      case .text(let name, let text, let names):
        let isNew = current == nil ? texts[name.text] == nil : current?.texts[name.text] == nil
        if !isNew || current == nil && types[name.text] != nil {
          problems.add(Diagnostic(.duplicateName, "`\(name.text)` is given twice", at: name.range))
        }
        if current == nil {
          uses += names
          texts[name.text] = text
        } else {
          current?.uses += names
          current?.texts[name.text] = text
        }
      case .param(let param, let name):
        let isKnown = types[param.name] != nil
        if current == nil ? isKnown || texts[param.name] != nil : !restated.insert(param.name).inserted {
          problems.add(Diagnostic(.duplicateName, "`\(param.name)` is given twice", at: name.range))
        } else if current == nil {
          types[param.name] = param.type
          params.append(param)
        } else if types[param.name] == param.type {
          current?.params.append(param)
        } else if !tree.broken.contains(param.name) {
          problems.add(
            Diagnostic(.unknownParam, "a case restates a param of the file with its type", at: name.range))
        }
      }
    }
    close(&problems)
    if let current { cases.append(current) }
    var seen: Set<String> = []
    for index in cases.indices {
      let branch = cases[index]
      if !seen.insert(branch.name).inserted {
        problems.add(Diagnostic(.duplicateName, "the case `\(branch.name)` is given twice", at: branch.range))
      }
      if let fork = stimuli[branch.from.text] {
        cases[index].fork = fork
        cases[index].insertion = branch.insertBefore.flatMap { stimuli[$0.text] }
        if let before = branch.insertBefore, (cases[index].insertion ?? .max) > fork {
          problems.add(
            Diagnostic(.unknownLabel, "no line above the branch has the label `\(before.text)`", at: before.range))
        }
      } else if !tree.broken.contains(branch.from.text) {
        let nearest = Suggestion.nearest(to: branch.from.text, in: stimuli.keys.sorted())
        problems.add(
          Diagnostic(
            .unknownLabel, "no timed line of the trunk has the label `\(branch.from.text)`", at: branch.from.range,
            label: nearest.map { "did you mean `\($0)`?" }))
      }
    }
  }
}
