import Instant

extension LineCursor {
  /// `LABEL+DUR` or `LABEL+DUR..DUR`.
  mutating func labelledSpan(needsSpan: Bool) throws(LineProblem) -> (label: String, span: ClosedRange<Span>) {
    let label = try name("a label", .label(mayBeMissing: false))
    guard accept(byte: 0x2B) else {
      if needsSpan { throw missing("`+` and a duration") }
      return (label.text, .zero ... .zero)
    }
    return (label.text, try durationRange())
  }

  mutating func check(_ start: Int, isNever: Bool) throws(LineProblem) -> CheckLine {
    var kind: PlannedCheck.Kind = .expect(nil)
    if isNever {
      let word = try choice(Vocabulary.scopes)
      switch word.text {
      case "within": kind = .never(.within(try duration()))
      case "until": kind = .never(.until(label: try scopeLabel(mayBeMissing: true)))
      default:
        let first = try scopeLabel(mayBeMissing: false)
        try require("and")
        kind = .never(.between(label: first, and: try scopeLabel(mayBeMissing: true)))
      }
    } else if accept("within") {
      let span = try duration()
      kind = .expect(
        .within(span, of: accept("of") ? try wholeName("a label", .label(mayBeMissing: false)).text : nil))
    } else if accept("at") {
      let place = try labelledSpan(needsSpan: true)
      kind = .expect(.at(label: place.label, from: place.span.lowerBound, to: place.span.upperBound))
    }
    let observation = try observation(states: Vocabulary.states)
    let stop = lastEnd
    var label: Word?
    if !isNever { label = try optionalLabel() }
    try finish()
    let check = PlannedCheck(
      kind: kind, observation: observation, label: label?.text, order: nil, range: range(start, stop),
      text: text(start, stop))
    return CheckLine(check: check, label: label, uses: uses)
  }

  private mutating func scopeLabel(mayBeMissing: Bool) throws(LineProblem) -> String {
    if accept("end") { return "end" }
    return try wholeName("a label", .label(mayBeMissing: mayBeMissing)).text
  }

  mutating func optionalLabel() throws(LineProblem) -> Word? {
    guard accept("as") else { return nil }
    let label = try wholeName("a label")
    try refuse(label, in: Vocabulary.reservedLabels)
    return self.label(label)
  }

  /// `use FLOW(CALL, PHONE, PEER)`, behind its first word.
  mutating func use(_ start: Int) throws(LineProblem) -> FlowUse {
    let name = try name("the name of a flow")
    guard let flow = Flow(rawValue: name.text) else { throw unknown(name, Vocabulary.flows) }
    guard accept(byte: 0x28) else { throw missing("`(` and the call, the phone and the peer") }
    let call = try self.name("the name of a call")
    guard accept(byte: 0x2C) else { throw missing("`,` and the name of the phone") }
    let phone = try self.name("the name of a device")
    guard accept(byte: 0x2C) else { throw missing("`,` and the name of the peer") }
    let peer = try self.name("the name of a peer")
    guard accept(byte: 0x29) else { throw missing("`)`") }
    try finish()
    return FlowUse(flow: flow, call: call, phone: phone, peer: peer, range: range(start, lastEnd))
  }

  mutating func invariant(_ start: Int) throws(LineProblem) -> Statement {
    let invariant: InvariantCheck.Invariant
    if accept("at-most") {
      let count = try number("a number", in: 0...1_000_000)
      try require("call")
      invariant = .atMost(count, state: try choice(Vocabulary.invariantStates).text)
    } else if accept("each") {
      for word in ["action", "is", "completed", "at-most", "once"] { try require(word) }
      invariant = .eachActionCompletedOnce
    } else {
      let before = self
      _ = try word("an invariant")
      if isAtEnd { throw before.notYet("a built-in invariant by its name") }
      self = before
      let observation = try observation(states: Vocabulary.invariantStates)
      try require("implies")
      let word = try choice(Vocabulary.quantifiers)
      try require("call")
      invariant = .implies(
        observation, word.text == "some" ? .some : .each, states: try states(Vocabulary.invariantStates))
    }
    try finish()
    return .invariant(
      InvariantCheck(invariant: invariant, range: range(start, lastEnd), text: text(start, lastEnd)), uses: uses)
  }

  private mutating func states(_ table: WordTable) throws(LineProblem) -> [String] {
    var states = [try choice(table).text]
    while accept("or") { states.append(try choice(table).text) }
    return states
  }

  private mutating func reason(_ table: WordTable) throws(LineProblem) -> String? {
    accept("reason") ? try choice(table).text : nil
  }

  /// A call, or `any` as `nil`.
  private mutating func callOrAny() throws(LineProblem) -> String? {
    accept("any") ? nil : try wholeName("the name of a call", .call).text
  }

  mutating func observation(states table: WordTable) throws(LineProblem) -> Observation {
    if peek() == "faults" {
      _ = accept("faults")
      var names = [try wholeName("the name of a fault", .fault).text]
      while accept(byte: 0x2C) { names.append(try wholeName("the name of a fault", .fault).text) }
      try require("fired")
      return .faultsFired(names)
    }
    let before = self
    let first = try word("what is observed")
    if peek() == "->" {
      self = before
      return .message(try arrow(.observed))
    }
    if first.text == "audio" { return try audioObservation() }
    if first.text.contains(".") { throw notYet("a dialog as it was at a label, `\(first.text)`", first.range) }
    guard let verb = peek() else { throw missing("what is observed of `\(first.text)`") }
    let isDevice: Bool
    var probe = self
    if verb == "is" {
      _ = probe.accept("is")
      isDevice = probe.peek().map(Vocabulary.deviceStates.contains) ?? false
    } else {
      isDevice = ["reports", "updates", "requests", "crashes"].contains(verb)
    }
    let verbWord = try choice(Vocabulary.observationVerbs)
    let rest = self
    self = before
    if isDevice {
      let device = try wholeName("the name of a device", .device).text
      (position, lastEnd) = (rest.position, rest.lastEnd)
      return try deviceObservation(device, verb)
    }
    if first.text == "any" { throw before.notYet("`any` before `\(verbWord.text)`", first.range) }
    let call = try wholeName("the name of a call", .call).text
    (position, lastEnd) = (rest.position, rest.lastEnd)
    return try callObservation(call, verb, table)
  }

  private mutating func audioObservation() throws(LineProblem) -> Observation {
    let word = try choice(Vocabulary.audio).text
    switch word {
    case "is":
      let state = try choice(Vocabulary.audioStates).text
      return state == "silent" ? .audioIsSilent(cause: try silenceCause()) : .audioIs(state)
    case "microphone": return .audio("microphone \(try choice(Vocabulary.microphone).text)")
    case "unit":
      switch try choice(Vocabulary.audioUnit).text {
      case "starts": return .audioUnit(starts: true)
      case "stops": return .audioUnit(starts: false)
      case "fails": return .audio("unit fails")
      case "runs": return .audioUnitIs(running: true)
      default:
        try require("stopped")
        return .audioUnitIs(running: false)
      }
    default: return .audio(word)
    }
  }

  private mutating func silenceCause() throws(LineProblem) -> String? {
    guard let next = peek(), next != "as", next != "implies" else { return nil }
    return try choice(Vocabulary.silenceCauses).text
  }

  private mutating func deviceObservation(_ device: String, _ verb: String) throws(LineProblem) -> Observation {
    switch verb {
    case "crashes": return .deviceCrashes
    case "is":
      let state = try choice(Vocabulary.deviceStates)
      var reason: String?
      if state.text == "killed", let next = peek(), next != "as" { reason = try word("a reason").text }
      return .deviceIs(state.text, reason: reason)
    case "reports":
      let call = try callOrAny()
      switch try choice(Vocabulary.reports).text {
      case "incoming": return .reports(call: call, report: .incoming)
      case "connecting": return .reports(call: call, report: .connecting)
      case "connected": return .reports(call: call, report: .connected)
      default: return .reports(call: call, report: .ended(reason: try reason(Vocabulary.reportReasons)))
      }
    case "updates":
      let call = try callOrAny()
      var caller: TemplateText?
      var handle: TemplateText?
      while let next = peek(), next != "as", next != "implies" {
        let what = try choice(Vocabulary.updates)
        if (what.text == "caller" ? caller : handle) != nil {
          throw problem(.repeatedPart, "`\(what.text)` is given twice", what.range)
        }
        if what.text == "caller" { caller = try templateString() } else { handle = try templateString() }
      }
      return .updates(call: call, caller: caller, handle: handle)
    default:
      let action = try choice(Vocabulary.actions).text
      if peek() == "any" { throw notYet("`any` after `requests`") }
      return .requests(call: try wholeName("the name of a call", .call).text, action: action)
    }
  }

  /// The value of a property that has only some words as values; `nil` for a property that has any text.
  private mutating func wordOfProperty(_ property: String) throws(LineProblem) -> TemplateText? {
    let from = position
    let text: String
    switch property {
    case "mute": text = try choice(Vocabulary.switches).text
    case "media": text = try choice(Vocabulary.directions).text
    case "dtmf": text = try digits(0...Int.max)
    default: return nil
    }
    return TemplateText(pieces: text.isEmpty ? [] : [.literal(text)], range: range(from, lastEnd))
  }

  /// `PHASE [status N]`, behind `c1 transfer`.
  private mutating func transfer(of call: String) throws(LineProblem) -> Observation {
    let phase = try choice(Vocabulary.transferPhases).text
    guard peek() == "status" else { return .transfer(call: call, phase: phase, status: nil) }
    guard let allowed = Vocabulary.transferStatuses[phase] else {
      let phases = Vocabulary.transferPhases.supported.filter { Vocabulary.transferStatuses[$0] != nil }
      throw problem(
        .wrongPlaceForWord, "`transfer \(phase)` comes with no status",
        help: "a status goes with \(phases.map { "`\($0)`" }.joined(separator: ", "))")
    }
    _ = accept("status")
    let place = here
    let status = try status()
    guard allowed.contains(status) else {
      throw problem(
        .valueMalformed, "`transfer \(phase)` never comes with \(status)", place,
        help: "its status is from \(allowed.lowerBound) to \(allowed.upperBound)")
    }
    return .transfer(call: call, phase: phase, status: status)
  }

  private mutating func callObservation(_ call: String, _ verb: String, _ table: WordTable) throws(LineProblem)
    -> Observation
  {
    switch verb {
    case "becomes":
      let state = try choice(table).text
      return .becomes(call: call, state: state, reason: try reason(Vocabulary.reasons))
    case "is": return .isInState(call: call, states: try states(table))
    case "action":
      let action = try choice(Vocabulary.actions).text
      let becomes = accept("becomes")
      if !becomes { try require("is") }
      return .action(call: call, action: action, becomes: becomes, status: try choice(Vocabulary.actionStatuses).text)
    case "transfer": return try transfer(of: call)
    case "has":
      var property = try choice(Vocabulary.properties).text
      if property == "dialog" {
        try require("call-id")
        property = "dialog call-id"
      }
      if let value = try wordOfProperty(property) { return .has(call: call, property: property, value: value) }
      if position < end, bytes[position] == 0x22 {
        return .has(call: call, property: property, value: try templateString())
      }
      let value = try word("a value")
      return .has(
        call: call, property: property, value: TemplateText(pieces: [.literal(value.text)], range: value.range))
    default:
      for word in ["is", "unchanged", "since"] { try require(word) }
      return .uuidUnchanged(call: call, since: try wholeName("a label", .label(mayBeMissing: false)).text)
    }
  }
}
