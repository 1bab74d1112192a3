@testable import SIP

/// What a flow's identifiers of our party are in the live dialogs: learned from what we send, and then put in their place
/// in what we are sent.
struct FlowIdentifiers {
  private struct Key: Hashable {
    var callID: String
    var quoted: String
  }

  private var tags: [Key: String] = [:]
  private var numbers: [Key: Int] = [:]

  /// Takes a pair of tags of ours; `false` if it contradicts an earlier one, in either direction.
  mutating func learn(tag live: String, for quoted: String, callID: String) -> Bool {
    let key = Key(callID: callID, quoted: quoted)
    if let known = tags[key] { return known == live }
    // The same tag of ours under two tags of the flow is two dialogs in one.
    let isTaken = tags.contains { $0.key.callID == callID && $0.value == live }
    tags[key] = live
    return !isTaken
  }

  /// Takes a pair of numbers of our requests; `false` if it contradicts an earlier one, or if the order is another.
  mutating func learn(number live: Int, for quoted: Int, callID: String) -> Bool {
    let key = Key(callID: callID, quoted: String(quoted))
    if let known = numbers[key] { return known == live }
    let isInOrder = numbers.allSatisfy { entry in
      entry.key.callID != callID || (Int(entry.key.quoted) ?? 0) < quoted && entry.value < live
    }
    numbers[key] = live
    return isInOrder
  }

  func number(_ quoted: Int, callID: String) -> Int? { numbers[Key(callID: callID, quoted: String(quoted))] }
  func tag(_ quoted: String, callID: String) -> String { tags[Key(callID: callID, quoted: quoted)] ?? quoted }

  /// A header field of a dialog's message with our live tags, in that dialog and in those that it names.
  func live(_ text: String, callID: String) -> String {
    var text = text
    for (key, tag) in tags.sorted(by: { ($0.key.callID, $0.key.quoted) < ($1.key.callID, $1.key.quoted) }) {
      guard key.callID == callID || text.contains(key.callID) else { continue }
      for sign in ["tag=", "tag%3D"] {
        text = Self.replace(sign + key.quoted, in: text, with: sign + tag)
      }
    }
    return text
  }

  /// Replaces whole tags only.
  private static func replace(_ old: String, in text: String, with new: String) -> String {
    var result = ""
    var rest = text[...]
    while let range = rest.firstRange(of: old) {
      let next = rest[range.upperBound...].first
      let isWhole = next.map { !($0.isLetter || $0.isNumber || $0 == "-" || $0 == ".") } ?? true
      result += rest[..<range.lowerBound] + (isWhole ? new : old)
      rest = rest[range.upperBound...]
    }
    return result + rest
  }

  func live(_ replaces: Replaces) -> Replaces {
    var replaces = replaces
    replaces.toTag = tag(replaces.toTag, callID: replaces.callID)
    replaces.fromTag = tag(replaces.fromTag, callID: replaces.callID)
    return replaces
  }
}
