import Scenario
import Timeline

/// What `${…}` stands for now.
struct Substitution {
  let plan: Plan
  let book: CallBook
  let labels: LabelTable

  /// A named text may name others so often, one within the other.
  private static let depthLimit = 32
  /// No text is longer, in octets: far more than a network takes, and short texts put in often add up.
  private static let sizeLimit = 1 << 20

  /// The text with everything put in. Throws where something is not known, or is no text.
  func text(_ template: TemplateText, callerHost: String? = nil) throws(ScriptError) -> String {
    let bytes = try bytes(template, length: nil, callerHost: callerHost)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw ScriptError("the text is not UTF-8 once its bytes are put in")
    }
    return text
  }

  /// The bytes of a raw message: every line ends with CRLF, and `${auto}` is the number of octets of the body.
  func message(
    _ lines: [TemplateText], verbatim: Bool, callerHost: String?
  ) throws(ScriptError) -> [UInt8] {
    var evaluated: [[UInt8]] = []
    func evaluate(_ line: TemplateText, length: Int?) throws(ScriptError) -> [UInt8] {
      verbatim ? line.asWritten : try bytes(line, length: length, callerHost: callerHost)
    }
    let split = lines.firstIndex { $0.asWritten.isEmpty } ?? lines.count
    var body: [UInt8] = []
    for line in lines.dropFirst(split + 1) { body += try evaluate(line, length: nil) + Self.lineEnd }
    for line in lines.prefix(split) { evaluated.append(try evaluate(line, length: body.count)) }
    if split < lines.count { evaluated.append([]) }
    return evaluated.flatMap { $0 + Self.lineEnd } + body
  }

  private static let lineEnd = Array("\r\n".utf8)

  private func bytes(
    _ template: TemplateText, length: Int?, callerHost: String?, depth: Int = 0
  ) throws(ScriptError) -> [UInt8] {
    guard depth <= Self.depthLimit else { throw ScriptError("a text is put into itself") }
    var result: [UInt8] = []
    for piece in template.pieces {
      switch piece {
      case .literal(let text): result += text.utf8
      case .reference(let name):
        if let named = plan.texts[name] {
          result += try bytes(named, length: length, callerHost: callerHost, depth: depth + 1)
        } else {
          result += try value(of: name, length: length, callerHost: callerHost)
        }
      }
      guard result.count <= Self.sizeLimit else {
        throw ScriptError("the text has more than \(Self.sizeLimit) octets once everything is put in")
      }
    }
    return result
  }

  private func value(of name: String, length: Int?, callerHost: String?) throws(ScriptError) -> [UInt8] {
    if name == "auto" {
      guard let length else { throw ScriptError("${auto} stands only among the header fields of raw text") }
      return Array(String(length).utf8)
    }
    if name.hasPrefix("hex:") { return try octets(name.dropFirst(4)) }
    if let parameter = plan.params.first(where: { $0.name == name }) { return Array(parameter.value.utf8) }
    guard let dot = name.lastIndex(of: ".") else { throw ScriptError("nothing is called ${\(name)}") }
    let owner = String(name[..<dot])
    let property = String(name[name.index(after: dot)...])
    return Array(try self.property(property, of: owner, callerHost: callerHost).utf8)
  }

  private func octets(_ digits: Substring) throws(ScriptError) -> [UInt8] {
    let compact = Array(digits.filter { $0 != " " })
    guard compact.count.isMultiple(of: 2) else { throw ScriptError("${hex:…} needs two digits for each byte") }
    var result: [UInt8] = []
    for start in stride(from: 0, to: compact.count, by: 2) {
      guard compact[start].isHexDigit, compact[start + 1].isHexDigit,
        let byte = UInt8(String(compact[start...start + 1]), radix: 16)
      else { throw ScriptError("${hex:…} has something that is no hexadecimal digit") }
      result.append(byte)
    }
    return result
  }

  private func property(
    _ property: String, of owner: String, callerHost: String?
  ) throws(ScriptError) -> String {
    if let declaration = plan.calls.first(where: { $0.name == owner }) {
      return try self.property(property, of: declaration, callerHost: callerHost)
    }
    guard let entry = labels[owner] else { throw ScriptError("label `\(owner)` has not happened") }
    guard let message = entry.message else { throw ScriptError("`\(owner)` is no message") }
    let value: String? =
      switch property {
      case "branch": message.branch
      case "call-id": message.callID
      case "tag": message.status == nil ? message.fromTag : message.toTag
      default: nil
      }
    guard let value else { throw ScriptError("`\(owner)` has no \(property)") }
    return value
  }

  private func property(
    _ property: String, of call: CallDeclaration, callerHost: String?
  ) throws(ScriptError) -> String {
    let facts = book[call.name]
    let dialog = facts.map(book.dialog)
    let value: String? =
      switch property {
      case "uuid": facts?.uuid ?? call.uuid
      // Before the first message the Call-ID is the one that the world will use.
      case "call-id": facts?.callID ?? call.callID ?? callerHost.map { "\(call.name)@\($0)" }
      case "local-tag": dialog?.localTag
      case "remote-tag": dialog?.remoteTag
      default: nil
      }
    guard let value else { throw ScriptError("call `\(call.name)` has no \(property) yet") }
    return value
  }
}

/// Why a line of the script cannot be carried out; one clause, in lower case.
struct ScriptError: Error, Hashable {
  var why: String

  init(_ why: String) {
    self.why = why
  }
}

extension TemplateText {
  /// The text without substitution.
  var asWritten: [UInt8] {
    var result: [UInt8] = []
    for piece in pieces {
      switch piece {
      case .literal(let text): result += text.utf8
      case .reference(let name): result += "${\(name)}".utf8
      }
    }
    return result
  }
}

/// Splits `Name: value`; `nil` if there is no colon.
func headerField(_ line: String) -> (name: String, value: String)? {
  guard let colon = line.firstIndex(of: ":") else { return nil }
  func trimmed(_ text: Substring) -> String {
    String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
  let name = trimmed(line[..<colon])
  return name.isEmpty ? nil : (name, trimmed(line[line.index(after: colon)...]))
}
