import Instant

/// Which Call-IDs carried each call and when, for the end of a timeline in which some call had more than one.
///
/// ```
/// # Call-IDs
///    call  UUID                                  Call-ID             from       until
///    c1    F65017E8-5A0C-4B05-A1D7-2B4C2E0522C7  c1@10.0.0.2         0.005      12.040
///    c1    F65017E8-5A0C-4B05-A1D7-2B4C2E0522C7  c1-2@10.0.0.2      12.040      22.080
/// ```
struct CallIDTable {
  private static let margin = "   "
  private static let gap = "  "
  /// A Call-ID is not cut below this.
  private static let leastCallIDWidth = 8

  private struct Row {
    var call: String
    var uuid: String
    var callID: String
    var times: String
  }

  private let calls: [JSONLines.Summary.Call]
  private let isASCII: Bool
  /// How many columns of a terminal a line may take; `nil` for as many as it needs.
  private let width: Int?

  init(_ calls: [JSONLines.Summary.Call], isASCII: Bool, width: Int? = nil) {
    self.calls = calls
    self.isASCII = isASCII
    self.width = width
  }

  /// The lines; none if no call has had two Call-IDs.
  var lines: [String] {
    guard calls.contains(where: { Set($0.callIDs.map(\.callID)).count > 1 }) else { return [] }
    var rows = rows(shortensUUIDs: false)
    if let width, Self.width(of: rows) > width { rows = self.rows(shortensUUIDs: true) }
    if let width { cut(&rows, to: width) }
    let call = rows.map { Columns.width(of: $0.call) }.max() ?? 0
    let uuid = rows.map { Columns.width(of: $0.uuid) }.max() ?? 0
    let callID = rows.map { Columns.width(of: $0.callID) }.max() ?? 0
    return ["# Call-IDs"]
      + rows.map { row in
        let columns = [
          Columns.padded(row.call, to: call), Columns.padded(row.uuid, to: uuid),
          Columns.padded(row.callID, to: callID), row.times,
        ]
        let line = Columns.trimmed(Self.margin + columns.joined(separator: Self.gap))
        return width.map { Columns.cut(line, to: $0, isASCII: isASCII) } ?? line
      }
  }

  /// The names of the columns, and a row for each time in which a Call-ID carried a call.
  private func rows(shortensUUIDs: Bool) -> [Row] {
    let head = Row(
      call: "call", uuid: "UUID", callID: "Call-ID",
      times: Columns.padded("   from", to: Columns.timeWidth) + " " + "   until")
    return [head]
      + calls.flatMap { call in
        call.callIDs.map { period in
          Row(
            call: printable(call.name),
            uuid: shortensUUIDs ? RecordWords.short(call.uuid, isASCII: isASCII) : printable(call.uuid),
            callID: printable(period.callID),
            times: Columns.time(period.from) + " " + (period.until.map(Columns.time) ?? ""))
        }
      }
  }

  /// Call-IDs can be of any length and mean nothing: what is lacking is taken from them.
  private func cut(_ rows: inout [Row], to width: Int) {
    let longest = rows.map { Columns.width(of: $0.callID) }.max() ?? 0
    let lacking = Self.width(of: rows) - width
    guard lacking > 0 else { return }
    let room = max(Self.leastCallIDWidth, longest - lacking)
    for index in rows.indices { rows[index].callID = Columns.cut(rows[index].callID, to: room, isASCII: isASCII) }
  }

  private static func width(of rows: [Row]) -> Int {
    let columns: [(Row) -> String] = [\.call, \.uuid, \.callID, \.times]
    return margin.utf8.count + (columns.count - 1) * gap.utf8.count
      + columns.map { column in rows.map { Columns.width(of: Columns.trimmed(column($0))) }.max() ?? 0 }.reduce(0, +)
  }

  private func printable(_ text: String) -> String { MessageText.printable(text.utf8, isASCII: isASCII) }
}
