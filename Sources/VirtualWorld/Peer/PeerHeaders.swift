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
    let omittedNames = omitted.map(Self.canonical)
    let editedNames = edits.map { Self.canonical($0.name) }
    if (omittedNames + editedNames).contains("content-length") {
      throw StimulusRefusal("Content-Length of a template is always computed; write the message as raw text to set it")
    }
    var result: [(name: String, value: String)] = []
    var done: [String] = []
    for field in fields {
      let name = Self.canonical(field.name)
      if editedNames.contains(name) {
        if !done.contains(name) {
          done.append(name)
          for edit in edits where Self.canonical(edit.name) == name {
            result.append((edit.name, Self.keepingTag(of: field.value, in: edit.value, name: name)))
          }
        }
      } else if !omittedNames.contains(name) {
        result.append(field)
      }
    }
    for edit in edits where !done.contains(Self.canonical(edit.name)) { result.append(edit) }
    fields = result
  }

  private static func keepingTag(of template: String, in value: String, name: String) -> String {
    guard name == "from" || name == "to", let tag = NameAddress(template)?.tag, var address = NameAddress(value),
      address.tag == nil
    else { return value }
    address.parameters.append(SIPURI.Parameter("tag", tag))
    return address.headerValue
  }

  /// The long form of a name in lower case (RFC 3261 7.3.3 and the registry).
  private static func canonical(_ name: String) -> String {
    let lowercased = name.lowercased()
    return longForms[lowercased] ?? lowercased
  }

  private static let longForms: [String: String] = [
    "a": "accept-contact", "b": "referred-by", "c": "content-type", "d": "request-disposition",
    "e": "content-encoding", "f": "from", "i": "call-id", "j": "reject-contact", "k": "supported",
    "l": "content-length", "m": "contact", "n": "identity-info", "o": "event", "r": "refer-to", "s": "subject",
    "t": "to", "u": "allow-events", "v": "via", "x": "session-expires", "y": "identity",
  ]
}
