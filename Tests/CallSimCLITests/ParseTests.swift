import Foundation
import Testing

/// `callsim parse`: what it prints, and what its exit code says.
@Suite struct ParseTests {
  private static func fixture(_ name: String) -> String {
    Tool.package.appendingPathComponent("Tests/SIPTests/Fixtures/\(name).dat").path
  }

  private static let sound =
    "OPTIONS sip:a@h SIP/2.0\r\nVia: SIP/2.0/UDP h;branch=z9hG4bK1\r\nMax-Forwards: 70\r\nFrom: <sip:b@h>;tag=1\r\n"
    + "To: <sip:a@h>\r\nCall-ID: 1@h\r\nCSeq: 1 OPTIONS\r\nContent-Length: 0\r\n\r\n"

  @Test(arguments: [
    ("rfc4475/wsinv", Int32(0)), ("rfc4475/intmeth", 0), ("rfc4475/mpart01", 0), ("rfc4475/noreason", 0),
    ("rfc4475/quotbal", 1), ("rfc4475/bigcode", 1), ("rfc4475/bext01", 1), ("rfc4475/novelsc", 1), ("rfc4475/test", 4),
  ]) func theExitCodeSaysWhatTheMessageIs(name: String, code: Int32) throws {
    for format in ["text", "json"] {
      let result = try Tool.run(["parse", Self.fixture(name), "--format", format])
      #expect(result.code == code)
      #expect(!result.output.isEmpty && result.errors.isEmpty)
    }
  }

  @Test func theWorstOfSeveralFilesCounts() throws {
    let (good, bad, none) = (
      Self.fixture("rfc4475/wsinv"), Self.fixture("rfc4475/quotbal"), Self.fixture("rfc4475/test")
    )
    #expect(try Tool.run(["parse", good, good]).code == 0)
    #expect(try Tool.run(["parse", good, bad, good]).code == 1)
    #expect(try Tool.run(["parse", bad, none, good]).code == 4)
    let missing = try Tool.run(["parse", good, "nowhere.sip", bad])
    #expect(missing.code == 4)
    #expect(missing.errors.contains("cannot read `nowhere.sip`"))
    #expect(missing.text.contains("quotbal.dat: malformed"))
  }

  /// Under whatever name: a symbolic link, a hard link.
  @Test(arguments: ["parse", "replay"], ["itself", "symbolic", "hard"])
  func whatIsReadIsNotOverwritten(verb: String, name: String) throws {
    let bytes =
      verb == "parse" ? Array(Self.sound.utf8) : [UInt8](try Data(contentsOf: URL(filePath: Tool.scenario("hold"))))
    try Scratch.with { scratch in
      let path = try scratch.write(bytes, to: "itself")
      let output = URL(filePath: path).deletingLastPathComponent().appending(path: name).path
      if name == "symbolic" { try FileManager.default.createSymbolicLink(atPath: output, withDestinationPath: path) }
      if name == "hard" { try FileManager.default.linkItem(atPath: path, toPath: output) }
      let result = try Tool.run([verb, path, "--force", "-o", output])
      #expect(result.code == 2)
      #expect(result.errors.contains("would overwrite what is read"))
      #expect([UInt8](try Data(contentsOf: URL(filePath: path))) == bytes)
    }
  }

  @Test(arguments: [
    (["parse"], "a file is missing"), (["parse", "--format", "xml", "-"], "unknown format `xml`"),
    (["parse", "-", "-"], "standard input can be read once"), (["parse", "--steam", "-"], "did you mean `--stream`?"),
  ]) func aWrongCommandLineExits2(arguments: [String], text: String) throws {
    let result = try Tool.run(arguments)
    #expect(result.code == 2)
    #expect(result.errors.contains(text))
  }

  @Test func aFindingStandsAtItsPlaceWithItsRuleAndTheResponse() throws {
    let result = try Tool.run(["parse", "-"], input: Self.sound.replacing("To: <sip:a@h>", with: "To: \"é <sip:a@h>"))
    #expect(result.code == 1)
    #expect(
      result.text.contains(
        """
        error[M046]: To: a quoted string does not end
          --> standard input:5:5, offset 106
        5 | To: "é <sip:a@h>
          |     ^
           = RFC 3261 25.1, RFC 4475 3.1.2.6: a quoted string ends with a quote
           = a UAS answers 400 Bad Request
        standard input: malformed, 1 finding; answer 400 Bad Request
        """))
  }

  @Test func theReadmeShowsWhatIsPrinted() throws {
    let path = Self.fixture("rfc4475/quotbal")
    let readme = try String(contentsOf: Tool.package.appendingPathComponent("README.md"), encoding: .utf8)
    let block = try #require(readme.components(separatedBy: "```\n").first { $0.hasPrefix("error[M") })
    #expect(try Tool.run(["parse", path]).text.replacing(path, with: "quotbal.dat").hasSuffix("\n" + block + "\n"))
  }

  @Test func valuesAreDecoded() throws {
    let text = try Tool.run(["parse", Self.fixture("rfc4475/wsinv")]).text
    for line in [
      "INVITE sip:vivekg@chair-dnrc.example.com;unknownparam SIP/2.0",
      "To: sip:vivekg@chair-dnrc.example.com ;   tag    = 1918181833n",
      "    number 68", "    number 9, method INVITE",
      "    transport TCP, host spindle.example.com, branch z9hG4bK9ikj8",
      "Contact (m): \"Quoted string \\\"\\\"\" <sip:jdrosen@example.com> ; newparam = newvalue ; secondparam ; q = 0.33",
      "        audio port 49217 RTP/AVP 0 12, sendrecv at 192.0.2.4",
    ] {
      #expect(text.split(separator: "\n").contains(Substring(line)), "\(line)")
    }
  }

  @Test func jsonIsOneObjectALineWithTheSameFacts() throws {
    let result = try Tool.run([
      "parse", "--format", "json", Self.fixture("rfc4475/bext01"), Self.fixture("rfc4475/mpart01"),
    ])
    let lines = result.text.split(separator: "\n")
    try #require(lines.count == 2)
    let objects = try lines.map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    #expect(objects[0]["schema"] as? String == "callsim.message/1")
    #expect(objects[0]["verdict"] as? String == "refused")
    let finding = try #require((objects[0]["findings"] as? [[String: Any]])?.first)
    #expect(finding["field"] as? String == "Require" && finding["offset"] as? Int == 164)
    #expect(finding["line"] as? Int == 6 && finding["column"] as? Int == 10 && finding["status"] as? Int == 420)
    let answer = try #require(objects[0]["answer"] as? [String: Any])
    #expect((answer["header"] as? [String: Any])?["name"] as? String == "Unsupported")
    let parts = try #require((objects[1]["body"] as? [String: Any])?["parts"] as? [[String: Any]])
    #expect(parts.map { $0["type"] as? String } == ["text/plain", "application/octet-stream"])
  }

  @Test func aStreamIsCutByContentLength() throws {
    let two = Self.sound + "\r\n\r\n" + Self.sound.replacing("1@h", with: "2@h")
    let result = try Tool.run(["parse", "--stream", "-"], input: two)
    #expect(result.code == 0)
    #expect(result.text.contains("Call-ID: 1@h") && result.text.contains("Call-ID: 2@h"))
    #expect(result.text.contains("# standard input from offset \(Self.sound.utf8.count): a keep-alive of 4 octets"))
    // As a datagram the rest is ignored, and that is told.
    let datagram = try Tool.run(["parse", "-"], input: two)
    #expect(datagram.code == 0)
    #expect(datagram.text.contains("octets beyond Content-Length are ignored") && !datagram.text.contains("2@h"))
    let broken = try Tool.run(["parse", "--stream", "-"], input: two.replacing("Content-Length: 0\r\n", with: ""))
    #expect(broken.code == 1)
    #expect(broken.text.contains("error[M016]: Content-Length") && broken.text.contains("and the stream is closed"))
    #expect(try Tool.run(["parse", "--stream", "-"], input: "\r\n").code == 4)
  }

  @Test func pastedTextIsToldWhatItLacks() throws {
    let pasted = Self.sound.replacing("\r\n", with: "\n")
    let strict = try Tool.run(["parse", "-"], input: pasted)
    #expect(strict.code == 1)
    #expect(
      strict.text.contains("error[M010]") && strict.text.contains("help: text that was pasted has lost its CRs; --lf"))
    #expect(try Tool.run(["parse", "--lf", "-"], input: pasted).code == 0)
    // Places are those of the file, not of what it is read as.
    let wrong = try Tool.run(
      ["parse", "--lf", "-"], input: pasted.replacing("CSeq: 1 OPTIONS", with: "CSeq: x OPTIONS"))
    let offset = try #require(pasted.range(of: "1 OPTIONS")).lowerBound
    #expect(
      wrong.text.contains("--> standard input:7:7, offset \(pasted.utf8.distance(from: pasted.startIndex, to: offset))")
    )
  }

  @Test func nothingThatATerminalActsUponIsPrinted() throws {
    let result = try Tool.run(["parse", "-"], input: Self.sound.replacing("1@h", with: "1@h\u{1B}[31m\u{202E}"))
    #expect(result.code == 1)
    #expect(!result.text.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" })
  }

  @Test func whatIsTooLargeIsToldWithTheResponse() throws {
    let large = Self.sound.replacing("\r\n\r\n", with: "\r\nX: " + String(repeating: "x", count: 70_000) + "\r\n\r\n")
    let field = try Tool.run(["parse", "-"], input: large)
    #expect(field.code == 4)
    #expect(field.text.contains("error[M005]") && field.text.contains("answer 513 Message Too Large"))
    let whole = try Tool.run(["parse", "-"], input: Self.sound + String(repeating: "x", count: 1_048_577))
    #expect(whole.code == 4 && whole.text.contains("error[M003]"))
  }
}
