/// The characters that a ladder is drawn with.
struct LadderSigns: Hashable, Sendable {
  let lifeline: String
  /// The line of an actor that cannot be reached.
  let goneLifeline: String
  /// A message's way at this instant, and the part that it goes at another.
  let arrow: String
  let otherTime: String
  let crossing: String
  let headRight: String
  let headLeft: String
  /// Where a note hangs on a line, to its right and to its left.
  let noteRight: String
  let noteLeft: String
  /// In a call's column: the call goes on; the line is about this call.
  let goesOn: String
  let concerned: String

  static let unicode = LadderSigns(
    lifeline: "│", goneLifeline: "╎", arrow: "─", otherTime: "╌", crossing: "┼", headRight: "▶", headLeft: "◀",
    noteRight: "├", noteLeft: "┤", goesOn: "┊", concerned: "●")

  static let ascii = LadderSigns(
    lifeline: "|", goneLifeline: ".", arrow: "-", otherTime: "~", crossing: "+", headRight: ">", headLeft: "<",
    noteRight: "*", noteLeft: "*", goesOn: ":", concerned: "*")
}
