import Timeline

/// A timeline as a ladder: a line for each actor, an arrow for each message, and beside them the states of each call.
///
/// ```
///             user   system                phone                  pbx    c1
///    0.400      │─────── answers ───────────▶│                     │     ●
///    0.600      │       │                    │◀─ INVITE (sendrecv)─│     ●
/// ```
///
/// No line is wider than the width that it is made for: what does not fit is cut, with an ellipsis.
public struct LadderChart: Sendable {
  private let layout: LadderLayout
  private let width: Int
  private let isASCII: Bool
  private let signs: LadderSigns
  private var states = CallStates()
  private var instant = InstantBuffer()
  /// Which actors cannot be reached at the moment, by their lines.
  private var isGone: [Bool]

  /// A ladder of these actors and calls for so many columns of a terminal.
  public init(of cast: Cast, width: Int, isASCII: Bool = false) throws(LadderTooNarrow) {
    layout = try LadderLayout(cast, width: width)
    self.width = width
    self.isASCII = isASCII
    signs = isASCII ? .ascii : .unicode
    isGone = layout.lanes.map { _ in false }
  }

  /// The columns of the terminal that a ladder of these actors and calls needs at least.
  public static func leastWidth(for cast: Cast) -> Int {
    do throws(LadderTooNarrow) {
      _ = try LadderLayout(cast, width: 0)
      return 0
    } catch {
      return error.needed
    }
  }

  private func printable(_ text: String, cutTo width: Int) -> String {
    Columns.cut(MessageText.printable(text.utf8, isASCII: isASCII), to: width, isASCII: isASCII)
  }

  private var names: String {
    var row = LadderRow(width: layout.width)
    for lane in layout.lanes {
      let name = printable(lane.name, cutTo: lane.nameWidth)
      row.write(name, at: lane.column - (max(1, Columns.width(of: name)) - 1) / 2)
    }
    for call in layout.calls { row.write(printable(call.name, cutTo: call.width), at: call.column) }
    return row.text
  }

  // MARK: One line

  private mutating func line(of entry: InstantBuffer.Entry) -> String {
    let record = entry.record
    let state = states.state(with: record)
    let actor = layout.lane(of: record.from)
    switch record.event {
    case .lifecycle(.returns): if let actor { isGone[actor] = false }
    case .lifecycle(.networkRestored): isGone[layout.phone] = false
    default: break
    }
    var row = LadderRow(width: layout.width)
    row.write(Columns.cut(Columns.time(record.instant), to: Columns.timeWidth, isASCII: isASCII), at: 0)
    for (lane, isGone) in zip(layout.lanes, isGone) {
      row.write(isGone ? signs.goneLifeline : signs.lifeline, at: lane.column)
    }
    draw(entry, on: &row)
    drawStates(of: record, state, on: &row)
    switch record.event {
    case .lifecycle(.vanishes): if let actor { isGone[actor] = true }
    case .lifecycle(.networkLost): isGone[layout.phone] = true
    default: break
    }
    return row.text
  }

  /// The column of the record's call has its new state, or a mark that the line is about it.
  private func drawStates(of record: Record, _ state: String?, on row: inout LadderRow) {
    for call in layout.calls {
      if call.name != record.call?.name {
        if states[call.name] != nil { row.write(signs.goesOn, at: call.column) }
      } else if case .state = record.event, let state {
        row.write(printable(state, cutTo: call.width), at: call.column)
      } else {
        row.write(signs.concerned, at: call.column)
      }
    }
  }

  private func draw(_ entry: InstantBuffer.Entry, on row: inout LadderRow) {
    let record = entry.record
    switch record.event {
    case .sip(let event):
      let fate: String?
      let form: Arrow.Form
      switch event.phase {
      case .sent: (form, fate) = (entry.hasArrived ? .whole : .departing, nil)
      case .arrived: (form, fate) = (.arriving, nil)
      case .lost(let why): (form, fate) = (.lost, "lost: \(why)")
      case .dropped(let why): (form, fate) = (.dropped, "dropped: \(why)")
      }
      draw(record, RecordWords.label(of: event.message, fate: fate), form, on: &row)
    case .state(_, let new, let reason):
      // The state itself stands in the call's column, if it has one.
      let words = [hasColumn(record.call) ? "" : new, reason.map { "reason \($0)" } ?? ""].filter { !$0.isEmpty }
      if !words.isEmpty { draw(record, words.joined(separator: ", "), .whole, on: &row) }
    default: draw(record, RecordWords.detail(of: record, isASCII: isASCII), .whole, on: &row)
    }
  }

  private func hasColumn(_ call: CallLabel?) -> Bool {
    layout.calls.contains { $0.name == call?.name }
  }

  /// An arrow where two actors have lines, else a note at the line of one of them.
  private func draw(_ record: Record, _ words: String, _ form: Arrow.Form, on row: inout LadderRow) {
    var words = words
    if let call = record.call, !hasColumn(call) { words = "\(call.name): \(words)" }
    let from = layout.lane(of: record.from)
    let to = record.to.flatMap { layout.lane(of: $0) }
    if let from, let to, from != to, form != .dropped {
      draw(Arrow(from: from, to: to, form: form), words, on: &row)
    } else if form == .dropped, let to {
      drawNote(words, at: to, on: &row)
    } else if case .fault = record.event {
      drawNote(words, at: layout.phone, on: &row)
    } else {
      let isKnown = from != nil && (record.to == nil || to != nil)
      let actors = [record.from, record.to].compactMap { $0 }.joined(separator: " to ")
      drawNote(isKnown ? words : "\(actors): \(words)", at: from ?? to ?? layout.phone, on: &row)
    }
  }

  // MARK: Arrows and notes

  /// What an arrow shows of a message's way.
  private struct Arrow {
    enum Form {
      /// It goes the whole way at this instant.
      case whole
      /// It sets out, and is still on its way when the instant ends.
      case departing
      /// It has been on its way and arrives.
      case arriving
      case lost
      /// It has arrived, and nothing comes of it: no arrow.
      case dropped
    }

    var from: Int
    var to: Int
    var form: Form
  }

  private func draw(_ arrow: Arrow, _ words: String, on row: inout LadderRow) {
    let start = layout.lanes[arrow.from].column
    let end = layout.lanes[arrow.to].column
    let step = start < end ? 1 : -1
    let length = abs(end - start) - 1
    // One sign of the line on each side of the label, and the head.
    let room = length - 3
    var label = printable(words, cutTo: room)
    if Columns.width(of: label) + 2 <= room { label = " \(label) " }
    let width = Columns.width(of: label)
    let before = (length - 1 - width) / 2
    let crossed = Set(layout.lanes.map(\.column))
    // Counted from the sender, and beside the label.
    for distance in 1...length where distance <= before || distance > before + width {
      let column = start + step * distance
      guard let sign = sign(of: arrow.form, behindLabel: distance - before - width) else { continue }
      let isCrossing = crossed.contains(column)
      if isCrossing, sign == signs.otherTime { continue }
      row.write(isCrossing && sign == signs.arrow ? signs.crossing : sign, at: column)
    }
    let head = end - step
    if arrow.form == .whole || arrow.form == .arriving {
      row.write(step > 0 ? signs.headRight : signs.headLeft, at: head)
    }
    row.write(label, at: step > 0 ? start + before + 1 : start - before - width)
  }

  /// The sign of an arrow's line so far behind its label, which is not above zero before the label.
  private func sign(of form: Arrow.Form, behindLabel distance: Int) -> String? {
    let isBefore = distance <= 0
    return switch form {
    case .whole, .dropped: signs.arrow
    case .departing: isBefore ? signs.arrow : signs.otherTime
    case .arriving: isBefore ? signs.otherTime : signs.arrow
    case .lost: isBefore || distance == 1 ? signs.arrow : distance == 2 ? "x" : nil
    }
  }

  /// A note stands to the right of its line if it fits there, else on the side that has more room.
  private func drawNote(_ words: String, at index: Int, on row: inout LadderRow) {
    let column = layout.lanes[index].column
    let left = column - 1 - layout.chart.lowerBound
    let right = layout.chart.upperBound - column - 2
    let whole = printable(words, cutTo: .max)
    if Columns.width(of: whole) <= right || right >= left {
      let note = printable(words, cutTo: right)
      row.write(signs.noteRight + " " + note, at: column)
      let end = column + 2 + Columns.width(of: note)
      if end < layout.chart.upperBound { row.write(" ", at: end) }
    } else {
      let note = printable(words, cutTo: left)
      let start = column - 1 - Columns.width(of: note)
      row.write(" ", at: max(layout.chart.lowerBound, start - 1))
      row.write(note + " " + signs.noteLeft, at: start)
    }
  }
}

extension LadderChart: TimelineView {
  public func opening(_ heading: Heading) -> [String] {
    [Columns.cut(heading.line(isASCII: isASCII), to: width, isASCII: isASCII), names]
  }

  public mutating func lines(for record: Record) -> [String] {
    instant.add(record).map { line(of: $0) }
  }

  public mutating func closing(_ summary: JSONLines.Summary) -> [String] {
    instant.finish().map { line(of: $0) } + CallIDTable(summary.calls, isASCII: isASCII, width: width).lines
  }
}
