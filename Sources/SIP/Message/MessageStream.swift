/// Cuts the octets of a stream, such as a TCP connection, into messages by Content-Length (RFC 3261 18.3).
///
/// Octets come in pieces of any size; what is told does not depend on how they were cut. A stream whose framing is broken
/// cannot be read any further (RFC 4475 3.3.9): its owner answers what can be answered and closes it.
public struct MessageStream: Hashable, Sendable {
  /// Which end of the stream is ours, which decides what an empty line means (RFC 5626 4.4.1).
  public enum Side: Hashable, Sendable {
    /// We opened it. CRLF is the answer to a keep-alive of ours.
    case client
    /// The other side opened it. Two CRLFs are its keep-alive, to be answered with one; a single one means nothing.
    case server
  }

  /// What the stream has for its owner.
  public enum Element: Hashable, Sendable {
    /// The octets of a whole message, which need not be well-formed, and how many octets of the stream lie before it.
    case message([UInt8], offset: Int)
    /// A keep-alive: on a server's side to be answered with CRLF.
    case ping
    /// The answer to a keep-alive, on a client's side.
    case pong
    /// The end of what can be read.
    case failure(Failure)
  }

  /// Why a stream cannot be read any further.
  public struct Failure: Error, Hashable, Sendable {
    /// What is wrong; its offset counts from the beginning of ``head``. The status is what a request is answered with
    /// before the stream is closed, 400 or 513; `nil` for a response or an end within a message.
    public var finding: Finding
    /// The octets of the message as far as they can be framed: start line and header fields, without the body.
    public var head: [UInt8]
    /// How many octets of the stream lie before the head.
    public var offset: Int
  }

  public let side: Side
  public let limits: MessageLimits
  /// What has come and not been told yet, behind what has: that is cut off in larger pieces.
  private var buffer: [UInt8] = []
  private var start = 0
  /// How many octets of the stream lie before the buffer.
  private var offset = 0
  /// How many octets from the start need not be searched for line ends any more.
  private var scanned = 0
  /// How many octets from the start the line begins that the scan is in.
  private var lineStart = 0
  /// Whether a non-empty line has begun the message.
  private var hasBegun = false
  /// The length of the message, once its head has been read.
  private var length: Int?
  private var hasFailed = false
  private var hasEnded = false

  public init(side: Side = .server, limits: MessageLimits = .standard) {
    self.side = side
    self.limits = limits
  }

  /// How many octets of the stream have been told or passed.
  public var position: Int { offset + start }

  /// How many octets wait for the rest of their message.
  public var pending: Int { buffer.count - start }

  /// Takes octets as they come. After a failure they are dropped.
  public mutating func append(_ octets: some Sequence<UInt8>) {
    guard !hasFailed, !hasEnded else { return }
    buffer.append(contentsOf: octets)
  }

  /// The other side sends no more: what has not been completed is a failure.
  public mutating func finish() { hasEnded = true }

  /// The next element; `nil` until more octets have come, and for ever after a failure.
  public mutating func next() -> Element? {
    guard !hasFailed else { return nil }
    if !hasBegun, let element = passLineEnds() { return element }
    guard hasBegun else { return nil }
    if length == nil {
      guard let end = findHeadEnd() else {
        if pending > limits.messageLength { return failTooLong() }
        return hasEnded
          ? fail(.headerEnd, "header", pending, "the stream ends within the header of a message", head: pending) : nil
      }
      if let failure = frame(headEnd: end) { return failure }
    }
    guard let length, pending >= length else {
      guard hasEnded else { return nil }
      return fail(.lengthBeyondEnd, "body", scanned, "the stream ends within the body of a message", head: scanned)
    }
    let message = Array(buffer[start..<start + length])
    let place = offset + start
    drop(length)
    return .message(message, offset: place)
  }

  // MARK: Between messages

  /// Passes line ends before a message. One CRLF waits for what follows it where it may be half of a keep-alive.
  private mutating func passLineEnds() -> Element? {
    while pending > 0 {
      guard Characters.isLineEnd(buffer[start]) else {
        hasBegun = true
        return nil
      }
      if pending == 1, buffer[start] == Characters.carriageReturn, !hasEnded { return nil }
      guard isPair(at: 0) else {
        drop(1)
        continue
      }
      if side == .client {
        drop(2)
        return .pong
      }
      if isPair(at: 2) {
        drop(4)
        return .ping
      }
      let mayGoOn = pending == 2 || pending == 3 && buffer[start + 2] == Characters.carriageReturn
      if mayGoOn, !hasEnded { return nil }
      drop(2)
    }
    return nil
  }

  /// Whether CRLF stands so many octets from the start.
  private func isPair(at place: Int) -> Bool {
    pending > place + 1 && buffer[start + place] == Characters.carriageReturn
      && buffer[start + place + 1] == Characters.lineFeed
  }

  private mutating func drop(_ count: Int) {
    start += count
    scanned = 0
    lineStart = 0
    hasBegun = false
    length = nil
    // Seldom, so that many messages in one piece cost no more than their octets.
    if start == buffer.count || start > 65_536 && start > buffer.count / 2 {
      buffer.removeFirst(start)
      offset += start
      start = 0
    }
  }

  // MARK: One message

  /// The octet after the empty line; `nil` while none has come. A CR at the end of what has come may be half of a CRLF.
  private mutating func findHeadEnd() -> Int? {
    while scanned < pending {
      guard Characters.isLineEnd(buffer[start + scanned]) else {
        scanned += 1
        continue
      }
      if scanned + 1 == pending, buffer[start + scanned] == Characters.carriageReturn, !hasEnded { return nil }
      let isEmpty = scanned == lineStart
      scanned += isPair(at: scanned) ? 2 : 1
      lineStart = scanned
      if isEmpty { return scanned }
    }
    return nil
  }

  /// Reads how long the message is.
  private mutating func frame(headEnd: Int) -> Element? {
    guard headEnd <= limits.messageLength else { return failTooLong() }
    let octets = Array(buffer[start..<start + headEnd])
    let head: MessageHead
    do throws(SIPReadingError) {
      head = try octets.reading { (octets) throws(SIPReadingError) in try MessageHead(scanning: octets, limits: limits)
      }
    } catch {
      return fail(error.rule ?? .noStartLine, "header", error.offset, error.why, status: error.status, head: headEnd)
    }
    let fields = head.fields.filter { $0.name == .contentLength }
    guard let field = fields.first else {
      return fail(
        .lengthMissing, "Content-Length", head.startLine.upperBound,
        "Content-Length is missing, and nothing else ends a message on a stream", status: 400, head: headEnd)
    }
    guard let value = octets.reading({ $0.number(field.valueRange, limit: .max) }) else {
      return fail(
        .lengthNumber, "Content-Length", field.valueRange.lowerBound, "Content-Length is not a number of octets",
        status: 400, head: headEnd)
    }
    if fields.count > 1 {
      return fail(
        .fieldRepeated, "Content-Length", fields[1].nameRange.lowerBound, "Content-Length stands more than once",
        status: 400, head: headEnd)
    }
    guard value <= limits.messageLength - headEnd else {
      return fail(
        .messageTooLong, "Content-Length", field.valueRange.lowerBound,
        "the message is longer than the limit of \(limits.messageLength) octets", status: 513, head: headEnd)
    }
    length = headEnd + value
    return nil
  }

  private mutating func failTooLong() -> Element {
    fail(
      .messageTooLong, "header", limits.messageLength,
      "the header is longer than the limit of \(limits.messageLength) octets for a message", status: 513,
      head: limits.messageLength)
  }

  private mutating func fail(
    _ rule: SyntaxRule, _ field: String, _ place: Int, _ text: String, status: Int? = nil, head: Int
  ) -> Element {
    let octets = Array(buffer[start...].prefix(head))
    let isResponse = octets.prefix(4).map(Characters.lowercased).elementsEqual("sip/".utf8)
    let failure = Failure(
      finding: Finding(rule, field: field, offset: place, text: text, status: isResponse ? nil : status),
      head: octets, offset: offset + start)
    hasFailed = true
    buffer = []
    start = 0
    return .failure(failure)
  }
}
