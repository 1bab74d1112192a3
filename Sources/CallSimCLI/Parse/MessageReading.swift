import SIP

/// One thing that was found in a file: a message, or why there is none.
struct MessageReading {
  enum Outcome {
    case message(SIPMessage, MessageAssessment)
    /// Line ends that keep a stream alive (RFC 5626 4.4.1).
    case keepAlive
    /// The framing of a stream is broken, and nothing behind it can be read.
    case broken(MessageStream.Failure)
    case unreadable(SIPReadingError)
  }

  /// Where it begins in the file as it is read, from 0.
  var offset: Int
  /// How many octets it has.
  var count: Int
  var outcome: Outcome

  private init(_ bytes: [UInt8], offset: Int) {
    self.offset = offset
    count = bytes.count
    do throws(SIPReadingError) {
      let message = try SIPMessage(reading: bytes)
      outcome = .message(message, MessageAssessment(message))
    } catch {
      outcome = .unreadable(error)
    }
  }

  private init(offset: Int, count: Int, _ outcome: Outcome) {
    self.offset = offset
    self.count = count
    self.outcome = outcome
  }

  /// A file as one datagram.
  init(datagram source: MessageSource) { self.init(source.bytes, offset: 0) }

  /// A file as what came over a stream.
  static func stream(_ source: MessageSource) -> [MessageReading] {
    var stream = MessageStream()
    stream.append(source.bytes)
    stream.finish()
    var readings: [MessageReading] = []
    while let element = stream.next() {
      switch element {
      case .message(let bytes, let offset): readings.append(MessageReading(bytes, offset: offset))
      case .ping: readings.append(MessageReading(offset: stream.position - 4, count: 4, .keepAlive))
      case .pong: readings.append(MessageReading(offset: stream.position - 2, count: 2, .keepAlive))
      case .failure(let failure):
        readings.append(MessageReading(offset: failure.offset, count: failure.head.count, .broken(failure)))
      }
    }
    if readings.isEmpty {
      let error = SIPReadingError(why: "there is no message", offset: 0, rule: .nothing)
      readings = [MessageReading(offset: 0, count: source.bytes.count, .unreadable(error))]
    }
    return readings
  }
}
