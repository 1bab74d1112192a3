/// The value of Replaces: the dialog that is to be replaced, as its owner sees it (RFC 3891 6.1).
public struct Replaces: Hashable, Sendable {
  public var callID: String
  /// The tag of the side that receives the header field.
  public var toTag: String
  public var fromTag: String
  /// Whether only an early dialog may be replaced.
  public var isEarlyOnly: Bool

  public init(callID: String, toTag: String, fromTag: String, isEarlyOnly: Bool = false) {
    self.callID = callID
    self.toTag = toTag
    self.fromTag = fromTag
    self.isEarlyOnly = isEarlyOnly
  }

  /// Reads a value; `nil` if it is none: exactly one Call-ID, one `to-tag` and one `from-tag`. Parameters that are not
  /// known are passed over.
  public init?(_ text: String) {
    guard let read = Array(text.utf8).reading({ Replaces($0) }) else { return nil }
    self = read
  }

  /// The value as it is written; `nil` if it would not be read as the same, since a part has characters that it must not.
  public var headerValue: String? {
    let value = "\(callID);to-tag=\(toTag);from-tag=\(fromTag)" + (isEarlyOnly ? ";early-only" : "")
    return Replaces(value) == self ? value : nil
  }

  private init?(_ bytes: Octets) {
    var cursor = FieldCursor(bytes, 0..<bytes.count)
    _ = cursor.next()
    let start = cursor.index
    while cursor.index < bytes.count, !Characters.isWhite(bytes[cursor.index]),
      bytes[cursor.index] != UInt8(ascii: ";"), bytes[cursor.index] != UInt8(ascii: ",")
    {
      cursor.index += 1
    }
    guard start < cursor.index else { return nil }
    callID = bytes.text(start..<cursor.index)
    var toTags: [String] = []
    var fromTags: [String] = []
    isEarlyOnly = false
    while let (name, value) = cursor.parameter() {
      if name.isEmpty { return nil }
      if bytes.matches(name, "early-only") {
        guard value == nil, !isEarlyOnly else { return nil }
        isEarlyOnly = true
      } else if bytes.matches(name, "to-tag") || bytes.matches(name, "from-tag") {
        guard let value, !value.isEmpty, bytes[value].allSatisfy(Characters.isToken) else { return nil }
        if bytes.matches(name, "to-tag") {
          toTags.append(bytes.text(value))
        } else {
          fromTags.append(bytes.text(value))
        }
      }
    }
    guard cursor.next() == nil, toTags.count == 1, fromTags.count == 1 else { return nil }
    toTag = toTags[0]
    fromTag = fromTags[0]
  }
}

extension SIPMessage {
  /// What an INVITE says of the dialog that it is to replace.
  enum Replacement: Hashable, Sendable {
    case none
    case one(Replaces)
    /// Several header fields, one that cannot be read, or one together with Join (RFC 3891 3, RFC 3911 4).
    case malformed
  }

  var replacement: Replacement {
    let values = values(of: "Replaces")
    if values.isEmpty { return .none }
    guard values.count == 1, self.values(of: "Join").isEmpty, let replaces = Replaces(values[0]) else {
      return .malformed
    }
    return .one(replaces)
  }

  /// The URI of Referred-By (RFC 3892 2.1); `nil` unless there is exactly one that can be read.
  var referredBy: String? {
    let values = values(of: "Referred-By")
    return values.count == 1 ? NameAddress(values[0])?.uri : nil
  }
}
