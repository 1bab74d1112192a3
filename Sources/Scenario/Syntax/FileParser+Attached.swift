/// Lines that belong to the one above them: raw lines and continuations.
extension FileParser {
  /// Ends the line above: nothing can be attached to it any more.
  mutating func flush() {
    guard let statement = pending else { return }
    pending = nil
    switch statement {
    case .timed(var timed):
      if case .message(var arrow) = timed.stimulus {
        if case .raw(_, let verbatim, let chunks) = arrow.what {
          if attached.rawLines.isEmpty {
            problems.add(
              Diagnostic(
                .rawTextMissing, "`raw` needs the text of the message", at: arrow.range, help: "add `| ` lines"))
          }
          arrow.what = .raw(lines: attached.rawLines, verbatim: verbatim, chunks: chunks)
        }
        arrow.with += attached.with
        arrow.without += attached.without
        timed.stimulus = .message(arrow)
      }
      timed.uses += attached.uses
      tree.body.append(.timed(timed))
    case .check(var line):
      if case .message(var arrow) = line.check.observation {
        arrow.with += attached.with
        arrow.without += attached.without
        line.check.observation = .message(arrow)
      }
      line.uses += attached.uses
      tree.body.append(.check(line))
    default: tree.body.append(statement)
    }
    attached = Attached()
  }

  mutating func rawLine(_ from: Int, _ bounds: Range<Int>, _ line: Int) throws(LineProblem) {
    var cursor = cursor(bounds, line: line)
    if skipsAttached { return }
    isAttached = true
    guard case .timed(let timed) = pending, case .message(let arrow) = timed.stimulus else {
      throw cursor.problem(.rawLineMisplaced, "the raw line belongs to no arrow")
    }
    guard from == bounds.upperBound || source.bytes[from] == 0x20 else {
      throw cursor.problem(.rawLineMalformed, "a blank is missing after `|`")
    }
    let start = min(from + 1, bounds.upperBound)
    let whole = cursor.range(start, bounds.upperBound)
    let content = Array(source.bytes[start..<bounds.upperBound])
    var isRaw = false
    if case .raw(_, let verbatim, _) = arrow.what {
      isRaw = true
      if verbatim {
        attached.rawLines.append(
          TemplateText(
            pieces: content.isEmpty ? [] : [.literal(String(decoding: content, as: UTF8.self))], range: whole))
        return
      }
    }
    let text = try cursor.template(content, Array(start..<bounds.upperBound), whole)
    if isRaw {
      attached.rawLines.append(text)
    } else {
      try cursor.refuseUnlessHeader(text)
      attached.with.append(text)
    }
    attached.uses += cursor.uses
  }

  mutating func continuation(_ line: LineCursor, _ indentation: Int) throws(LineProblem) {
    var cursor = line
    guard indentation > previousIndentation, let statement = pending else {
      throw cursor.problem(
        .continuationMisplaced, "the continuation belongs to no line above it", help: "indent it under an arrow")
    }
    switch statement {
    case .timed(var timed):
      if case .message(var arrow) = timed.stimulus {
        try edit(&arrow, &cursor)
        timed.stimulus = .message(arrow)
      } else if case .push(let call, let caller, nil) = timed.stimulus, cursor.accept("call-id") {
        timed.stimulus = .push(call: call, caller: caller, callID: try cursor.templateString())
      } else {
        throw cursor.problem(.continuationMisplaced, "the line above takes no such continuation")
      }
      try cursor.finish()
      pending = .timed(timed)
    case .check(var line):
      guard case .message(var arrow) = line.check.observation else {
        throw cursor.problem(.continuationMisplaced, "the check above is about no message")
      }
      try edit(&arrow, &cursor)
      try cursor.finish()
      line.check.observation = .message(arrow)
      pending = .check(line)
    default: throw cursor.problem(.continuationMisplaced, "the line above takes no continuation")
    }
    attached.uses += cursor.uses
  }

  private mutating func edit(_ arrow: inout Arrow, _ cursor: inout LineCursor) throws(LineProblem) {
    var edited = arrow
    (edited.with, edited.without) = ([], [])
    while try cursor.edit(&edited) {}
    attached.with += edited.with
    attached.without += edited.without
    arrow.callID = edited.callID
  }
}
