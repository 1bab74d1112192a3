/// What came of a line of the table.
enum FlowResult {
  case passed
  /// Everything else was as in the flow.
  case inPart([String])
  case notPlayed(String)
  case failed([String])

  init(_ entry: FlowEntry) {
    guard case .plays(let part) = entry else {
      if case .notPlayed(_, _, let why) = entry { self = .notPlayed(why) } else { self = .failed([]) }
      return
    }
    do {
      var player = try FlowPlayer(part)
      player.play()
      let figure = part.race.map { _ in "the RFC shows this race without messages: those of \(part.flow) stand in" }
      let detours = [figure, part.instead?.why].compactMap(\.self)
      let reasons = detours + part.differs.sorted { $0.key < $1.key }.flatMap(\.value).map(\.why)
      if !player.mismatches.isEmpty {
        self = .failed(player.mismatches)
      } else {
        self = reasons.isEmpty ? .passed : .inPart(Self.unique(reasons))
      }
    } catch {
      self = .failed(["\(error)"])
    }
  }

  private static func unique(_ texts: [String]) -> [String] {
    var unique: [String] = []
    for text in texts where !unique.contains(text) { unique.append(text) }
    return unique
  }

  /// One line of the table that is printed.
  var line: String {
    switch self {
    case .passed: "passed"
    case .inPart(let reasons): "in part; not played: \(reasons.joined(separator: "; "))"
    case .notPlayed(let why): "not played: \(why)"
    case .failed(let mismatches): "FAILED: \(mismatches.joined(separator: "; "))"
    }
  }
}
