/// A line that puts a flow in its place.
struct FlowUse: Hashable, Sendable {
  var flow: Flow
  var call: Word
  var phone: Word
  var peer: Word
  var range: SourceRange

  /// The names that the line uses.
  var uses: [NameUse] {
    [NameUse(kind: .call, name: call), NameUse(kind: .device, name: phone), NameUse(kind: .peer, name: peer)]
  }

  /// The statements of the flow, which all stand at this line. Their labels cannot be written in a scenario, and those
  /// of two uses differ.
  func statements(on settings: FlowSettings) -> [Statement] {
    let text = flow.text(call: call.text, phone: phone.text, peer: peer.text, settings: settings)
    guard let source = try? SourceFile(Array(text.utf8), named: flow.rawValue) else { return [] }
    let origin = LineCursor.Origin(range: range, namespace: "\(flow.rawValue)@\(range.line).")
    var parser = FileParser(source, origin: origin)
    parser.parse()
    return parser.tree.body.map { statement in
      guard case .check(var line) = statement else { return statement }
      line.isOfFlow = true
      return .check(line)
    }
  }
}

extension SyntaxTree {
  /// How many lines of a file may use a flow.
  static let flowLimit = 1_000

  /// Whether a line activates the audio session, as a flow may need it.
  private var hasActivation: Bool {
    body.contains { statement in
      if case .timed(let line) = statement { line.stimulus == .system("activates audio") } else { false }
    }
  }

  /// The body with the statements of each flow behind the line that uses it. A flow about what there is not is left
  /// out: its line is reported by its names.
  func bodyWithFlows(_ problems: inout Problems) -> [Statement] {
    let calls = Set(calls.map(\.name))
    let phones = Set(devices.map(\.name))
    var settings = FlowSettings(of: devices.first)
    if hasActivation { settings.isActivationManual = false }
    let peers = Set(peers.map(\.name))
    var result: [Statement] = []
    result.reserveCapacity(body.count)
    var count = 0
    for statement in body {
      result.append(statement)
      guard case .use(let use) = statement else { continue }
      count += 1
      if count > Self.flowLimit {
        problems.add(
          Diagnostic(
            .tooManyFlows, "more than \(Self.flowLimit) lines use a flow", at: use.range, help: "split the file"))
        break
      }
      if calls.contains(use.call.text), phones.contains(use.phone.text), peers.contains(use.peer.text) {
        if let obstacle = use.flow.obstacle(settings) {
          problems.add(Diagnostic(.flowCannotHold, obstacle.title, at: use.range, help: obstacle.help))
        }
        result += use.statements(on: settings)
      }
    }
    return result
  }
}

extension Statement {
  /// Whether it is a check of a flow, which the blocks around the flow do not order.
  var isOfFlow: Bool {
    if case .check(let line) = self { line.isOfFlow } else { false }
  }
}
