/// One part of a multipart body (RFC 2046 5.1): header fields and a body, which may have parts of its own.
public struct BodyPart: Hashable, Sendable {
  /// The header fields in order, without folding.
  public var headers: [Header]
  /// Where the body of the part lies in the message.
  public var range: Range<Int>
  /// The parts of a part that is multipart itself.
  public var parts: [BodyPart] = []

  public struct Header: Hashable, Sendable {
    public var name: String
    public var value: String
  }

  /// The value of the first header field of a name, whatever the case of its letters.
  public func value(of name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  /// The media type without parameters, in lower case; `text/plain` where none is stated (RFC 2045 5.2).
  public var mediaType: String { MediaType(value(of: "Content-Type") ?? "text/plain")?.name ?? "" }
}

/// A media type with its parameters (RFC 3261 20.15).
public struct MediaType: Hashable, Sendable {
  /// Type, slash and subtype in lower case.
  public var name: String
  /// The parameters as they are written; quoted values without their quotes.
  public var parameters: [SIPURI.Parameter]

  /// `nil` if the text is no type and subtype.
  public init?(_ text: String) {
    guard let read = Array(text.utf8).reading({ MediaType($0) }) else { return nil }
    self = read
  }

  private init?(_ bytes: Octets) {
    var cursor = FieldCursor(bytes, 0..<bytes.count)
    let type = cursor.token()
    guard !type.isEmpty, cursor.take(UInt8(ascii: "/")) else { return nil }
    let subtype = cursor.token()
    guard !subtype.isEmpty else { return nil }
    name = (bytes.text(type) + "/" + bytes.text(subtype)).lowercased()
    parameters = []
    while let (name, value) = cursor.parameter() {
      if !name.isEmpty { parameters.append(.init(bytes.text(name), value.map(bytes.unquotedText))) }
    }
  }

  /// The value of a parameter, whatever the case of its name.
  public func parameter(_ name: String) -> String? {
    parameters.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}

/// Cuts a multipart body into its parts.
struct MultipartReader {
  let bytes: Octets
  let limits: MessageLimits
  /// What is wrong, in the order in which it is met.
  private(set) var flaws: [SyntaxFlaw] = []
  private var count = 0

  init(_ bytes: Octets, limits: MessageLimits) {
    self.bytes = bytes
    self.limits = limits
  }

  /// The parts of a body of this type; empty if it is not multipart, or cannot be cut.
  mutating func parts(of range: Range<Int>, type: MediaType, depth: Int = 1) -> [BodyPart] {
    guard type.name.hasPrefix("multipart/") else { return [] }
    guard depth <= limits.nesting else {
      flaws.append(
        SyntaxFlaw(
          .nestedTooDeep, "parts lie deeper in each other than the limit of \(limits.nesting)", at: range.lowerBound))
      return []
    }
    guard let boundary = type.parameter("boundary"), !boundary.isEmpty, boundary.utf8.count <= 70 else {
      flaws.append(
        SyntaxFlaw(.multipart, "the multipart body has no boundary of 1 to 70 characters", at: range.lowerBound))
      return []
    }
    let delimiter = Array("--\(boundary)".utf8)
    var parts: [BodyPart] = []
    var start: Int?
    var isClosed = false
    var line = range.lowerBound
    while line < range.upperBound, !isClosed {
      let end = bytes.lineEnd(line..<range.upperBound)
      if let isLast = isDelimiter(line..<end, delimiter) {
        if let start {
          guard count < limits.partCount else {
            flaws.append(
              SyntaxFlaw(.nestedTooDeep, "the body has more parts than the limit of \(limits.partCount)", at: line))
            return parts
          }
          count += 1
          parts.append(part(in: start..<max(start, beforeLineEnd(line, from: start)), depth: depth))
        }
        start = next(end, range)
        isClosed = isLast
      }
      line = next(end, range)
    }
    if !isClosed {
      if let start { parts.append(part(in: start..<max(start, range.upperBound), depth: depth)) }
      flaws.append(
        SyntaxFlaw(.multipart, "no delimiter with two hyphens ends the multipart body", at: range.upperBound))
    }
    if parts.isEmpty { flaws.append(SyntaxFlaw(.multipart, "the multipart body has no part", at: range.lowerBound)) }
    return parts
  }

  /// Whether a line is a delimiter, and then whether it is the last; white space may follow it.
  private func isDelimiter(_ line: Range<Int>, _ delimiter: [UInt8]) -> Bool? {
    guard line.count >= delimiter.count,
      bytes.buffer(line.lowerBound..<line.lowerBound + delimiter.count)
        .elementsEqual(delimiter)
    else { return nil }
    let rest = line.lowerBound + delimiter.count..<line.upperBound
    if bytes[rest].allSatisfy(Characters.isBlank) { return false }
    let isLast =
      rest.count >= 2 && bytes[rest.lowerBound] == UInt8(ascii: "-")
      && bytes[rest.lowerBound + 1] == UInt8(ascii: "-")
      && bytes[rest.lowerBound + 2..<rest.upperBound].allSatisfy(Characters.isBlank)
    return isLast ? true : nil
  }

  /// The beginning of the line after one that ends here.
  private func next(_ end: Int, _ range: Range<Int>) -> Int {
    guard end < range.upperBound else { return range.upperBound }
    let isPair =
      bytes[end] == Characters.carriageReturn && end + 1 < range.upperBound
      && bytes[end + 1] == Characters.lineFeed
    return end + (isPair ? 2 : 1)
  }

  /// The line end before a delimiter belongs to the delimiter.
  private func beforeLineEnd(_ line: Int, from start: Int) -> Int {
    var end = line
    if end > start, bytes[end - 1] == Characters.lineFeed { end -= 1 }
    if end > start, bytes[end - 1] == Characters.carriageReturn { end -= 1 }
    return end
  }

  private mutating func part(in range: Range<Int>, depth: Int) -> BodyPart {
    var headers: [BodyPart.Header] = []
    var index = range.lowerBound
    while index < range.upperBound {
      let nameStart = index
      var end = bytes.lineEnd(index..<range.upperBound)
      index = next(end, range)
      if end == nameStart { break }
      while index < range.upperBound, Characters.isBlank(bytes[index]) {
        end = bytes.lineEnd(index..<range.upperBound)
        index = next(end, range)
      }
      guard headers.count < limits.fieldCount, let colon = bytes[nameStart..<end].firstIndex(of: UInt8(ascii: ":"))
      else {
        flaws.append(SyntaxFlaw(.multipart, "a line in the header of a part has no colon", at: nameStart))
        continue
      }
      headers.append(
        .init(
          name: bytes.text(bytes.trimmed(nameStart..<colon)), value: bytes.text(bytes.trimmed(colon + 1..<end))))
    }
    var part = BodyPart(headers: headers, range: index..<range.upperBound)
    if let type = part.value(of: "Content-Type").flatMap(MediaType.init) {
      part.parts = parts(of: part.range, type: type, depth: depth + 1)
    }
    return part
  }
}

extension SIPMessage {
  /// The parts of a multipart body in order; empty if the body is none or cannot be cut.
  public var bodyParts: [BodyPart] {
    guard let type = value(of: "Content-Type").flatMap(MediaType.init) else { return [] }
    return bytes.reading { octets in
      var reader = MultipartReader(octets, limits: .standard)
      return reader.parts(of: bodyRange, type: type)
    }
  }

  /// The octets of a part of this message.
  public func body(of part: BodyPart) -> ArraySlice<UInt8> { bytes[part.range.clamped(to: 0..<bytes.count)] }
}
