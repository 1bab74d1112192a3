import Testing

@testable import SIP

/// REFER, NOTIFY and the bodies that report, as the RFCs print them and as they may be.
@Suite struct MessageReferralTests {
  private static let folder5589 = "rfc5589/7.5-attended-transfer-when-contact-uri-is-no"

  // MARK: NOTIFY

  struct Report: Sendable, CustomTestStringConvertible {
    var file: String
    var event: EventField
    var state: SubscriptionState
    var status: Int
    var testDescription: String { file }
  }

  static let reports: [Report] = [
    Report(
      file: "rfc5589/6.1-successful-transfer/04_NOTIFY.fixed.sip", event: EventField(package: "refer"),
      state: SubscriptionState(isTerminated: false, expires: 60), status: 100),
    Report(
      file: "rfc5589/6.1-successful-transfer/06_NOTIFY.fixed.sip", event: EventField(package: "refer"),
      state: SubscriptionState(isTerminated: true), status: 200),
    Report(
      file: "\(folder5589)/05_NOTIFY.fixed.sip", event: EventField(package: "refer", id: "98873867"),
      state: SubscriptionState(isTerminated: true), status: 200),
    Report(
      file: "\(folder5589)/09_NOTIFY.fixed.sip", event: EventField(package: "refer", id: "314159"),
      state: SubscriptionState(isTerminated: true), status: 403),
    Report(
      file: "\(folder5589)/12_NOTIFY.fixed.sip", event: EventField(package: "refer", id: "314160"),
      state: SubscriptionState(isTerminated: true), status: 200),
    Report(
      file: "rfc5359/2.4-transfer-unattended/15_NOTIFY.fixed.sip", event: EventField(package: "refer"),
      state: SubscriptionState(isTerminated: true), status: 200),
    Report(
      file: "rfc5359/2.5-transfer-attended/17_NOTIFY.fixed.sip", event: EventField(package: "refer"),
      state: SubscriptionState(isTerminated: false, expires: 60), status: 100),
    Report(
      file: "rfc5359/2.5-transfer-attended/24_NOTIFY.fixed.sip", event: EventField(package: "refer"),
      state: SubscriptionState(isTerminated: true), status: 200),
  ]

  @Test(arguments: reports) func aReportIsReadAsItIsPrinted(report: Report) throws {
    let message = try SIPMessage(reading: MessageFixture.bytes(report.file))
    #expect(message.method == .notify)
    #expect(message.event == report.event)
    #expect(message.subscriptionState == report.state)
    #expect(message.sipFragmentStatus == report.status)
  }

  @Test func everyPrintedReportIsInTheTable() {
    #expect(Self.reports.map(\.file).sorted() == MessageFixture.all.filter { $0.contains("_NOTIFY") })
  }

  // MARK: REFER

  struct Request: Sendable, CustomTestStringConvertible {
    var file: String
    var target: String
    var replaces: Replaces?
    var flaw: ReferTo.Flaw?
    var testDescription: String { file }
  }

  static let requests: [Request] = [
    Request(
      file: "rfc5589/6.1-successful-transfer/03_REFER.sip", target: "sips:transfertarget@chicago.example.com"),
    Request(
      file: "rfc5589/7.2-protecting-transfer-target/05_REFER.sip",
      target: "sips:3ld812adkjw@biloxi.example.com;gr=3413kj2ha",
      replaces: Replaces(callID: "090459243588173445", toTag: "7553452", fromTag: "31431")),
    // As printed its from-tag lacks a percent sign.
    Request(file: "rfc5589/7.3-attended-transfer/05_REFER.sip", target: "", flaw: .malformed),
    Request(
      file: "\(folder5589)/08_REFER.sip", target: "sips:transfertarget@chicago.example.com",
      replaces: Replaces(callID: "090459243588173445", toTag: "9m2n3wq", fromTag: "763231")),
    Request(
      file: "\(folder5589)/10_REFER.sip", target: "sips:transfertarget@client.chicago.example.com",
      replaces: Replaces(callID: "090459243588173445", toTag: "9m2n3wq", fromTag: "763231")),
    Request(file: "rfc5359/2.4-transfer-unattended/05_REFER.sip", target: "sips:carol@chicago.example.com"),
  ]

  @Test(arguments: requests) func aREFERIsReadAsItIsPrinted(request: Request) throws {
    let message = try SIPMessage(reading: MessageFixture.bytes(request.file))
    #expect(message.method == .refer)
    do throws(ReferTo.Flaw) {
      let referTo = try ReferTo(of: message)
      #expect(referTo.target == request.target)
      #expect(referTo.replaces.flatMap { Replaces($0) } == request.replaces)
      #expect(request.flaw == nil)
    } catch {
      #expect(error == request.flaw)
    }
  }

  @Test func everyPrintedREFERIsInTheTable() {
    #expect(Self.requests.map(\.file).sorted() == MessageFixture.all.filter { $0.contains("_REFER") })
  }

  /// What we would write for the dialog that a printed Refer-To means is what is printed.
  @Test func aPrintedReplacesIsWrittenTheSame() throws {
    let replaces = Replaces(callID: "090459243588173445", toTag: "9m2n3wq", fromTag: "763231")
    let printed = try SIPMessage(reading: MessageFixture.bytes("\(Self.folder5589)/10_REFER.sip"))
    let value = try #require(replaces.headerValue)
    #expect(
      printed.value(of: "Refer-To")
        == "<sips:transfertarget@client.chicago.example.com?Replaces=\(SIPURI.headerValue(value))>")
  }

  // MARK: Fragments

  @Test(arguments: [100, 180, 200, 299, 302, 486, 503, 603, 699]) func aFragmentIsReadAsItWasWritten(
    status: Int
  ) throws {
    let message = try SIPMessage(
      .request(.notify, uri: "sip:a@h"), headers: [("Content-Type", SIPFragment.type)],
      body: SIPFragment.bytes(status: status))
    #expect(message.sipFragmentStatus == status)
  }

  @Test func onlyAFragmentHasAStatus() throws {
    for type in ["application/sdp", "message/sip", "", "message/sipfrag2"] {
      let message = try SIPMessage(
        .request(.notify, uri: "sip:a@h"), headers: [("Content-Type", type)], body: SIPFragment.bytes(status: 200))
      #expect(message.sipFragmentStatus == nil)
    }
    let untyped = try SIPMessage(
      .request(.notify, uri: "sip:a@h"), headers: [], body: SIPFragment.bytes(status: 200))
    #expect(untyped.sipFragmentStatus == nil)
  }

  /// Reading is a function of the bytes and never traps.
  @Test func noPartOfAFragmentTraps() throws {
    let whole = Array("SIP/2.0 200 OK\r\nTo: <sip:a@h>\r\n\r\n".utf8)
    for length in 0...whole.count {
      for byte in [nil, 0, 10, 13, 32, 200, 255] as [UInt8?] {
        let message = try SIPMessage(
          .request(.notify, uri: "sip:a@h"), headers: [("Content-Type", "message/sipfrag")],
          body: Array(whole.prefix(length)) + (byte.map { [$0] } ?? []))
        #expect([nil, 200].contains(message.sipFragmentStatus))
      }
    }
  }

  @Test(
    arguments: [
      Replaces(callID: "", toTag: "a", fromTag: "b"), Replaces(callID: "a b", toTag: "a", fromTag: "b"),
      Replaces(callID: "a,b", toTag: "a", fromTag: "b"), Replaces(callID: "a;b", toTag: "a", fromTag: "b"),
      Replaces(callID: "a", toTag: "", fromTag: "b"), Replaces(callID: "a", toTag: "a", fromTag: "b;c"),
      Replaces(callID: "a", toTag: "\"a\"", fromTag: "b"), Replaces(callID: "a\r\nb", toTag: "a", fromTag: "b"),
    ])
  func aDialogThatReplacesCannotNameIsNotWritten(replaces: Replaces) {
    #expect(replaces.headerValue == nil)
  }

  @Test func replacesIsWrittenAsItIsRead() {
    for isEarlyOnly in [false, true] {
      let replaces = Replaces(callID: "a@b", toTag: "c", fromTag: "d", isEarlyOnly: isEarlyOnly)
      #expect(replaces.headerValue == "a@b;to-tag=c;from-tag=d" + (isEarlyOnly ? ";early-only" : ""))
    }
  }
}
