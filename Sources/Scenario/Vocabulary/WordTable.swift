/// The words that can stand at one place of the language.
public struct WordTable: Hashable, Sendable {
  /// What is chosen from, for messages: `a state`.
  public var subject: String
  /// The words that are understood.
  public var supported: [String]
  /// The words that the language has and this program does not support yet.
  public var planned: [String]

  /// A table; a word stands in one of the two lists.
  public init(_ subject: String, _ supported: [String], planned: [String] = []) {
    self.subject = subject
    self.supported = supported
    self.planned = planned
  }

  /// Every word, the supported ones first.
  public var all: [String] { supported + planned }

  /// Whether the language has the word at this place, supported or not.
  public func contains(_ word: String) -> Bool { supported.contains(word) || planned.contains(word) }
}

/// Finds the word that was probably meant.
enum Suggestion {
  /// The nearest of the words, if it is near enough: a third of the length may differ, at least one letter. Of words
  /// that are equally near the first is taken.
  static func nearest(to word: String, in words: [String]) -> String? {
    let letters = Array(word.lowercased().utf8)
    // Nothing in the language is that long, and the distance costs the product of the lengths.
    guard letters.count <= 40 else { return nil }
    var best: (word: String, distance: Int)?
    for candidate in words {
      let other = Array(candidate.lowercased().utf8)
      let allowed = max(1, max(letters.count, other.count) / 3)
      guard other.count <= 80, abs(other.count - letters.count) <= allowed else { continue }
      let distance = distance(letters, other)
      if distance <= allowed, distance < (best?.distance ?? .max) { best = (candidate, distance) }
    }
    return best?.word
  }

  /// The least number of letters to insert, delete, replace or swap with their neighbour.
  static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var beforeLast = [Int](repeating: 0, count: right.count + 1)
    var last = Array(0...right.count)
    for i in left.indices {
      var row = [i + 1]
      for j in right.indices {
        var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (left[i] == right[j] ? 0 : 1))
        if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] { cost = min(cost, beforeLast[j - 1] + 1) }
        row.append(cost)
      }
      beforeLast = last
      last = row
    }
    return last[right.count]
  }
}
