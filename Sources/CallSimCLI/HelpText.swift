/// The help, made from the table of verbs; under 40 lines each.
enum HelpText {
  static let exitCodes = """
    Exit codes: 0 everything held or is valid, 1 a check failed or a message is not valid, 2 wrong command line,
      3 invalid scenario, 4 unusable input, 5 undecided, 6 environment, 70 internal error.
    """

  static var tool: String {
    let width = (Verb.all.map(\.name.count).max() ?? 0) + 2
    let verbs = Verb.all.map { "  " + padded($0.name, to: width) + $0.summary }
    return """
      callsim: a deterministic simulator for VoIP call coordination

      Usage: callsim VERB [OPTION…] [OPERAND…]

      Verbs:
      \(verbs.joined(separator: "\n"))

      Options of every verb: -h, --help and -V, --version.

      Examples:
        callsim new ring -o ring.call
        callsim replay ring.call
        callsim help replay

      \(exitCodes)
      """
  }

  static func verb(_ verb: Verb) -> String {
    let width = (verb.options.map(\.usage.count).max() ?? 0) + 2
    let usage = ["callsim", verb.name, "[OPTION…]", verb.operands].filter { !$0.isEmpty }.joined(separator: " ")
    return """
      callsim \(verb.name): \(verb.summary)

      Usage: \(usage)

      Options:
      \(verb.options.map { "  " + padded($0.usage, to: width) + $0.help }.joined(separator: "\n"))

      Examples:
      \(verb.examples.map { "  " + $0 }.joined(separator: "\n"))
      \(verb.note.map { "\n\($0)\n" } ?? "")
      \(exitCodes)
      """
  }

  private static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
