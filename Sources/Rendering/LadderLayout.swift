/// Who and what has a column in a ladder, known before the first record.
public struct Cast: Hashable, Sendable {
  public var phone: String
  /// The peers, in the order of their columns.
  public var peers: [String]
  /// The calls with a column of states, in the order of their columns.
  public var calls: [String]
  /// Whether the user has a column.
  public var hasUser: Bool

  public init(phone: String, peers: [String], calls: [String], hasUser: Bool) {
    self.phone = phone
    self.peers = peers
    self.calls = calls
    self.hasUser = hasUser
  }
}

/// The width that a ladder has is less than it needs.
public struct LadderTooNarrow: Error, Hashable, Sendable {
  /// The columns of the terminal that it needs at least.
  public var needed: Int
}

/// Where everything in a ladder stands, counted in columns of the terminal from 0.
struct LadderLayout: Hashable, Sendable {
  /// A vertical line and the name above it.
  struct Lane: Hashable, Sendable {
    var name: String
    var column: Int
    /// How many columns the name may take around the line.
    var nameWidth: Int
  }

  /// The states of one call.
  struct CallColumn: Hashable, Sendable {
    var name: String
    var column: Int
    var width: Int
  }

  /// From the user on the left to the last peer on the right.
  private(set) var lanes: [Lane] = []
  private(set) var calls: [CallColumn] = []
  /// The place of the phone among the lanes.
  let phone: Int
  /// Where the chart begins, behind the time, and where it ends.
  let chart: Range<Int>
  /// The columns that the ladder takes of those that it has.
  let width: Int

  /// Between two lines that messages are labelled between: the longest method and an arrow fit at least; most labels
  /// fit; no label becomes better readable by more.
  private static let labelled = (least: 15, good: 22, most: 44)
  /// Between the user and the system nothing happens: what the user does goes to the phone.
  private static let besideUser = 8
  /// Between two peers: what they send goes to the phone, past each other.
  private static let betweenPeers = 10
  /// The states: told apart, or all in full (`held-by-remote`).
  private static let states = (least: 6, most: 14)
  private static let calls = (separator: 2, gap: 1)

  init(_ cast: Cast, width: Int) throws(LadderTooNarrow) {
    let names = (cast.hasUser ? ["user"] : []) + ["system", cast.phone] + cast.peers
    let phone = cast.hasUser ? 2 : 1
    let widths = names.map { Columns.width(of: $0) }
    // Half of a name stands beyond the outermost lines.
    let margins = (left: (widths[0] - 1) / 2, right: min(widths[widths.count - 1], 13) / 2)
    var gaps = names.indices.dropLast().map { index in
      let isBesideUser = cast.hasUser && index == 0
      return isBesideUser ? Self.besideUser : index <= phone ? Self.labelled.least : Self.betweenPeers
    }
    var states = cast.calls.map { _ in Self.states.least }
    let start = Columns.timeWidth + 1
    let fixed = start + margins.left + margins.right + 1
    let separators = cast.calls.isEmpty ? 0 : Self.calls.separator + (cast.calls.count - 1) * Self.calls.gap
    var spare = width - fixed - separators - gaps.reduce(0, +) - states.reduce(0, +)
    if spare < 0 { throw LadderTooNarrow(needed: width - spare) }
    // First the labels of messages become readable, then the states, then everything takes what is left.
    let main = (phone - 1)...phone
    Self.spread(&spare, over: &gaps, upTo: Self.labelled.good) { main.contains($0) }
    Self.spread(&spare, over: &states, upTo: Self.states.most) { _ in true }
    Self.spread(&spare, over: &gaps, upTo: Self.labelled.most) { !cast.hasUser || $0 > 0 }

    self.phone = phone
    var column = start + margins.left
    for (index, name) in names.enumerated() {
      let before = index == 0 ? margins.left * 2 + 2 : gaps[index - 1] - 1
      let after = index == gaps.count ? margins.right * 2 + 1 : gaps[index] - 1
      lanes.append(Lane(name: name, column: column, nameWidth: min(before, after)))
      if index < gaps.count { column += gaps[index] }
    }
    chart = start..<column + margins.right + 1
    column = chart.upperBound + Self.calls.separator
    for (name, width) in zip(cast.calls, states) {
      calls.append(CallColumn(name: name, column: column, width: width))
      column += width + Self.calls.gap
    }
    self.width = calls.last.map { $0.column + $0.width } ?? chart.upperBound
  }

  /// Gives to each of the chosen sizes in turn until nothing is left or all have enough.
  private static func spread(
    _ spare: inout Int, over sizes: inout [Int], upTo most: Int, where isChosen: (Int) -> Bool
  ) {
    var isGiving = true
    while isGiving {
      isGiving = false
      for index in sizes.indices where isChosen(index) && sizes[index] < most && spare > 0 {
        sizes[index] += 1
        spare -= 1
        isGiving = true
      }
    }
  }

  /// The line of an actor. A push comes through PushKit, which is the system's; who has no line is `nil`.
  func lane(of actor: String) -> Int? {
    lanes.firstIndex { $0.name == (actor == "push" ? "system" : actor) }
  }
}
