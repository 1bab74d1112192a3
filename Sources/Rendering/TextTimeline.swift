import Timeline

/// A timeline as text: one line an event, in fixed columns.
///
/// ```
///    0.400    user    ──▶ phone                 c1  ringing        answers
///    0.600    pbx     ──▶ phone   INVITE        c1  answering      offer sendrecv
/// ```
///
/// Records go in one by one and lines come out. Those of one instant are held back until it is over, so that a message
/// that arrives at the instant of its sending is one line.
public struct TextTimeline: Sendable {
  /// How the text looks.
  public struct Style: Hashable, Sendable {
    /// Whether only ASCII is used.
    public var isASCII: Bool
    /// Whether every SIP message is printed under the line of its sending.
    public var showsMessages: Bool

    public init(isASCII: Bool = false, showsMessages: Bool = false) {
      self.isASCII = isASCII
      self.showsMessages = showsMessages
    }
  }

  private let style: Style
  private var states = CallStates()
  private var instant = InstantBuffer()

  public init(style: Style = Style()) {
    self.style = style
  }

  /// The line above a timeline.
  public func header(of heading: Heading) -> String { heading.line(isASCII: style.isASCII) }

  /// The lines that can be printed once this record is known.
  public mutating func lines(for record: Record) -> [String] {
    instant.add(record).flatMap { lines(of: $0) }
  }

  /// The lines that are held back.
  public mutating func finish() -> [String] {
    instant.finish().flatMap { lines(of: $0) }
  }

  private mutating func lines(of entry: InstantBuffer.Entry) -> [String] {
    let state = states.state(with: entry.record) ?? ""
    guard case .sip(let event) = entry.record.event, case .sent(let bytes) = event.phase else {
      return [line(entry.record, state, detail: RecordWords.detail(of: entry.record, isASCII: style.isASCII))]
    }
    let words = [entry.hasArrived ? "" : "sent", RecordWords.detail(of: event.message)]
    let lines = [line(entry.record, state, detail: words.filter { !$0.isEmpty }.joined(separator: ", "))]
    return style.showsMessages ? lines + MessageText.lines(of: bytes, isASCII: style.isASCII) : lines
  }

  private func line(_ record: Record, _ state: String, detail: String) -> String {
    let arrow = record.to == nil ? "" : style.isASCII ? "-->" : "──▶"
    var message = ""
    if case .sip(let event) = record.event { message = RecordWords.name(of: event.message) }
    let columns = [
      Columns.time(record.instant), column(record.from, 7), Columns.padded(arrow, to: 3), column(record.to ?? "", 7),
      column(message, 13), column(record.call?.name ?? "", 3), column(state, 14), column(detail, 0),
    ]
    return Columns.trimmed(columns.joined(separator: " "))
  }

  /// The text, which may be a peer's, as one column of one line.
  private func column(_ text: String, _ width: Int) -> String {
    Columns.padded(MessageText.printable(text.utf8, isASCII: style.isASCII), to: width)
  }
}

extension TextTimeline: TimelineView {
  public func opening(_ heading: Heading) -> [String] { [header(of: heading)] }

  public mutating func closing(_ summary: JSONLines.Summary) -> [String] {
    finish() + CallIDTable(summary.calls, isASCII: style.isASCII).lines
  }
}
