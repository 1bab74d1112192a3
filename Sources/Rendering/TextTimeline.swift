import Instant
import Timeline

/// A timeline as text: one line an event, in fixed columns.
///
/// ```
///    0.400    user   ──▶ phone             c1 ringing     answers
///    0.600    pbx    ──▶ phone  INVITE     c1 answering   offer sendrecv
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
  /// The headline state of each call that has not ended.
  private var states: [String: String] = [:]
  /// The lines of the instant that is not over, in order.
  private var held: [Held] = []

  private struct Held: Sendable {
    var record: Record
    var state: String
    var hasArrived = false
  }

  public init(style: Style = Style()) {
    self.style = style
  }

  /// The line above a timeline.
  public func header(of heading: Heading) -> String {
    var words = ["#", "\"\(heading.title)\""]
    if let name = heading.caseName { words.append("case \"\(name)\"") }
    words += heading.params.map { "\($0.name)=\($0.value)" }
    words.append("seed \(heading.seed)")
    let text = words.joined(separator: " ")
    return MessageText.printable(text.utf8, isASCII: style.isASCII)
  }

  /// The lines that can be printed once this record is known.
  public mutating func lines(for record: Record) -> [String] {
    let lines = held.first.map { $0.record.instant < record.instant } ?? false ? finish() : []
    if case .state(_, let new, _) = record.event, let name = record.call?.name { states[name] = new }
    if let sending = sending(of: record) {
      held[sending].hasArrived = true
    } else {
      held.append(Held(record: record, state: record.call.flatMap { states[$0.name] } ?? ""))
    }
    if case .state(_, "ended", _) = record.event, let name = record.call?.name { states[name] = nil }
    return lines
  }

  /// The lines that are held back.
  public mutating func finish() -> [String] {
    defer { held.removeAll(keepingCapacity: true) }
    return held.flatMap { lines(of: $0) }
  }

  /// Where the sending stands that this record is the first arrival of. The cause says which: a retransmission sent at
  /// the instant in which an earlier copy arrives has the same message.
  private func sending(of record: Record) -> Int? {
    guard case .sip(let event) = record.event, event.phase == .arrived else { return nil }
    return held.firstIndex { candidate in
      guard !candidate.hasArrived, case .sip(let sent) = candidate.record.event, case .sent = sent.phase else {
        return false
      }
      return sent.message.id == event.message.id && record.causes.contains(candidate.record.number)
    }
  }

  private func lines(of held: Held) -> [String] {
    guard case .sip(let event) = held.record.event, case .sent(let bytes) = event.phase else {
      return [line(held, detail: RecordWords.detail(of: held.record, isASCII: style.isASCII))]
    }
    let words = [held.hasArrived ? "" : "sent", RecordWords.detail(of: event.message)]
    let lines = [line(held, detail: words.filter { !$0.isEmpty }.joined(separator: ", "))]
    return style.showsMessages ? lines + MessageText.lines(of: bytes, isASCII: style.isASCII) : lines
  }

  private func line(_ held: Held, detail: String) -> String {
    let record = held.record
    let arrow = record.to == nil ? "" : style.isASCII ? "-->" : "──▶"
    var message = ""
    if case .sip(let event) = record.event { message = RecordWords.name(of: event.message) }
    let columns = [
      time(record.instant), column(record.from, 7), Columns.padded(arrow, to: 3), column(record.to ?? "", 7),
      column(message, 13), column(record.call?.name ?? "", 3), column(held.state, 10), column(detail, 0),
    ]
    return Columns.trimmed(columns.joined(separator: " "))
  }

  /// The text, which may be a peer's, as one column of one line.
  private func column(_ text: String, _ width: Int) -> String {
    Columns.padded(MessageText.printable(text.utf8, isASCII: style.isASCII), to: width)
  }

  /// Seconds, with the point always in the same column and room for microseconds behind.
  private func time(_ instant: Instant) -> String {
    let text = instant.description
    let whole = text.prefix { $0 != "." }.count
    return Columns.padded(String(repeating: " ", count: max(0, 4 - whole)) + text, to: 11)
  }
}

/// Columns of text.
enum Columns {
  /// The text, with blanks behind it up to a width; a longer text is never cut.
  static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  /// The text without blanks at its end.
  static func trimmed(_ text: String) -> String {
    var text = text
    while text.last == " " { text.removeLast() }
    return text
  }
}
