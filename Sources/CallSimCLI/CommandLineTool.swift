import Foundation

/// The command line tool.
public enum CommandLineTool {
  /// The version of the tool.
  public static let version = "0.1.0"

  /// Runs the tool with its arguments, without the name of the program, and returns the exit code.
  public static func run(_ arguments: [String]) -> Int32 {
    signal(SIGPIPE, SIG_IGN)
    return dispatch(arguments).rawValue
  }

  private static func dispatch(_ arguments: [String]) -> ExitCode {
    guard let word = arguments.first else {
      Streams.writeError(HelpText.tool)
      return .usage
    }
    switch word {
    case "-h", "--help": return help([])
    case "-V", "--version": return printText("callsim \(version)")
    default: break
    }
    guard let verb = Verb.all.first(where: { $0.name == word }) else {
      return complain(Arguments.unknown("verb", word, among: Verb.all.map(\.name)), "callsim help lists the verbs")
    }
    do throws(Arguments.Mistake) {
      let parsed = try Arguments(arguments.dropFirst(), for: verb)
      if parsed.has("help") { return printText(HelpText.verb(verb)) }
      if parsed.has("version") { return printText("callsim \(version)") }
      switch verb.name {
      case Verb.replay.name: return try ReplayCommand(parsed).run()
      case Verb.parse.name: return try ParseCommand(parsed).run()
      case Verb.new.name: return try NewCommand(parsed).run()
      case Verb.version.name:
        if let operand = parsed.operands.first {
          throw Arguments.Mistake(text: "`version` takes no operand, and `\(operand)` is one")
        }
        return printText("callsim \(version)")
      default:
        if parsed.operands.count > 1 { throw Arguments.Mistake(text: "`help` takes one verb") }
        return help(parsed.operands)
      }
    } catch {
      return complain(error.text, "callsim help \(verb.name) lists the options")
    }
  }

  private static func help(_ operands: [String]) -> ExitCode {
    guard let name = operands.first else { return printText(HelpText.tool) }
    guard let verb = Verb.all.first(where: { $0.name == name }) else {
      return complain(Arguments.unknown("verb", name, among: Verb.all.map(\.name)), "callsim help lists the verbs")
    }
    return printText(HelpText.verb(verb))
  }

  private static func complain(_ text: String, _ hint: String) -> ExitCode {
    Streams.writeError("error: \(text)\nhelp: \(hint)")
    return .usage
  }

  static func printText(_ text: String) -> ExitCode {
    Streams.writing(to: nil, force: false) { streams in
      streams.write(text)
      return .success
    }
  }
}
