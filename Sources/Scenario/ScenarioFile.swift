import Instant

/// A scenario file that was read and checked: what it declares, and a plan for each case and choice of params.
public struct ScenarioFile: Hashable, Sendable {
  /// The lines, for excerpts.
  public let source: SourceFile
  /// The title; the file's name where the file has none.
  public var title: String { tree.title ?? source.name }
  public var tags: [String] { tree.tags }
  public var why: String? { tree.why }
  /// The seed that the file fixes.
  public var seed: UInt64? { tree.seed }
  /// The params of the file, in order.
  public let params: [Param]
  /// The names of the cases, in order.
  public let cases: [String]
  let tree: SyntaxTree
  let outline: Outline

  /// Reads and checks a whole file: every problem of it in one run, at most 20 and how many more there are. There is
  /// a file exactly if none of them is an error. Bytes that cannot be read give one diagnostic, whose code
  /// ``DiagnosticCode/isReadingError`` tells from an error in a scenario.
  public static func parse(_ bytes: [UInt8], named name: String) -> (file: ScenarioFile?, diagnostics: [Diagnostic]) {
    do throws(ScenarioReadingError) {
      return parse(try SourceFile(bytes, named: name))
    } catch {
      return (nil, [error.diagnostic])
    }
  }

  /// The same for a source that was read.
  public static func parse(_ source: SourceFile) -> (file: ScenarioFile?, diagnostics: [Diagnostic]) {
    var parser = FileParser(source)
    parser.parse()
    var problems = parser.problems
    let outline = Outline(parser.tree, &problems)
    Checker(tree: parser.tree, outline: outline).check(&problems)
    guard problems.errorCount == 0 else { return (nil, problems.diagnostics) }
    let file = ScenarioFile(
      source: source, params: outline.params, cases: outline.cases.map(\.name), tree: parser.tree, outline: outline)
    return (file, problems.diagnostics)
  }

  /// What a run of everything consists of: the trunk and every case, each with every combination of listed values that
  /// makes a difference to it.
  public var variants: [(case: String?, params: [String: String])] {
    var result: [(case: String?, params: [String: String])] = []
    for branch in [nil] + outline.cases.map(Optional.some) {
      var choices: [[String: String]] = [[:]]
      for param in outline.params(in: branch) where !param.values.isEmpty {
        // In place, since a file can have many params of one value.
        if param.values.count == 1 {
          for index in choices.indices { choices[index][param.name] = param.values[0] }
          continue
        }
        let shorter = choices
        choices = []
        choices.reserveCapacity(shorter.count * param.values.count)
        for choice in shorter {
          for value in param.values {
            choices.append(choice)
            choices[choices.count - 1][param.name] = value
          }
        }
      }
      var seen: Set<Plan> = []
      let different = choices.filter { choice in
        guard choices.count > 1, var plan = plan(case: branch?.name, params: choice).plan else { return true }
        let references = plan.references
        plan.params.removeAll { !references.contains($0.name) }
        return seen.insert(plan).inserted
      }
      // Where no value makes a difference, the default stands for all.
      result += (choices.count > 1 && different.count == 1 ? [[:]] : different).map { (branch?.name, $0) }
    }
    return result
  }

  /// The plan of the trunk or of a case, with these values in place of the params' own.
  public func plan(case name: String?, params values: [String: String]) -> (plan: Plan?, diagnostics: [Diagnostic]) {
    var branch: Outline.Case?
    if let name {
      branch = outline.cases.first { $0.name == name }
      if branch == nil {
        let nearest = Suggestion.nearest(to: name, in: cases)
        return (
          nil,
          [
            Diagnostic(
              .unknownCase, "there is no case `\(name)`", at: nil, help: nearest.map { "did you mean `\($0)`?" })
          ]
        )
      }
    }
    var diagnostics: [Diagnostic] = []
    let declared = outline.params(in: branch)
    let named = Dictionary(declared.map { ($0.name, $0) }) { first, _ in first }
    for key in values.keys.sorted() {
      guard let param = named[key] else {
        let nearest = Suggestion.nearest(to: key, in: declared.map(\.name))
        diagnostics.append(
          Diagnostic(
            .unknownParam, "there is no param `\(key)`", at: nil, help: nearest.map { "did you mean `\($0)`?" }))
        continue
      }
      let value = values[key] ?? ""
      if !param.type.accepts(value) {
        diagnostics.append(
          Diagnostic(
            .wrongParamValue, "`\(value)` does not fit the param `\(key)`", at: param.range,
            label: "\(param.type.example) is expected"))
      }
    }
    guard diagnostics.isEmpty else { return (nil, diagnostics) }
    let chosen = declared.map { ParamValue(name: $0.name, value: values[$0.name] ?? $0.defaultValue) }
    return (Planner(tree: tree, outline: outline).plan(branch, chosen, title: title), [])
  }
}
