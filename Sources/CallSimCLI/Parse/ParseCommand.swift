import SIP

/// `callsim parse`: prints SIP messages as they are understood, and what is wrong with them.
struct ParseCommand {
  private enum Format: String, CaseIterable { case text, json }

  private let paths: [String]
  private let format: Format
  private let isStream: Bool
  private let takesLF: Bool
  private let output: String?
  private let force: Bool

  init(_ arguments: Arguments) throws(Arguments.Mistake) {
    paths = try arguments.inputs { "a file is missing: callsim parse FILE…" }
    format =
      try Arguments.word(arguments.value("format"), of: "format", Format.allCases.map(\.rawValue), Format.init)
      ?? .text
    isStream = arguments.has("stream")
    takesLF = arguments.has("lf")
    output = try arguments.output(readingFrom: paths)
    force = arguments.has("force")
  }

  func run() -> ExitCode {
    Streams.writing(to: output, force: force) { streams in
      paths.reduce(.success) { code, path in code.worse(parse(path, streams)) }
    }
  }

  private func parse(_ path: String, _ streams: Streams) -> ExitCode {
    let input: FileInput
    do throws(Arguments.Mistake) {
      input = try FileInput(path: path)
    } catch {
      Streams.writeError("error: \(error.text)")
      return .unusableInput
    }
    if input.bytes.count > FileInput.limit {
      Streams.writeError("error: `\(path)` is larger than \(FileInput.limit) octets")
      return .unusableInput
    }
    let source = MessageSource(named: input.name, input.bytes, takesLF: takesLF)
    var code = ExitCode.success
    for reading in isStream ? MessageReading.stream(source) : [MessageReading(datagram: source)] {
      switch format {
      case .text: streams.write(ReadingText(reading, in: source).lines)
      case .json: streams.write(ReadingJSON(reading, in: source).line)
      }
      code = code.worse(reading.exitCode)
    }
    return code
  }
}

extension MessageReading {
  var exitCode: ExitCode {
    switch outcome {
    case .keepAlive: .success
    case .message(_, let assessment): assessment.verdict == .valid ? .success : .failed
    case .broken: .failed
    case .unreadable: .unusableInput
    }
  }
}
