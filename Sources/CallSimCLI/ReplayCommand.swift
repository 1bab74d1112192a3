import Foundation
import Instant
import Rendering
import Replay
import Scenario
import Timeline

/// `callsim replay`: runs scenarios and prints their timelines.
struct ReplayCommand {
  private enum Format: String, CaseIterable { case text, jsonl, ladder }

  private let paths: [String]
  private let caseName: String?
  private let params: [String: String]
  private let runsAll: Bool
  private let until: Instant?
  private let seed: UInt64?
  private let format: Format
  private let style: TextTimeline.Style
  /// The columns that a ladder may take; `nil` is for what the output has.
  private let width: Int?
  private let mode: Plan.Mode?
  private let output: String?
  private let force: Bool
  private let isQuiet: Bool

  init(_ arguments: Arguments) throws(Arguments.Mistake) {
    paths = try arguments.inputs {
      let taken = arguments.lastTaken {
        $0.hasSuffix(".call") || $0 == "-" || FileManager.default.fileExists(atPath: $0)
      }
      return "a file is missing: callsim replay FILE…"
        + (taken.map { "; `\($0.value)` is taken as the value of `--\($0.option)`" } ?? "")
    }
    caseName = arguments.value("case")
    params = try Self.params(arguments.all("param"))
    runsAll = arguments.has("all")
    if runsAll, caseName != nil || !params.isEmpty {
      throw Arguments.Mistake(text: "`--all` runs every case and value: it goes with neither `--case` nor `--param`")
    }
    until = try arguments.value("until").map { text throws(Arguments.Mistake) in
      guard let span = Span(scenarioText: text) else {
        throw Arguments.Mistake(text: "`\(text)` is no duration; write a number and us, ms, s or min: 1500ms")
      }
      return .zero + span
    }
    seed = try arguments.value("seed").map { text throws(Arguments.Mistake) in
      guard let seed = UInt64(text) else {
        throw Arguments.Mistake(text: "`\(text)` is no seed; write a whole number from 0 to \(UInt64.max)")
      }
      return seed
    }
    format =
      try Arguments.word(arguments.value("format"), of: "format", Format.allCases.map(\.rawValue), Format.init) ?? .text
    mode = try Arguments.word(arguments.value("mode"), of: "mode", ["exhaustive", "loose"], Plan.Mode.init)
    style = TextTimeline.Style(isASCII: arguments.has("ascii"), showsMessages: arguments.has("messages"))
    if format == .jsonl, let option = ["ascii", "messages"].first(where: arguments.has) {
      throw Arguments.Mistake(text: "`--\(option)` goes with `--format text`; JSON Lines have every message in them")
    }
    if format == .ladder, arguments.has("messages") {
      throw Arguments.Mistake(text: "`--messages` goes with `--format text`; a ladder has no room for whole messages")
    }
    if format != .ladder, arguments.has("width") {
      throw Arguments.Mistake(text: "`--width` goes with `--format ladder`; nothing else is fitted to a width")
    }
    width = try arguments.value("width").map { text throws(Arguments.Mistake) in
      guard let width = Int(text), width > 0 else {
        throw Arguments.Mistake(text: "`\(text)` is no width; write the number of columns: 120")
      }
      return width
    }
    output = try arguments.output(readingFrom: paths)
    force = arguments.has("force")
    isQuiet = arguments.has("quiet")
  }

  private static func params(_ words: [String]) throws(Arguments.Mistake) -> [String: String] {
    var params: [String: String] = [:]
    for word in words {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, !parts[0].isEmpty else {
        throw Arguments.Mistake(text: "`--param \(word)` lacks a value; write --param NAME=VALUE")
      }
      params[parts[0]] = parts[1]
    }
    return params
  }

  // MARK: Running

  func run() -> ExitCode {
    Streams.writing(to: output, force: force) { streams in
      paths.reduce(.success) { code, path in code.worse(replay(path, streams)) }
    }
  }

  private func replay(_ path: String, _ streams: Streams) -> ExitCode {
    let reporter: DiagnosticReporter
    do {
      let input = try FileInput(path: path)
      reporter = DiagnosticReporter(source: try SourceFile(input.bytes, named: input.name))
    } catch let mistake as Arguments.Mistake {
      Streams.writeError("error: \(mistake.text)")
      return .unusableInput
    } catch let error as ScenarioReadingError {
      Streams.writeError("error[\(error.diagnostic.code)]: \(error.diagnostic.title)\n  --> \(path)")
      return .unusableInput
    } catch {
      Streams.writeError("error: \(error)")
      return .internalError
    }
    let (file, diagnostics) = ScenarioFile.parse(reporter.source)
    reporter.report(diagnostics)
    guard let file else { return .invalidScenario }
    let variants = runsAll ? file.variants : [(case: chosenCase(in: file), params: params)]
    var code = ExitCode.success
    // Variants share most of their text: what is wrong with it is told once.
    var warnings: Set<Diagnostic> = []
    for variant in variants {
      let (plan, diagnostics) = file.plan(case: variant.case, params: variant.params)
      reporter.report(diagnostics)
      guard let plan else {
        code = code.worse(runsAll ? .invalidScenario : .usage)
        continue
      }
      reporter.report(rawTextWarnings(of: plan).filter { warnings.insert($0).inserted })
      code = code.worse(replay(plan, path: path, params: variant.params, reporter, streams))
    }
    return code
  }

  /// A case may be given by its number, from 1.
  private func chosenCase(in file: ScenarioFile) -> String? {
    guard let caseName, !file.cases.contains(caseName), let number = Int(caseName),
      number > 0, file.cases.indices.contains(number - 1)
    else { return caseName }
    return file.cases[number - 1]
  }

  private func replay(
    _ plan: Plan, path: String, params: [String: String], _ reporter: DiagnosticReporter, _ streams: Streams
  ) -> ExitCode {
    var plan = plan
    if let mode { plan.mode = mode }
    let seed = seed ?? plan.seed
    var view: any TimelineView
    do throws(LadderTooNarrow) {
      view = try self.view(of: plan, file: reporter.source.name)
    } catch {
      Streams.writeError(
        "error: the ladder of `\(path)` needs \(error.needed) columns\n"
          + "help: widen the terminal, or write --width \(error.needed) or --format text")
      return .usage
    }
    var run = Run(plan, seed: seed, until: until)
    if !isQuiet { streams.write(view.opening(plan.heading(seed: seed))) }
    let verdict = run.execute { record in
      if !isQuiet { streams.write(view.lines(for: record)) }
    }
    if !isQuiet { streams.write(view.closing(verdict.summary(exitCode: verdict.exitCode))) }
    // What failed stands behind the timeline that shows it.
    streams.flush()
    let command = reproduction(path: path, plan: plan, params: params, seed: seed)
    reporter.report(verdict.warnings + verdict.diagnostics.map { $0.reproduced(by: command) })
    reporter.summarise(plan, verdict)
    return verdict.exitCode
  }

  private func view(of plan: Plan, file: String) throws(LadderTooNarrow) -> any TimelineView {
    switch format {
    case .text: return TextTimeline(style: style)
    case .jsonl: return JSONLines(file: file, tool: "callsim \(CommandLineTool.version)")
    case .ladder:
      // What is no terminal takes lines of any width: the same ladder every time, and never too narrow.
      let width = width ?? (output == nil ? Terminal.width : nil)
      let cast = plan.cast
      return try LadderChart(
        of: cast, width: width ?? max(Terminal.usualWidth, LadderChart.leastWidth(for: cast)), isASCII: style.isASCII)
    }
  }

  private func reproduction(path: String, plan: Plan, params: [String: String], seed: UInt64) -> String {
    var words = ["callsim", "replay", path]
    if let name = plan.caseName { words += ["--case", name] }
    for name in params.keys.sorted() { words += ["--param", "\(name)=\(params[name] ?? "")"] }
    if let until { words += ["--until", (until - .zero).description] }
    if self.seed != nil { words += ["--seed", String(seed)] }
    if let mode { words += ["--mode", mode.rawValue] }
    return words.map(Self.shellWord).joined(separator: " ")
  }

  private static func shellWord(_ word: String) -> String {
    let isPlain = word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_./=:+@".contains($0)) }
    return isPlain && !word.isEmpty ? word : "'" + word.replacingOccurrences(of: "'", with: "'\\''") + "'"
  }
}

/// Prints the diagnostics of one file to standard error.
private struct DiagnosticReporter {
  let source: SourceFile
  private let formatter: DiagnosticFormatter

  init(source: SourceFile) {
    self.source = source
    let environment = ProcessInfo.processInfo.environment
    let forced = environment["CLICOLOR_FORCE"].map { $0 != "0" } ?? false
    let refused = environment["NO_COLOR"].map { !$0.isEmpty } ?? false || environment["TERM"] == "dumb"
    formatter = DiagnosticFormatter(usesColour: forced || (!refused && isatty(STDERR_FILENO) == 1))
  }

  func report(_ diagnostics: [Diagnostic]) {
    for diagnostic in diagnostics { Streams.writePrintable(formatter.text(diagnostic, in: source)) }
  }

  func summarise(_ plan: Plan, _ verdict: Verdict) {
    let name = plan.caseName.map { " case \"\($0)\"" } ?? ""
    let params = plan.params.map { " \($0.name)=\($0.value)" }.joined()
    Streams.writeError(
      "\(source.name)\(name)\(params): \(verdict.outcome.rawValue), \(verdict.checks.count) checks, "
        + "\(verdict.recordCount) records, end at \(verdict.end)")
  }
}

extension Plan {
  func heading(seed: UInt64) -> Heading {
    Heading(title: title, caseName: caseName, params: params.map { ($0.name, $0.value) }, seed: seed)
  }
}

extension Plan {
  /// Who has a line in a ladder, and which calls a column.
  var cast: Cast {
    let hasUser = blocks.contains { block in
      if case .user = block.stimulus { true } else { false }
    }
    return Cast(phone: device.name, peers: peers.map(\.name), calls: calls.map(\.name), hasUser: hasUser)
  }
}

extension Diagnostic {
  func reproduced(by command: String) -> Diagnostic {
    var diagnostic = self
    diagnostic.reproduction = diagnostic.reproduction ?? command
    return diagnostic
  }
}

extension Verdict {
  var exitCode: ExitCode {
    if diagnostics.contains(where: { $0.code == RunCode.internalError.rawValue }) { return .internalError }
    switch outcome {
    case .held: return .success
    case .failed: return .failed
    case .undecided: return .undecided
    }
  }

  func summary(exitCode: ExitCode) -> Summary {
    Summary(
      outcome: outcome.rawValue, exitCode: Int(exitCode.rawValue), end: end, records: recordCount,
      diagnostics: diagnostics.map { ($0.code, $0.range?.line, $0.title) },
      calls: calls)
  }
}
