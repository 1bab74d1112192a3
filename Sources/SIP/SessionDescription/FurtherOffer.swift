extension SessionDescription {
  /// The place of the stream that is in use: the first audio stream that is not refused.
  var audioPlace: Int? { media.firstIndex { $0.kind == "audio" && $0.port != 0 } }

  /// A further offer after this description of ours: the same streams with the same formats in the same places, as
  /// RFC 3264 8 demands, and the stream in use in the given direction.
  func offering(_ direction: Direction) -> SessionDescription {
    var media = media
    if let place = audioPlace {
      media[place].lines.removeAll { Direction(in: [$0]) != nil }
      media[place].lines.append("a=\(direction.rawValue)")
    }
    return SessionDescription(sessionLines: sessionLines, media: media)
  }

  /// This description as the next after another of ours: its version is one more, or the same if nothing else differs
  /// (RFC 3264 8).
  func following(_ last: SessionDescription?) -> SessionDescription {
    guard let last, let version = last.origin.flatMap({ Int($0.version) }) else { return self }
    return versioned(version) == last ? last : versioned(version + 1)
  }

  private func versioned(_ version: Int) -> SessionDescription {
    let lines = sessionLines.map { line in
      guard line.hasPrefix("o=") else { return line }
      var fields = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
      if fields.count > 2 { fields[2] = String(version) }
      return fields.joined(separator: " ")
    }
    return SessionDescription(sessionLines: lines, media: media)
  }
}

extension MediaDescription {
  /// The first payload type with an encoding, which is in upper case and without a number of channels.
  func format(for encoding: String) -> String? {
    formats.first { format in
      let own = self.encoding(of: format)
      return own == encoding || own == "\(encoding)/1"
    }
  }
}

extension SessionMedia {
  /// What our description and the other side's agree on, whichever is the offer. `nil` if the other side's has no
  /// stream in use in the same place that is carried in the same way and has a voice encoding that ours has too.
  init?(ours: SessionDescription, theirs: SessionDescription, isHeldHere: Bool) {
    guard let place = ours.audioPlace, theirs.media.indices.contains(place) else { return nil }
    let own = ours.media[place]
    let other = theirs.media[place]
    guard other.kind == "audio", other.port != 0, own.isCarried(like: other),
      ["PCMU/8000", "PCMA/8000"].contains(where: { own.format(for: $0) != nil && other.format(for: $0) != nil })
    else { return nil }
    self.isHeldHere = isHeldHere
    isHeldThere = !theirs.statedDirection(of: other).receives || theirs.connectionAddress(of: other) == "0.0.0.0"
    let event = "TELEPHONE-EVENT/8000"
    telephoneEvent = own.format(for: event) == nil ? nil : other.format(for: event).flatMap { Int($0) }
  }
}
