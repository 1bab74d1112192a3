import SIP
import Scenario

/// Warns of raw text that is no well-formed SIP message, before the run. Such text is a legal stimulus: what becomes of
/// it is for the receiver, and for the scenario's checks, to say.
///
/// What is known only in the run is stood in for by something harmless. At most 20 warnings, in the order of the file.
public func rawTextWarnings(of plan: Plan) -> [Diagnostic] {
  let check = RawTextCheck(plan)
  var warnings: [Diagnostic] = []
  for block in plan.blocks where warnings.count < RawTextCheck.limit {
    guard case .message(let arrow) = block.stimulus, case .raw(let lines, let verbatim, _) = arrow.what else {
      continue
    }
    warnings += check.warnings(of: lines, verbatim: verbatim)
  }
  return Array(warnings.prefix(RawTextCheck.limit))
}

private struct RawTextCheck {
  static let limit = 20
  /// Texts name each other no deeper than the front end lets them.
  private static let depthLimit = 32
  private static let sizeLimit = 1 << 20

  private let texts: [String: TemplateText]
  private let params: [String: String]

  init(_ plan: Plan) {
    texts = plan.texts
    params = Dictionary(plan.params.map { ($0.name, $0.value) }) { first, _ in first }
  }

  func warnings(of lines: [TemplateText], verbatim: Bool) -> [Diagnostic] {
    // An empty line ends the header fields, as it does when the message is sent.
    let split = lines.firstIndex { $0.asWritten.isEmpty } ?? lines.count
    var body = 0
    for line in lines.dropFirst(split + 1) { body += bytes(line, verbatim, length: nil).count + 2 }
    guard body <= Self.sizeLimit else { return [] }
    var message: [UInt8] = []
    var starts: [Int] = []
    for (place, line) in lines.enumerated() {
      starts.append(message.count)
      guard message.count <= Self.sizeLimit else { return [] }
      message += bytes(line, verbatim, length: place < split ? body : nil) + [0x0D, 0x0A]
    }
    return findings(in: message).map { finding in
      let place = (starts.lastIndex { $0 <= finding.offset } ?? 0)
      return Diagnostic(
        code: DiagnosticCode.rawTextMalformed.rawValue, severity: .warning, title: finding.text,
        range: range(lines[place], verbatim, offset: finding.offset - starts[place]))
    }
  }

  private func findings(in message: [UInt8]) -> [(text: String, offset: Int)] {
    do throws(SIPReadingError) {
      return try SIPMessage(reading: message).findings.map { ($0.text, $0.offset) }
    } catch {
      return [(error.why, error.offset)]
    }
  }

  /// From the offset to the end of the line; the whole line if something is put in, which has no columns.
  private func range(_ line: TemplateText, _ verbatim: Bool, offset: Int) -> SourceRange {
    let isPlain = line.pieces.allSatisfy { if case .literal = $0 { true } else { false } }
    guard verbatim || isPlain else { return line.range }
    let before = String(decoding: line.asWritten.prefix(offset), as: UTF8.self).unicodeScalars.count
    guard before < line.range.length else { return line.range }
    return SourceRange(
      line: line.range.line, column: line.range.column + before, length: line.range.length - before)
  }

  private func bytes(_ line: TemplateText, _ verbatim: Bool, length: Int?, depth: Int = 0) -> [UInt8] {
    if verbatim { return line.asWritten }
    guard depth <= Self.depthLimit else { return [] }
    var result: [UInt8] = []
    for piece in line.pieces {
      switch piece {
      case .literal(let text): result += text.utf8
      case .reference(let name):
        if let text = texts[name] {
          result += bytes(text, false, length: length, depth: depth + 1)
        } else {
          result += standIn(for: name, length: length)
        }
      }
      // A text that is too long is refused when it is sent.
      guard result.count <= Self.sizeLimit else { break }
    }
    return result
  }

  private func standIn(for name: String, length: Int?) -> [UInt8] {
    if let value = params[name] { return Array(value.utf8) }
    if name == "auto" { return Array("\(length ?? 0)".utf8) }
    if name.hasPrefix("hex:") {
      let digits = Array(name.dropFirst(4))
      return stride(from: 0, to: digits.count - 1, by: 2).compactMap { UInt8(String(digits[$0...$0 + 1]), radix: 16) }
    }
    switch name.split(separator: ".").last {
    case "uuid": return Array("00000000-0000-4000-8000-000000000000".utf8)
    case "branch": return Array("z9hG4bKx".utf8)
    default: return Array("x".utf8)
    }
  }
}
