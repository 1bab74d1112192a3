/// One stream of a session description: a media line and the lines that belong to it.
public struct MediaDescription: Hashable, Sendable {
  /// The media line as it goes on the wire.
  public let mediaLine: String
  /// `audio`, `video` …; empty if the media line cannot be read.
  public let kind: String
  /// Where media is received; 0 refuses or ends the stream, and stands for a media line that cannot be read.
  public let port: Int
  /// `RTP/AVP` …
  public let profile: String
  /// The payload types in order of preference, as they were written.
  public let formats: [String]
  /// The lines after the media line, without their ends.
  public internal(set) var lines: [String] = []

  /// Reads a media line; what cannot be read counts as a refused stream.
  init(mediaLine: String) {
    self.mediaLine = mediaLine
    let fields = mediaLine.dropFirst(2).split(separator: " ")
    kind = fields.first.map(String.init) ?? ""
    let number = fields.count > 1 ? fields[1].split(separator: "/").first.flatMap { Int($0) } : nil
    port = number.flatMap { (0...65_535).contains($0) ? $0 : nil } ?? 0
    profile = fields.count > 2 ? String(fields[2]) : ""
    formats = fields.dropFirst(3).map(String.init)
  }

  /// The encoding of a payload type: that of `a=rtpmap`, else the static one (RFC 3551 6), in upper case.
  func encoding(of format: String) -> String? {
    let prefix = "a=rtpmap:\(format) "
    if let mapped = lines.first(where: { $0.hasPrefix(prefix) }) {
      return mapped.dropFirst(prefix.count).split(separator: " ").first.map { $0.uppercased() }
    }
    switch format {
    case "0": return "PCMU/8000"
    case "8": return "PCMA/8000"
    default: return nil
    }
  }

  /// The same stream, refused (RFC 3264 6).
  var refused: MediaDescription {
    let formats = formats.isEmpty ? "0" : formats.joined(separator: " ")
    let profile = profile.isEmpty ? Self.plainProfile : profile
    return MediaDescription(mediaLine: "m=\(kind.isEmpty ? "audio" : kind) 0 \(profile) \(formats)")
  }
}
