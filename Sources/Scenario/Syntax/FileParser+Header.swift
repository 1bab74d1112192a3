import Instant

/// The declarations at the head of a file.
extension FileParser {
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
