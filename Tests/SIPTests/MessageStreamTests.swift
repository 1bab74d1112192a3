import Testing

@testable import SIP

/// Cutting a stream into messages (RFC 3261 18.3).
@Suite struct MessageStreamTests {
  private static let options = AssessmentTests.sound("OPTIONS")

  private func elements(
    of pieces: [[UInt8]], side: MessageStream.Side = .server, limits: MessageLimits = .standard, finishes: Bool = true
  ) -> [MessageStream.Element] {
    var stream = MessageStream(side: side, limits: limits)
    var elements: [MessageStream.Element] = []
    for piece in pieces {
      stream.append(piece)
      while let element = stream.next() { elements.append(element) }
    }
    if finishes {
      stream.finish()
      while let element = stream.next() { elements.append(element) }
    }
    #expect(stream.next() == nil)
    return elements
  }

  private func failure(_ text: String, limits: MessageLimits = .standard) -> MessageStream.Failure? {
    let elements = elements(of: [Array(text.utf8)], limits: limits)
    guard case .failure(let failure)? = elements.last else { return nil }
    return failure
  }

  @Test func messagesInOnePieceAreToldApart() {
    let one = Array(Self.options.utf8)
    #expect(
      elements(of: [one + one + one])
        == [.message(one, offset: 0), .message(one, offset: one.count), .message(one, offset: 2 * one.count)])
  }

  @Test func aMessageWaitsForItsRest() {
    let bytes = Array(Self.options.utf8)
    var stream = MessageStream()
    for byte in bytes.dropLast() {
      stream.append([byte])
      #expect(stream.next() == nil)
    }
    #expect(stream.pending == bytes.count - 1)
    stream.append(bytes.suffix(1))
    #expect(stream.next() == .message(bytes, offset: 0))
    #expect(stream.pending == 0)
  }

  /// RFC 5626 4.4.1, and RFC 3261 7.5 for a single line end.
  @Test(arguments: [
    ("\r\n\r\n", MessageStream.Side.server, [MessageStream.Element.ping]), ("\r\n", .server, []),
    ("\r\n\r\n\r\n\r\n", .server, [.ping, .ping]), ("\r\n\r\n\r\n", .server, [.ping]), ("\r\n", .client, [.pong]),
    ("\r\n\r\n", .client, [.pong, .pong]), ("\n\r\n\n\r", .server, []), ("\r\r\n\r\n", .server, [.ping]),
    ("\r", .client, []), ("", .server, []),
  ]) func lineEndsBetweenMessagesKeepTheStreamAlive(
    text: String, side: MessageStream.Side, expected: [MessageStream.Element]
  ) {
    let bytes = Array(text.utf8)
    let message = Array(Self.options.utf8)
    #expect(elements(of: [bytes], side: side) == expected)
    #expect(elements(of: bytes.map { [$0] }, side: side) == expected)
    #expect(
      elements(of: [message + bytes + message], side: side)
        == [.message(message, offset: 0)] + expected + [.message(message, offset: message.count + bytes.count)])
  }

  /// A ping is answered at once: it does not wait for what follows it.
  @Test func aPingIsToldWithoutWhatFollows() {
    #expect(elements(of: [[13, 10], [13], [10]], finishes: false) == [.ping])
    #expect(elements(of: [[13], [10]], side: .client, finishes: false) == [.pong])
  }

  @Test(arguments: [
    ("Content-Length: 68\r\n", "", SyntaxRule.lengthMissing, 400), ("Length: 68", "Length: -1", .lengthNumber, 400),
    ("Length: 68", "Length: ", .lengthNumber, 400), ("Length: 68", "Length: 6 8", .lengthNumber, 400),
    ("Length: 68", "Length: 68x", .lengthNumber, 400),
    ("Length: 68", "Length: 99999999999999999999", .lengthNumber, 400),
    ("Length: 68", "Length: 9223372036854775807", .messageTooLong, 513),
    ("Length: 68", "Length: 1048576", .messageTooLong, 513), ("Subject: x", "l: 67", .fieldRepeated, 400),
    ("Subject: x", "l: 68", .fieldRepeated, 400),
  ]) func aStreamWhoseFramingIsBrokenEnds(from: String, to: String, rule: SyntaxRule, status: Int) throws {
    let text = Self.options.replacing(from, with: to)
    let failure = try #require(self.failure(Self.options + text + Self.options))
    #expect(failure.finding.rule == rule)
    #expect(failure.finding.status == status)
    #expect(failure.offset == Self.options.utf8.count)
    #expect(failure.head.starts(with: "OPTIONS sip:a@h".utf8) && failure.head.suffix(4) == [13, 10, 13, 10])
    #expect((0...failure.head.count).contains(failure.finding.offset))
    // Nothing is answered to a response.
    let response = text.replacing("OPTIONS sip:a@h SIP/2.0", with: "SIP/2.0 200 OK")
    #expect(self.failure(response)?.finding.status == nil)
  }

  @Test func anEndWithinAMessageIsAFailure() {
    #expect(failure(String(Self.options.dropLast()))?.finding.rule == .lengthBeyondEnd)
    #expect(failure("OPTIONS sip:a@h SIP/2.0\r\nVia: x")?.finding.rule == .headerEnd)
    #expect(failure(Self.options) == nil)
  }

  @Test func limitsHoldBeforeAllHasCome() {
    var limits = MessageLimits()
    limits.messageLength = 400
    let long = String(repeating: "x", count: 500)
    #expect(failure("OPTIONS sip:a@h SIP/2.0\r\nSubject: \(long)", limits: limits)?.finding.rule == .messageTooLong)
    #expect(
      failure("OPTIONS sip:a@h SIP/2.0\r\nl: 400\r\n\r\n", limits: limits)?.finding.status == 513)
    limits.messageLength = 1_000
    limits.fieldLength = 100
    #expect(
      failure("OPTIONS sip:a@h SIP/2.0\r\nSubject: \(long)\r\nl: 0\r\n\r\n", limits: limits)?.finding.rule
        == .fieldTooLong)
    limits.fieldCount = 2
    #expect(
      failure("OPTIONS sip:a@h SIP/2.0\r\na: 1\r\nb: 1\r\nl: 0\r\n\r\n", limits: limits)?.finding.rule == .tooManyFields
    )
  }

  /// However the octets of any messages are cut, the same comes out.
  @Test(.timeLimit(.minutes(1))) func noCutChangesWhatComesOut() throws {
    let corpus = try MessageFixture.all.map { try MessageFixture.bytes($0) }
    var generator = MessageRobustnessTests.Generator(state: 5_626)
    var kinds: Set<String> = []
    for round in 0..<600 {
      var octets: [UInt8] = []
      for _ in 0..<Int.random(in: 1...5, using: &generator) {
        octets += corpus.randomElement(using: &generator) ?? []
        if round.isMultiple(of: 3) { octets += [13, 10, 13, 10].prefix(Int.random(in: 0...4, using: &generator)) }
      }
      let side: MessageStream.Side = round.isMultiple(of: 2) ? .server : .client
      let whole = elements(of: [octets], side: side)
      var pieces: [[UInt8]] = []
      var rest = octets[...]
      let longest = round.isMultiple(of: 5) ? 1 : Int.random(in: 1...300, using: &generator)
      while !rest.isEmpty {
        let count = min(rest.count, Int.random(in: 1...longest, using: &generator))
        pieces.append(Array(rest.prefix(count)))
        rest = rest.dropFirst(count)
      }
      #expect(elements(of: pieces, side: side) == whole, "round \(round)")
      for element in whole { kinds.insert(String("\(element)".prefix(7))) }
    }
    // So that the test does not hold because nothing happens.
    #expect(kinds == ["message", "failure", "ping", "pong"])
  }

  /// Messages with a right Content-Length come out as they went in.
  @Test func whatIsFramedRightComesOutWhole() throws {
    let framed = try MessageFixture.all.map { try MessageFixture.bytes($0) }.filter { bytes in
      guard let message = try? SIPMessage(reading: bytes) else { return false }
      return message.values(of: "Content-Length").count == 1
        && !message.findings.contains {
          [.lengthNumber, .lengthBeyondEnd, .octetsBeyondLength, .headerEnd].contains($0.rule)
        }
    }
    #expect(framed.count == 105)
    let whole = elements(of: [framed.flatMap(\.self)])
    #expect(whole.compactMap { if case .message(let bytes, _) = $0 { bytes } else { nil } } == framed)
  }
}
