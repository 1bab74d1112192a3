/// One option of a verb; the table of options serves parsing, suggestions and help.
struct Option: Sendable {
  enum Value: Sendable {
    case none
    /// The option has a value, called this in the help.
    case required(String)
  }

  let name: String
  let letter: Character?
  let value: Value
  let help: String

  init(_ name: String, letter: Character? = nil, value: Value = .none, _ help: String) {
    self.name = name
    self.letter = letter
    self.value = value
    self.help = help
  }

  /// The left column of the help.
  var usage: String {
    let short = letter.map { "-\($0), " } ?? ""
    switch value {
    case .none: return "\(short)--\(name)"
    case .required(let value): return "\(short)--\(name) \(value)"
    }
  }
}

/// One verb of the tool. Every verb has the options for help and version besides its own.
struct Verb: Sendable {
  let name: String
  let summary: String
  /// What stands behind the options in the usage line.
  let operands: String
  let options: [Option]
  let examples: [String]
  /// What else there is to know.
  let note: String?

  static let all: [Verb] = [.replay, .parse, .new, .version, .help]

  private static let common = [
    Option("help", letter: "h", "print this help"), Option("version", letter: "V", "print the version"),
  ]

  private init(
    name: String, summary: String, operands: String, options: [Option], examples: [String], note: String? = nil
  ) {
    self.name = name
    self.summary = summary
    self.operands = operands
    self.options = options + Self.common
    self.examples = examples
    self.note = note
  }

  static let replay = Verb(
    name: "replay", summary: "run scenarios in virtual time and print their timelines", operands: "FILE…",
    options: [
      Option("param", value: .required("NAME=VALUE"), "give a param another value; may be repeated"),
      Option("case", value: .required("NAME"), "run a case, by its name or its number (from 1), instead of the trunk"),
      Option("all", "run the trunk and every case with every listed value of every param"),
      Option("until", value: .required("DURATION"), "stop at this instant; exit 5 if a check was undecided"),
      Option("seed", value: .required("N"), "the seed of all randomness"),
      Option("format", value: .required("text|jsonl|ladder"), "how the timeline is written (text)"),
      Option(
        "width", value: .required("N"), "the columns a ladder may take (the terminal's, else 100 or what it needs)"),
      Option("messages", "print each SIP message under its line"),
      Option("ascii", "write no character beyond ASCII"),
      Option("mode", value: .required("exhaustive|loose"), "whether everything the app does must be expected"),
      Option("output", letter: "o", value: .required("FILE"), "write to a file instead of standard output"),
      Option("force", "let -o overwrite a file"),
      Option("quiet", letter: "q", "print no timeline, only what failed"),
    ],
    examples: [
      "callsim replay Scenarios/early-answer.call", "callsim replay Scenarios/early-answer.call --param gap=4s",
      "callsim replay --format ladder Scenarios/incoming-call.call",
      "callsim replay --all --format jsonl -o trace.jsonl Scenarios/incoming-call.call",
    ])

  static let parse = Verb(
    name: "parse", summary: "print SIP messages as they are understood, and what is wrong with them",
    operands: "FILE…",
    options: [
      Option("format", value: .required("text|json"), "how it is written (text); json is one object a line"),
      Option("stream", "read messages off a stream, by Content-Length; else a file is one datagram"),
      Option("lf", "read every LF as CRLF, as text that was pasted needs it"),
      Option("output", letter: "o", value: .required("FILE"), "write to a file instead of standard output"),
      Option("force", "let -o overwrite a file"),
    ],
    examples: [
      "callsim parse invite.sip", "pbpaste | callsim parse --lf -", "callsim parse --stream --format json tcp.dump",
    ],
    note: """
      A message that is only answered with 405 or 501, since callsim's telephone does not serve its method, is valid.
      """)

  static let new = Verb(
    name: "new", summary: "print the smallest scenario that passes", operands: "NAME",
    options: [
      Option("output", letter: "o", value: .required("FILE"), "write to a file instead of standard output"),
      Option("force", "let -o overwrite a file"),
    ],
    examples: [
      "callsim new ring", "callsim new ring -o ring.call", "callsim new ring | callsim replay -",
    ])

  static let version = Verb(
    name: "version", summary: "print the version", operands: "", options: [],
    examples: ["callsim version", "callsim --version", "callsim -V"])

  static let help = Verb(
    name: "help", summary: "print the help of the tool or of a verb", operands: "[VERB]", options: [],
    examples: ["callsim help", "callsim help replay", "callsim replay --help"])
}
