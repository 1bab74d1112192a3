import SIP
import Testing

/// What becomes of each torture message of RFC 4475 and RFC 5118. Where an RFC leaves a choice, the strict one is taken.
enum TortureTable {
  struct Case: Sendable, CustomTestStringConvertible {
    var file: String
    /// The section of the RFC that the message is from; `A` is the archive of RFC 4475 alone.
    var section: String
    var verdict: Verdict
    /// Everything that is more than a notice, in order of the offset.
    var findings: [Place]
    /// The status of the response of callsim's telephone, which is no registrar; none where it accepts the request, where
    /// a session decides, and where the message is a response.
    var answer: Int?
    /// What else the RFC allows, and what is done.
    var choice: String?
    var testDescription: String { file }
    var outcome: Outcome { Outcome(verdict: verdict, findings: findings, answer: answer) }

    init(
      _ file: String, _ section: String, _ verdict: Verdict, _ findings: [Place] = [], answer: Int? = nil,
      choice: String? = nil
    ) {
      self.file = file
      self.section = section
      self.verdict = verdict
      self.findings = findings
      self.answer = answer
      self.choice = choice
    }
  }

  /// What is made of a message.
  struct Outcome: Hashable, Sendable {
    var verdict: Verdict?
    var findings: [Place] = []
    var answer: Int?

    /// The outcome in a line of a table.
    var words: String {
      let places = findings.map { "\($0.field) at \($0.offset)" }.joined(separator: ", ")
      return [verdict?.rawValue ?? "unknown", answer.map(String.init), places.isEmpty ? nil : places].compactMap { $0 }
        .joined(separator: " ")
    }
  }

  enum Verdict: String, Sendable {
    case valid, refused, malformed
    /// There is no start line, so that there is no message.
    case unreadable
  }

  /// The rule that is broken, in which header field, and where in the octets.
  struct Place: Hashable, Sendable {
    var rule: SyntaxRule
    var field: String
    var offset: Int

    init(_ rule: SyntaxRule, _ field: String, _ offset: Int) {
      self.rule = rule
      self.field = field
      self.offset = offset
    }
  }

  static let cases: [Case] = [
    Case(
      "rfc4475/badaspec.dat", "3.1.2.14", .malformed, [.init(.bracketSpace, "To", 206)], answer: 400,
      choice: "it may be read leniently; refused"),
    Case(
      "rfc4475/badbranch.dat", "3.2.1", .malformed, [.init(.branchEmpty, "Via", 155)], answer: 400,
      choice: "400, or matched as RFC 2543 has it; 400"),
    Case(
      "rfc4475/baddate.dat", "3.1.2.12", .malformed, [.init(.date, "Date", 256)], answer: 400,
      choice: "400, or the Date is ignored; 400"),
    Case(
      "rfc4475/baddn.dat", "3.1.2.15", .malformed,
      [.init(.displayName, "From", 139), .init(.displayName, "To", 201), .init(.headerEnd, "header", 331)], answer: 400,
      choice: "it may be read leniently; refused"),
    Case(
      "rfc4475/badinv01.dat", "3.1.2.1", .malformed,
      [.init(.parameter, "Via", 216), .init(.via, "Via", 219), .init(.parameter, "Contact", 260)], answer: 400),
    Case("rfc4475/badvers.dat", "3.1.2.16", .malformed, [.init(.version, "start line", 33)], answer: 505),
    Case(
      "rfc4475/bcast.dat", "3.3.10", .refused, [.init(.broadcast, "Via", 73)],
      choice: "well-formed, and an endpoint discards it"),
    Case("rfc4475/bext01.dat", "3.3.5", .refused, [.init(.optionTag, "Require", 164)], answer: 420),
    Case("rfc4475/bigcode.dat", "3.1.2.19", .malformed, [.init(.statusCode, "start line", 8)]),
    Case(
      "rfc4475/clerr.dat", "3.1.2.2", .malformed, [.init(.lengthBeyondEnd, "Content-Length", 336)], answer: 400,
      choice: "400, or the datagram is discarded; 400"),
    Case("rfc4475/cparam01.dat", "3.3.12", .valid, answer: 405),
    Case("rfc4475/cparam02.dat", "3.3.13", .valid, answer: 405),
    Case("rfc4475/dblreq.dat", "3.1.1.8", .valid, answer: 405),
    Case("rfc4475/esc01.dat", "3.1.1.3", .valid),
    Case("rfc4475/esc02.dat", "3.1.1.5", .valid, answer: 501),
    Case("rfc4475/escnull.dat", "3.1.1.4", .valid, answer: 405),
    Case("rfc4475/escruri.dat", "3.1.2.11", .malformed, [.init(.requestURIHeaders, "start line", 27)], answer: 400),
    Case(
      "rfc4475/insuf.dat", "3.3.1", .malformed,
      [.init(.fieldMissing, "From", 35), .init(.fieldMissing, "To", 35), .init(.fieldMissing, "Call-ID", 35)],
      answer: 400),
    Case("rfc4475/intmeth.dat", "3.1.1.2", .valid, answer: 501),
    Case("rfc4475/inv2543.dat", "3.4.1", .valid, choice: "it should be taken for the sake of RFC 2543"),
    Case("rfc4475/invut.dat", "3.3.6", .refused, [.init(.bodyType, "Content-Type", 302)], answer: 415),
    Case("rfc4475/longreq.dat", "3.1.1.7", .valid),
    Case("rfc4475/ltgtruri.dat", "3.1.2.7", .malformed, [.init(.requestURIBracket, "start line", 7)], answer: 400),
    Case("rfc4475/lwsdisp.dat", "3.1.1.6", .valid),
    Case("rfc4475/lwsruri.dat", "3.1.2.8", .malformed, [.init(.requestURISpace, "start line", 28)], answer: 400),
    Case(
      "rfc4475/lwsstart.dat", "3.1.2.9", .malformed, [.init(.requestLineSpace, "start line", 6)], answer: 400,
      choice: "it may be read leniently; refused"),
    Case(
      "rfc4475/mcl01.dat", "3.3.9", .malformed, [.init(.fieldRepeated, "Content-Length", 268)], answer: 400,
      choice: "400; on a stream it is closed besides"),
    Case("rfc4475/mismatch01.dat", "3.1.2.17", .malformed, [.init(.sequenceMethod, "CSeq", 165)], answer: 400),
    Case(
      "rfc4475/mismatch02.dat", "3.1.2.18", .malformed, [.init(.sequenceMethod, "CSeq", 167)], answer: 400,
      choice: "400 or 501; 400, since what is malformed is answered first"),
    Case("rfc4475/mpart01.dat", "3.1.1.11", .valid, answer: 405),
    Case(
      "rfc4475/multi01.dat", "3.3.8", .malformed,
      [
        .init(.fieldRepeated, "CSeq", 197), .init(.fieldRepeated, "Call-ID", 214), .init(.fieldRepeated, "To", 317),
        .init(.fieldRepeated, "From", 344), .init(.fieldRepeated, "Max-Forwards", 470),
      ], answer: 400),
    Case(
      "rfc4475/ncl.dat", "3.1.2.3", .malformed, [.init(.lengthNumber, "Content-Length", 326)], answer: 400,
      choice: "400; on a stream it is closed besides"),
    Case("rfc4475/noreason.dat", "3.1.1.13", .valid),
    Case(
      "rfc4475/novelsc.dat", "3.3.3", .refused, [.init(.schemeUnsupported, "start line", 8)], answer: 416,
      choice: "a scheme that is never accepted is treated as unknown; 416"),
    Case(
      "rfc4475/quotbal.dat", "3.1.2.6", .malformed, [.init(.quotedString, "To", 41)], answer: 400,
      choice: "the end of the quoted string may be guessed; refused"),
    Case(
      "rfc4475/regaut01.dat", "3.3.7", .valid, answer: 405,
      choice: "an element that is no registrar answers 405; credentials in an unknown scheme count as none"),
    Case("rfc4475/regbadct.dat", "3.1.2.13", .malformed, [.init(.headersWithoutBracket, "Contact", 265)], answer: 400),
    Case("rfc4475/regescrt.dat", "3.3.14", .valid, answer: 405),
    Case(
      "rfc4475/scalar02.dat", "3.1.2.4", .malformed,
      [.init(.sequenceNumber, "CSeq", 174), .init(.maxForwards, "Max-Forwards", 269)], answer: 400,
      choice: "400, or numbers that are too large are cut; 400 for CSeq and Max-Forwards, and an hour for expires"),
    Case(
      "rfc4475/scalarlg.dat", "3.1.2.5", .malformed,
      [.init(.sequenceNumber, "CSeq", 198), .init(.retryAfter, "Retry-After", 297), .init(.warning, "Warning", 335)]),
    Case(
      "rfc4475/sdp01.dat", "3.3.15", .refused, [.init(.accept, "Accept", 203)], answer: 406,
      choice: "406, or an answer without a session description, which no 200 to an INVITE can be; 406"),
    Case("rfc4475/semiuri.dat", "3.1.1.9", .valid),
    Case(
      "rfc4475/test.dat", "A", .unreadable,
      choice: "only in the archive, not in the text; no SIP version is named, so that it is no message"),
    Case("rfc4475/transports.dat", "3.1.1.10", .valid),
    Case(
      "rfc4475/trws.dat", "3.1.2.10", .malformed, [.init(.requestLineSpace, "start line", 45)], answer: 400,
      choice: "it may be read leniently; refused"),
    Case("rfc4475/unkscm.dat", "3.3.2", .refused, [.init(.schemeUnsupported, "start line", 8)], answer: 416),
    Case(
      "rfc4475/unksm2.dat", "3.3.4", .refused, [.init(.registeredAddress, "To", 38)], answer: 400,
      choice: "a registrar may know isbn; 400, while our telephone serves no REGISTER at all"),
    Case("rfc4475/unreason.dat", "3.1.1.12", .valid),
    Case("rfc4475/wsinv.dat", "3.1.1.1", .valid),
    Case(
      "rfc4475/zeromf.dat", "3.3.11", .valid,
      choice: "483 from a proxy; an endpoint answers as if it were still positive"),
    Case("rfc5118/ipv4-mapped-ipv6.clfix.dat", "4.9", .valid),
    Case(
      "rfc5118/ipv4-mapped-ipv6.dat", "4.9", .valid,
      choice: "as printed its Content-Length is smaller than its body; the rest is ignored"),
    Case("rfc5118/ipv6-bad.dat", "4.2", .malformed, [.init(.uriBareIPv6, "start line", 13)], answer: 400),
    Case("rfc5118/ipv6-bug-abnf-3-colons.dat", "4.10", .valid, choice: "no choice: three colons must be tolerated"),
    Case("rfc5118/ipv6-correct-abnf-2-colons.dat", "4.10", .valid),
    Case("rfc5118/ipv6-good.dat", "4.1", .valid, answer: 405),
    Case("rfc5118/ipv6-in-sdp.clfix.dat", "4.6", .valid),
    Case(
      "rfc5118/ipv6-in-sdp.dat", "4.6", .malformed, [.init(.lengthBeyondEnd, "Content-Length", 332)], answer: 400,
      choice: "as printed its Content-Length is larger than its body; the corrected form is valid"),
    Case("rfc5118/mult-ip-in-header.dat", "4.7", .valid),
    Case("rfc5118/mult-ip-in-sdp.clfix.dat", "4.8", .valid),
    Case(
      "rfc5118/mult-ip-in-sdp.dat", "4.8", .valid,
      choice: "as printed its Content-Length is smaller than its body; the rest is ignored"),
    Case("rfc5118/port-ambiguous.dat", "4.3", .valid, answer: 405),
    Case("rfc5118/port-unambiguous.dat", "4.4", .valid, answer: 405),
    Case("rfc5118/via-received-param-no-delim.dat", "4.5", .valid),
    Case(
      "rfc5118/via-received-param-with-delim.dat", "4.5", .valid,
      choice: "brackets are not in the grammar of received, and must be tolerated"),
  ]
}
