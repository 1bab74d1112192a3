/// `callsim new`: the smallest scenario that passes.
struct NewCommand {
  private let name: String
  private let output: String?
  private let force: Bool

  init(_ arguments: Arguments) throws(Arguments.Mistake) {
    guard let name = arguments.operands.first else {
      throw Arguments.Mistake(text: "a name is missing: callsim new NAME")
    }
    if arguments.operands.count > 1 { throw Arguments.Mistake(text: "one name is enough") }
    if name.unicodeScalars.contains(where: { $0 == "\"" || $0 == "\\" || $0.properties.generalCategory == .control }) {
      throw Arguments.Mistake(text: "the name must not contain quotes, backslashes or control characters")
    }
    self.name = name
    output = arguments.value("output")
    force = arguments.has("force")
  }

  func run() -> ExitCode {
    Streams.writing(to: output, force: force) { streams in
      streams.write(text)
      return .success
    }
  }

  private var text: String {
    """
    callsim 1

    scenario "\(name)"

    device  phone  sip:bob@10.0.0.2:5060
    peer    alice  sip:alice@10.0.0.1:5060
    call    c1

    @0s         alice -> phone INVITE c1 offer sendrecv          as invite
                expect within 50ms  phone reports c1 incoming
                expect within 50ms  phone -> alice 180 to invite
    @2s         user declines c1
                expect within 50ms  phone -> alice 603 to invite
                expect within 50ms  c1 action end is fulfilled
    """
  }
}
