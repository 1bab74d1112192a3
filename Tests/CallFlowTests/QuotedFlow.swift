import Foundation
import SIP

/// One message of an RFC's flow, and between whom it goes.
struct QuotedMessage {
  /// The place among the messages of the flow, from 1: the one that its file begins with.
  var place: Int
  /// The RFC's own number, such as `F3`.
  var number: String
  var sender: String
  var receiver: String
  var message: SIPMessage

  /// `INVITE`, `200 INVITE`, …
  var name: String { message.flowName }
}

extension SIPMessage {
  /// `INVITE`, `200 INVITE`, …
  var flowName: String {
    switch startLine {
    case .request(let method, _): method.name
    case .response(let status, _): "\(status) \(method.name)"
    }
  }

  var isRequest: Bool { if case .request = startLine { true } else { false } }
  var status: Int? { if case .response(let status, _) = startLine { status } else { nil } }
}

/// The flows of the RFCs, message by message as printed; Fixtures/SOURCES.md says where they are from and
/// Fixtures/MESSAGES.tsv who sends which to whom.
enum QuotedFlow {
  struct Unreadable: Error { var why: String }

  /// One line of MESSAGES.tsv.
  private struct Row {
    var flow: String
    var file: String
    var number: String
    var sender: String
    var receiver: String
  }

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
  /// Where a message lies: beside this suite, or with those that other suites read as well.
  private static let folders = [folder.appending(path: "Fixtures"), folder.appending(path: "../SIPTests/Fixtures")]

  private static let rows: [Row] = {
    let table = (try? String(contentsOf: folder.appending(path: "Fixtures/MESSAGES.tsv"), encoding: .utf8)) ?? ""
    return table.split(separator: "\n").dropFirst().compactMap { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard fields.count == 5 else { return nil }
      return Row(flow: fields[0], file: fields[1], number: fields[2], sender: fields[3], receiver: fields[4])
    }
  }()

  /// Every flow, in the order of the table, as `rfc3665/3.1`.
  static let names: [String] = {
    var names: [String] = []
    for row in rows where names.last != name(of: row) { names.append(name(of: row)) }
    return names
  }()

  /// Every flow and party that the table has, users and servers alike.
  static func parties(of flow: String) -> [String] {
    var parties: [String] = []
    for row in rows where name(of: row) == flow {
      for party in [row.sender, row.receiver] where !parties.contains(party) { parties.append(party) }
    }
    return parties
  }

  private static func name(of row: Row) -> String { String(row.flow.prefix { $0 != "-" }) }

  /// The RFC's numbers of the first and the last message of several, as in `F1-F3`.
  static func numbers(_ places: ClosedRange<Int>, of flow: String) -> String {
    let numbers = rows.filter { name(of: $0) == flow && places.contains(place(of: $0)) }.map(\.number)
    guard let first = numbers.first, let last = numbers.last else { return "" }
    return first == last ? first : "\(first)-\(last)"
  }

  private static func place(of row: Row) -> Int { Int(row.file.prefix { $0 != "_" }) ?? 0 }

  /// The messages of a flow in the RFC's order, with other text in them where a party goes another way.
  static func messages(of flow: String, instead: [(quoted: String, meant: String)] = []) throws -> [QuotedMessage] {
    let rows = rows.filter { name(of: $0) == flow }
    guard !rows.isEmpty else { throw Unreadable(why: "there is no flow \(flow)") }
    return try rows.map { row in
      let place = place(of: row)
      return QuotedMessage(
        place: place, number: row.number, sender: row.sender, receiver: row.receiver,
        message: try message(of: row, misprints: Misprint.all.filter { $0.flow == flow && $0.place == place }, instead))
    }
  }

  private static func message(of row: Row, misprints: [Misprint], _ instead: [(quoted: String, meant: String)]) throws
    -> SIPMessage
  {
    let path = "\(row.flow)/\(row.file)"
    for folder in folders {
      guard let data = try? Data(contentsOf: folder.appending(path: path)) else { continue }
      var text = String(decoding: data, as: UTF8.self).replacing("\r\n", with: "\n")
      for misprint in misprints {
        guard text.contains(misprint.printed) else { throw Unreadable(why: "\(path) has no \(misprint.printed)") }
        text = text.replacing(misprint.printed, with: misprint.meant)
      }
      for (quoted, meant) in instead { text = text.replacing(quoted, with: meant) }
      return try message(reading: text)
    }
    throw Unreadable(why: "there is no \(path)")
  }

  /// What stands for a session description that the RFC does not show.
  static let description =
    "v=0\r\no=- 1 1 IN IP4 192.0.2.200\r\ns=-\r\nc=IN IP4 192.0.2.200\r\nt=0 0\r\nm=audio 4000 RTP/AVP 0\r\n"

  private static func message(reading text: String) throws -> SIPMessage {
    let parts = text.split(separator: "\n\n", maxSplits: 1, omittingEmptySubsequences: false)
    var lines: [String] = []
    for line in parts[0].split(separator: "\n") {
      if let last = lines.last, line.hasPrefix(" ") || line.hasPrefix("\t") {
        lines[lines.count - 1] = last + " " + line.drop { $0 == " " || $0 == "\t" }
      } else {
        lines.append(String(line))
      }
    }
    guard let first = lines.first, let startLine = startLine(reading: first) else {
      throw Unreadable(why: "\(lines.first ?? "") begins no message")
    }
    var headers: [(name: String, value: String)] = lines.dropFirst().compactMap { line in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      let value = line[line.index(after: colon)...].drop { $0 == " " }
      return (String(line[..<colon]), String(value))
    }
    headers.removeAll { $0.name.lowercased() == "content-length" }
    var body = parts.count > 1 ? String(parts[1]).replacing("\n", with: "\r\n") : ""
    let type = headers.first { $0.name.lowercased() == "content-type" }?.value
    if type == "application/sdp", !body.contains("m=") { body = description }
    if type == nil, body.contains("m=") { headers.append(("Content-Type", "application/sdp")) }
    if type == nil, !body.contains("m=") { body = "" }
    return try SIPMessage(startLine, headers: headers, body: Array(body.utf8))
  }

  private static func startLine(reading line: String) -> StartLine? {
    let words = line.split(separator: " ", maxSplits: 2).map(String.init)
    guard words.count == 3 else { return nil }
    if words[0] == "SIP/2.0", let status = Int(words[1]) { return .response(status: status, reason: words[2]) }
    return .request(SIP.Method(words[0]), uri: words[1])
  }
}
