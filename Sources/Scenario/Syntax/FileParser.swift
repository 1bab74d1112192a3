import Instant

/// Reads a file line by line; the first word of a line decides what it is. A line that cannot be understood is
/// reported and left out.
struct FileParser {
  let source: SourceFile
  var tree = SyntaxTree()
  var problems = Problems()
  private var isInCase = false
  private var deviceIndentation: Int?
  var previousIndentation = 0
  /// What a continuation would belong to.
  var pending: Statement?
  /// What the lines that belong to it say, kept aside so that many of them do not copy each other.
  var attached = Attached()
  /// Whether the line above was reported, so that what belongs to it is passed over.
  var skipsAttached = false
  /// Whether this line is a raw line or a continuation: what is wrong with it ends nothing.
  var isAttached = false
  /// Whether settings belong to a device that is not kept.
  var discardsSettings = false
  /// What is skipped because the line that opened it is not supported.
  private var skipped: Skipped?

  private enum Skipped { case rows, explore }

  struct Attached {
    var rawLines: [TemplateText] = []
    var with: [TemplateText] = []
    var without: [String] = []
    var uses: [NameUse] = []
  }

  /// Where all lines stand, if not where they are in the source.
  private let origin: LineCursor.Origin?

  init(_ source: SourceFile, origin: LineCursor.Origin? = nil) {
    self.source = source
    self.origin = origin
  }

  func cursor(_ bounds: Range<Int>, line: Int) -> LineCursor {
    LineCursor(source.bytes, bounds: bounds, line: line, origin: origin)
  }

  mutating func parse() {
    var sawVersion = false
    for line in 1..<(source.lineCount + 1) {
      let bounds = source.bounds(ofLine: line)
      isAttached = false
      do throws(LineProblem) {
        guard let cursor = try cursor(bounds, line) else { continue }
        if !sawVersion {
          sawVersion = true
          try version(cursor)
        } else {
          try statement(cursor)
        }
      } catch {
        report(error, bounds, line)
      }
    }
    flush()
    if !sawVersion {
      problems.add(Diagnostic(.emptyFile, "the file says nothing", at: nil, help: "begin with `callsim 1`"))
    }
  }

  private mutating func report(_ problem: LineProblem, _ bounds: Range<Int>, _ line: Int) {
    problems.add(problem.diagnostic)
    if isAttached { return }
    skipsAttached = true
    var cursor = cursor(bounds, line: line)
    // What the line would have named is not reported as unknown later.
    var words: [String] = []
    while let next = cursor.peek(), words.count < 64 {
      words.append(next)
      cursor.position += max(next.utf8.count, 1)
      cursor.skipBlanks()
    }
    if words.count > 1 { tree.broken.insert(words[1].hasSuffix(":") ? String(words[1].dropLast()) : words[1]) }
    for (index, word) in words.enumerated() where word == "as" && index + 1 < words.count {
      tree.broken.insert(words[index + 1])
    }
  }

  /// A cursor without comment and trailing blanks; `nil` for a line that says nothing. Raw lines are taken here.
  private mutating func cursor(_ bounds: Range<Int>, _ line: Int) throws(LineProblem) -> LineCursor? {
    let bytes = source.bytes
    if bounds.count > SourceFile.lineLimit {
      throw LineProblem(
        diagnostic: Diagnostic(
          .lineTooLong, "the line has \(bounds.count) bytes; at most \(SourceFile.lineLimit) are allowed",
          at: SourceRange(line: line, column: 1, length: 1)))
    }
    var first = bounds.lowerBound
    while first < bounds.upperBound, bytes[first] == 0x20 { first += 1 }
    if first < bounds.upperBound, bytes[first] == 0x7C {
      try rawLine(first + 1, bounds, line)
      return nil
    }
    var end = bounds.upperBound
    var isQuoted = false
    var index = first
    while index < bounds.upperBound {
      let byte = bytes[index]
      if byte == 0x22 {
        isQuoted.toggle()
      } else if byte == 0x5C, isQuoted {
        index += 1
      } else if byte == 0x23, !isQuoted,
        index == first || (index >= first + 2 && bytes[index - 1] == 0x20 && bytes[index - 2] == 0x20)
      {
        end = index
        break
      } else if byte < 0x20 || byte == 0x7F {
        let place = cursor(bounds, line: line).range(index, index + 1)
        throw LineProblem(
          diagnostic: byte == 0x09
            ? Diagnostic(.tabOutsideRaw, "a tab can stand in raw lines only", at: place, help: "use blanks")
            : Diagnostic(.controlCharacter, "a control character can stand in raw lines only", at: place))
      }
      index += 1
    }
    while end > first, bytes[end - 1] == 0x20 { end -= 1 }
    guard end > first else { return nil }
    var cursor = cursor(bounds.lowerBound..<end, line: line)
    cursor.suggests = !problems.isFull
    return cursor
  }

  private mutating func version(_ line: LineCursor) throws(LineProblem) {
    var cursor = line
    guard cursor.accept("callsim") else {
      problems.add(
        Diagnostic(
          .versionMissing, "the first line is not `callsim 1`", at: cursor.here, help: "begin with `callsim 1`"))
      return try statement(line)
    }
    let number = try cursor.word("the version")
    guard number.text == "1" else {
      throw cursor.problem(
        .versionUnknown, "version `\(number.text)` is not known", number.range, help: "write `callsim 1`")
    }
    try cursor.finish()
  }

  private mutating func statement(_ line: LineCursor) throws(LineProblem) {
    var cursor = line
    let start = cursor.position
    let indentation = start - cursor.start
    let first = try cursor.word("a line")
    if ["with", "without", "call-id"].contains(first.text), cursor.peek() != "->" {
      if skipsAttached { return }
      isAttached = true
      return try continuation(line, indentation)
    }
    flush()
    skipsAttached = false
    if isSkipped(first.text) { return }
    if isTimed(first.text, cursor.peek()) {
      (previousIndentation, deviceIndentation) = (indentation, nil)
      pending = .timed(try timed(line))
      return
    }
    if let outer = deviceIndentation, indentation > outer, !Vocabulary.lineStarts.contains(first.text) {
      return try setting(first, &cursor)
    }
    previousIndentation = indentation
    deviceIndentation = nil
    guard Vocabulary.lineStarts.supported.contains(first.text) else {
      if Vocabulary.settings.contains(first.text) {
        throw cursor.problem(
          .settingMisplaced, "the setting `\(first.text)` stands under no device", first.range,
          help: "indent it under `device`")
      }
      open(unsupported: first)
      throw cursor.unknown(first, Vocabulary.lineStarts)
    }
    switch first.text {
    case "expect", "never": pending = .check(try cursor.check(start, isNever: first.text == "never"))
    case "always": tree.body.append(try cursor.invariant(start))
    case "in-order", "optional":
      try cursor.finish()
      tree.body.append(.open(first.text == "optional" ? .optional : .inOrder, before: nil, first.range))
    case "insert":
      try cursor.require("before")
      let label = try cursor.wholeName("a label")
      try cursor.finish()
      tree.body.append(.open(.insert, before: label, first.range))
    case "end":
      try cursor.finish()
      tree.body.append(.end(first.range))
    case "case":
      isInCase = true
      let name = try cursor.plainString()
      try cursor.require("from")
      let label = try cursor.wholeName("a label")
      try cursor.finish()
      tree.body.append(.caseStart(name: name.text, from: label, cursor.range(start, cursor.lastEnd)))
    case "let":
      let name = try cursor.name("a name")
      try cursor.refuse(name, in: Vocabulary.reservedTexts)
      guard cursor.accept(byte: 0x3D) else { throw cursor.missing("`=`") }
      let text = try cursor.templateString()
      try cursor.finish()
      tree.body.append(.text(name, text, uses: cursor.uses))
    case "label": tree.body.append(.timed(try place(&cursor)))
    case "use": tree.body.append(.use(try cursor.use(start)))
    case "param": tree.body.append(try param(&cursor, start))
    default:
      if isInCase {
        throw cursor.problem(
          .lineMisplaced, "`\(first.text)` cannot stand in a case", first.range,
          help: "move it above the first case")
      }
      if first.text == "device" {
        deviceIndentation = indentation
        discardsSettings = !tree.devices.isEmpty
      }
      try header(first, &cursor, start)
      try cursor.finish()
      tree.uses += cursor.uses
    }
  }

  /// A block that is not supported is still closed by its `end`; what only it can hold is not looked at.
  private mutating func open(unsupported word: Word) {
    switch word.text {
    case "parallel", "repeat", "explore":
      tree.body.append(.open(.unsupported, before: nil, word.range))
      if word.text == "explore" { skipped = .explore }
    case "examples": skipped = .rows
    default: break
    }
  }

  private mutating func isSkipped(_ first: String) -> Bool {
    switch skipped {
    case .rows where first == "row": return true
    case .explore where first != "end": return true
    default:
      skipped = nil
      return false
    }
  }

  private func isTimed(_ first: String, _ second: String?) -> Bool {
    if let second, Vocabulary.actorVerbs.contains(second) { return true }
    return first.hasPrefix("@") || first.hasPrefix("+") || ["on", "push", "user", "system"].contains(first)
      || first.contains("->")
  }
}
