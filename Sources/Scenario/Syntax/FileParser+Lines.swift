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

  private func stimulus(_ cursor: inout LineCursor) throws(LineProblem) -> PlannedStimulus {
    var probe = cursor
    let first = try probe.word("what happens")
    switch probe.peek() {
    case "->": return .message(try cursor.arrow(.sent))
    case "vanishes", "returns":
      throw probe.notYet("an actor that vanishes or returns")
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
    default:
      if first.text.contains("->") {
        throw cursor.problem(
          .nameMalformed, "`\(first.text)` is not the name of an actor", help: "put blanks around `->`")
      }
      throw cursor.unknown(first, WordTable("`push`, `user` or an arrow", ["push", "user"], planned: ["system"]))
    }
  }

  private func act(_ cursor: inout LineCursor) throws(LineProblem) -> UserAct {
    let verb = try cursor.choice(Vocabulary.userVerbs).text
    let call = try cursor.wholeName("the name of a call", .call).text
    switch verb {
    case "answers": return .answers(call: call)
    case "declines": return .declines(call: call)
    case "ends": return .ends(call: call)
    default:
      try cursor.require("to")
      if cursor.peek()?.contains(":") == true { return .calls(call: call, target: try cursor.uri().text) }
      return .calls(call: call, target: try cursor.wholeName("a peer or a SIP URI", .peer).text)
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
    case .transport: value = .word(try cursor.choice(Vocabulary.transports).text)
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

  mutating func header(_ first: Word, _ cursor: inout LineCursor, _ start: Int) throws(LineProblem) {
    func once(_ isFirst: Bool) throws(LineProblem) {
      if !isFirst { throw cursor.problem(.repeatedPart, "`\(first.text)` is given twice", first.range) }
    }
    switch first.text {
    case "scenario":
      try once(tree.title == nil)
      tree.title = try cursor.plainString().text
    case "tags":
      repeat { tree.tags.append(try cursor.word("a tag").text) } while !cursor.isAtEnd
    case "why":
      try once(tree.why == nil)
      tree.why = try cursor.plainString().text
    case "seed":
      try once(tree.seed == nil)
      let word = try cursor.word("a number")
      guard word.text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let seed = UInt64(word.text) else {
        throw cursor.problem(.numberMalformed, "`\(word.text)` is not a number from 0 to \(UInt64.max)", word.range)
      }
      tree.seed = seed
    case "mode":
      try once(tree.mode == nil)
      tree.mode = Plan.Mode(rawValue: try cursor.choice(Vocabulary.modes).text)
    case "ignore": tree.ignored.append(try cursor.arrow(.observed))
    case "device":
      let name = try cursor.newName()
      let uri = try cursor.uri().text
      if !tree.devices.isEmpty { throw cursor.notYet("a second device", name.range) }
      tree.devices.append(.init(name: name.text, uri: uri, settings: [], range: name.range))
    case "peer": try peer(&cursor)
    case "network": try network(&cursor, start)
    case "call": try call(&cursor)
    case "fault": try fault(&cursor)
    default: throw cursor.problem(.lineMisplaced, "`\(first.text)` cannot stand here", first.range)
    }
  }

  private mutating func peer(_ cursor: inout LineCursor) throws(LineProblem) {
    let name = try cursor.newName()
    var peer = PeerDeclaration(
      name: name.text, uri: try cursor.uri().text, host: nil, transport: nil, answersAfter: nil, isAutomatic: false,
      range: name.range)
    while !cursor.isAtEnd {
      let option = try cursor.choice(Vocabulary.peerOptions)
      let isRepeated =
        switch option.text {
        case "host": peer.host != nil
        case "transport": peer.transport != nil
        default: peer.isAutomatic
        }
      if isRepeated { throw cursor.problem(.repeatedPart, "`\(option.text)` is given twice", option.range) }
      switch option.text {
      case "host": peer.host = try cursor.host()
      case "transport": peer.transport = try cursor.choice(Vocabulary.transports).text
      default:
        peer.isAutomatic = true
        if cursor.accept("answers") {
          try cursor.require("after")
          peer.answersAfter = try cursor.duration()
        }
      }
    }
    tree.peers.append(peer)
  }

  private mutating func network(_ cursor: inout LineCursor, _ start: Int) throws(LineProblem) {
    var from: String?
    var to: String?
    if cursor.peek() != "latency" {
      from = try cursor.wholeName("the name of an actor", .actor).text
      try cursor.require("->")
      to = try cursor.wholeName("the name of an actor", .actor).text
    }
    try cursor.require("latency")
    let latency = try cursor.durationRange()
    // The grammar lets latencies be repeated; one direction has one, so that a second could only hide the first.
    if cursor.peek() == "latency" {
      throw cursor.problem(.repeatedPart, "`latency` is given twice", help: "write a range: `latency 5ms..20ms`")
    }
    tree.links.append(.init(from: from, to: to, latency: latency, range: cursor.range(start, cursor.lastEnd)))
  }

  private mutating func call(_ cursor: inout LineCursor) throws(LineProblem) {
    let name = try cursor.newName()
    var call = CallDeclaration(name: name.text, uuid: nil, callID: nil, range: name.range)
    if cursor.accept("uuid") {
      let word = try cursor.word("a UUID")
      let parts = word.text.split(separator: "-", omittingEmptySubsequences: false)
      guard parts.map(\.utf8.count) == [8, 4, 4, 4, 12],
        parts.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isHexDigit } })
      else { throw cursor.problem(.uuidMalformed, "`\(word.text)` is not a UUID", word.range) }
      call.uuid = word.text.uppercased()
    }
    if cursor.accept("call-id") {
      let text = try cursor.plainString()
      guard !text.text.isEmpty, !text.text.contains("${") else {
        throw cursor.problem(.valueMalformed, "the Call-ID of a call is a plain text", text.range)
      }
      call.callID = text.text
    }
    tree.calls.append(call)
  }

  private mutating func fault(_ cursor: inout LineCursor) throws(LineProblem) {
    let name = try cursor.name("a name")
    guard cursor.accept(byte: 0x3A) else { throw cursor.missing("`:`") }
    let isOptional = cursor.accept("maybe")
    let effectWord = try cursor.choice(Vocabulary.effects)
    var occurrence = FaultDeclaration.Occurrence.first
    let word = try cursor.word("which messages")
    let percent = word.text.hasSuffix("%") ? String(word.text.dropLast()) : cursor.peek() == "%" ? word.text : nil
    if let percent {
      guard let number = Number.read(percent), (0...100).contains(number) else {
        throw cursor.problem(.numberMalformed, "`\(word.text)` is not a percentage", word.range)
      }
      _ = cursor.accept("%")
      occurrence = .percent(number)
    } else {
      switch word.text {
      case "first": occurrence = .first
      case "every": occurrence = .every
      case "nth": occurrence = .nth(try cursor.number("a number from 1", in: 1...1_000_000))
      default: throw cursor.unknown(word, Vocabulary.occurrences)
      }
    }
    let first = cursor.uses.count
    let arrow = try cursor.arrow(.observed)
    // A fault is chosen before the run, when no label has happened and no text is known.
    if case .label = arrow.subject { throw cursor.notYet("a label in a fault", arrow.range) }
    for index in cursor.uses.indices.dropFirst(first) where cursor.uses[index].kind == .callOrLabel {
      cursor.uses[index].kind = .call
    }
    if !arrow.with.isEmpty || !arrow.without.isEmpty || arrow.callID != nil || arrow.isRetransmission {
      throw cursor.notYet("header fields, a Call-ID or `retransmit` in a fault", arrow.range)
    }
    if cursor.peek() == "before" { throw cursor.notYet("`before` in a fault") }
    var by: ClosedRange<Span>?
    if effectWord.text == "delay" {
      try cursor.require("by")
      by = try cursor.durationRange()
    }
    var copies = 1
    var gap = Span.zero
    if effectWord.text == "duplicate", cursor.accept("copies") {
      copies = try cursor.number("a number from 1", in: 1...1_000)
      try cursor.require("gap")
      gap = try cursor.duration()
    }
    var window: (from: Span, until: Span)?
    if cursor.accept("from") {
      let from = try cursor.duration()
      try cursor.require("until")
      window = (from, try cursor.duration())
      if let window, window.until < window.from {
        throw cursor.problem(.rangeReversed, "the fault ends before it starts")
      }
    }
    let effect: FaultDeclaration.Effect
    switch effectWord.text {
    case "drop": effect = .drop
    case "delay": effect = .delay(by ?? .zero ... .zero)
    case "duplicate": effect = .duplicate(copies: copies, gap: gap)
    default: effect = .reorder
    }
    tree.faults.append(
      .init(
        name: name.text, isOptional: isOptional, effect: effect, occurrence: occurrence, arrow: arrow,
        from: window?.from, until: window?.until, range: name.range))
  }
}
