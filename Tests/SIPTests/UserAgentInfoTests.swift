import Instant
import Testing

@testable import SIP

/// Digits as INFO.
@Suite struct UserAgentInfoTests {
  typealias Role = ConfirmedCall.Role

  private func answers(_ call: ConfirmedCall) -> [Int?] {
    call.bench.events.compactMap { if case .infoAnswered(_, let status) = $0 { .some(status) } else { nil } }
  }

  private func call(_ role: Role = .caller) throws -> ConfirmedCall {
    var call = try ConfirmedCall(role)
    _ = call.news()
    return call
  }

  @Test(
    arguments: [
      ("1", Span.milliseconds(100), "Signal=1\r\nDuration=100\r\n"),
      ("#", .seconds(1), "Signal=#\r\nDuration=1000\r\n"),
      ("*", .milliseconds(250), "Signal=*\r\nDuration=250\r\n"),
      ("d", .milliseconds(40), "Signal=D\r\nDuration=40\r\n"),
      ("0", Span(microseconds: 1), "Signal=0\r\nDuration=1\r\n"),
    ] as [(Character, Span, String)], Role.allCases)
  func aDigitIsSentAndAnswered(digit: (Character, Span, String), role: Role) throws {
    var call = try call(role)
    call.bench.perform(.sendDigit(call.session, digit.0, lasting: digit.1))
    let info = try #require(call.bench.last("INFO"))
    #expect(info.value(of: "Content-Type") == "application/dtmf-relay")
    #expect(String(decoding: info.body, as: UTF8.self) == digit.2)
    #expect(info.toTag == "peer")
    #expect(info.sequence?.number == (role == .caller ? 2 : 1))
    try call.answer("INFO", 100)
    #expect(answers(call).isEmpty)
    try call.answer("INFO", 200)
    try call.answer("INFO", 200)
    #expect(answers(call) == [200])
    call.bench.perform(.sendDigit(call.session, digit.0, lasting: digit.1))
    #expect(call.bench.last("INFO")?.sequence?.number == (role == .caller ? 3 : 2))
    try call.answer("INFO", 202)
    #expect(call.news() == ["INFO", "INFO"])
    #expect(answers(call) == [200, 202])
  }

  @Test(arguments: [300, 400, 403, 405, 415, 469, 489, 491, 500, 501, 503, 603])
  func aRefusalLeavesTheSession(status: Int) throws {
    var call = try call()
    call.bench.perform(.sendDigit(call.session, "1", lasting: .milliseconds(100)))
    try call.answer("INFO", status)
    call.bench.run(.seconds(100))
    #expect(answers(call) == [status])
    #expect(call.news() == ["INFO"])
    #expect(call.bench.ends.isEmpty)
  }

  /// RFC 3261 12.2.1.2, RFC 5057 5.1.
  @Test(
    arguments: [404, 408, 410, 416, 480, 481, 482, 483, 484, 485, 502, 604, nil] as [Int?], Role.allCases)
  func suchAnAnswerEndsTheSession(
    status: Int?, role: Role
  ) throws {
    var call = try call(role)
    call.bench.perform(.sendDigit(call.session, "1", lasting: .milliseconds(100)))
    if let status { try call.answer("INFO", status) } else { call.bench.run(.seconds(32)) }
    #expect(call.news().filter { $0 != "INFO" } == ["BYE"])
    #expect(
      call.bench.events.suffix(2) == [.infoAnswered(call.session, status: status), .ended(call.session, .failed)])
    call.bench.runOut()
    #expect(answers(call) == [status])
    #expect(call.bench.isEmpty)
  }

  /// What cannot be sent is answered all the same.
  @Test(arguments: [("x", 100), ("E", 100), ("12", 100), ("ß", 100), ("1", 0), ("1", -5)] as [(String, Int64)])
  func whatIsNoDigitIsAnsweredAtOnce(text: String, milliseconds: Int64) throws {
    var call = try call()
    // "12" stands for a character of two.
    let digit: Character = text == "12" ? "1\u{301}" : Character(text)
    call.bench.perform(.sendDigit(call.session, digit, lasting: .milliseconds(milliseconds)))
    #expect(call.news() == [])
    #expect(answers(call) == [nil])
  }

  @Test func beforeTheAnswerAndAfterTheEndADigitIsAnsweredAtOnce() throws {
    var bench = UserAgentBench()
    let (caller, callee) = (SessionID(.local, 1), SessionID(.remote, 1))
    func answers(_ id: SessionID) -> Int { bench.events.count { $0 == .infoAnswered(id, status: nil) } }
    bench.perform(.sendDigit(caller, "1", lasting: .milliseconds(100)))
    bench.perform(.invite(caller, target: "sip:peer@10.0.0.2", callID: nil))
    bench.receive(try bench.request(.invite, body: UserAgentBench.offer))
    for id in [caller, callee] { bench.perform(.sendDigit(id, "1", lasting: .milliseconds(100))) }
    #expect(answers(caller) == 2)
    #expect(answers(callee) == 1)
    bench.perform(.accept(callee))
    bench.perform(.sendDigit(callee, "1", lasting: .milliseconds(100)))
    #expect(bench.names == ["INVITE", "200 INVITE", "INFO"])
    bench.receive(try bench.request(.bye, sequence: 2, toTag: bench.last("200 INVITE")?.toTag))
    #expect(answers(callee) == 2)
    bench.perform(.sendDigit(callee, "1", lasting: .milliseconds(100)))
    #expect(answers(callee) == 3)
    #expect(bench.names.count { $0 == "INFO" } == 1)
  }

  /// The answer that the end cuts off comes before the end.
  @Test(arguments: [true, false]) func theEndAnswersTheDigitsThatAreOut(hangsUp: Bool) throws {
    var call = try call()
    for digit in "12" { call.bench.perform(.sendDigit(call.session, digit, lasting: .milliseconds(100))) }
    if hangsUp {
      call.bench.perform(.hangUp(call.session))
      try call.answer("INFO", 200)
      try call.answer("BYE", 200)
    } else {
      try call.receive(.bye)
      try call.answer("INFO", 200)
    }
    let end = UserAgentEvent.ended(call.session, hangsUp ? .local : .remoteBye)
    #expect(answers(call) == (hangsUp ? [200, nil] : [nil, nil]))
    #expect(call.bench.events.last == end)
    call.bench.runOut()
    #expect(call.bench.events.last == end)
    #expect(call.bench.isEmpty)
  }

  /// As callee the BYE waits for the ACK (RFC 3261 15), whatever the reason for it.
  @Test func aSessionThatFailsBeforeTheACKSendsByeWithIt() throws {
    var bench = UserAgentBench()
    let id = SessionID(.remote, 1)
    bench.receive(try bench.request(.invite, body: UserAgentBench.offer))
    bench.perform(.accept(id))
    bench.perform(.sendDigit(id, "1", lasting: .milliseconds(100)))
    bench.receive(try bench.response(481, to: try #require(bench.last("INFO"))))
    #expect(bench.ends == [.failed])
    #expect(bench.names == ["200 INVITE", "INFO"])
    bench.receive(try bench.request(.ack, toTag: bench.last("200 INVITE")?.toTag))
    #expect(bench.names == ["200 INVITE", "INFO", "BYE"])
    #expect(bench.events.last == .ended(id, .failed))
    bench.runOut()
    #expect(bench.ends == [.failed])
    #expect(bench.isEmpty)
  }

  // MARK: From the other side

  struct Incoming: Sendable, CustomTestStringConvertible {
    var status: Int
    var headers: [String: String] = [:]
    var body: String?
    /// A header field that the response must have.
    var says: [String: String] = [:]
    var testDescription: String { "\(status) \(headers)" }
  }

  static let incoming: [Incoming] = [
    Incoming(status: 200, headers: ["Content-Type": "application/dtmf-relay"], body: "Signal=1\r\nDuration=100\r\n"),
    Incoming(status: 200, headers: ["Content-Type": "APPLICATION/DTMF ; x=y"], body: "1"),
    Incoming(status: 200),
    Incoming(status: 469, headers: ["Info-Package": "x"], says: ["Recv-Info": ""]),
    Incoming(
      status: 469, headers: ["Info-Package": "x", "Content-Type": "application/dtmf-relay"], body: "Signal=1",
      says: ["Recv-Info": ""]),
    Incoming(
      status: 415, headers: ["Content-Type": "application/media_control+xml"], body: "<x/>",
      says: ["Accept": "application/dtmf-relay"]),
    Incoming(
      status: 415, headers: ["Content-Type": "application/dtmf", "Content-Encoding": "gzip"], body: "1",
      says: ["Accept-Encoding": "identity"]),
    Incoming(status: 420, headers: ["Require": "x"], says: ["Unsupported": "x"]),
  ]

  @Test(arguments: incoming, Role.allCases) func anInfoGetsItsAnswer(row: Incoming, role: Role) throws {
    var call = try call(role)
    let events = call.bench.events
    let headers = row.headers.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
    try call.receive(.info, headers: headers, body: row.body)
    #expect(call.news() == ["\(row.status) INFO"])
    #expect(call.bench.sent.last?.transmission.origin == .rule)
    let response = try #require(call.bench.sent.last?.message)
    for (name, value) in row.says {
      #expect(response.headers.contains { $0.name == name && $0.value.hasPrefix(value) })
    }
    #expect(response.findings.isEmpty)
    #expect(call.bench.events == events)
  }

  @Test func anInfoOfNothingOrAfterTheEndIs481AndOneOutOfOrder500() throws {
    var call = try call()
    try call.receive(.info)
    try call.receive(.info, number: 1)
    call.bench.receive(try call.bench.request(.info, callID: "other", toTag: "other"))
    call.bench.receive(try call.bench.request(.info, callID: "other"))
    call.bench.perform(.hangUp(call.session))
    try call.receive(.info)
    #expect(call.news() == ["200 INFO", "500 INFO", "481 INFO", "481 INFO", "BYE", "481 INFO"])
  }
}
