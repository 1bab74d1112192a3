import Scenario

/// Checks that are open, in groups: what many of them look for is compared with a record once.
struct OpenChecks: Hashable, Sendable {
  /// Within a group in the order of the file.
  private var groups: [CheckState.Subject: [Observation: [Int]]] = [:]

  mutating func add(_ index: Int, _ check: CheckState) {
    var group = groups[check.subject]?[check.sought] ?? []
    groups[check.subject]?[check.sought] = nil
    group.insert(index, at: Self.place(of: index, in: group))
    groups[check.subject, default: [:]][check.sought] = group
  }

  mutating func remove(_ index: Int, _ check: CheckState) {
    guard var group = groups[check.subject]?[check.sought] else { return }
    let place = Self.place(of: index, in: group)
    guard place < group.count, group[place] == index else { return }
    groups[check.subject]?[check.sought] = nil
    group.remove(at: place)
    if !group.isEmpty { groups[check.subject]?[check.sought] = group }
  }

  /// The checks of these subjects or of anything that look for such a thing, in the order of the file.
  func about(_ subjects: [CheckState.Subject], where isSought: (Observation) -> Bool) -> [Int] {
    var found: [[Int]] = []
    func look(_ group: [Observation: [Int]]?) {
      for (observation, checks) in group ?? [:] where isSought(observation) { found.append(checks) }
    }
    look(groups[.anything])
    for subject in subjects { look(groups[subject]) }
    return found.count == 1 ? found[0] : found.joined().sorted()
  }

  /// The first place whose check does not stand above this one.
  private static func place(of index: Int, in group: [Int]) -> Int {
    if let last = group.last, last < index { return group.count }
    var range = 0..<group.count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      if group[middle] < index { range = middle + 1..<range.upperBound } else { range = range.lowerBound..<middle }
    }
    return range.lowerBound
  }
}

extension Observation {
  /// The observation without its places in the file: what two checks have in common that look for the same.
  var withoutRanges: Observation {
    let nowhere = SourceRange(line: 0, column: 0, length: 0)
    func placeless(_ text: TemplateText?) -> TemplateText? {
      var text = text
      text?.range = nowhere
      return text
    }
    switch self {
    case .message(var arrow):
      arrow.range = nowhere
      arrow.with = arrow.with.compactMap(placeless)
      arrow.callID = placeless(arrow.callID)
      return .message(arrow)
    case .updates(let call, let caller, let handle):
      return .updates(call: call, caller: placeless(caller), handle: placeless(handle))
    case .has(let call, let property, let value):
      return .has(call: call, property: property, value: placeless(value) ?? value)
    default: return self
    }
  }
}
