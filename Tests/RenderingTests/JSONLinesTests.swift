import Foundation
import Instant
import Testing
import Timeline

@testable import Rendering

@Suite struct JSONLinesTests {
  private let lines = JSONLines(file: "dir/a \"b\".call", tool: "callsim 1.0")

  private func parsed(_ line: String) throws -> [String: Any] {
    #expect(!line.contains("\n") && !line.contains("\r"))
    return try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
  }

  private func parsed(_ record: Record) throws -> [String: Any] { try parsed(lines.line(for: record)) }

  /// What a line says about the event alone, as JSON with sorted keys.
  private func details(_ record: Record) throws -> String {
    let common: Set = ["n", "t_us", "from", "to", "call", "uuid", "cause", "src"]
    let details = try parsed(record).filter { !common.contains($0.key) }
    let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try JSONSerialization.data(withJSONObject: details, options: options), as: UTF8.self)
  }

  private static let everything = #"""
    {"call_id":"inv-1@10.0.0.1","caller":"Alice","kind":"push"}
    {"kind":"push"}
    {"in_app":false,"kind":"user","verb":"answers"}
    {"argument":"sip:carol@10.0.0.3","in_app":true,"kind":"user","verb":"calls"}
    {"action":1,"kind":"action","origin":"user","status":"pending","type":"answer"}
    {"action":2,"kind":"action","origin":"app","status":"pending","type":"end"}
    {"action":3,"kind":"action","origin":"system","status":"fulfilled","type":"end"}
    {"action":4,"kind":"action","origin":"user","status":"failed","type":"start"}
    {"action":5,"kind":"action","origin":"user","status":"timed-out","type":"answer"}
    {"caller":"Zoë","event":"incoming","handle":"sip:zoe@10.0.0.4","kind":"report"}
    {"event":"incoming","kind":"report"}
    {"caller":"Alice","event":"updated","kind":"report"}
    {"event":"connecting","kind":"report"}
    {"event":"connected","kind":"report"}
    {"event":"ended","kind":"report","reason":"remote-ended"}
    {"event":"accepted","kind":"report"}
    {"error":"callUUIDAlreadyExists","event":"refused","kind":"report"}
    {"actions":["end","start"],"event":"asked","kind":"request","request":1}
    {"event":"accepted","kind":"request","request":1}
    {"error":"unknownCallUUID","event":"refused","kind":"request","request":1}
    {"event":"configures","kind":"audio"}
    {"event":"activates","kind":"audio"}
    {"event":"deactivates","kind":"audio"}
    {"event":"unit starts","kind":"audio"}
    {"event":"unit stops","kind":"audio"}
    {"call_id":"inv-1@10.0.0.1","cseq":1,"kind":"sip","msg":"m1","offer":"sendrecv","origin":"decision","phase":"sent","raw":"INVITE\r\n","summary":"INVITE"}
    {"kind":"sip","msg":"m2","origin":"decision","phase":"sent","raw_b64":"/wA=","summary":"unreadable message"}
    {"answer":"recvonly","call_id":"inv-1@10.0.0.1","cseq":1,"kind":"sip","msg":"m3","origin":"decision","phase":"arrived","summary":"200 to INVITE"}
    {"call_id":"inv-1@10.0.0.1","cseq":1,"kind":"sip","msg":"m4","origin":"rule","phase":"arrived","summary":"200 to BYE"}
    {"call_id":"inv-1@10.0.0.1","cseq":1,"kind":"sip","msg":"m5","origin":"retransmission","phase":"lost","reason":"fault f1","summary":"re-INVITE"}
    {"call_id":"inv-1@10.0.0.1","cseq":1,"kind":"sip","msg":"m6","origin":"decision","phase":"dropped","reason":"no such dialog","summary":"BYE"}
    {"due_us":10400000,"kind":"timer","phase":"set","timer":"watchdog"}
    {"kind":"timer","phase":"fired","timer":"watchdog"}
    {"kind":"timer","phase":"cancelled","timer":"watchdog"}
    {"kind":"state","state":[["c1","headline",null,"ringing"]]}
    {"kind":"state","reason":"local","state":[["c1","headline","ringing","ended"]]}
    {"event":"launched","kind":"lifecycle","reason":"push"}
    {"event":"killed","kind":"lifecycle","reason":"no call was reported for a push"}
    {"event":"network lost","kind":"lifecycle"}
    {"event":"network restored","kind":"lifecycle"}
    {"argument":"sip:carol@10.0.0.3","in_app":true,"kind":"user","verb":"transfers"}
    {"kind":"transfer","phase":"succeeded"}
    {"kind":"transfer","phase":"failed","status":486}
    {"call_id":"inv-1@10.0.0.1","cseq":1,"kind":"sip","msg":"m7","origin":"decision","phase":"arrived","sipfrag_status":180,"summary":"NOTIFY"}
    {"effect":"delay by 25ms","fault":"f1","kind":"fault"}
    {"kind":"ignored","reason":"the call is over"}
    """#

  @Test("every kind of record says what happened")
  func everyKind() throws {
    let expected = Self.everything.split(separator: "\n").map(String.init)
    let printed = try Samples.everything.map(details)
    #expect(printed.count == expected.count)
    for (printed, expected) in zip(printed, expected) { #expect(printed == expected) }
  }

  @Test("what an event says has names of its own beside those that every record has")
  func detailsDoNotHideWhatIsCommon() throws {
    let json = try parsed(Samples.record("phone", event: .rebinding(from: "old@10.0.0.2", to: "new@10.0.0.3")))
    #expect(json["from"] as? String == "phone")
    #expect(json["old_call_id"] as? String == "old@10.0.0.2")
    #expect(json["call_id"] as? String == "new@10.0.0.3")
    // No name stands twice in a line, which a parser would not show.
    for record in Samples.everything + [Samples.record("phone", event: .rebinding(from: "a", to: "b"))] {
      let line = lines.line(for: record)
      for name in ["from", "to", "call", "uuid", "kind", "n", "t_us"] {
        #expect(line.components(separatedBy: "\"\(name)\":").count <= 2, "\(name) in \(line)")
      }
    }
  }

  @Test("every record says when, who, whose call and why")
  func common() throws {
    for record in Samples.everything {
      let json = try parsed(record)
      #expect(json["n"] as? Int == record.number)
      #expect(json["t_us"] as? Int == 400_000)
      #expect(json["from"] as? String == record.from)
      #expect(json["to"] as? String == record.to)
      #expect(json["call"] as? String == record.call?.name)
      #expect(json["uuid"] as? String == record.call?.uuid)
      #expect(json["cause"] as? [Int] == record.causes)
      let source = json["src"] as? [String: Any]
      #expect(source?["line"] as? Int == record.line)
      #expect(source?["file"] as? String == (record.line == nil ? nil : "dir/a \"b\".call"))
    }
  }

  @Test("every kind of record is there, and no record but a message with its bytes is long")
  func kindsAndLengths() throws {
    let kinds = Set(try Samples.everything.compactMap { try parsed($0)["kind"] as? String })
    let known = "push user action report request audio sip transfer timer state lifecycle fault ignored"
    #expect(kinds == Set(known.split(separator: " ").map(String.init)))
    for record in Samples.everything {
      let line = lines.line(for: record)
      let raw = line.range(of: "\"raw").map { line[..<$0.lowerBound] } ?? line[...]
      #expect(raw.utf8.count <= 600, "\(line)")
    }
  }

  @Test("the bytes stand in the record of the sending alone")
  func bytesOnce() throws {
    for record in Samples.everything {
      let json = try parsed(record)
      let isSending = json["phase"] as? String == "sent"
      #expect((json["raw"] != nil || json["raw_b64"] != nil) == isSending)
    }
  }

  @Test(
    "strings survive",
    arguments: [
      "quote \" and backslash \\ and \\\" and \\n", "a/b", "\r\n\t\u{8}\u{C}",
      "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467} 📞",
      "e\u{301}", "\u{7F}\u{85}\u{2028}\u{FEFF}\u{FFFF}", "",
      String(String.UnicodeScalarView((0..<0x3000).compactMap(Unicode.Scalar.init))),
    ])
  func strings(text: String) throws {
    let label = CallLabel(name: text)
    let json = try parsed(
      Samples.record(text, text, call: label, event: .push(PushEvent(callID: text, caller: text))))
    for key in ["from", "to", "call", "call_id", "caller"] {
      let value = try #require(json[key] as? String)
      #expect(Array(value.unicodeScalars) == Array(text.unicodeScalars))
    }
    let sent = try parsed(Samples.sip(1, .sent(bytes: Array(text.utf8))))
    #expect((sent["raw"] as? String).map { Array($0.utf8) } == Array(text.utf8))
  }

  @Test(
    "a message that is no UTF-8 is written in base 64",
    arguments: [
      [0xFF], [0xC3, 0x28], [0x41, 0xE2, 0x82], [0x80, 0x81, 0x82, 0x83], Array(UInt8.min...UInt8.max),
    ] as [[UInt8]])
  func invalidUTF8(bytes: [UInt8]) throws {
    let json = try parsed(Samples.sip(1, .sent(bytes: bytes)))
    #expect(json["raw"] == nil)
    #expect(json["raw_b64"] as? String == Data(bytes).base64EncodedString())
  }

  @Test("base 64 is Foundation's for every length and octet")
  func base64() {
    for length in 0..<70 {
      for start in stride(from: 0, to: 256, by: 5) {
        let bytes = (0..<length).map { UInt8(truncatingIfNeeded: start + $0 * 37) }
        #expect(Base64.encoded(bytes) == Data(bytes).base64EncodedString())
      }
    }
  }

  @Test("times are whole numbers up to the largest")
  func integers() {
    let record = Samples.record(number: 9_007_199_254_740_993, at: .max, event: .ignored("x"))
    #expect(
      lines.line(for: record).hasPrefix(
        #"{"n":9007199254740993,"t_us":9223372036854775807,"kind":"ignored","reason":"x","#))
  }

  @Test(
    "a seed that numbers of JSON may not keep is a string (RFC 8259 6)",
    arguments: [
      (0, "0"), (9_007_199_254_740_991, "9007199254740991"), (9_007_199_254_740_992, "\"9007199254740992\""),
      (.max, "\"18446744073709551615\""),
    ] as [(UInt64, String)])
  func seeds(seed: UInt64, text: String) {
    let heading = Heading(title: "t", caseName: nil, params: [], seed: seed)
    #expect(lines.line(for: heading).contains("\"seed\":\(text),"))
  }

  @Test("the header names the schema, the scenario, the case, and the params in their order")
  func header() throws {
    let heading = Heading(title: "a \"b\"", caseName: "late", params: [("z", "4s"), ("a", "no")], seed: 7)
    let line = lines.line(for: heading)
    #expect(
      line == #"{"schema":"callsim.trace/1","tool":"callsim 1.0","scenario":"a \"b\"","file":"dir/a \"b\".call","#
        + #""case":"late","params":{"z":"4s","a":"no"},"seed":7,"clock":"virtual"}"#)
    #expect(try parsed(line)["params"] as? [String: String] == ["z": "4s", "a": "no"])
    let plain = try parsed(lines.line(for: Heading(title: "", caseName: nil, params: [], seed: 1)))
    #expect(plain["case"] == nil)
    #expect(plain["params"] as? [String: String] == [:])
  }

  @Test("the last line is the verdict")
  func summary() throws {
    let summary = JSONLines.Summary(
      outcome: "failed", exitCode: 1, end: Instant(microseconds: 1_650_000), records: 34,
      diagnostics: [("R101", 12, "no \"200\""), ("R110", nil, "")])
    let line = lines.line(for: summary)
    #expect(
      line == #"{"kind":"verdict","outcome":"failed","exit":1,"t_us":1650000,"records":34,"diagnostics":["#
        + #"{"code":"R101","line":12,"title":"no \"200\""},{"code":"R110","title":""}],"calls":[]}"#)
    #expect((try parsed(line)["diagnostics"] as? [Any])?.count == 2)
    let held = JSONLines.Summary(outcome: "held", exitCode: 0, end: .zero, records: 0, diagnostics: [])
    #expect((try parsed(lines.line(for: held))["diagnostics"] as? [Any])?.isEmpty == true)
  }

  @Test("the verdict says which Call-IDs carried each call, and when")
  func callIDs() throws {
    let summary = JSONLines.Summary(
      outcome: "held", exitCode: 0, end: .zero, records: 0, diagnostics: [],
      calls: [
        .init(
          name: "c \"1\"", uuid: Samples.uuid,
          callIDs: [
            .init(callID: "a@\u{1}é", from: .zero, until: Instant(microseconds: 12_040_000)),
            .init(callID: "b", from: Instant(microseconds: 12_040_000), until: nil),
          ]), .init(name: "c2", uuid: "u", callIDs: []),
      ])
    let line = lines.line(for: summary)
    #expect(
      line.hasSuffix(
        #""calls":[{"call":"c \"1\"","uuid":"\#(Samples.uuid)","call_ids":["#
          + #"{"call_id":"a@\u0001é","from_us":0,"until_us":12040000},{"call_id":"b","from_us":12040000}]},"#
          + #"{"call":"c2","uuid":"u","call_ids":[]}]}"#))
    #expect((try parsed(line)["calls"] as? [Any])?.count == 2)
  }
}
