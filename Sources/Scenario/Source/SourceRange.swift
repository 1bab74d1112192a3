/// A piece of one line of a scenario file.
public struct SourceRange: Hashable, Sendable {
  /// The line, from 1.
  public var line: Int
  /// The first column, from 1, in characters.
  public var column: Int
  /// How many characters; at least 1.
  public var length: Int

  public init(line: Int, column: Int, length: Int) {
    self.line = line
    self.column = column
    self.length = max(length, 1)
  }
}
