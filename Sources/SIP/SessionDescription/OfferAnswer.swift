extension SessionDescription {
  /// The media port of an agent's nth session: even, from 40000 on, the first again when all have been used.
  public static func mediaPort(ofSession number: Int) -> Int { 40_000 + 2 * ((number - 1) % 12_768) }

  /// An offer of one audio stream: PCMU, PCMA and telephone-event (RFC 4733). With a key it asks for SRTP (RFC 4568). `nil` if
  /// the address, the user or the port cannot stand in a description.
  public static func offer(
    address: String, port: Int, direction: Direction, user: String, sessionID: Int, version: Int, key: MediaKey? = nil
  ) -> SessionDescription? {
    guard
      let lines = sessionLines(
        address: address, user: user, sessionID: sessionID, version: version, times: ["t=0 0"]),
      (1...65_535).contains(port)
    else { return nil }
    let profile = key == nil ? MediaDescription.plainProfile : MediaDescription.secureProfile
    var audio = MediaDescription(mediaLine: "m=audio \(port) \(profile) 0 8 101")
    audio.lines = ["a=rtpmap:0 PCMU/8000", "a=rtpmap:8 PCMA/8000"] + telephoneEvent("101")
    if let key { audio.lines.append(CryptoAttribute(tag: 1, key: key).line) }
    audio.lines.append("a=\(direction.rawValue)")
    return SessionDescription(sessionLines: lines, media: [audio])
  }

  /// The answer to an offer: a stream for every offered one in the same order, those that we do not take with port 0
  /// (RFC 3264 6). We take the first audio stream with PCMU or PCMA, in the order of preference of the offer. A
  /// direction that the offer does not allow is narrowed to one that it does (RFC 3264 6.1). A stream that asks for SRTP
  /// is taken if there is a key of ours for it, under the tag of the first offered one that we can use (RFC 4568 5.1.2).
  /// `nil` if no stream can be taken, which is a 488, or if the address, the user or the port cannot stand in a
  /// description.
  public func answer(
    address: String, port: Int, direction: Direction, user: String, sessionID: Int, version: Int, key: MediaKey? = nil
  ) -> SessionDescription? {
    let times = sessionLines.filter { $0.hasPrefix("t=") }
    guard
      let lines = Self.sessionLines(
        address: address, user: user, sessionID: sessionID, version: version, times: times.isEmpty ? ["t=0 0"] : times),
      (1...65_535).contains(port)
    else { return nil }
    var isTaken = false
    let streams = media.map { offered in
      guard !isTaken, let taken = answer(to: offered, port: port, direction: direction, key: key) else {
        return offered.refused
      }
      isTaken = true
      return taken
    }
    return isTaken ? SessionDescription(sessionLines: lines, media: streams) : nil
  }

  private func answer(
    to offered: MediaDescription, port: Int, direction: Direction, key: MediaKey?
  ) -> MediaDescription? {
    guard offered.kind == "audio", offered.port != 0, let security = Self.security(of: offered, key: key) else {
      return nil
    }
    var formats: [String] = []
    var attributes: [String] = []
    var hasVoice = false
    for format in offered.formats {
      switch offered.encoding(of: format) {
      case "PCMU/8000", "PCMU/8000/1":
        attributes.append("a=rtpmap:\(format) PCMU/8000")
        hasVoice = true
      case "PCMA/8000", "PCMA/8000/1":
        attributes.append("a=rtpmap:\(format) PCMA/8000")
        hasVoice = true
      case "TELEPHONE-EVENT/8000":
        attributes += Self.telephoneEvent(format)
      default: continue
      }
      formats.append(format)
    }
    guard hasVoice else { return nil }
    // The address 0.0.0.0 holds a stream (RFC 3264 8.4) and narrows no direction.
    let legal = direction.answer(to: statedDirection(of: offered))
    var stream = MediaDescription(
      mediaLine: "m=audio \(port) \(offered.profile) \(formats.joined(separator: " "))")
    stream.lines = attributes + security + ["a=\(legal.rawValue)"]
    return stream
  }

  /// The lines by which we agree to how a stream is carried; `nil` if we cannot.
  private static func security(of offered: MediaDescription, key: MediaKey?) -> [String]? {
    switch offered.profile {
    case MediaDescription.plainProfile: return []
    case MediaDescription.secureProfile:
      guard let key, let chosen = offered.keys.first else { return nil }
      return [CryptoAttribute(tag: chosen.tag, key: key).line]
    default: return nil
    }
  }

  private static func telephoneEvent(_ format: String) -> [String] {
    ["a=rtpmap:\(format) telephone-event/8000", "a=fmtp:\(format) 0-15"]
  }

  private static func sessionLines(
    address: String, user: String, sessionID: Int, version: Int, times: [String]
  ) -> [String]? {
    func isWord(_ text: String) -> Bool { !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F } }
    guard isWord(address), isWord(user), sessionID >= 0, version >= 0 else { return nil }
    let family = address.contains(":") ? "IP6" : "IP4"
    return ["v=0", "o=\(user) \(sessionID) \(version) IN \(family) \(address)", "s=-", "c=IN \(family) \(address)"]
      + times
  }
}
