import TerminalText

/// One line of a ladder, written column by column and in any order.
struct LadderRow {
  /// What stands in each column; empty behind a character of two columns.
  private var cells: [String]

  init(width: Int) {
    cells = Array(repeating: " ", count: width)
  }

  /// Writes a text over what stands there; what has no room in the row is left out.
  mutating func write(_ text: String, at column: Int) {
    var column = column
    for scalar in text.unicodeScalars {
      let width = DisplayWidth.of(scalar)
      if width == 0 {
        // It joins what stands before it, which for the second half of a character is the first half.
        guard let base = cells.indices.contains(column - 1) ? base(of: column - 1) : nil else { continue }
        cells[base].unicodeScalars.append(scalar)
      } else {
        guard column >= 0, column + width <= cells.count else { return }
        cells[column] = String(scalar)
        if width == 2 { cells[column + 1] = "" }
        column += width
      }
    }
  }

  private func base(of column: Int) -> Int {
    cells[column].isEmpty && column > 0 ? column - 1 : column
  }

  var text: String { Columns.trimmed(cells.joined()) }
}
