extension SIPMessage {
  /// The session description in the body; `nil` if the body is of another type or cannot be read as one.
  public var sessionDescription: SessionDescription? {
    guard !body.isEmpty, let type = value(of: "Content-Type") else { return nil }
    let mediaType = type.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
    return mediaType == "application/sdp" ? SessionDescription(reading: body) : nil
  }
}
