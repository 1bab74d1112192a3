/// The value of From, To, Contact, Route and the like (RFC 3261 20.10): a display name, a URI and parameters.
public struct NameAddress: Hashable, Sendable {
  /// Without quotes and backslashes; `nil` if there is none.
  public var displayName: String?
  /// The URI as it is written, without angle brackets; it need not be a SIP URI.
  public var uri: String
  /// The parameters after the URI. The value of a quoted one is without quotes and backslashes.
  public var parameters: [SIPURI.Parameter]

  public init(displayName: String? = nil, uri: String, parameters: [SIPURI.Parameter] = []) {
    self.displayName = displayName
    self.uri = uri
    self.parameters = parameters
  }

  /// Reads a value; `nil` if it has no URI, or something stands in it that belongs to no part of an address.
  public init?(_ text: String) {
    guard let read = Array(text.utf8).reading({ NameAddress($0, 0..<$0.count) }) else { return nil }
    self = read
  }

  init?(_ bytes: Octets, _ range: Range<Int>) {
    let parts = AddressParts(bytes, range)
    guard parts.flaw == nil, !parts.uri.isEmpty else { return nil }
    displayName = parts.displayName.isEmpty ? nil : bytes.unquotedText(parts.displayName)
    uri = bytes.text(parts.uri)
    parameters = []
    var cursor = parts.parameters
    while let (name, value) = cursor.parameter() {
      if name.isEmpty { continue }
      parameters.append(SIPURI.Parameter(bytes.text(name), value.map(bytes.unquotedText)))
    }
  }

  /// The URI as a SIP URI; `nil` if it is none.
  public var sipURI: SIPURI? { SIPURI(uri) }

  /// The value of the first parameter of a name, whatever the case of its letters; `nil` also where it has no value.
  public func parameter(_ name: String) -> String? {
    parameters.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  /// The parameter `tag` (RFC 3261 19.3).
  public var tag: String? { parameter("tag") }

  /// The value as it is written: always with angle brackets, the display name always in quotes.
  public var headerValue: String {
    var text = displayName.map { "\"\(Self.escaped($0))\" " } ?? ""
    text += "<\(uri)>"
    for parameter in parameters {
      text += ";\(parameter.name)"
      guard let value = parameter.value else { continue }
      let isPlain = !value.isEmpty && value.utf8.allSatisfy { Characters.isToken($0) || "[]:".utf8.contains($0) }
      text += isPlain ? "=\(value)" : "=\"\(Self.escaped(value))\""
    }
    return text
  }

  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { escaped += "\\" }
      escaped.unicodeScalars.append(scalar)
    }
    return escaped
  }
}

extension SIPMessage {
  /// From; `nil` if it is missing or cannot be read.
  public var from: NameAddress? { addresses(of: .from).first ?? nil }
  /// To; `nil` if it is missing or cannot be read.
  public var to: NameAddress? { addresses(of: .to).first ?? nil }
  /// The contacts in order; those that cannot be read, and `*`, are left out.
  public var contacts: [NameAddress] { addresses(of: .contact).compactMap(\.self) }
  /// The values of Route in order; those that cannot be read are left out, and a finding says so.
  public var routes: [NameAddress] { addresses(of: .route).compactMap(\.self) }
  /// The values of Record-Route in order; those that cannot be read are left out, and a finding says so.
  public var recordRoutes: [NameAddress] { addresses(of: .recordRoute).compactMap(\.self) }

  /// All Vias in order; `nil` if one of them cannot be read.
  public var vias: [Via]? {
    let ranges = ranges(of: .via)
    let vias = bytes.reading { octets in ranges.compactMap { ViaParts(octets, $0)?.via(octets) } }
    return vias.count == ranges.count ? vias : nil
  }

  private func addresses(of name: FieldName) -> [NameAddress?] {
    let ranges = ranges(of: name)
    return bytes.reading { octets in
      ranges.map { octets.buffer($0).elementsEqual("*".utf8) ? nil : NameAddress(octets, $0) }
    }
  }
}

extension Octets {
  /// The text of a range; of a quoted string without its quotes and backslashes (RFC 3261 25.1).
  func unquotedText(_ range: Range<Int>) -> String {
    guard range.count >= 2, self[range.lowerBound] == Characters.quote else { return text(range) }
    var unquoted: [UInt8] = []
    var index = range.lowerBound + 1
    while index < range.upperBound - 1 {
      if self[index] == Characters.backslash, index + 1 < range.upperBound - 1 { index += 1 }
      unquoted.append(self[index])
      index += 1
    }
    return unquoted.reading { $0.text(0..<$0.count) }
  }
}

extension NameAddress {
  /// The address of a URI as From and To show it outside of a dialog: without port, parameters and headers (RFC 3261
  /// 19.1.1, table 1). A URI that is no SIP URI stays as it is.
  public static func party(_ uri: String, displayName: String? = nil) -> NameAddress {
    let plain = SIPURI(uri).map { SIPURI(scheme: $0.scheme, user: $0.user, host: $0.host).description }
    return NameAddress(displayName: displayName, uri: plain ?? uri)
  }
}
