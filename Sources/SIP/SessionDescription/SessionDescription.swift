/// A session description (RFC 4566) as far as offer and answer need it (RFC 3264); other lines are kept as they are.
public struct SessionDescription: Hashable, Sendable {
  /// The lines before the first media line, without their ends.
  public private(set) var sessionLines: [String]
  /// The streams in order.
  public private(set) var media: [MediaDescription]

  init(sessionLines: [String], media: [MediaDescription]) {
    self.sessionLines = sessionLines
    self.media = media
  }

  /// Reads a description tolerantly: order and unknown lines do not matter, and CR, LF and CRLF all end a line. `nil`
  /// if there is no media line.
  public init?(reading bytes: some Collection<UInt8>) {
    sessionLines = []
    media = []
    for line in bytes.split(whereSeparator: Characters.isLineEnd) {
      let text = String(decoding: line, as: UTF8.self)
      if text.hasPrefix("m=") {
        media.append(MediaDescription(mediaLine: text))
      } else if media.isEmpty {
        sessionLines.append(text)
      } else {
        media[media.count - 1].lines.append(text)
      }
    }
    if media.isEmpty { return nil }
  }

  /// The description as it goes on the wire; every line ends with CRLF.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    for line in sessionLines + media.flatMap({ [$0.mediaLine] + $0.lines }) {
      bytes.append(contentsOf: line.utf8)
      bytes.append(contentsOf: "\r\n".utf8)
    }
    return bytes
  }

  /// The first audio stream.
  public var audio: MediaDescription? { media.first { $0.kind == "audio" } }

  /// The direction of the first audio stream; a stream with port 0 is inactive, and so is one to `0.0.0.0` (RFC 3264
  /// 8.4) when the direction says otherwise nothing. Without audio it is inactive.
  public var audioDirection: Direction {
    guard let audio else { return .inactive }
    return direction(of: audio)
  }

  /// The direction of a stream of this description: the stated one, or `inactive` for a stream to `0.0.0.0` that states
  /// none (RFC 3264 8.4).
  public func direction(of stream: MediaDescription) -> Direction {
    let isStated = (Direction(in: stream.lines) ?? Direction(in: sessionLines)) != nil
    if !isStated, connectionAddress(of: stream) == "0.0.0.0" { return .inactive }
    return statedDirection(of: stream)
  }

  /// The direction that a stream of this description states: its own attribute, else that of the session, else
  /// `sendrecv`. A stream with port 0 is inactive. This is what an answer is narrowed to (RFC 3264 6.1).
  public func statedDirection(of stream: MediaDescription) -> Direction {
    guard stream.port != 0 else { return .inactive }
    return Direction(in: stream.lines) ?? Direction(in: sessionLines) ?? .sendrecv
  }

  /// The address of a stream of this description: its own `c=`, else that of the session.
  public func connectionAddress(of stream: MediaDescription) -> String? {
    let line = stream.lines.first { $0.hasPrefix("c=") } ?? sessionLines.first { $0.hasPrefix("c=") }
    guard let fields = line?.dropFirst(2).split(separator: " "), fields.count == 3 else { return nil }
    return fields[2].split(separator: "/").first.map(String.init)
  }

  /// Who made the description, and which version it is; `nil` if there is no `o=` that can be read.
  public var origin: Origin? {
    sessionLines.first { $0.hasPrefix("o=") }.flatMap { Origin(value: $0.dropFirst(2)) }
  }

  /// `o=` (RFC 4566 5.2). The numbers are kept as text, since they may have more digits than `Int` holds.
  public struct Origin: Hashable, Sendable {
    public var user: String
    public var sessionID: String
    public var version: String
    public var address: String

    init?(value: Substring) {
      let fields = value.split(separator: " ")
      guard fields.count == 6 else { return nil }
      user = String(fields[0])
      sessionID = String(fields[1])
      version = String(fields[2])
      address = String(fields[5])
    }
  }
}
