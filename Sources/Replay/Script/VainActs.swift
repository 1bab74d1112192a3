import Instant
import Scenario
import Timeline

/// Notices what the script does in vain: a tap on what the call screen does not show, a wish that the app refuses,
/// something of the system's that changes nothing. That may be the point of a scenario, or a wrong time in it that makes
/// its checks say less than they seem to.
struct VainActs: Hashable, Sendable {
  /// A line that was carried out.
  private struct Act: Hashable, Sendable {
    var line: Int
    var instant: Instant
    /// The number of its last record, of as many as there are acts in the line.
    var number: Int
    var actor: String
    /// Why something of it was in vain, as far as that is known.
    var why: [String] = []
    /// Whether only the end of the run can tell that nothing comes of it.
    var isKnownAtEnd = false
    /// Whether anything has come of it.
    var hasEffect = false
  }

  private var acts: [Act] = []
  /// The place of each act by the numbers of its records.
  private var places: [Int: Int] = [:]

  /// Takes the next record and what the script did that brought it about; the book knows what was before.
  mutating func take(_ record: Record, of root: Int?, after book: CallBook) {
    if let line = record.line {
      begin(record, line, book)
    } else if case .ignored(let why) = record.event {
      guard record.from == "system" || record.to == "user" else { return }
      if let place = record.causes.compactMap({ places[$0] }).first { acts[place].why.append(why) }
    } else if record.showsEffect {
      for number in record.causes + (root.map { [$0] } ?? []) {
        if let place = places[number] { acts[place].hasEffect = true }
      }
    }
  }

  private mutating func begin(_ record: Record, _ line: Int, _ book: CallBook) {
    var act = Act(line: line, instant: record.instant, number: record.number, actor: record.from)
    switch record.event {
    case .user:
      act.actor = "the user"
      // Several acts of one line are one.
      if let last = acts.indices.last, acts[last].line == line, acts[last].number == record.number - 1 {
        acts[last].number = record.number
        places[record.number] = last
        return
      }
    case .ignored(let why): act.why = [why]
    case .audio(let event):
      guard let why = book.reason(against: event) else { return }
      (act.why, act.isKnownAtEnd) = ([why], true)
    case .fault: (act.why, act.isKnownAtEnd) = (["no audio unit was started after it"], true)
    default: return
    }
    if act.actor == "system" { act.actor = "the system" }
    places[record.number] = acts.count
    acts.append(act)
  }

  /// A warning for each reason; what a run that was stopped would still have shown is not known.
  func warnings(in blocks: [Block], wasStopped: Bool) -> [Diagnostic] {
    let ranges = Dictionary(blocks.map { ($0.range.line, $0.range) }) { first, _ in first }
    return acts.flatMap { act in
      if act.isKnownAtEnd, act.hasEffect || wasStopped { return [Diagnostic]() }
      return act.why.map { why in
        let title = "what \(act.actor) does at \(act.instant) has "
        return Diagnostic(
          code: RunCode.actInVain.rawValue, severity: .warning,
          title: title + (act.hasEffect ? "not the whole effect: \(why)" : "no effect: \(why)"),
          range: ranges[act.line],
          help: "move the line to where it has one, unless this is what the scenario is about")
      }
    }
  }
}

extension CallBook {
  /// Why something that the script has the system do to the session changes nothing, unless something comes of it.
  ///
  /// With a call that goes on, an activation may be on its way, which it stops.
  fileprivate func reason(against event: AudioEvent) -> String? {
    guard event == .interrupted, !audioIsActive, !calls.contains(where: { $0.state != nil && $0.state != "ended" })
    else { return nil }
    return "the audio session is not active"
  }
}

extension Record {
  /// Whether the record is more than a wish and what is kept about it.
  fileprivate var showsEffect: Bool {
    switch event {
    case .action, .report, .audio, .media, .sip, .transfer, .lifecycle: true
    case .push, .user, .request, .rebinding, .timer, .state, .fault, .ignored: false
    }
  }
}
