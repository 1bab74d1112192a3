/// A SIP message: its bytes, an index of its header fields, and the few fields that routing needs. Everything else is
/// decoded when it is asked for.
///
/// A message exists if its lines can be told apart. What is wrong with it stands in ``findings``: a message without a
/// fatal finding was parsed by libosip2, or our own reading shows that libosip2 is wrong, which is a finding too.
public struct SIPMessage: Sendable {
  /// What the reader found out. One object, so that a message is cheap to hand on.
  private final class Contents: Sendable {
    let bytes: [UInt8]
    let fields: [HeaderField]
    let bodyRange: Range<Int>
    let startLine: StartLine
    let routing: RoutingParts
    let findings: [Finding]

    init(reading bytes: [UInt8], as octets: Octets, limits: MessageLimits) throws(SIPReadingError) {
      let head = try MessageHead(scanning: octets, limits: limits)
      var findings: [Finding] = []
      let startLine = try StartLineParts(octets, head.startLine, findings: &findings)
      findings += head.findings
      var validation = MessageValidation(bytes: octets, head: head, startLine: startLine, findings: findings)
      validation.frameBody()
      // Before anything else is allocated: libosip2's many small allocations are faster so (measured).
      let isAccepted = validation.isAcceptedByOsip
      validation.check()
      if !isAccepted { validation.noteOsipRejection() }

      self.bytes = bytes
      self.startLine = startLine.value
      fields = head.fields
      routing = validation.routing
      bodyRange = validation.body
      self.findings = validation.result
    }
  }

  private let contents: Contents

  /// Reads a message. The error says why the bytes are no SIP message at all, or more of one than is read.
  public init(reading bytes: [UInt8], limits: MessageLimits = .standard) throws(SIPReadingError) {
    contents = try bytes.reading { (octets) throws(SIPReadingError) in
      try Contents(reading: bytes, as: octets, limits: limits)
    }
  }

  /// The message as it is on the wire.
  public var bytes: [UInt8] { contents.bytes }
  public var startLine: StartLine { contents.startLine }

  var isRequest: Bool {
    if case .request = startLine { true } else { false }
  }
  /// The value of Call-ID; empty if there is none.
  public var callID: String { text(contents.routing.callID) ?? "" }
  /// The value of CSeq; `nil` if there is none that can be read.
  public var sequence: CommandSequence? { contents.routing.sequence.map { bytes.reading($0.sequence) } }
  public var fromTag: String? { text(contents.routing.fromTag) }
  public var toTag: String? { text(contents.routing.toTag) }
  /// The topmost Via; `nil` if there is none that can be read.
  public var topVia: Via? { contents.routing.topVia.map { bytes.reading($0.via) } }
  /// What is wrong with the message by the RFCs, in order of the offset.
  public var findings: [Finding] { contents.findings }

  /// The method of a request, or the method in a response's CSeq; empty if a response has none.
  public var method: Method {
    switch startLine {
    case .request(let method, _): method
    case .response: sequence?.method ?? Method("")
    }
  }

  private func text(_ range: Range<Int>?) -> String? { range.map { range in bytes.reading { $0.text(range) } } }

  /// The values of a header field in order, compact and long form alike, without folding; a comma-separated list is
  /// split where the field is one by its grammar.
  public func values(of name: String) -> [String] {
    let longForm = Self.longName(of: name)
    let compactForm = FieldName.compactForms[longForm]
    let wanted = Array(longForm.utf8)
    let isList = FieldName.lists.contains(longForm)
    return bytes.reading { octets in
      var values: [String] = []
      for field in contents.fields {
        let name = octets.buffer(field.nameRange)
        let isCompact = name.count == 1 && Characters.lowercased(name[0]) == compactForm
        guard isCompact || name.lazy.map(Characters.lowercased).elementsEqual(wanted) else { continue }
        if isList {
          ListSplitter.forEach(octets, field.valueRange) { values.append(octets.text($0)) }
        } else {
          values.append(octets.text(field.valueRange))
        }
      }
      return values
    }
  }

  /// The long form of a header field's name in lower case (RFC 3261 7.3.1, 7.3.3).
  public static func longName(of name: String) -> String {
    let lowercased = name.lowercased()
    return lowercased.count == 1 ? FieldName.longForms[Character(lowercased)] ?? lowercased : lowercased
  }

  /// The first value of a header field.
  public func value(of name: String) -> String? { values(of: name).first }

  /// The header fields in order, with their names as written and their values without folding, lists unsplit.
  public var headers: [(name: String, value: String)] {
    bytes.reading { octets in
      contents.fields.map { (octets.text($0.nameRange), octets.text($0.valueRange)) }
    }
  }

  /// Where the header fields lie, in order.
  var fields: [HeaderField] { contents.fields }

  /// Where the body lies.
  var bodyRange: Range<Int> { contents.bodyRange }

  /// Where the values of a field lie, in order: of a list field its elements.
  func ranges(of name: FieldName) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    for field in contents.fields where field.name == name {
      guard name.isList else {
        ranges.append(field.valueRange)
        continue
      }
      bytes.reading { ListSplitter.forEach($0, field.valueRange) { ranges.append($0) } }
    }
    return ranges
  }

  /// The octets of the body: as many as Content-Length says, or everything to the end.
  public var body: ArraySlice<UInt8> { contents.bytes[contents.bodyRange] }
}

extension SIPMessage: Hashable {
  /// Messages are equal if their bytes are: everything else follows from them.
  public static func == (left: SIPMessage, right: SIPMessage) -> Bool {
    left.contents === right.contents || left.bytes == right.bytes
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(bytes)
  }
}
