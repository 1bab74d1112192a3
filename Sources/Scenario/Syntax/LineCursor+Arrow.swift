import Instant

/// Where an arrow stands, which decides what it can say.
enum ArrowUse { case sent, observed }

extension LineCursor {
  mutating func arrow(_ use: ArrowUse) throws(LineProblem) -> Arrow {
    let from = position
    let sender = try wholeName("the name of an actor", .actor)
    try require("->")
    let receiver = try wholeName("the name of an actor", .actor)
    var arrow = Arrow(
      from: sender.text, to: receiver.text, what: .any, subject: .none, role: nil, direction: nil, with: [],
      without: [], callID: nil, isRetransmission: false, range: sender.range)
    try content(of: &arrow, use)
    try subject(of: &arrow, use)
    if let role = peek().flatMap(Arrow.Role.init(rawValue:)) {
      _ = accept(role.rawValue)
      arrow.role = role
      arrow.direction = try choice(Vocabulary.directions).text
    }
    try report(of: &arrow)
    while try edit(&arrow) {}
    if peek() == "retransmit" {
      guard use == .observed else { throw problem(.wrongPlaceForWord, "`retransmit` can stand in observations only") }
      arrow.isRetransmission = accept("retransmit")
    }
    arrow.range = range(from, lastEnd)
    return arrow
  }

  private mutating func content(of arrow: inout Arrow, _ use: ArrowUse) throws(LineProblem) {
    let word = try word("a method, a status or `raw`")
    if word.text.utf8.first.map({ (0x30...0x39).contains($0) }) == true {
      arrow.what = .response(status: try status(word))
    } else if word.text == "any" {
      guard use == .observed else {
        throw problem(.wrongPlaceForWord, "`any` can stand in observations only", word.range)
      }
    } else if word.text == "raw" {
      guard use == .sent else {
        throw problem(.wrongPlaceForWord, "`raw` can be sent only, not looked for", word.range)
      }
      let verbatim = accept("verbatim")
      if peek() == "chunks" { throw notYet("`chunks`") }
      arrow.what = .raw(lines: [], verbatim: verbatim, chunks: [])
    } else if word.text == "re-INVITE" {
      arrow.what = .reInvite
    } else {
      let base = use == .sent ? Vocabulary.sentMethods : Vocabulary.observedMethods
      let table = WordTable(
        base.subject, base.supported + ["raw"], planned: base.planned + Vocabulary.sentContents.planned)
      guard base.supported.contains(word.text) else { throw unknown(word, table) }
      arrow.what = .request(method: word.text)
    }
  }

  private mutating func subject(of arrow: inout Arrow, _ use: ArrowUse) throws(LineProblem) {
    if accept("to") {
      if let next = peek(), Vocabulary.observedMethods.supported.contains(next) {
        guard use == .observed else {
          throw problem(.wrongPlaceForWord, "`to \(next)` can stand in observations only", help: "name a label")
        }
        guard next != "re-INVITE" else {
          throw problem(.wrongPlaceForWord, "`re-INVITE` is no method", help: "write `to INVITE`, or name a label")
        }
        _ = accept(next)
        arrow.subject = .method(next)
      } else {
        arrow.subject = .label(try wholeName("a label", .message).text)
      }
    } else if let next = peek(),
      ![
        "offer", "answer", "reporting", "with", "without", "call-id", "retransmit", "as", "by", "copies",
        "from", "before", "implies", "force", "\"", ",",
      ].contains(next)
    {
      if next == "any" {
        guard use == .observed else { throw problem(.wrongPlaceForWord, "`any` can stand in observations only") }
        _ = accept("any")
        arrow.subject = .anyCall
      } else if next.contains(".") {
        arrow.subject = try callAtLabel()
      } else {
        arrow.subject = .call(try wholeName("a call or a label", .callOrLabel).text)
      }
    }
    if use == .sent, case .response = arrow.what, arrow.subject == .none {
      throw problem(.subjectMissing, "a response needs the request that it answers", help: "add `to LABEL`")
    }
  }

  /// `reporting 180`: the status in the body of a NOTIFY about a transfer (RFC 3515 2.4.5).
  private mutating func report(of arrow: inout Arrow) throws(LineProblem) {
    guard peek() == "reporting" else { return }
    guard arrow.what == .request(method: "NOTIFY") else {
      throw problem(
        .wrongPlaceForWord, "only a NOTIFY reports a status", help: "write `\(arrow.from) -> \(arrow.to) NOTIFY …`")
    }
    guard arrow.role == nil else {
      throw problem(.repeatedPart, "a message has one body: a session description, or what it reports")
    }
    _ = accept("reporting")
    arrow.fragment = try status()
  }

  /// `before.c1`: the dialog of a call as it was at a label.
  private mutating func callAtLabel() throws(LineProblem) -> Arrow.Subject {
    let label = try name("a label", .label(mayBeMissing: false))
    guard accept(byte: 0x2E) else { throw missing("`.` and the name of a call") }
    return .callAt(label: label.text, call: try wholeName("the name of a call", .call).text)
  }

  /// One `with`, `without` or `call-id`.
  mutating func edit(_ arrow: inout Arrow) throws(LineProblem) -> Bool {
    guard let next = peek(), ["with", "without", "call-id"].contains(next) else { return false }
    if case .raw = arrow.what {
      throw problem(.wrongPlaceForWord, "raw text is sent as it stands, `\(next)` cannot change it")
    }
    if accept("with") {
      let text = try templateString()
      try refuseUnlessHeader(text)
      arrow.with.append(text)
    } else if accept("without") {
      arrow.without.append(try wholeName("a header name").text)
    } else {
      _ = accept("call-id")
      guard arrow.callID == nil else { throw problem(.repeatedPart, "`call-id` is given twice") }
      arrow.callID = try templateString()
    }
    return true
  }
}
