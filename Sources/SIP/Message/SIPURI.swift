/// A SIP or SIPS URI (RFC 3261 19.1), read from its text. Nothing is decoded: `%00` and other escapes stay as they are,
/// which libosip2 does not do.
public struct SIPURI: Hashable, Sendable, CustomStringConvertible {
  /// A parameter or header of a URI; `nil` is no value, which differs from an empty one.
  public struct Parameter: Hashable, Sendable {
    public var name: String
    public var value: String?

    public init(_ name: String, _ value: String? = nil) {
      self.name = name
      self.value = value
    }
  }

  /// `sip` or `sips`, in lower case.
  public var scheme: String
  /// With the password, if there is one.
  public var user: String?
  /// A name or an address; IPv6 with its brackets.
  public var host: String
  public var port: Int?
  public var parameters: [Parameter]
  /// What stands after the question mark.
  public var headers: [Parameter]

  public init(
    scheme: String = "sip", user: String? = nil, host: String, port: Int? = nil, parameters: [Parameter] = [],
    headers: [Parameter] = []
  ) {
    self.scheme = scheme
    self.user = user
    self.host = host
    self.port = port
    self.parameters = parameters
    self.headers = headers
  }

  /// Reads a URI without angle brackets; `nil` if it is none of the schemes `sip` and `sips`, has no host, a port that
  /// is not from 0 to 65535, or white space in it.
  public init?(_ text: String) {
    guard let read = Array(text.utf8).reading({ SIPURI($0) }) else { return nil }
    self = read
  }

  private init?(_ bytes: Octets) {
    guard !bytes.contains(where: Characters.isWhite), let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else {
      return nil
    }
    guard bytes.matches(0..<colon, "sip") || bytes.matches(0..<colon, "sips") else { return nil }
    scheme = bytes.text(0..<colon).lowercased()
    var start = colon + 1
    if let at = bytes[start...].firstIndex(of: UInt8(ascii: "@")) {
      user = bytes.text(start..<at)
      start = at + 1
    }
    var cursor = FieldCursor(bytes, start..<bytes.count)
    let hostRange = cursor.host()
    guard !hostRange.isEmpty else { return nil }
    host = bytes.text(hostRange)
    if cursor.take(UInt8(ascii: ":")) {
      let digits = cursor.token()
      guard let number = bytes.number(digits, limit: 65_535) else { return nil }
      port = number
    }
    let question = bytes[cursor.index...].firstIndex(of: UInt8(ascii: "?")) ?? bytes.count
    guard cursor.index == question || bytes[cursor.index] == UInt8(ascii: ";") else { return nil }
    parameters = Self.parameters(bytes, cursor.index..<question, separator: UInt8(ascii: ";"))
    headers = Self.parameters(bytes, min(question + 1, bytes.count)..<bytes.count, separator: UInt8(ascii: "&"))
  }

  private static func parameters(_ bytes: Octets, _ range: Range<Int>, separator: UInt8) -> [Parameter] {
    var parameters: [Parameter] = []
    var start = range.lowerBound
    while start < range.upperBound {
      let end = bytes[start..<range.upperBound].firstIndex(of: separator) ?? range.upperBound
      if let equals = bytes[start..<end].firstIndex(of: UInt8(ascii: "=")) {
        parameters.append(Parameter(bytes.text(start..<equals), bytes.text(equals + 1..<end)))
      } else if start < end {
        parameters.append(Parameter(bytes.text(start..<end)))
      }
      start = end + 1
    }
    return parameters
  }

  /// The first parameter of a name, whatever the case of its letters.
  public func parameter(_ name: String) -> Parameter? {
    parameters.first { $0.name.lowercased() == name.lowercased() }
  }

  /// The URI as it is written.
  public var description: String {
    var text = "\(scheme):"
    if let user { text += "\(user)@" }
    text += host
    if let port { text += ":\(port)" }
    for parameter in parameters { text += ";" + Self.written(parameter) }
    if !headers.isEmpty { text += "?" + headers.map(Self.written).joined(separator: "&") }
    return text
  }

  /// A text as the value of a header of a URI: escaped wherever `hvalue` has no other place for the octet (25.1).
  static func headerValue(_ text: String) -> String {
    var value: [UInt8] = []
    for byte in text.utf8 {
      if Characters.isLetter(byte) || Characters.isDigit(byte) || "-_.!~*'()[]/?:+$".utf8.contains(byte) {
        value.append(byte)
      } else {
        let digits = Array("0123456789ABCDEF".utf8)
        value += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: value, as: UTF8.self)
  }

  private static func written(_ parameter: Parameter) -> String {
    parameter.value.map { "\(parameter.name)=\($0)" } ?? parameter.name
  }
}
