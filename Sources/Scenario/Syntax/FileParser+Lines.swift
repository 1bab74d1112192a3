import Instant

extension FileParser {
  func timed(_ line: LineCursor) throws(LineProblem) -> TimedLine {
    var cursor = line
    var when = TimedLine.When.next
    if cursor.accept(byte: 0x40) {
      when = .at(try cursor.duration())
    } else if cursor.accept(byte: 0x2B) {
      if cursor.accept(byte: 0x24), cursor.accept(byte: 0x7B) {
        when = .afterParam(try cursor.name("the name of a param", .durationParam).text)
        guard cursor.accept(byte: 0x7D) else { throw cursor.missing("`}`") }
      } else {
        when = .after(try cursor.duration())
      }
    } else if cursor.peek() == "on" {
      _ = cursor.accept("on")
      let place = try cursor.labelledSpan(needsSpan: false)
      guard place.span.lowerBound == place.span.upperBound else {
        throw cursor.problem(.restOfLine, "one duration is expected")
      }
      when = .on(label: place.label, place.span.lowerBound)
    }
    let from = cursor.position
    let stimulus = try stimulus(&cursor)
    let stop = cursor.lastEnd
    if cursor.peek() == "force" { throw cursor.notYet("`force`") }
    let label = try cursor.optionalLabel()
    try cursor.finish()
    return TimedLine(when: when, stimulus: stimulus, label: label, uses: cursor.uses, range: cursor.range(from, stop))
  }

  /// A label on a place of the file: nothing is done there.
  func place(_ cursor: inout LineCursor) throws(LineProblem) -> TimedLine {
    let label = try cursor.wholeName("a label")
    try cursor.refuse(label, in: Vocabulary.reservedLabels)
    try cursor.finish()
    return TimedLine(when: .next, stimulus: .start, label: cursor.label(label), uses: [], range: label.range)
  }

  private func stimulus(_ cursor: inout LineCursor) throws(LineProblem) -> PlannedStimulus {
    var probe = cursor
    let first = try probe.word("what happens")
    switch probe.peek() {
    case "->": return .message(try cursor.arrow(.sent))
    case "vanishes":
      let peer = try cursor.wholeName("the name of a peer", .peer).text
      try cursor.require("vanishes")
      return .vanishes(peer: peer)
    case "returns":
      let peer = try cursor.wholeName("the name of a peer", .peer).text
      try cursor.require("returns")
      return .returns(peer: peer)
    default: break
    }
    switch first.text {
    case "push":
      cursor = probe
      let call = try cursor.wholeName("the name of a call", .call).text
      try cursor.require("to")
      _ = try cursor.wholeName("the name of a device", .device)
      var caller: TemplateText?
      var callID: TemplateText?
      while let next = cursor.peek() {
        if next == "from" || next == "malformed" { throw cursor.notYet("`\(next)` of a push") }
        guard next == "caller" || next == "call-id" else { break }
        guard (next == "caller" ? caller : callID) == nil else {
          throw cursor.problem(.repeatedPart, "`\(next)` is given twice")
        }
        _ = cursor.accept(next)
        if next == "caller" { caller = try cursor.templateString() } else { callID = try cursor.templateString() }
      }
      return .push(call: call, caller: caller, callID: callID)
    case "user":
      cursor = probe
      var acts = [try act(&cursor)]
      while cursor.accept(byte: 0x2C) { acts.append(try act(&cursor)) }
      let inApp = cursor.accept("in")
      if inApp { try cursor.require("app") }
      return .user(acts, inApp: inApp)
    case "system":
      cursor = probe
      return .system(try systemAct(&cursor))
    default:
      if first.text.contains("->") {
        throw cursor.problem(
          .nameMalformed, "`\(first.text)` is not the name of an actor", help: "put blanks around `->`")
      }
      if Vocabulary.lineStarts.supported.contains(first.text) {
        let isFlow = first.text == "use"
        throw cursor.problem(
          .wrongPlaceForWord, "`\(first.text)` takes no time", first.range,
          help: isFlow
            ? "a flow begins at the instant of the line above it; a time behind it counts from its last line"
            : "put `\(first.text)` at the beginning of a line of its own")
      }
      throw cursor.unknown(first, WordTable("`push`, `user`, `system` or an arrow", ["push", "user", "system"]))
    }
  }

  /// What the system does: two words, of which the first alone may stand for a part of the language that is planned.
  private func systemAct(_ cursor: inout LineCursor) throws(LineProblem) -> String {
    let acts = Vocabulary.systemActs
    let pairs = acts.supported.map { $0.split(separator: " ").map(String.init) }
    let firsts = pairs.map { $0[0] }
    let first = try cursor.choice(WordTable(acts.subject, firsts, planned: acts.planned)).text
    let seconds = pairs.filter { $0[0] == first }.map { $0[1] }
    return "\(first) \(try cursor.choice(WordTable("what the system \(first)", seconds)).text)"
  }

  private func act(_ cursor: inout LineCursor) throws(LineProblem) -> UserAct {
    func call() throws(LineProblem) -> String { try cursor.wholeName("the name of a call", .call).text }
    switch try cursor.choice(Vocabulary.userVerbs).text {
    case "answers": return .answers(call: try call())
    case "declines": return .declines(call: try call())
    case "ends": return .ends(call: try call())
    case "holds": return .holds(call: try call())
    case "resumes": return .resumes(call: try call())
    case "mutes": return .mutes(call: try call())
    case "unmutes": return .unmutes(call: try call())
    case "presses":
      let digits = try cursor.digits(1...Vocabulary.digitLimit)
      try cursor.require("on")
      return .presses(digits: digits, call: try call())
    case "swaps":
      let first = try call()
      guard cursor.accept(byte: 0x2C) else { throw cursor.missing("`,` and the other call") }
      let place = cursor.here
      let second = try call()
      guard second != first else {
        throw cursor.problem(.valueMalformed, "`\(second)` cannot be swapped with itself", place)
      }
      return .swaps(call: first, with: second)
    case "transfers":
      let name = try call()
      try cursor.require("to")
      if cursor.peek()?.contains(":") == true { return .transfers(call: name, target: try cursor.uri().text) }
      let place = cursor.here
      let target = try cursor.wholeName("a peer, a SIP URI or a call", .peerOrCall).text
      guard target != name else {
        throw cursor.problem(.valueMalformed, "`\(name)` cannot be transferred to itself", place)
      }
      return .transfers(call: name, target: target)
    default:
      let name = try call()
      try cursor.require("to")
      if cursor.peek()?.contains(":") == true { return .calls(call: name, target: try cursor.uri().text) }
      return .calls(call: name, target: try cursor.wholeName("a peer or a SIP URI", .peer).text)
    }
  }

  func param(_ cursor: inout LineCursor, _ start: Int) throws(LineProblem) -> Statement {
    let name = try cursor.name("a name")
    try cursor.refuse(name, in: Vocabulary.reservedTexts)
    guard cursor.accept(byte: 0x3A) else { throw cursor.missing("`:`") }
    let word = try cursor.name("a type")
    guard let type = ParamType(rawValue: word.text) else { throw cursor.unknown(word, Vocabulary.paramTypes) }
    guard cursor.accept(byte: 0x3D) else { throw cursor.missing("`=`") }
    let value = try value(&cursor, type)
    var values: [String] = []
    if cursor.accept("in")
      || cursor.peek()?.hasPrefix("in[") == true && cursor.accept(byte: 0x69) && cursor.accept(byte: 0x6E)
    {
      guard cursor.accept(byte: 0x5B) else { throw cursor.missing("`[`") }
      repeat { values.append(try self.value(&cursor, type)) } while cursor.accept(byte: 0x2C)
      guard cursor.accept(byte: 0x5D) else { throw cursor.missing("`]`") }
    }
    try cursor.finish()
    return .param(
      Param(
        name: name.text, type: type, defaultValue: value, values: values, range: cursor.range(start, cursor.lastEnd)),
      name)
  }

  private func value(_ cursor: inout LineCursor, _ type: ParamType) throws(LineProblem) -> String {
    if type == .text { return try cursor.plainString().text }
    let from = cursor.position
    var stop = from
    while stop < cursor.end, ![0x20, 0x2C, 0x5D].contains(cursor.bytes[stop]) { stop += 1 }
    guard stop > from else { throw cursor.missing("a value") }
    let text = cursor.text(from, stop)
    if type == .duration { _ = try cursor.span(text, cursor.range(from, stop)) }
    guard type.accepts(text) else {
      throw cursor.problem(.valueMalformed, "`\(text)` is not \(type.example)", cursor.range(from, stop))
    }
    cursor.position = stop
    cursor.lastEnd = stop
    cursor.skipBlanks()
    return text
  }

  mutating func setting(_ name: Word, _ cursor: inout LineCursor) throws(LineProblem) {
    guard let rule = Vocabulary.settingValues.first(where: { $0.name == name.text }) else {
      throw cursor.unknown(name, Vocabulary.settings)
    }
    let value: DeviceDeclaration.Setting.Value
    switch rule.value {
    case .duration: value = .duration(try cursor.duration())
    case .flag: value = .flag(try cursor.choice(Vocabulary.switches).text == "on")
    case .host: value = .word(try cursor.host())
    case .choice(let table): value = .word(try cursor.choice(table).text)
    case .declineStatus:
      let status = try cursor.number("603 or 486", in: 0...999)
      guard [486, 603].contains(status) else {
        throw cursor.problem(
          .numberMalformed, "`\(status)` is not 603 or 486", cursor.range(cursor.lastEnd - 3, cursor.lastEnd),
          help: "the phone declines for everybody with 603, for itself with 486")
      }
      value = .number(status)
    case .count: value = .number(try cursor.number("a number from 1", in: 1...1_000))
    }
    try cursor.finish()
    guard let last = tree.devices.indices.last, !discardsSettings else { return }
    guard !tree.devices[last].settings.contains(where: { $0.name == name.text }) else {
      throw cursor.problem(.repeatedPart, "`\(name.text)` is set twice", name.range)
    }
    tree.devices[last].settings.append(.init(name: name.text, value: value, range: name.range))
  }
}
