import Instant

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

  init(_ bytes: [UInt8], bounds: Range<Int>, line: Int) {
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
    SourceRange(line: line, column: column(from), length: column(max(to, from)) - column(from))
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
    let word = Word(text: text(position, stop), range: range(position, stop))
    position = stop
    lastEnd = stop
    skipBlanks()
    if let kind { uses.append(NameUse(kind: kind, name: word)) }
    return word
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

  func span(_ text: String, _ range: SourceRange) throws(LineProblem) -> Span {
    switch Duration.read(text) {
    case .span(let span): return span
    case .malformed(let help):
      throw problem(
        .durationMalformed, "`\(text)` is not a duration", range, help: help ?? "a number with us, ms, s or min")
    case .fraction(let help):
      throw LineProblem(
        diagnostic: Diagnostic(
          .notSupportedYet, "not supported yet: a fraction in the duration `\(text)`", at: range, help: help))
    }
  }

  mutating func duration() throws(LineProblem) -> Span {
    let word = try word("a duration")
    return try span(word.text, word.range)
  }

  mutating func durationRange() throws(LineProblem) -> ClosedRange<Span> {
    let word = try word("a duration")
    return try spanRange(word.text, word.range)
  }

  func spanRange(_ text: String, _ range: SourceRange) throws(LineProblem) -> ClosedRange<Span> {
    let bytes = Array(text.utf8)
    guard let dots = bytes.indices.dropLast().first(where: { bytes[$0] == 0x2E && bytes[$0 + 1] == 0x2E }) else {
      let single = try span(text, range)
      return single...single
    }
    let low = try span(String(decoding: bytes[..<dots], as: UTF8.self), range)
    let high = try span(String(decoding: bytes[(dots + 2)...], as: UTF8.self), range)
    guard low <= high else { throw problem(.rangeReversed, "the range `\(text)` ends before it starts", range) }
    return low...high
  }

  mutating func number(_ what: String, in allowed: ClosedRange<Int>) throws(LineProblem) -> Int {
    let word = try word(what)
    guard let number = Number.read(word.text), allowed.contains(number) else {
      throw problem(.numberMalformed, "`\(word.text)` is not \(what)", word.range)
    }
    return number
  }

  mutating func uri() throws(LineProblem) -> Word {
    let word = try word("a SIP URI")
    guard let colon = word.text.firstIndex(of: ":"), ["sip", "sips"].contains(word.text[..<colon].lowercased()),
      HostAddress(word.text) != nil
    else {
      throw problem(.uriMalformed, "`\(word.text)` is not a SIP URI", word.range, help: "write `sip:user@host`")
    }
    return word
  }

  mutating func host() throws(LineProblem) -> String {
    let word = try word("a host")
    guard HostAddress(word.text) != nil, !word.text.contains("@") else {
      throw problem(.valueMalformed, "`\(word.text)` is not a host", word.range, help: "write `10.0.0.2` or a name")
    }
    return word.text
  }

  /// A header line to set, `Name: value`. What a `${…}` puts in front of the colon is not known yet.
  func refuseUnlessHeader(_ text: TemplateText) throws(LineProblem) {
    guard case .literal(let literal)? = text.pieces.first else {
      if text.pieces.isEmpty { throw problem(.headerMalformed, "the header line is empty", text.range) }
      return
    }
    let bytes = Array(literal.utf8)
    let colon = bytes.firstIndex(of: 0x3A)
    if colon == nil, text.pieces.count > 1 { return }
    var name = bytes[..<(colon ?? 0)]
    while name.last == 0x20 { name.removeLast() }
    guard colon != nil, !name.isEmpty, name.allSatisfy(Self.isTokenByte) else {
      throw problem(.headerMalformed, "`\(literal)` is not a header line", text.range, help: "write `Name: value`")
    }
  }

  /// What a header's name is made of (RFC 3261 25.1).
  private static func isTokenByte(_ byte: UInt8) -> Bool {
    isNameByte(byte) || [0x21, 0x25, 0x27, 0x2A, 0x2B, 0x2E, 0x60, 0x7E].contains(byte)
  }

  /// A string in double quotes, as bytes without escapes.
  private mutating func stringBytes() throws(LineProblem) -> (bytes: [UInt8], offsets: [Int], range: SourceRange) {
    guard position < end, bytes[position] == 0x22 else { throw missing("a string in double quotes") }
    let from = position
    var index = position + 1
    var result: [UInt8] = []
    var offsets: [Int] = []
    while index < end, bytes[index] != 0x22 {
      if bytes[index] == 0x5C {
        guard index + 1 < end, bytes[index + 1] == 0x22 || bytes[index + 1] == 0x5C else {
          throw problem(
            .escapeUnknown, "unknown escape in a string", range(index, min(index + 2, end)),
            help: "only `\\\"` and `\\\\` are escapes")
        }
        index += 1
      }
      result.append(bytes[index])
      offsets.append(index)
      index += 1
    }
    guard index < end else { throw problem(.stringUnterminated, "the string is not closed", range(from, end)) }
    position = index + 1
    lastEnd = position
    skipBlanks()
    return (result, offsets, range(from, index + 1))
  }

  mutating func plainString() throws(LineProblem) -> Word {
    let string = try stringBytes()
    return Word(text: String(decoding: string.bytes, as: UTF8.self), range: string.range)
  }

  mutating func templateString() throws(LineProblem) -> TemplateText {
    let string = try stringBytes()
    return try template(string.bytes, string.offsets, string.range)
  }

  /// Cuts a text at its `${…}`.
  mutating func template(_ content: [UInt8], _ offsets: [Int], _ whole: SourceRange) throws(LineProblem) -> TemplateText
  {
    var pieces: [TemplateText.Piece] = []
    var literal: [UInt8] = []
    var index = 0
    while index < content.count {
      guard content[index] == 0x24, index + 1 < content.count, content[index + 1] == 0x7B else {
        literal.append(content[index])
        index += 1
        continue
      }
      guard let close = content[index...].firstIndex(of: 0x7D) else {
        throw problem(.referenceMalformed, "`${` is not closed by `}`", range(offsets[index], offsets[index] + 2))
      }
      let name = String(decoding: content[(index + 2)..<close], as: UTF8.self)
      let place = range(offsets[index], offsets[close] + 1)
      if name.hasPrefix("hex:") {
        let digits = name.dropFirst(4)
        guard !digits.isEmpty, digits.utf8.count % 2 == 0, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
          throw problem(.referenceMalformed, "`${\(name)}` needs pairs of hexadecimal digits", place)
        }
      } else if name.isEmpty || !name.utf8.allSatisfy({ Self.isNameByte($0) || $0 == 0x2E }) {
        throw problem(.referenceMalformed, "`${\(name)}` is not a reference", place)
      }
      if !literal.isEmpty { pieces.append(.literal(String(decoding: literal, as: UTF8.self))) }
      literal = []
      pieces.append(.reference(name))
      uses.append(NameUse(kind: .reference, name: Word(text: name, range: place)))
      index = close + 1
    }
    if !literal.isEmpty { pieces.append(.literal(String(decoding: literal, as: UTF8.self))) }
    return TemplateText(pieces: pieces, range: whole)
  }
}
