import SIP
import Testing

/// Parse, serialise, parse: our own serialiser changes nothing that a message means, and so none of the values that
/// libosip2's would (escapes, order, unknown names, comma lists, bodies).
@Suite struct RoundTripTests {
  private func again(_ message: SIPMessage) throws -> SIPMessage {
    try SIPMessage(message.startLine, headers: message.headers, body: Array(message.body))
  }

  /// Header names as they are written, and their values without folds.
  private func lines(_ message: SIPMessage) -> [String] {
    message.headers.filter { SIPMessage.longName(of: $0.name) != "content-length" }.map { "\($0.name): \($0.value)" }
  }

  @Test(arguments: MessageFixture.all) func nothingChangesInMeaning(file: String) throws {
    guard let message = try? SIPMessage(reading: MessageFixture.bytes(file)) else { return }
    // A status that is no status cannot be written.
    if case .response(let status, _) = message.startLine, !(100...699).contains(status) { return }
    let copy = try again(message)
    #expect(copy.startLine == message.startLine)
    #expect(lines(copy) == lines(message))
    #expect(Array(copy.body) == Array(message.body))
    #expect(copy.callID == message.callID && copy.sequence == message.sequence)
    #expect(copy.from == message.from && copy.to == message.to)
    #expect(copy.vias == message.vias)
    #expect(copy.contacts == message.contacts)
    #expect(copy.routes == message.routes && copy.recordRoutes == message.recordRoutes)
    #expect(copy.sessionDescription == message.sessionDescription)
    #expect(copy.bodyParts.map { Array(copy.body(of: $0)) } == message.bodyParts.map { Array(message.body(of: $0)) })
    // What was wrong with it is wrong still, but for its lines, its framing and its version, which are written anew.
    let written: Set<SyntaxRule> = [
      .lineEnd, .headerEnd, .fieldLine, .lengthNumber, .lengthBeyondEnd, .octetsBeyondLength, .version,
      .requestLineSpace,
      .statusLineSpace, .fieldRepeated,
    ]
    func rules(_ message: SIPMessage) -> [String] {
      MessageAssessment(message).findings.filter { !written.contains($0.rule) }.map { "\($0.rule.code) \($0.field)" }
    }
    #expect(rules(copy) == rules(message))
    // And writing once more writes the same octets.
    #expect(try again(copy).bytes == copy.bytes)
  }

  /// Each value that libosip2's serialiser is known to change.
  @Test(arguments: [
    // It decodes escapes in the user part and encodes them by rules of its own; %00 it cuts.
    ("rfc4475/esc01.dat", "To", "sip:%75se%72@example.com"),
    ("rfc4475/escnull.dat", "Contact", "<sip:%00@host5.example.com>"),
    ("rfc4475/escnull.dat", "To", "sip:null-%00-null@example.com"),
    // It drops the parameters of an authentication scheme that it does not know.
    ("rfc4475/regaut01.dat", "Authorization", "NoOneKnowsThisScheme opaque-data=here"),
    // It writes names that it does not know with other capitals, and loses the folds' meaning.
    ("rfc4475/wsinv.dat", "NewFangledHeader", "newfangled value continued newfangled value"),
    // It cuts messages with a NUL in a quoted string.
    ("rfc4475/intmeth.dat", "CSeq", "139122385 !interesting-Method0123456789_*+`.%indeed'~"),
  ]) func whatLibosip2ChangesStaysAsItIs(file: String, name: String, value: String) throws {
    let message = try SIPMessage(reading: MessageFixture.bytes(file))
    #expect(message.value(of: name) == value)
    let copy = try again(message)
    #expect(copy.value(of: name) == value)
    #expect(copy.headers.contains { $0.name == name })
  }
}
