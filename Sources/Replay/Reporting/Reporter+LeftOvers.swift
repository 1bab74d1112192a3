import Instant
import Scenario
import Timeline

/// The acts of the app that nothing expects, each with a check that would hold.
extension Reporter {
  /// Where a check would stand, and when and behind which record its window would open.
  private struct Spot {
    /// `nil` above the first timed line.
    var block: Int?
    var instant: Instant
    var number: Int
  }

  var leftOvers: [Diagnostic] {
    // What came at the wrong time is told of already where it was expected.
    let explained = Set(judge.checks.compactMap { $0.failure?.told?.number })
    let records = judge.exhaustive.leftOvers.filter { !explained.contains($0.record.number) }
    guard let first = records.first else { return [] }
    let spots = spots
    let title =
      records.count == 1
      ? "1 act of the app was not expected: `\(first.record.expectation)`"
      : "\(records.count) acts of the app were not expected, the first is `\(first.record.expectation)`"
    let shown = records.prefix(20).map { leftOver in
      let record = leftOver.record
      let spot = place(of: leftOver, among: spots)
      let words = spot.block.map { "under line \(script.blocks[$0].range.line)" } ?? "above the first timed line"
      let what = "\(record.phrase) at \(record.instant) (event \(record.number))"
      if stranger(in: record) != nil { return Diagnostic.Note(what) }
      return Diagnostic.Note("\(what): `\(expectation(of: record, at: spot))` \(words)")
    }
    let rest = records.count > 20 ? [Diagnostic.Note("and \(records.count - 20) more")] : []
    let spot = place(of: first, among: spots)
    return [
      Diagnostic(
        code: RunCode.notExpected.rawValue, title: title,
        range: (spot.block ?? script.blocks.indices.first).map { script.blocks[$0].range }, notes: shown + rest,
        help: help(for: first.record, at: spot))
    ]
  }

  /// Where checks can stand. Those under a flow belong to its last line, however many lines it has.
  private var spots: [Spot] {
    let blocks = script.blocks
    let top = Spot(block: nil, instant: .zero, number: 0)
    return [top]
      + blocks.indices.compactMap { block in
        if block + 1 < blocks.count, blocks[block + 1].range == blocks[block].range { return nil }
        // The place above the first timed line stands at no line.
        if block == 0, blocks[0].stimulus == .start, blocks[0].label == nil { return nil }
        guard let instant = script.lines[block].instant, let number = judge.beginnings[block] else { return nil }
        return Spot(block: block, instant: instant, number: number)
      }
  }

  /// Under the line that brought the act about, if a window that opens there reaches it; else under the line that ran
  /// last before it.
  private func place(of leftOver: Exhaustiveness.LeftOver, among spots: [Spot]) -> Spot {
    let possible = spots.filter { $0.number < leftOver.record.number }
    let cause = possible.last { spot in spot.block.map { script.blocks[$0].range.line } == leftOver.line }
    if let cause, leftOver.line != nil { return cause }
    return possible.max { $0.number < $1.number } ?? Spot(block: nil, instant: .zero, number: 0)
  }

  /// The check that would expect the record, ready to stand in a scenario.
  private func expectation(of record: Record, at spot: Spot) -> String {
    "expect within \(window(from: spot.instant, to: record.instant)) \(record.expectation)"
  }

  /// Whom the scenario has no name for, so that no line can speak of the message.
  private func stranger(in record: Record) -> String? {
    guard case .sip(let event) = record.event else { return nil }
    let names = [judge.plan.device.name] + judge.plan.peers.map(\.name)
    return [event.message.from, event.message.to].first { !names.contains($0) }
  }

  private func help(for record: Record, at spot: Spot) -> String {
    if let stranger = stranger(in: record) {
      return "declare who is there, `peer other sip:\(stranger)`, or write `mode loose` in the head of the file"
    }
    let check = expectation(of: record, at: spot)
    let place = spot.block == nil ? "above this line" : "under this line"
    guard case .sip(let event) = record.event else {
      return "add `\(check)` \(place), or write `mode loose` in the head of the file"
    }
    let message = event.message
    let what = message.status.map(String.init) ?? message.summary
    return "add `\(check)` \(place), or to the head of the file `ignore \(message.from) -> \(message.to) \(what)`"
  }

  /// A window that reaches from the line to the record: 50 ms, or whole tenths of a second.
  private func window(from start: Instant, to end: Instant) -> Span {
    let tenth: Int64 = 100_000
    let span = (end - start).microseconds
    return span <= 50_000 ? .milliseconds(50) : Span(microseconds: (span + tenth - 1) / tenth * tenth)
  }
}
