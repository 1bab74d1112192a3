/// Finds what is wrong with a file whose lines could be read: the trunk first, then each case in its own view.
struct Checker {
  let tree: SyntaxTree
  let outline: Outline

  func check(_ problems: inout Problems) {
    HeaderCheck(tree: tree).check(&problems)
    var names = Names(tree, outline)
    names.define(outline.trunk, &problems)
    let trunk = names
    for use in tree.uses { trunk.look(use, &problems) }
    let texts = trunk.withEveryLabel(of: outline)
    for use in outline.uses { texts.look(use, &problems) }
    trunk.look(outline.trunk, &problems)
    FlowCheck(outline: outline, names: trunk).check(&problems)
    var script = ScriptCheck(tree, outline)
    script.checkTrunk(&problems)
    TextCheck(outline).checkTrunk(&problems)
    RequestCheck(outline: outline).check(&problems)
    // Every further step costs something for each case.
    guard isSmall(&problems) else { return }
    var textCheck = TextCheck(outline)
    CaseLabels(outline, trunk).check(&problems)
    for branch in outline.cases {
      names.enter(branch, of: trunk)
      names.define(branch.inserted + branch.lines, &problems)
      names.look(branch, &problems)
      script.check(branch, &problems)
      textCheck.check(branch, &problems)
    }
  }

  /// What is multiplied must stay small enough to be listed.
  private func isSmall(_ problems: inout Problems) -> Bool {
    let limit = 10_000
    var total = 0
    for branch in [nil] + outline.cases.map(Optional.some) {
      var count = 1
      for param in outline.params(in: branch) where count <= limit { count *= max(param.values.count, 1) }
      total += count
      if total > limit || total > 1 && total * outline.params.count > 100 * limit {
        problems.add(
          Diagnostic(
            .tooManyVariants, "cases and listed values multiply to more than \(limit) runs", at: branch?.range,
            help: "leave values out, or split the file"))
        return false
      }
    }
    return true
  }
}
