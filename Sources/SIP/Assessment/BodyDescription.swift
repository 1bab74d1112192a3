/// A body, or a part of one, as it is understood.
public struct BodyDescription: Hashable, Sendable {
  /// The media type without parameters, in lower case; `nil` if none is stated.
  public var type: String?
  /// Where it lies in the bytes.
  public var range: Range<Int>
  public var content: Content

  public indirect enum Content: Hashable, Sendable {
    case session(SessionDescription)
    case fragment(SIPFragment)
    case parts([BodyDescription])
    /// Text of a type that begins with `text/`, or of a kind that is text.
    case text(String)
    /// Octets that nothing is known of.
    case other
  }
}

extension SIPMessage {
  /// The body with its parts; `nil` if there is none.
  public var bodyDescription: BodyDescription? {
    guard !body.isEmpty else { return nil }
    let type = value(of: "Content-Type").flatMap(MediaType.init)
    let parts = bodyParts
    if !parts.isEmpty {
      return BodyDescription(type: type?.name, range: bodyRange, content: .parts(parts.map(describe)))
    }
    return BodyDescription(type: type?.name, range: bodyRange, content: content(of: bodyRange, type: type?.name ?? ""))
  }

  private func describe(_ part: BodyPart) -> BodyDescription {
    let content: BodyDescription.Content =
      part.parts.isEmpty ? content(of: part.range, type: part.mediaType) : .parts(part.parts.map(describe))
    return BodyDescription(type: part.mediaType, range: part.range, content: content)
  }

  private func content(of range: Range<Int>, type: String) -> BodyDescription.Content {
    let octets = bytes[range]
    switch type {
    case "application/sdp": return SessionDescription(reading: octets).map { .session($0) } ?? .other
    case "message/sipfrag", "message/sip":
      return (try? SIPFragment(reading: octets)).map { .fragment($0) } ?? .other
    case _ where type.hasPrefix("text/") || type == "application/dtmf-relay":
      return .text(String(decoding: octets, as: UTF8.self))
    default: return .other
    }
  }
}
