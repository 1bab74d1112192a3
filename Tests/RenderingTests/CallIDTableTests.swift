import Instant
import Testing

@testable import Rendering

/// Which Call-IDs carried which call, under a timeline.
@Suite struct CallIDTableTests {
  private typealias Call = JSONLines.Summary.Call
  private typealias Period = JSONLines.Summary.Period

  private func call(_ name: String, _ periods: [(String, Int64, Int64?)]) -> Call {
    Call(
      name: name, uuid: Samples.uuid,
      callIDs: periods.map { id, from, until in
        Period(
          callID: id, from: Instant(microseconds: from), until: until.map { Instant(microseconds: $0) })
      })
  }

  private var moved: Call { call("c1", [("c1@10.0.0.2", 5_000, 12_040_000), ("c1-2@10.0.0.2", 12_040_000, nil)]) }

  @Test("every time that a Call-ID carried a call has its line")
  func table() {
    let other = call("c2", [("漢字@h", 1_234_567_000_001, 1_234_567_000_001)])
    let never = Call(name: "c3", uuid: Samples.uuid, callIDs: [])
    #expect(
      CallIDTable([moved, other, never], isASCII: false).lines == [
        "# Call-IDs",
        "   call  UUID                                  Call-ID           from        until",
        "   c1    7A3C0F52-6B1E-4C55-9D0B-2F5B1E0C9A11  c1@10.0.0.2       0.005      12.040",
        "   c1    7A3C0F52-6B1E-4C55-9D0B-2F5B1E0C9A11  c1-2@10.0.0.2    12.040",
        "   c2    7A3C0F52-6B1E-4C55-9D0B-2F5B1E0C9A11  漢字@h         1234567.000001 1234567.000001",
      ])
  }

  @Test("there is no table where no call has had two")
  func none() {
    #expect(CallIDTable([], isASCII: false).lines == [])
    #expect(CallIDTable([call("c1", [("a", 0, nil)]), call("c2", [("b", 0, 1)])], isASCII: false).lines == [])
    // One that comes back is one.
    #expect(CallIDTable([call("c1", [("a", 0, 1), ("a", 2, nil)])], isASCII: false).lines == [])
  }

  @Test("in a width the UUID is shortened first, then the Call-ID, and no line is wider")
  func width() {
    #expect(CallIDTable([moved], isASCII: false, width: 100).lines == CallIDTable([moved], isASCII: false).lines)
    #expect(
      CallIDTable([moved], isASCII: false, width: 70).lines.dropFirst(2).first
        == "   c1    7A3C…9A11  c1@10.0.0.2       0.005      12.040")
    let long = call("c1", [(String(repeating: "漢é", count: 40), 0, 1), ("\u{1B}[2J\n", 1, nil), ("", 1, nil)])
    for isASCII in [true, false] {
      for width in 10...120 {
        for line in CallIDTable([moved, long], isASCII: isASCII, width: width).lines.dropFirst() {
          #expect(Columns.width(of: line) <= width)
          #expect(!line.unicodeScalars.contains { $0.value < 32 })
          if isASCII { #expect(line.utf8.allSatisfy { $0 < 127 }) }
          if width >= 60 { #expect(line.contains("0.000") || line.contains("12.040") || line.contains("from")) }
        }
      }
    }
  }

  @Test("it stands under the text and under the ladder, and nowhere else")
  func views() throws {
    let summary = JSONLines.Summary(
      outcome: "held", exitCode: 0, end: .zero, records: 0, diagnostics: [], calls: [moved])
    var text = TextTimeline(style: .init(isASCII: true))
    #expect(text.closing(summary) == CallIDTable([moved], isASCII: true).lines)
    var ladder = try LadderChart(of: Cast(phone: "phone", peers: [], calls: ["c1"], hasUser: false), width: 60)
    #expect(ladder.closing(summary) == CallIDTable([moved], isASCII: false, width: 60).lines)
    #expect(JSONLines(file: "x", tool: "y").closing(summary).count == 1)
  }
}
