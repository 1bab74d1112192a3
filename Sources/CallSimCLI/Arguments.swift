/// A command line as a verb understands it.
struct Arguments: Sendable {
  /// What is wrong with a command line, for the user.
  struct Mistake: Error {
    var text: String
  }

  private var values: [String: [String]] = [:]
  /// The options that have values, in order.
  private var taken: [(option: String, value: String)] = []
  private(set) var operands: [String] = []

  /// Sorts words into options and operands. Options may stand behind operands, `--` ends them, `-` is an operand.
  init(_ words: ArraySlice<String>, for verb: Verb) throws(Mistake) {
    var words = words
    var optionsEnded = false
    while let word = words.popFirst() {
      if optionsEnded || word == "-" || !word.hasPrefix("-") {
        operands.append(word)
      } else if word == "--" {
        optionsEnded = true
      } else if word.hasPrefix("--") {
        let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard let option = verb.options.first(where: { $0.name == name }) else {
          throw Mistake(text: Self.unknown("option", "--\(name)", among: verb.options.map { "--\($0.name)" }))
        }
        try take(option, inline: parts.count == 2 ? String(parts[1]) : nil, from: &words)
      } else {
        try take(letters: word.dropFirst(), of: verb, from: &words)
      }
    }
  }

  private mutating func take(
    letters: Substring, of verb: Verb, from words: inout ArraySlice<String>
  ) throws(Mistake) {
    var letters = letters
    while let letter = letters.popFirst() {
      guard let option = verb.options.first(where: { $0.letter == letter }) else {
        throw Mistake(text: "unknown option `-\(letter)`")
      }
      if case .required = option.value, !letters.isEmpty {
        try take(option, inline: String(letters), from: &words)
        return
      }
      try take(option, inline: nil, from: &words)
    }
  }

  private mutating func take(
    _ option: Option, inline: String?, from words: inout ArraySlice<String>
  ) throws(Mistake) {
    switch option.value {
    case .none:
      if inline != nil { throw Mistake(text: "`--\(option.name)` takes no value") }
      values[option.name, default: []].append("")
    case .required(let name):
      guard let value = inline ?? words.popFirst() else {
        throw Mistake(text: "`--\(option.name)` needs a value: --\(option.name) \(name)")
      }
      values[option.name, default: []].append(value)
      taken.append((option.name, value))
    }
  }

  /// Whether an option is given.
  func has(_ name: String) -> Bool { values[name] != nil }

  /// The last value of an option.
  func value(_ name: String) -> String? { values[name]?.last }

  /// All values of an option, in order.
  func all(_ name: String) -> [String] { values[name] ?? [] }

  /// The last option, by name, whose value is like this, and the value.
  func lastTaken(_ isSuch: (String) -> Bool) -> (option: String, value: String)? {
    taken.last { isSuch($0.value) }
  }

  /// The value that a word of an option stands for; a word that stands for none is a mistake.
  static func word<Value>(
    _ text: String?, of option: String, _ known: [String], _ make: (String) -> Value?
  ) throws(Mistake) -> Value? {
    guard let text else { return nil }
    guard let value = make(text) else {
      throw Mistake(
        text: unknown(option, text, among: known) + "; `--\(option)` takes \(known.joined(separator: " or "))"
      )
    }
    return value
  }

  /// The sentence for a word that is not known, with the nearest one that is.
  static func unknown(_ what: String, _ word: String, among known: [String]) -> String {
    let nearest = known.map { ($0, distance(word, $0)) }.min { $0.1 < $1.1 }
    guard let nearest, nearest.1 <= max(2, word.count / 3) else { return "unknown \(what) `\(word)`" }
    return "unknown \(what) `\(word)`; did you mean `\(nearest.0)`?"
  }

  /// How many letters differ, by Levenshtein's measure.
  private static func distance(_ left: String, _ right: String) -> Int {
    let right = Array(right)
    var row = Array(0...right.count)
    for (i, letter) in left.enumerated() {
      var previous = row[0]
      row[0] = i + 1
      for (j, other) in right.enumerated() {
        let cost = min(row[j + 1] + 1, row[j] + 1, previous + (letter == other ? 0 : 1))
        previous = row[j + 1]
        row[j + 1] = cost
      }
    }
    return row[right.count]
  }
}
