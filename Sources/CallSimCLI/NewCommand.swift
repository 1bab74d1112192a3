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
    if name.contains(where: { $0 == "\"" || $0 == "\\" || $0.isNewline }) {
      throw Arguments.Mistake(text: "the name must not contain quotes, backslashes or line ends")
    }
    self.name = name
    output = arguments.value("output")
    force = arguments.has("force")
  }

  func run() -> ExitCode {
    let streams: Streams
    do {
      streams = try output.map { path throws(Arguments.Mistake) in try Streams(path: path, force: force) } ?? Streams()
    } catch {
      Streams.writeError("error: \(error.text)")
      return .environment
    }
    streams.write(text)
    if let failure = streams.finish() {
      Streams.writeError("error: \(failure)")
      return .environment
    }
    return .success
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
