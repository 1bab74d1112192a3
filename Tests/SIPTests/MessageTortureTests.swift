import SIP
import Testing

/// How each torture message of RFC 4475 and RFC 5118 is classified.
@Suite struct MessageTortureTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var file: String
    var outcome: Outcome
    var testDescription: String { file }
    init(_ file: String, _ outcome: Outcome) {
      self.file = file
      self.outcome = outcome
    }
  }

  enum Outcome: Equatable, Sendable {
    /// No fatal finding.
    case good
    /// A request with a fatal finding; the status of the first one that has the field.
    case refused(Int, field: String)
    /// A response with a fatal finding in the field.
    case dropped(field: String)
    case unreadable
  }

  static let cases: [Case] = [
    Case("rfc4475/badaspec.dat", .refused(400, field: "To")),
    Case("rfc4475/badbranch.dat", .good),
    Case("rfc4475/baddate.dat", .good),
    Case("rfc4475/baddn.dat", .refused(400, field: "From")),
    Case("rfc4475/badinv01.dat", .refused(400, field: "message")),
    Case("rfc4475/badvers.dat", .refused(505, field: "start line")),
    Case("rfc4475/bcast.dat", .good),
    Case("rfc4475/bext01.dat", .good),
    Case("rfc4475/bigcode.dat", .dropped(field: "start line")),
    Case("rfc4475/clerr.dat", .refused(400, field: "Content-Length")),
    Case("rfc4475/cparam01.dat", .good),
    Case("rfc4475/cparam02.dat", .good),
    Case("rfc4475/dblreq.dat", .good),
    Case("rfc4475/esc01.dat", .good),
    Case("rfc4475/esc02.dat", .good),
    Case("rfc4475/escnull.dat", .good),
    Case("rfc4475/escruri.dat", .refused(400, field: "start line")),
    Case("rfc4475/insuf.dat", .refused(400, field: "Call-ID")),
    Case("rfc4475/intmeth.dat", .good),
    Case("rfc4475/inv2543.dat", .good),
    Case("rfc4475/invut.dat", .good),
    Case("rfc4475/longreq.dat", .good),
    Case("rfc4475/ltgtruri.dat", .refused(400, field: "start line")),
    Case("rfc4475/lwsdisp.dat", .good),
    Case("rfc4475/lwsruri.dat", .refused(400, field: "start line")),
    Case("rfc4475/lwsstart.dat", .refused(400, field: "start line")),
    Case("rfc4475/mcl01.dat", .refused(400, field: "Content-Length")),
    Case("rfc4475/mismatch01.dat", .refused(400, field: "CSeq")),
    Case("rfc4475/mismatch02.dat", .refused(400, field: "CSeq")),
    Case("rfc4475/mpart01.dat", .good),
    Case("rfc4475/multi01.dat", .refused(400, field: "CSeq")),
    Case("rfc4475/ncl.dat", .refused(400, field: "Content-Length")),
    Case("rfc4475/noreason.dat", .good),
    Case("rfc4475/novelsc.dat", .refused(416, field: "start line")),
    Case("rfc4475/quotbal.dat", .refused(400, field: "To")),
    Case("rfc4475/regaut01.dat", .good),
    Case("rfc4475/regbadct.dat", .refused(400, field: "Contact")),
    Case("rfc4475/regescrt.dat", .good),
    Case("rfc4475/scalar02.dat", .refused(400, field: "CSeq")),
    Case("rfc4475/scalarlg.dat", .dropped(field: "CSeq")),
    Case("rfc4475/sdp01.dat", .good),
    Case("rfc4475/semiuri.dat", .good),
    Case("rfc4475/test.dat", .unreadable),
    Case("rfc4475/transports.dat", .good),
    Case("rfc4475/trws.dat", .refused(400, field: "start line")),
    Case("rfc4475/unkscm.dat", .refused(416, field: "start line")),
    Case("rfc4475/unksm2.dat", .good),
    Case("rfc4475/unreason.dat", .good),
    Case("rfc4475/wsinv.dat", .good),
    Case("rfc4475/zeromf.dat", .good),
    Case("rfc5118/ipv4-mapped-ipv6.clfix.dat", .good),
    Case("rfc5118/ipv4-mapped-ipv6.dat", .good),
    Case("rfc5118/ipv6-bad.dat", .refused(400, field: "start line")),
    Case("rfc5118/ipv6-bug-abnf-3-colons.dat", .good),
    Case("rfc5118/ipv6-correct-abnf-2-colons.dat", .good),
    Case("rfc5118/ipv6-good.dat", .good),
    Case("rfc5118/ipv6-in-sdp.clfix.dat", .good),
    Case("rfc5118/ipv6-in-sdp.dat", .refused(400, field: "Content-Length")),
    Case("rfc5118/mult-ip-in-header.dat", .good),
    Case("rfc5118/mult-ip-in-sdp.clfix.dat", .good),
    Case("rfc5118/mult-ip-in-sdp.dat", .good),
    Case("rfc5118/port-ambiguous.dat", .good),
    Case("rfc5118/port-unambiguous.dat", .good),
    Case("rfc5118/via-received-param-no-delim.dat", .good),
    Case("rfc5118/via-received-param-with-delim.dat", .good),
  ]

  @Test(arguments: cases) func classifies(_ entry: Case) throws {
    let bytes = try MessageFixture.bytes(entry.file)
    guard let message = try? SIPMessage(reading: bytes) else {
      #expect(entry.outcome == .unreadable)
      return
    }
    let fatal = message.findings.filter(\.isFatal)
    switch entry.outcome {
    case .good: #expect(fatal == [])
    case .refused(let status, let field): #expect(fatal.first { $0.field == field }?.status == status)
    case .dropped(let field):
      #expect(fatal.contains { $0.field == field })
      #expect(fatal.allSatisfy { $0.status == nil })
    case .unreadable: Issue.record("the message was read")
    }
    #expect(message.findings.map(\.offset) == message.findings.map(\.offset).sorted())
    #expect(message.findings.allSatisfy { (0...bytes.count).contains($0.offset) })
  }

  @Test func everyTortureMessageIsInTheTable() {
    let torture = MessageFixture.all.filter { $0.hasSuffix(".dat") }
    #expect(torture == Self.cases.map(\.file).sorted())
    #expect(torture.count == 65)
  }

  @Test func flowsHaveNoFatalFinding() throws {
    let flows = MessageFixture.all.filter { $0.hasSuffix(".sip") }
    #expect(flows.count == 51)
    for file in flows {
      let message = try SIPMessage(reading: MessageFixture.bytes(file))
      #expect(message.findings.filter(\.isFatal) == [], "\(file)")
    }
  }

  @Test func whatLibosip2RejectsWronglyIsReadAndNoted() throws {
    let message = try SIPMessage(reading: MessageFixture.bytes("rfc4475/intmeth.dat"))
    #expect(message.method == Method("!interesting-Method0123456789_*+`.%indeed'~"))
    #expect(message.callID == "intmeth.word%ZK-!.*_+'@word`~)(><:\\/\"][?}{")
    #expect(message.to?.displayName == "BEL:\u{7} NUL:\0 DEL:\u{7F}")
    #expect(message.findings.map(\.text).contains { $0.hasPrefix("libosip2 rejects") })
  }
}
