import Foundation
import SIP
import Testing

/// Messages judged as a whole: each rule by a message that breaks it and nothing else.
@Suite struct AssessmentTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var rule: SyntaxRule
    var field: String
    /// Where the finding points: at the beginning of this text in the message, or at its end.
    var place: String
    var outcome: Outcome
    /// What is put in the place of a line of the sound message.
    var change: (from: String, to: String)
    var method = "INVITE"

    var testDescription: String { "\(rule.code) \(change.to.prefix(60).debugDescription)" }

    init(
      _ rule: SyntaxRule, _ field: String, at place: String, _ outcome: Outcome, _ from: String, _ to: String,
      method: String = "INVITE"
    ) {
      self.rule = rule
      self.field = field
      self.place = place
      self.outcome = outcome
      change = (from, to)
      self.method = method
    }
  }

  enum Outcome: Equatable, Sendable {
    case malformed(Int?)
    case refused(Int?)
    case notice(Int?)

    init(_ finding: Finding) {
      switch finding.severity {
      case .malformed: self = .malformed(finding.status)
      case .refused: self = .refused(finding.status)
      case .notice: self = .notice(finding.status)
      }
    }

    static let bad = Outcome.malformed(400)
    /// The receiver ignores the field.
    static let ignored = Outcome.malformed(nil)
    static let noted = Outcome.notice(nil)
  }

  static let body = "v=0\r\no=- 1 1 IN IP4 h\r\ns=-\r\nc=IN IP4 h\r\nt=0 0\r\nm=audio 9 RTP/AVP 0\r\n"

  static func sound(_ method: String) -> String {
    "\(method) sip:a@h SIP/2.0\r\nVia: SIP/2.0/UDP h;branch=z9hG4bK1\r\nMax-Forwards: 70\r\nFrom: <sip:b@h>;tag=1\r\n"
      + "To: <sip:a@h>\r\nCall-ID: 1@h\r\nCSeq: 1 \(method)\r\nContact: <sip:b@h>\r\nSubject: x\r\n"
      + "Content-Type: application/sdp\r\nContent-Length: \(body.utf8.count)\r\n\r\n" + body
  }

  private static let subject = "Subject: x\r\n"
  private static let end = "Content-Type: application/sdp\r\nContent-Length: \(body.utf8.count)\r\n\r\n" + body

  private static func multipart(_ body: String, type: String = "multipart/mixed;boundary=b") -> String {
    "Content-Disposition: x;handling=optional\r\nContent-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
  }

  private static func nested(_ depth: Int) -> String {
    (1...depth).reversed().reduce("--b0\r\n\r\nx\r\n--b0--\r\n") { inner, level in
      "--b\(level)\r\nContent-Type: multipart/mixed;boundary=b\(level == depth ? 0 : level + 1)\r\n\r\n"
        + "\(inner)\r\n--b\(level)--\r\n"
    }
  }

  static let cases: [Case] = [
    // Lines and framing.
    Case(.lineEnd, "header", at: "\nSubject", .bad, "h>\r\nSubject", "h>\nSubject"),
    Case(.fieldLine, "header", at: "no field", .bad, subject, "no field\r\n"),
    Case(.fieldLine, "header", at: ": x\r\nContent-T", .bad, subject, ": x\r\n"),
    Case(.lengthNumber, "Content-Length", at: "-1", .bad, "Length: \(body.utf8.count)", "Length: -1"),
    Case(.lengthNumber, "Content-Length", at: "7x", .bad, "Length: \(body.utf8.count)", "Length: 7x"),
    Case(.lengthBeyondEnd, "Content-Length", at: "999", .bad, "Length: \(body.utf8.count)", "Length: 999"),
    Case(.octetsBeyondLength, "body", at: "\r\no=-", .noted, "Length: \(body.utf8.count)", "Length: 3"),
    Case(.typeMissing, "Content-Type", at: "\r\nVia", .noted, "Content-Type: application/sdp", "X: application/sdp"),
    // The start line.
    Case(.version, "start line", at: "SIP/3.0", .malformed(505), "a@h SIP/2.0", "a@h SIP/3.0"),
    Case(.requestLineSpace, "start line", at: "  sip:a", .bad, " sip:a@h ", "  sip:a@h "),
    Case(.requestLineSpace, "start line", at: "\t\r\nVia", .bad, "SIP/2.0\r\nVia", "SIP/2.0\t\r\nVia"),
    Case(.requestURIMissing, "start line", at: " SIP/2.0", .bad, " sip:a@h SIP", " SIP"),
    Case(.requestURIBracket, "start line", at: "<sip:a@h> SIP", .bad, "sip:a@h SIP", "<sip:a@h> SIP"),
    Case(.requestURISpace, "start line", at: " lr SIP", .bad, "sip:a@h SIP", "sip:a@h; lr SIP"),
    Case(.requestURIHeaders, "start line", at: "?a=b", .bad, "sip:a@h SIP", "sip:a@h?a=b SIP"),
    Case(.schemeUnsupported, "start line", at: "http:", .refused(416), "sip:a@h SIP", "http://h/ SIP"),
    // URIs.
    Case(.uriScheme, "start line", at: "a@h SIP", .bad, "sip:a@h SIP", "a@h SIP"),
    Case(.uriScheme, "To", at: "1:a@h", .bad, "To: <sip:a@h>", "To: <1:a@h>"),
    Case(.uriHost, "To", at: ">\r\nCall-ID", .bad, "To: <sip:a@h>", "To: <sip:a@>"),
    Case(.uriHost, "To", at: "-h>", .bad, "To: <sip:a@h>", "To: <sip:a@-h>"),
    Case(.uriHost, "To", at: "3>", .bad, "To: <sip:a@h>", "To: <sip:a@1.2.3>"),
    Case(.uriHost, "To", at: "2001:db8::1::2", .bad, "To: <sip:a@h>", "To: <sip:a@[2001:db8::1::2]>"),
    Case(.uriHost, "Contact", at: "[::1", .bad, "Contact: <sip:b@h>", "Contact: <sip:b@[::1>"),
    Case(.uriBareIPv6, "To", at: "2001:db8::1>", .bad, "To: <sip:a@h>", "To: <sip:a@2001:db8::1>"),
    Case(.uriPort, "start line", at: ":65536 SIP", .bad, "sip:a@h SIP", "sip:a@h:65536 SIP"),
    Case(.uriPort, "To", at: ":x>", .bad, "To: <sip:a@h>", "To: <sip:a@h:x>"),
    Case(.uriCharacter, "To", at: "%4>", .bad, "To: <sip:a@h>", "To: <sip:a@h;x=%4>"),
    Case(.uriCharacter, "start line", at: "%zz@", .bad, "sip:a@h SIP", "sip:a%zz@h SIP"),
    Case(.uriCharacter, "From", at: "\"b@h", .bad, "From: <sip:b@h>", "From: <sip:\"b@h>"),
    Case(.uriCharacter, "Contact", at: "@h>\r\nSubject", .bad, "Contact: <sip:b@h>", "Contact: <sip:@h>"),
    Case(.escapedNull, "To", at: "%00@", .noted, "To: <sip:a@h>", "To: <sip:a%00@h>"),
    // What every message has.
    Case(.fieldMissing, "To", at: "\r\nVia", .bad, "To: <sip:a@h>\r\n", ""),
    Case(.fieldMissing, "Call-ID", at: "\r\nVia", .bad, "Call-ID: 1@h\r\n", ""),
    Case(.fieldMissing, "Max-Forwards", at: "\r\nVia", .noted, "Max-Forwards: 70\r\n", ""),
    Case(.fieldRepeated, "To", at: "t: <sip:c", .bad, subject, "t: <sip:c@h>\r\n"),
    Case(.fieldRepeated, "Content-Length", at: "Content-Length", .bad, subject, "l: 68\r\n"),
    Case(.via, "Via", at: "UDP h", .bad, "Via: SIP/2.0/UDP h;branch=z9hG4bK1", "Via: UDP h"),
    Case(.via, "Via", at: "SIP/2.0 h2", .bad, "K1\r\nMax", "K1, SIP/2.0 h2\r\nMax"),
    Case(.via, "Via", at: "SIP/2.0/UDP[::1]", .bad, "SIP/2.0/UDP h", "SIP/2.0/UDP[::1]"),
    Case(.branchEmpty, "Via", at: "z9hG4bK\r\n", .bad, "z9hG4bK1", "z9hG4bK"),
    Case(.branchWithoutCookie, "Via", at: "1\r\nMax", .noted, "z9hG4bK1", "1"),
    Case(.parameter, "Via", at: ";;x", .bad, ";branch=z9hG4bK1", ";branch=z9hG4bK1;;x"),
    Case(.parameter, "Contact", at: ";;", .bad, "Contact: <sip:b@h>", "Contact: <sip:b@h>;;"),
    Case(.parameter, "From", at: "\r\nTo", .bad, ";tag=1", ";tag="),
    Case(.parameter, "From", at: "(\r\nTo", .bad, ";tag=1", ";tag=1("),
    Case(.parameter, "To", at: "junk", .bad, "To: <sip:a@h>", "To: <sip:a@h> junk"),
    Case(.parameter, "Contact", at: "<sip:b@h>,", .bad, "Contact: <sip:b@h>", "Contact: <sip:b@h>,"),
    Case(.quotedString, "To", at: "\"a <", .bad, "To: <sip:a@h>", "To: \"a <sip:a@h>"),
    Case(.displayName, "To", at: ", b", .bad, "To: <sip:a@h>", "To: a, b <sip:a@h>"),
    Case(.displayName, "To", at: "c <sip", .bad, "To: <sip:a@h>", "To: \"a\" c <sip:a@h>"),
    Case(.angleBracket, "To", at: "<sip:a@h\r\n", .bad, "To: <sip:a@h>", "To: <sip:a@h"),
    Case(.angleBracket, "To", at: "sip:a@h\r\nCall", .bad, "To: <sip:a@h>", "To: \"a\" sip:a@h"),
    Case(.angleBracket, "Route", at: "sip:p@h", .bad, subject, "Route: sip:p@h\r\n"),
    Case(.bracketSpace, "To", at: " sip:a@h>", .bad, "To: <sip:a@h>", "To: < sip:a@h>"),
    Case(.headersWithoutBracket, "Contact", at: "?a=b", .bad, "Contact: <sip:b@h>", "Contact: sip:b@h?a=b"),
    Case(.addressMissing, "To", at: ";x\r\n", .bad, "To: <sip:a@h>", "To: ;x"),
    Case(.callID, "Call-ID", at: " 2@h", .bad, "1@h\r\n", "1 2@h\r\n"),
    Case(.callID, "Call-ID", at: "@\r\n", .bad, "1@h\r\n", "1@\r\n"),
    Case(.callID, "Call-ID", at: ";2\r\n", .bad, "1@h\r\n", "1;2\r\n"),
    Case(.sequence, "CSeq", at: "x INVITE", .bad, "1 INVITE\r\n", "x INVITE\r\n"),
    Case(.sequenceNumber, "CSeq", at: "2147483648", .bad, "1 INVITE\r\n", "2147483648 INVITE\r\n"),
    Case(.sequenceNumber, "CSeq", at: "99999999999999999999", .bad, "1 INVITE\r\n", "99999999999999999999 INVITE\r\n"),
    Case(.sequenceMethod, "CSeq", at: "BYE", .bad, "1 INVITE\r\n", "1 BYE\r\n"),
    Case(.maxForwards, "Max-Forwards", at: "256", .bad, "Forwards: 70", "Forwards: 256"),
    Case(.tagMissing, "From", at: "<sip:b@h>\r\nTo", .noted, ";tag=1", ""),
    Case(.contactMissing, "Contact", at: "\r\nVia", .noted, "Contact: <sip:b@h>\r\n", ""),
    // Other header fields.
    Case(.fieldText, "Subject", at: "\u{1}", .ignored, subject, "Subject: a\u{1}\r\n"),
    Case(.seconds, "Expires", at: "4294967296", .noted, subject, "Expires: 4294967296\r\n"),
    Case(.seconds, "Min-SE", at: "soon", .noted, subject, "Min-SE: soon\r\n"),
    Case(.seconds, "Contact", at: "x\r\nSub", .noted, "Contact: <sip:b@h>", "Contact: <sip:b@h>;expires=x"),
    Case(.date, "Date", at: "Sat, 32", .bad, subject, "Date: Sat, 32 Nov 2010 23:29:00 GMT\r\n"),
    Case(.contactStar, "Contact", at: "*", .bad, "Contact: <sip:b@h>", "Contact: *"),
    Case(.mediaType, "Content-Type", at: "application\r\n", .bad, "Type: application/sdp", "Type: application"),
    Case(.tokenList, "Allow", at: "@VITE", .bad, subject, "Allow: IN@VITE\r\n"),
    Case(.tokenList, "Proxy-Require", at: "\r\nContent-T", .bad, subject, "Proxy-Require: \r\n"),
    Case(.retryAfter, "Retry-After", at: "later", .ignored, subject, "Retry-After: later\r\n"),
    Case(.warning, "Warning", at: "39 h", .ignored, subject, "Warning: 39 h \"x\"\r\n"),
    Case(.referTo, "Refer-To", at: "\r\nVia", .bad, "no line of it", "", method: "REFER"),
    Case(
      .referTo, "Refer-To", at: "<sip:y", .bad, subject, "Refer-To: <sip:x@h>\r\nRefer-To: <sip:y@h>\r\n",
      method: "REFER"),
    Case(.replaces, "Replaces", at: "1;to-tag=a\r\n", .bad, subject, "Replaces: 1;to-tag=a\r\n"),
    Case(.replaces, "Replaces", at: "1;to-t", .bad, subject, "Replaces: 1;to-tag=a;from-tag=b\r\n", method: "OPTIONS"),
    Case(.comment, "User-Agent", at: "a (b\r\n", .ignored, subject, "User-Agent: a (b\r\n"),
    Case(.comment, "Server", at: ") b", .ignored, subject, "Server: a ) b\r\n"),
    Case(
      .nestedTooDeep, "User-Agent", at: "(x", .bad, subject,
      "User-Agent: \(String(repeating: "(", count: 9))x\(String(repeating: ")", count: 9))\r\n"),
    // Bodies.
    Case(
      .multipart, "body", at: "--b\r\n\r\nx", .bad, end, multipart("--b\r\n\r\nx\r\n--b--\r\n", type: "multipart/mixed")
    ),
    Case(.multipart, "body", at: "no part", .bad, end, multipart("no part\r\n--b--\r\n")),
    Case(.multipart, "body", at: "colon", .bad, end, multipart("--b\r\ncolon\r\n\r\nx\r\n--b--\r\n")),
    Case(.nestedTooDeep, "body", at: "--b0", .bad, end, multipart(nested(8), type: "multipart/mixed;boundary=b1")),
    Case(.sessionDescription, "body", at: "v=0", .noted, "o=- 1 1 IN IP4 h\r\ns=-", "s=-\r\no=- 1 1 IN IP4 h"),
    Case(
      .fragment, "body", at: "no fragment", .noted, end,
      "Content-Disposition: x;handling=optional\r\nContent-Type: message/sipfrag\r\nContent-Length: 11\r\n\r\nno fragment"
    ),
    // What is refused.
    Case(.methodUnserved, "start line", at: "UPDATE", .notice(405), subject, subject, method: "UPDATE"),
    Case(.methodUnknown, "start line", at: "DANCE", .notice(501), subject, subject, method: "DANCE"),
    Case(.optionTag, "Require", at: "100rel", .refused(420), subject, "Require: replaces, 100rel\r\n"),
    Case(.bodyType, "Content-Type", at: "text/plain", .refused(415), "application/sdp", "text/plain"),
    Case(.bodyCoding, "Content-Encoding", at: "gzip", .refused(415), subject, "Content-Encoding: gzip\r\n"),
    Case(.accept, "Accept", at: "text/plain", .refused(406), subject, "Accept: text/plain\r\n"),
    Case(
      .registeredAddress, "To", at: "<isbn", .refused(400), "To: <sip:a@h>", "To: <isbn:2983792873>", method: "REGISTER"
    ),
  ]

  @Test(arguments: cases) func eachRuleIsFoundAtItsPlace(row: Case) throws {
    let sound = Self.sound(row.method)
    if row.change.from != "no line of it" { try #require(sound.contains(row.change.from)) }
    var text = sound.replacing(row.change.from, with: row.change.to)
    // The body of a changed message has the length that it says.
    if text.contains("Length: \(Self.body.utf8.count)\r"), let start = text.range(of: "\r\n\r\n") {
      text = text.replacing(
        "Length: \(Self.body.utf8.count)\r", with: "Length: \(text[start.upperBound...].utf8.count)\r")
    }
    let message = try SIPMessage(reading: Array(text.utf8))
    let assessment = MessageAssessment(message)
    let found = try #require(assessment.findings.first { $0.rule == row.rule }, "\(assessment.findings)")
    #expect(found.field == row.field)
    #expect(Outcome(found) == row.outcome)
    let place = try #require(text.range(of: row.place)?.lowerBound)
    #expect(found.offset == text.utf8.distance(from: text.startIndex, to: place), "\(found)")
    // Nothing else is wrong with it.
    let others = assessment.findings.filter { $0.rule != row.rule && $0.severity == .malformed }
    #expect(others == [])
  }
}
