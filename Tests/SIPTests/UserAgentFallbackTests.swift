import Instant
import Testing

@testable import SIP

/// INVITEs that ask for SRTP and go out again without it (RFC 3261 21.4.13, 21.4.26, 21.6.4).
@Suite struct UserAgentFallbackTests {
  private let session = SessionID(.local, 1)

  private func calling(
    _ target: String = "sip:peer@10.0.0.2", transport: Transport = .udp, policy: UserAgentPolicy = UserAgentPolicy()
  ) throws -> UserAgentBench {
    var bench = UserAgentBench(transport: transport, policy: policy)
    bench.perform(.invite(session, target: target, callID: "K1", fallbackCallID: "K2"))
    #expect(bench.last("INVITE")?.callID == "K1")
    return bench
  }

  /// Lets the target that was tried last answer.
  private func answer(
    _ bench: inout UserAgentBench, _ status: Int, _ contacts: [String] = [], tag: String? = "peer", body: String? = nil
  ) throws {
    let invite = try #require(bench.last("INVITE"))
    let full = try bench.response(status, to: invite, tag: tag, body: body)
    let headers = full.headers.filter { $0.name != "Contact" || contacts.isEmpty && status < 300 }
    bench.receive(
      try SIPMessage(
        full.startLine, headers: headers + contacts.map { ("Contact", $0) }, body: Array(full.body)))
  }

  /// The INVITEs without their repetitions: Call-ID, number, target, profile.
  private func attempts(_ bench: UserAgentBench) -> [String] {
    var seen: Set<String> = []
    return bench.sent.map(\.message).compactMap { message in
      guard case .request(.invite, let uri) = message.startLine, seen.insert(message.topVia?.branch ?? "").inserted
      else { return nil }
      let profile = message.sessionDescription?.audio?.profile ?? "-"
      return "\(message.callID) \(message.sequence?.number ?? 0) \(SIPURI(uri)?.user ?? "-") \(profile)"
    }
  }

  /// A description of the peer that asks for SRTP.
  private static func secure(_ direction: String = "sendrecv", tag: Int = 1) -> String {
    "v=0\r\no=- 1 1 IN IP4 10.0.0.2\r\ns=-\r\nc=IN IP4 10.0.0.2\r\nt=0 0\r\nm=audio 4000 RTP/SAVP 0\r\n"
      + "a=crypto:\(tag) AES_CM_128_HMAC_SHA1_80 \(SecureMediaTests.inline)\r\na=\(direction)\r\n"
  }

  @Test(arguments: [Transport.udp, .tcp], [415, 488, 606])
  func theINVITEGoesOutAgainWithoutSRTP(transport: Transport, status: Int) throws {
    var bench = try calling(transport: transport)
    let first = try #require(bench.last("INVITE"))
    try answer(&bench, 180, tag: "early")
    try answer(&bench, status, tag: "refused")
    #expect(bench.names == ["INVITE", "ACK", "INVITE"])
    // The ACK is the first INVITE's.
    #expect(bench.sent[1].message.callID == "K1")
    #expect(bench.sent[1].message.topVia?.branch == first.topVia?.branch)
    let second = try #require(bench.last("INVITE"))
    #expect(second.callID == "K2")
    #expect(second.startLine == first.startLine)
    #expect(second.value(of: "To") == first.value(of: "To"))
    #expect(second.fromTag != first.fromTag)
    #expect(second.from?.uri == first.from?.uri)
    #expect(second.sequence?.number == 1)
    #expect(second.topVia?.branch != first.topVia?.branch)
    #expect(bench.sent[2].transmission.destination == bench.sent[0].transmission.destination)
    #expect(attempts(bench) == ["K1 1 peer RTP/SAVP", "K2 1 peer RTP/AVP"])
    #expect(second.sessionDescription?.audio?.lines.contains { $0.hasPrefix("a=crypto") } == false)
    // It is the same session in another version (RFC 4566 5.2).
    let origins = [first, second].map(\.sessionDescription?.origin)
    #expect(origins[0]?.sessionID == origins[1]?.sessionID)
    #expect(origins.map { $0?.version } == ["1", "2"])
    try answer(&bench, 200, tag: "late", body: UserAgentBench.offer)
    #expect(
      bench.events == [
        .inviteSent(session, callID: "K1"), .provisional(session, status: 180, hasSession: false),
        .callIDChanged(session, to: "K2"), .answered(session), .negotiated(session, SessionMedia()),
      ])
    #expect(bench.last("ACK")?.callID == "K2")
    bench.perform(.setHold(session, true))
    #expect(bench.last("INVITE")?.sequence?.number == 2)
    #expect(bench.last("INVITE")?.fromTag == second.fromTag)
    #expect(bench.last("INVITE")?.sessionDescription?.isSecure == false)
    bench.perform(.hangUp(session))
    #expect(bench.last("BYE")?.callID == "K2")
    bench.runOut()
    #expect(bench.ends == [.local])
    #expect(bench.isEmpty)
  }

  @Test(arguments: [400, 404, 406, 420, 486, 503, 600, 603]) func anotherRefusalEndsTheCall(status: Int) throws {
    var bench = try calling()
    try answer(&bench, status)
    #expect(attempts(bench).count == 1)
    #expect(bench.ends == [.rejected(status: status)])
    bench.runOut()
    #expect(bench.isEmpty)
  }

  @Test(arguments: [415, 488, 606]) func withoutAFallbackARefusalEndsTheCall(status: Int) throws {
    var bench = UserAgentBench()
    bench.perform(.invite(session, target: "sip:peer@10.0.0.2", callID: "K1"))
    #expect(attempts(bench) == ["K1 1 peer RTP/AVP"])
    try answer(&bench, status)
    #expect(bench.ends == [.rejected(status: status)])
  }

  @Test(arguments: [415, 488, 606]) func aSecondRefusalEndsTheCall(status: Int) throws {
    var bench = try calling()
    try answer(&bench, 488)
    try answer(&bench, status)
    #expect(attempts(bench).count == 2)
    #expect(bench.ends == [.rejected(status: status)])
    bench.runOut()
    #expect(bench.isEmpty)
  }

  @Test func theRefusalThatComesAgainIsAcknowledgedOnly() throws {
    var bench = try calling()
    let refusal = try bench.response(488, to: try #require(bench.last("INVITE")))
    for _ in 1...3 { bench.receive(refusal) }
    #expect(bench.names == ["INVITE", "ACK", "INVITE", "ACK", "ACK"])
    #expect(bench.events.count { $0 == .callIDChanged(session, to: "K2") } == 1)
  }

  @Test func aCallIDThatCannotBeWrittenIsNotTried() throws {
    var bench = UserAgentBench()
    let tooLong = String(repeating: "K", count: MessageLimits.standard.messageLength)
    bench.perform(.invite(session, target: "sip:peer@10.0.0.2", callID: "K1", fallbackCallID: tooLong))
    try answer(&bench, 488)
    #expect(bench.ends == [.rejected(status: 488)])
    bench.runOut()
    #expect(bench.isEmpty)
  }

  @Test func withoutAnyResponseThereIsNoFallback() throws {
    var bench = try calling()
    bench.runOut()
    #expect(attempts(bench).count == 1)
    #expect(bench.ends == [.timedOut])
    #expect(bench.isEmpty)
  }

  @Test func withoutAResponseToTheSecondINVITETheCallTimesOut() throws {
    var bench = try calling()
    try answer(&bench, 488)
    bench.runOut()
    #expect(bench.ends == [.timedOut])
    #expect(bench.isEmpty)
  }

  // MARK: Together with redirects

  struct Course: Sendable, CustomTestStringConvertible {
    /// What each INVITE is answered with: a status, and the user that a redirect names.
    var answers: [String]
    var attempts: [String]
    var end: Int
    var testDescription: String { "\(answers)" }
  }

  /// A redirect keeps the Call-ID and the offer, and the fallback goes to the target that refused; once.
  @Test(arguments: [
    Course(answers: ["302 b", "488", "486"], attempts: ["K1 1 peer S", "K1 2 b S", "K2 1 b P"], end: 486),
    Course(answers: ["488", "302 b", "486"], attempts: ["K1 1 peer S", "K2 1 peer P", "K2 2 b P"], end: 486),
    Course(answers: ["488", "302 b", "488"], attempts: ["K1 1 peer S", "K2 1 peer P", "K2 2 b P"], end: 488),
    // What waits is tried after the fallback, and nothing twice.
    Course(
      answers: ["302 b c", "488", "488", "486"],
      attempts: ["K1 1 peer S", "K1 2 b S", "K2 1 b P", "K2 2 c P"], end: 486),
    Course(
      answers: ["302 b c", "404", "415", "302 peer b", "486"],
      attempts: ["K1 1 peer S", "K1 2 b S", "K1 3 c S", "K2 1 c P"], end: 302),
    // A 606 ends the search (RFC 3261 21.6) but for the fallback.
    Course(
      answers: ["302 b c", "606", "486", "486"],
      attempts: ["K1 1 peer S", "K1 2 b S", "K2 1 b P", "K2 2 c P"], end: 486),
    Course(answers: ["302 b c", "488", "606"], attempts: ["K1 1 peer S", "K1 2 b S", "K2 1 b P"], end: 606),
    Course(answers: ["302 b c", "603"], attempts: ["K1 1 peer S", "K1 2 b S"], end: 603),
  ]) func redirectsAndTheFallbackKeepTheirOrder(row: Course) throws {
    var bench = try calling("sip:peer@10.0.0.2")
    for text in row.answers where bench.ends.isEmpty {
      let words = text.split(separator: " ").map(String.init)
      try answer(&bench, Int(words[0]) ?? 0, words.dropFirst().map { "<sip:\($0)@10.0.0.2>" })
    }
    let expected = row.attempts.map { String($0.dropLast()) + ($0.hasSuffix("S") ? "RTP/SAVP" : "RTP/AVP") }
    #expect(attempts(bench) == expected)
    #expect(bench.ends == [.rejected(status: row.end)])
    #expect(Set(bench.sent.map(\.message).filter { $0.method == .invite }.compactMap { $0.value(of: "To") }).count == 1)
    bench.runOut()
    #expect(bench.isEmpty)
  }

  @Test func theSettingForRedirectsDoesNotTouchIt() throws {
    var bench = try calling(policy: UserAgentPolicy(followsRedirects: false))
    try answer(&bench, 488)
    #expect(attempts(bench).count == 2)
    try answer(&bench, 302, ["<sip:b@10.0.0.2>"])
    #expect(bench.ends == [.rejected(status: 302)])
  }

  // MARK: Crossing

  enum Moment: CaseIterable { case called, rang, refused, rangAgain }

  @Test(arguments: [Transport.udp, .tcp], Moment.allCases)
  func hangingUpWorksAtEveryMoment(transport: Transport, moment: Moment) throws {
    var bench = try calling(transport: transport)
    func step(_ reached: Moment, _ bench: inout UserAgentBench) {
      if reached == moment { bench.perform(.hangUp(session)) }
    }
    step(.called, &bench)
    try answer(&bench, 180, tag: "early")
    step(.rang, &bench)
    try answer(&bench, 488)
    step(.refused, &bench)
    let isSentAgain = moment == .refused || moment == .rangAgain
    #expect(attempts(bench).count == (isSentAgain ? 2 : 1))
    if isSentAgain {
      #expect(!bench.names.contains("CANCEL"))
      try answer(&bench, 180, tag: "again")
      step(.rangAgain, &bench)
      #expect(bench.last("CANCEL")?.callID == "K2")
      try answer(&bench, 487)
    }
    #expect(bench.ends == [.local])
    bench.runOut()
    #expect(bench.ends == [.local])
    #expect(bench.isEmpty)
  }

  /// A proxy may forward a 2xx of one fork after the refusal of another.
  @Test(arguments: [false, true]) func aLate2xxToTheFirstINVITEIsAcknowledgedAndEnded(isAnswered: Bool) throws {
    var bench = try calling()
    let first = try #require(bench.last("INVITE"))
    try answer(&bench, 488)
    if isAnswered { try answer(&bench, 200, body: UserAgentBench.offer) }
    let place = bench.sent.count
    let late = try bench.response(200, to: first, tag: "late", body: Self.secure())
    for _ in 1...2 { bench.receive(late) }
    #expect(bench.names[place...] == ["ACK", "BYE", "ACK"])
    let messages = bench.sent[place...].map(\.message)
    #expect(messages.allSatisfy { $0.callID == "K1" && $0.toTag == "late" && $0.fromTag == first.fromTag })
    #expect(bench.ends.isEmpty)
    if !isAnswered { try answer(&bench, 200, body: UserAgentBench.offer) }
    #expect(bench.events.count { $0 == .answered(session) } == 1)
    bench.perform(.hangUp(session))
    #expect(bench.last("BYE")?.callID == "K2")
    bench.runOut()
    #expect(bench.ends == [.local])
    #expect(bench.isEmpty)
  }

  /// What was told under the first Call-ID is over.
  @Test func theEarlyDialogsOfTheFirstINVITEHaveEnded() throws {
    var bench = try calling(policy: UserAgentPolicy(replacesAuthorisation: .anyone))
    let first = try #require(bench.last("INVITE"))
    try answer(&bench, 180, tag: "early")
    try answer(&bench, 488)
    try answer(&bench, 180, tag: "again")
    let second = try #require(bench.last("INVITE"))
    let rows: [(String, String?, String, Int?)] = [
      ("K1", first.fromTag, "early", 603), ("K2", second.fromTag, "again", nil), ("K1", second.fromTag, "again", 481),
      ("K2", second.fromTag, "early", 481), ("K2", first.fromTag, "early", 481),
    ]
    for (number, (callID, tag, early, status)) in rows.enumerated() {
      let sent = bench.sent.count
      bench.receive(
        try bench.request(
          .invite, callID: "other\(number)",
          headers: [("Replaces", "\(callID);to-tag=\(tag ?? "");from-tag=\(early)")], body: UserAgentBench.offer))
      #expect(bench.names[sent...] == (status.map { ["\($0) INVITE"] } ?? []))
    }
  }

  @Test func aWishToHoldLivesThroughTheFallback() throws {
    var bench = try calling()
    bench.perform(.setHold(session, true))
    try answer(&bench, 488)
    try answer(&bench, 200, body: UserAgentBench.offer)
    #expect(bench.names == ["INVITE", "ACK", "INVITE", "ACK", "INVITE"])
    #expect(bench.last("INVITE")?.sessionDescription?.audioDirection == .sendonly)
  }

  // MARK: With SRTP

  private func secured() throws -> UserAgentBench {
    var bench = try calling()
    try answer(&bench, 200, body: Self.secure())
    #expect(bench.events.suffix(2) == [.answered(session), .negotiated(session, SessionMedia())])
    return bench
  }

  @Test func anAnswerWithoutSRTPCannotBeUsed() throws {
    for body in [UserAgentBench.offer, Self.secure(tag: 2)] {
      var bench = try calling()
      try answer(&bench, 200, body: body)
      #expect(bench.names == ["INVITE", "ACK", "BYE"])
      #expect(bench.ends == [.failed])
      bench.runOut()
      #expect(bench.isEmpty)
    }
  }

  @Test func holdingKeepsTheKey() throws {
    var bench = try secured()
    let first = try #require(bench.last("INVITE")?.sessionDescription?.audio)
    for (isHeld, direction) in [(true, "recvonly"), (false, "sendrecv")] {
      bench.perform(.setHold(session, isHeld))
      let offered = try #require(bench.last("INVITE")?.sessionDescription?.audio)
      #expect(offered.profile == "RTP/SAVP")
      #expect(offered.keys == first.keys)
      try answer(&bench, 200, body: Self.secure(direction))
      #expect(bench.agreements.last?.isHeldHere == isHeld)
    }
    bench.perform(.setHold(session, true))
    try answer(&bench, 200, body: ConfirmedCall.description("recvonly"))
    #expect(bench.ends == [.failed])
  }

  /// A refused re-INVITE is no reason to call again.
  @Test(arguments: [415, 488, 606]) func aRefusedHoldIsNoFallback(status: Int) throws {
    var bench = try secured()
    bench.perform(.setHold(session, true))
    try answer(&bench, status)
    #expect(bench.events.last == .holdRefused(session))
    #expect(Set(bench.sent.map(\.message.callID)) == ["K1"])
  }

  /// The other side's offers are answered as they ask for, with our key where they ask for SRTP.
  @Test func theOtherSidesOffersAreAnsweredAsTheyAsk() throws {
    var bench = try secured()
    let invite = try #require(bench.last("INVITE"))
    let key = try #require(invite.sessionDescription?.audio?.keys.first?.key)
    let rows: [(String, String, Int?)] = [
      (Self.secure("sendonly", tag: 4), "RTP/SAVP", 4), (ConfirmedCall.description(), "RTP/AVP", nil),
      (Self.secure(), "RTP/SAVP", 1),
    ]
    for (number, (body, profile, tag)) in rows.enumerated() {
      bench.receive(
        try bench.request(.invite, sequence: 2 + number, callID: "K1", toTag: invite.fromTag, body: body))
      let answered = try #require(bench.last("200 INVITE")?.sessionDescription?.audio)
      #expect(answered.profile == profile)
      #expect(answered.keys == (tag.map { [CryptoAttribute(tag: $0, key: key)] } ?? []))
      bench.receive(try bench.request(.ack, sequence: 2 + number, callID: "K1", toTag: invite.fromTag))
    }
    #expect(bench.agreements.count == 4)
    // Without an offer of theirs ours is as the last one was, and so must be the answer.
    bench.receive(try bench.request(.invite, sequence: 9, callID: "K1", toTag: invite.fromTag))
    #expect(bench.last("200 INVITE")?.sessionDescription?.isSecure == true)
    bench.receive(
      try bench.request(.ack, sequence: 9, callID: "K1", toTag: invite.fromTag, body: UserAgentBench.offer))
    #expect(bench.ends == [.failed])
  }

  @Test func whoeverCallsUsIsToldThatWeHaveNoSRTP() throws {
    var bench = UserAgentBench()
    bench.receive(try bench.request(.invite, body: Self.secure()))
    #expect(bench.names == ["488 INVITE"])
  }
}
