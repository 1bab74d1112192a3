/// The header fields that the reader itself looks at.
enum FieldName: UInt8 {
  case via, from, to, callID, sequence, maxForwards, contact, contentLength, contentType, route, recordRoute
  case expires, date, other

  /// Recognises a name in its long or compact form; the case of letters does not matter.
  init(_ bytes: Octets, _ range: Range<Int>) {
    self = .other
    switch range.count {
    case 1:
      switch Characters.lowercased(bytes[range.lowerBound]) {
      case UInt8(ascii: "v"): self = .via
      case UInt8(ascii: "f"): self = .from
      case UInt8(ascii: "t"): self = .to
      case UInt8(ascii: "i"): self = .callID
      case UInt8(ascii: "m"): self = .contact
      case UInt8(ascii: "l"): self = .contentLength
      case UInt8(ascii: "c"): self = .contentType
      default: break
      }
    case 2: if bytes.matches(range, "to") { self = .to }
    case 3: if bytes.matches(range, "via") { self = .via }
    case 4:
      if bytes.matches(range, "from") {
        self = .from
      } else if bytes.matches(range, "cseq") {
        self = .sequence
      } else if bytes.matches(range, "date") {
        self = .date
      }
    case 5: if bytes.matches(range, "route") { self = .route }
    case 7:
      if bytes.matches(range, "call-id") {
        self = .callID
      } else if bytes.matches(range, "contact") {
        self = .contact
      } else if bytes.matches(range, "expires") {
        self = .expires
      }
    case 12:
      if bytes.matches(range, "max-forwards") {
        self = .maxForwards
      } else if bytes.matches(range, "content-type") {
        self = .contentType
      } else if bytes.matches(range, "record-route") {
        self = .recordRoute
      }
    case 14: if bytes.matches(range, "content-length") { self = .contentLength }
    default: break
    }
  }

  /// Whether the value is a comma-separated list by its grammar.
  var isList: Bool {
    switch self {
    case .via, .contact, .route, .recordRoute: true
    default: false
    }
  }

  /// The long forms of all registered compact forms, in lower case.
  static let longForms: [Character: String] = [
    "a": "accept-contact", "b": "referred-by", "c": "content-type", "d": "request-disposition",
    "e": "content-encoding", "f": "from", "i": "call-id", "j": "reject-contact", "k": "supported",
    "l": "content-length", "m": "contact", "n": "identity-info", "o": "event", "r": "refer-to", "s": "subject",
    "t": "to", "u": "allow-events", "v": "via", "x": "session-expires", "y": "identity",
  ]

  /// The registered compact forms by the long form in lower case.
  static let compactForms: [String: UInt8] = {
    var forms: [String: UInt8] = [:]
    for (letter, name) in longForms { forms[name] = letter.asciiValue }
    return forms
  }()

  /// The fields whose value is a comma-separated list by their grammar, in lower case.
  static let lists: Set<String> = [
    "accept", "accept-contact", "accept-encoding", "accept-language", "accept-resource-priority", "alert-info",
    "allow", "allow-events", "call-info", "contact", "content-encoding", "content-language", "diversion",
    "error-info", "history-info", "in-reply-to", "p-asserted-identity", "p-associated-uri", "p-preferred-identity",
    "path", "permission-missing", "proxy-require", "reason", "record-route", "recv-info", "reject-contact",
    "request-disposition", "require", "resource-priority", "route", "security-client", "security-server",
    "security-verify", "service-route", "supported", "unsupported", "via", "warning",
  ]
}
