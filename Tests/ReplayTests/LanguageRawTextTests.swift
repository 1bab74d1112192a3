import Testing

@testable import Replay
@testable import Scenario

/// Malformed raw text is told of before the run, and is no error (language rule 6).
@Suite struct LanguageRawTextTests {
  private func warnings(_ raw: String, verbatim: Bool = false) throws -> [Diagnostic] {
    let head = """
      callsim 1
      device phone sip:bob@10.0.0.2
      peer pbx sip:alice@10.0.0.1
      call c1
      param p: int = 70
      let to = "<sip:bob@10.0.0.2>"
      @0s pbx -> phone raw\(verbatim ? " verbatim" : "")

      """
    let text = head + raw.split(separator: "\n", omittingEmptySubsequences: false).map { "| \($0)\n" }.joined()
    let (file, diagnostics) = ScenarioFile.parse(Array(text.utf8), named: "x.call")
    #expect(diagnostics == [])
    return rawTextWarnings(of: try #require(file?.plan(case: nil, params: [:]).plan))
  }

  private let sound = """
    OPTIONS sip:bob@10.0.0.2 SIP/2.0
    Via: SIP/2.0/UDP 10.0.0.1;branch=${hex:7a39}hG4bKx
    Max-Forwards: ${p}
    From: <sip:alice@10.0.0.1>;tag=${c1.local-tag}
    To: ${to}
    Call-ID: ${c1.call-id}
    CSeq: 1 OPTIONS
    Content-Type: text/plain
    Content-Length: ${auto}

    héllo
    """

  @Test func soundTextIsSilent() throws {
    #expect(try warnings(sound) == [])
  }

  @Test func theCaretStandsAtTheMistake() throws {
    let found = try warnings(sound.replacing("${auto}", with: "99"))
    #expect(found.allSatisfy { $0.code == "L033" && $0.severity == .warning })
    #expect(found.last?.range == SourceRange(line: 16, column: 19, length: 2))
    #expect(found.last?.title == "Content-Length is 99, but the body has 8 octets")
  }

  @Test func aLineWithPlaceholdersIsMarkedAsAWhole() throws {
    let found = try warnings(sound.replacing("CSeq: 1 OPTIONS", with: "CSeq: ${to}"))
    #expect(found.last?.range == SourceRange(line: 14, column: 3, length: 11))
  }

  @Test func verbatimTextIsReadAsItStands() throws {
    #expect(try warnings(sound, verbatim: true).contains { $0.range?.line == 16 })
  }

  @Test(arguments: ["", "hello", "INVITE\n\n", "SIP/2.0 200 OK", "\u{0B}", "OPTIONS sip:bob@10.0.0.2 SIP/2.0"])
  func whatIsNoMessageIsToldOnItsLines(raw: String) throws {
    let found = try warnings(raw)
    #expect(!found.isEmpty)
    for warning in found {
      #expect(warning.severity == .warning && (warning.range?.line ?? 0) >= 8)
    }
  }

  @Test func noMoreThanTwentyAreGiven() throws {
    let lines =
      "callsim 1\ndevice phone sip:bob@10.0.0.2\npeer pbx sip:alice@10.0.0.1\n"
      + String(repeating: "@0s pbx -> phone raw\n| x\n", count: 50)
    let file = ScenarioFile.parse(Array(lines.utf8), named: "x.call").file
    #expect(rawTextWarnings(of: try #require(file?.plan(case: nil, params: [:]).plan)).count == 20)
  }
}
