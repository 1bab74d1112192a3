import Testing

@testable import Scenario

/// Large files are read in one pass. The files are of a size at which a step that looks at everything before it would
/// keep these tests from ending.
@Suite struct CostTests {
  private func parse(_ lines: String, above: String = preamble) -> (file: ScenarioFile?, codes: [String]) {
    let (file, diagnostics) = ScenarioFile.parse(Array((above + lines).utf8), named: "x.call")
    return (file, diagnostics.map(\.code))
  }

  private func lines(_ count: Int, _ line: (Int) -> String) -> String {
    (0..<count).map { line($0) + "\n" }.joined()
  }

  @Test func manyCommentLines() {
    #expect(parse(String(repeating: "# x\n", count: 300_000)).codes == [])
  }

  @Test func manyContinuationsOfOneLine() throws {
    let edit = "  with \"A: ${c1.uuid}\"\n  without B\n"
    let (file, codes) = parse(
      "@0s pbx -> phone INVITE c1\n" + String(repeating: edit, count: 20_000) + "expect phone -> pbx 200\n"
        + String(repeating: edit, count: 20_000))
    #expect(codes == [])
    guard case .message(let arrow)? = file?.plan(case: nil, params: [:]).plan?.blocks.first?.checks.first?.observation
    else { throw Missing() }
    #expect(arrow.with.count == 20_000 && arrow.without.count == 20_000)
  }

  @Test func manyRawLines() throws {
    let (file, codes) = parse("@0s pbx -> phone raw\n" + String(repeating: "| A: ${c1.uuid}\n", count: 50_000))
    #expect(codes == [])
    guard case .message(let arrow)? = file?.plan(case: nil, params: [:]).plan?.blocks.first?.stimulus,
      case .raw(let lines, _, _) = arrow.what
    else { throw Missing() }
    #expect(lines.count == 50_000)
  }

  @Test func manyParamsAndTexts() throws {
    let (file, codes) = parse(lines(50_000) { "param p\($0): int = \($0) in [\($0)]\nlet t\($0) = \"x\"" })
    #expect(codes == [])
    #expect(file?.variants.count == 1)
    #expect(file?.plan(case: nil, params: ["p49999": "1"]).plan?.params.last?.value == "1")
  }

  @Test func manyLabelsAndNevers() {
    let chain = lines(20_000) { "on l\($0) user ends c1 as l\($0 + 1)\nnever until l\($0 + 2) audio activates" }
    let (_, codes) = parse("@0s push c1 to phone as l0\n" + chain + "user ends c1 as l20001\n")
    // The last scope ends at a line that runs at once after its own.
    #expect(codes == [])
  }

  @Test func manyCases() {
    let trunk = lines(5_000) { "@\($0)ms user ends c1 as l\($0)" }
    let cases = lines(5_000) { "case \"\($0)\" from l\($0)\nexpect c1 is ended" }
    let (file, codes) = parse("expect within 1s of l4999 c1 is ended\n" + trunk + "case \"a\" from l4999\n" + cases)
    #expect(file == nil)
    #expect(codes == Array(repeating: "S119", count: 20) + ["S099"])
    #expect(parse("@0s push c1 to phone\n" + trunk + cases).file?.cases.count == 5_000)
  }

  @Test func manyBlocksWithinEachOther() {
    let depth = 50_000
    let text = lines(depth) { _ in "optional\nuser ends c1" } + lines(depth) { _ in "end" }
    #expect(parse(text).codes == [])
  }

  @Test func manyUnknownNames() {
    let peers = lines(10_000) { "peer p\($0) sip:p@h\($0)" }
    let codes = parse(peers + lines(50_000) { "ignore x\($0) -> phone any" }).codes
    #expect(codes == Array(repeating: "S101", count: 20) + ["S099"])
  }

  @Test func oneLineOfManyWords() {
    let references = "let t = \"" + String(repeating: "é${c1.uuid}", count: 4_500) + "\"\n"
    #expect(parse("tags " + String(repeating: "漢 ", count: 16_000) + "\n" + references).codes == [])
  }

  @Test func aLineOfTheLimitIsReadAndALongerOneRefused() {
    let text = "why \"" + String(repeating: "x", count: SourceFile.lineLimit - 6) + "\""
    #expect(parse(text + "\n").codes == [])
    #expect(parse(text + "\r\n").codes == [])
    #expect(parse(text + " \nuser x\n").codes == ["S004", "S021"])
    #expect(parse("# " + String(repeating: "x", count: 1_000_000)).codes == ["S004"])
  }

  @Test func aFileOfTheLimitIsReadAndALargerOneRefused() {
    let head = "callsim 1\ndevice phone sip:bob@10.0.0.2\n"
    let line = String(repeating: "#", count: 1_023) + "\n"
    var bytes = Array((head + String(repeating: line, count: SourceFile.sizeLimit / 1_024)).utf8)
    bytes.removeLast(bytes.count - SourceFile.sizeLimit)
    #expect(ScenarioFile.parse(bytes, named: "x.call").diagnostics == [])
    bytes.append(0x23)
    #expect(ScenarioFile.parse(bytes, named: "x.call").diagnostics.map(\.code) == ["S009"])
  }

  @Test(arguments: [("", "S003"), ("\n\n", "S003"), ("  # x", "S003"), ("\0", "S008"), ("callsim 1", "S109")])
  func aFileThatSaysNothingHasItsCode(text: String, code: String) {
    #expect(ScenarioFile.parse(Array(text.utf8), named: "x.call").diagnostics.map(\.code) == [code])
  }
}
