/// The body: its parts, and what stands in them as far as callsim understands it.
struct BodyJudge {
  private let message: SIPMessage
  private let limits: MessageLimits
  private(set) var findings: [Finding] = []

  init(_ message: SIPMessage, limits: MessageLimits) {
    self.message = message
    self.limits = limits
  }

  mutating func check() {
    guard !message.body.isEmpty, let type = message.value(of: "Content-Type").flatMap(MediaType.init) else { return }
    if type.name.hasPrefix("multipart/") {
      let (parts, flaws) = message.bytes.reading { octets in
        var reader = MultipartReader(octets, limits: limits)
        let parts = reader.parts(of: message.bodyRange, type: type)
        return (parts, reader.flaws)
      }
      for flaw in flaws {
        findings.append(
          Finding(
            flaw.rule, field: "body", offset: flaw.offset, text: flaw.text,
            status: message.isRequest ? flaw.status : nil))
      }
      for part in parts { check(part) }
    } else {
      check(message.bodyRange, type: type.name)
    }
  }

  private mutating func check(_ part: BodyPart) {
    if part.parts.isEmpty { check(part.range, type: part.mediaType) }
    for inner in part.parts { check(inner) }
  }

  private mutating func check(_ range: Range<Int>, type: String) {
    switch type {
    case "application/sdp": checkDescription(range)
    case "message/sipfrag":
      do throws(SIPReadingError) {
        _ = try SIPFragment(reading: message.bytes[range])
      } catch {
        note(.fragment, range.lowerBound + error.offset, error.why)
      }
    default: break
    }
  }

  private mutating func note(_ rule: SyntaxRule, _ offset: Int, _ text: String) {
    findings.append(Finding(rule, field: "body", offset: offset, text: text, severity: .notice))
  }

  /// Our own reading takes the lines in any order, as it must with what telephones send; that is no reason not to tell.
  private mutating func checkDescription(_ range: Range<Int>) {
    let lines = message.bytes[range].split(whereSeparator: Characters.isLineEnd)
    let session = lines.prefix { !$0.starts(with: "m=".utf8) }
    let letters = session.map { $0.first }
    let isInOrder = letters.starts(with: [UInt8(ascii: "v"), UInt8(ascii: "o"), UInt8(ascii: "s")])
    if !isInOrder {
      note(.sessionDescription, range.lowerBound, "the session description does not begin with v=, o= and s=")
    } else if !letters.contains(UInt8(ascii: "t")) {
      note(.sessionDescription, range.lowerBound, "the session description has no t=")
    }
    for line in lines where line.count < 2 || line[line.startIndex + 1] != UInt8(ascii: "=") {
      note(
        .sessionDescription, line.startIndex, "a line of the session description is no letter, equals sign and value")
      break
    }
  }
}
