/// Why a line cannot be understood; the parser goes on with the next line.
struct LineProblem: Error {
  var diagnostic: Diagnostic
}

/// Reads one line from left to right.
struct LineCursor {
  let bytes: [UInt8]
  let start: Int
  /// Where the line ends, without comment and trailing blanks.
  let end: Int
  let line: Int
  var position: Int
  /// The names that were read.
  var uses: [NameUse] = []
  /// Whether suggestions are wanted.
  var suggests = true
  /// Where the last piece ended, without the blanks behind it.
  var lastEnd: Int
  /// The column of each byte, where it does not follow from the offset: a line may have many words.
  private let columns: [Int32]?

  /// Lines that another line of the file stands for.
  struct Origin: Hashable, Sendable {
    /// That line.
    var range: SourceRange
    /// What the labels of the lines begin with.
    var namespace: String
  }

  private let origin: Origin?

  init(_ bytes: [UInt8], bounds: Range<Int>, line: Int, origin: Origin? = nil) {
    self.origin = origin
    self.bytes = bytes
    self.start = bounds.lowerBound
    self.end = bounds.upperBound
    self.line = line
    self.position = bounds.lowerBound
    self.lastEnd = bounds.lowerBound
    self.columns = Self.columns(bytes, bounds)
    skipBlanks()
  }

  private static func columns(_ bytes: [UInt8], _ bounds: Range<Int>) -> [Int32]? {
    guard bytes[bounds].contains(where: { $0 >= 0x80 }) else { return nil }
    var columns: [Int32] = []
    columns.reserveCapacity(bounds.count + 1)
    var column: Int32 = 0
    for byte in bytes[bounds] {
      if byte & 0xC0 != 0x80 { column += 1 }
      columns.append(column)
    }
    columns.append(column + 1)
    return columns
  }

  private func column(_ index: Int) -> Int {
    guard let columns else { return index - start + 1 }
    return Int(columns[min(max(index - start, 0), columns.count - 1)])
  }

  var isAtEnd: Bool { position >= end }

  mutating func skipBlanks() {
    while position < end, bytes[position] == 0x20 { position += 1 }
  }

  func text(_ from: Int, _ to: Int) -> String { String(decoding: bytes[from..<to], as: UTF8.self) }

  /// Columns count Unicode scalars.
  func range(_ from: Int, _ to: Int) -> SourceRange {
    origin?.range
      ?? SourceRange(line: line, column: column(from), length: column(max(to, from)) - column(from))
  }

  var here: SourceRange { isAtEnd ? range(end, end) : range(position, wordEnd()) }

  private func wordEnd() -> Int {
    var index = position
    while index < end, bytes[index] != 0x20, bytes[index] != 0x22, bytes[index] != 0x2C { index += 1 }
    return max(index, min(position + 1, end))
  }

  func peek() -> String? { isAtEnd ? nil : text(position, wordEnd()) }

  func problem(
    _ code: DiagnosticCode, _ title: String, _ range: SourceRange? = nil, label: String? = nil, help: String? = nil
  )
    -> LineProblem
  {
    LineProblem(diagnostic: Diagnostic(code, title, at: range ?? here, label: label, help: help))
  }

  func missing(_ what: String) -> LineProblem {
    if let word = peek() { return problem(.somethingMissing, "expected \(what) before `\(word)`") }
    return problem(.somethingMissing, "expected \(what) at the end of the line")
  }

  func notYet(_ what: String, _ range: SourceRange? = nil) -> LineProblem {
    problem(.notSupportedYet, "not supported yet: \(what)", range)
  }

  mutating func word(_ what: String) throws(LineProblem) -> Word {
    guard let text = peek(), text != "\"", text != "," else { throw missing(what) }
    let stop = wordEnd()
    let word = Word(text: text, range: range(position, stop))
    position = stop
    lastEnd = stop
    skipBlanks()
    return word
  }

  mutating func accept(_ word: String) -> Bool {
    guard peek() == word else { return false }
    lastEnd = wordEnd()
    position = lastEnd
    skipBlanks()
    return true
  }

  mutating func require(_ word: String) throws(LineProblem) {
    guard accept(word) else { throw missing("`\(word)`") }
  }

  /// A single character, with blanks or without.
  mutating func accept(byte: UInt8) -> Bool {
    guard position < end, bytes[position] == byte else { return false }
    position += 1
    lastEnd = position
    skipBlanks()
    return true
  }

  func finish() throws(LineProblem) {
    if let word = peek() { throw problem(.restOfLine, "nothing can follow here, found `\(word)`") }
  }

  func unknown(_ word: Word, _ table: WordTable) -> LineProblem {
    if table.planned.contains(word.text) { return notYet("`\(word.text)`", word.range) }
    let nearest = suggests ? Suggestion.nearest(to: word.text, in: table.all) : nil
    return problem(
      .unknownWord, "unknown word `\(word.text)`", word.range,
      label: nearest.map { "did you mean `\($0)`?" } ?? "\(table.subject) is expected")
  }

  mutating func choice(_ table: WordTable) throws(LineProblem) -> Word {
    let word = try word(table.subject)
    guard table.supported.contains(word.text) else { throw unknown(word, table) }
    return word
  }

  static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
    default: false
    }
  }

  /// A name, which ends at the first character that cannot be in one.
  mutating func name(_ what: String, _ kind: NameUse.Kind? = nil) throws(LineProblem) -> Word {
    var stop = position
    while stop < end, Self.isNameByte(bytes[stop]) { stop += 1 }
    guard stop > position else {
      guard let found = peek() else { throw missing(what) }
      throw problem(.nameMalformed, "`\(found)` is not \(what)", help: "names have letters, digits, `-` and `_`")
    }
    var word = Word(text: text(position, stop), range: range(position, stop))
    position = stop
    lastEnd = stop
    skipBlanks()
    if kind?.isLabel ?? false { word = label(word) }
    if let kind { uses.append(NameUse(kind: kind, name: word)) }
    return word
  }

  /// The label that a name stands for in these lines.
  func label(_ name: Word) -> Word {
    Word(text: (origin?.namespace ?? "") + name.text, range: name.range)
  }

  /// A name that is a whole word.
  mutating func wholeName(_ what: String, _ kind: NameUse.Kind? = nil) throws(LineProblem) -> Word {
    let from = position
    let word = try name(what, kind)
    if lastEnd < end, bytes[lastEnd] != 0x20, bytes[lastEnd] != 0x2C {
      position = from
      let found = peek() ?? word.text
      throw problem(
        .nameMalformed, "`\(found)` is not \(what)",
        help: found.contains("->") ? "put blanks around `->`" : "names have letters, digits, `-` and `_`")
    }
    return word
  }

  func refuse(_ name: Word, in reserved: [String]) throws(LineProblem) {
    guard reserved.contains(name.text) else { return }
    throw problem(.reservedName, "`\(name.text)` has a meaning of its own and cannot be a name here", name.range)
  }

  /// The name of an actor or a call that is declared.
  mutating func newName() throws(LineProblem) -> Word {
    let name = try wholeName("a name")
    try refuse(name, in: Vocabulary.reservedNames)
    return name
  }
}
