import SIP

/// The header fields of a message that is being written, in order, with the script's changes.
struct PeerHeaders {
  private(set) var fields: [(name: String, value: String)] = []

  mutating func add(_ name: String, _ value: String) {
    fields.append((name, value))
  }

  mutating func add(_ name: String, _ values: [String]) {
    for value in values { add(name, value) }
  }

  /// Replaces all fields of each name in `edits` by those given, where the first of them stood, or adds them at the
  /// end; leaves out those in `omitted`. Names are compared whatever their case and form.
  ///
  /// From and To as the script writes them get the tag of the template where they have none, so that a display name
  /// can be given without knowing the tag.
  mutating func apply(edits: [(name: String, value: String)], omitted: [String]) throws(StimulusRefusal) {
    let omittedNames = omitted.map(SIPMessage.longName(of:))
    let editedNames = edits.map { SIPMessage.longName(of: $0.name) }
    if (omittedNames + editedNames).contains("content-length") {
      throw StimulusRefusal("Content-Length of a template is always computed; write the message as raw text to set it")
    }
    var result: [(name: String, value: String)] = []
    var done: [String] = []
    for field in fields {
      let name = SIPMessage.longName(of: field.name)
      if editedNames.contains(name) {
        if !done.contains(name) {
          done.append(name)
          for edit in edits where SIPMessage.longName(of: edit.name) == name {
            result.append((edit.name, Self.keepingTag(of: field.value, in: edit.value, name: name)))
          }
        }
      } else if !omittedNames.contains(name) {
        result.append(field)
      }
    }
    for edit in edits where !done.contains(SIPMessage.longName(of: edit.name)) { result.append(edit) }
    fields = result
  }

  private static func keepingTag(of template: String, in value: String, name: String) -> String {
    guard name == "from" || name == "to", let tag = NameAddress(template)?.tag, var address = NameAddress(value),
      address.tag == nil
    else { return value }
    address.parameters.append(SIPURI.Parameter("tag", tag))
    return address.headerValue
  }
}

extension PeerMessage {
  /// The tag of From or To as the script wants it.
  func tag(in field: String) -> String? {
    let name = SIPMessage.longName(of: field)
    return headers.first { SIPMessage.longName(of: $0.name) == name }.flatMap { NameAddress($0.value)?.tag }
  }
}
