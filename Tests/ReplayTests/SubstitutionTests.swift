import Instant
import Testing
import Timeline

@testable import Replay
@testable import Scenario

/// What `${…}` stands for (language, sections 3.8, 3.9 and 3.12).
@Suite struct SubstitutionTests {
  private func values(_ records: [Record] = [], _ plan: Plan = plan([])) -> Substitution {
    var book = CallBook(phone: "phone")
    var labels = LabelTable(phone: "phone", remembering: [:])
    for record in records {
      book.take(record)
      labels.name(record, "l\(record.number)", book: book)
    }
    return Substitution(plan: plan, book: book, labels: labels)
  }

  private func invite(to phone: Bool) -> Record {
    let message = MessageFacts(
      id: 1, from: phone ? "pbx" : "phone", to: phone ? "phone" : "pbx", method: "INVITE", callID: "k@h", sequence: 1,
      fromTag: "from", toTag: nil, branch: "z9hG4bK1")
    return Record(
      number: 1, instant: .zero, from: message.from, call: CallLabel(name: "c1", uuid: "U1"),
      event: .sip(SIPEvent(phase: phone ? .arrived : .sent(bytes: []), message: message)))
  }

  private func answer(to phone: Bool) -> Record {
    let message = MessageFacts(
      id: 2, from: phone ? "pbx" : "phone", to: phone ? "phone" : "pbx", method: "INVITE", status: 200, callID: "k@h",
      sequence: 1, fromTag: "from", toTag: "to", branch: "z9hG4bK1")
    return Record(
      number: 2, instant: .zero, from: message.from, call: CallLabel(name: "c1", uuid: "U1"),
      event: .sip(SIPEvent(phase: phone ? .arrived : .sent(bytes: []), message: message)))
  }

  @Test(arguments: [
    ("c1.uuid", "U1"), ("c1.call-id", "k@h"), ("c1.local-tag", "to"), ("c1.remote-tag", "from"),
    ("l1.branch", "z9hG4bK1"), ("l1.call-id", "k@h"), ("l1.tag", "from"), ("l2.tag", "to"), ("hex:48 69", "Hi"),
  ])
  func referencesAreLookedUp(reference: String, value: String) throws {
    let values = values([invite(to: true), answer(to: false)])
    #expect(try values.text(template(.reference(reference))) == value)
  }

  /// The local tag is the phone's, whoever sent the INVITE.
  @Test func theLocalTagIsThePhones() throws {
    let values = values([invite(to: false), answer(to: true)])
    #expect(
      try values.text(template(.reference("c1.local-tag"), .literal("/"), .reference("c1.remote-tag"))) == "from/to")
  }

  /// Without one on its line a call's Call-ID is its name at the caller's host.
  @Test func theCallIDIsKnownBeforeTheFirstMessage() throws {
    #expect(try values().text(template(.reference("c1.call-id")), callerHost: "10.0.0.1") == "c1@10.0.0.1")
  }

  @Test func paramsAndNamedTextsAreEvaluatedWhereTheyAreUsed() throws {
    let plan = plan(
      [], params: [ParamValue(name: "gap", value: "200ms")],
      texts: ["a": template(.literal("<"), .reference("b"), .literal(">")), "b": template(.reference("gap"))])
    #expect(try values([], plan).text(template(.reference("a"))) == "<200ms>")
  }

  @Test(arguments: ["nothing", "c1.uuid", "c1.local-tag", "later.branch", "auto", "hex:4", "hex:4g", "loop", "hex:ff"])
  func whatIsNotKnownIsAnError(reference: String) {
    let plan = plan([], texts: ["loop": template(.reference("loop"))])
    #expect(throws: ScriptError.self) { try values([], plan).text(template(.reference(reference))) }
  }

  /// LF becomes CRLF, and `${auto}` is the number of octets of the body.
  @Test func rawTextIsCompleted() throws {
    let lines = [
      text("INVITE sip:b@h SIP/2.0"), template(.literal("Content-Length: "), .reference("auto")), text(""),
      template(.literal("v=0"), .reference("hex:ff00")), text("ä"),
    ]
    let bytes = try values().message(lines, verbatim: false, callerHost: nil)
    let expected = Array("INVITE sip:b@h SIP/2.0\r\nContent-Length: 11\r\n\r\nv=0".utf8) + [0xFF, 0x00]
    #expect(bytes == expected + Array("\r\nä\r\n".utf8))
  }

  @Test func verbatimTextStaysAsItIs() throws {
    let bytes = try values().message([template(.literal("a "), .reference("auto"))], verbatim: true, callerHost: nil)
    #expect(bytes == Array("a ${auto}\r\n".utf8))
  }

  @Test(arguments: [
    ("Subject: a: b ", "Subject", "a: b"), ("X:", "X", ""), ("Contact : <sip:a@b>", "Contact", "<sip:a@b>"),
  ])
  func headerFieldsAreSplit(line: String, name: String, value: String) {
    let field = headerField(line)
    #expect(field?.name == name)
    #expect(field?.value == value)
  }
}
