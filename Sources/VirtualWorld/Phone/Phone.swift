import CallEngine
import Instant
import SIP
import SimulationKernel
import Timeline

/// The virtual phone: the system (CallKit, PushKit, audio session), the app's process with its coordinator, and its SIP
/// user agent.
///
/// The phone is the judge. It does by itself what iOS does and knows what an app must not do; the coordinator decides
/// everything else. An input is handled to its end, with all that its outputs bring about at once, before anything
/// else happens; nothing re-enters the coordinator.
struct Phone: Hashable, Sendable {
  /// Whether the app can act.
  enum Process: Hashable, Sendable {
    case running
    case killed
  }

  let name: String
  let index: ActorIndex
  let settings: PhoneSettings
  var process = Process.running
  /// The record of the last end of the process; what it had asked for before means nothing to the next one.
  private(set) var lastKill = 0
  var coordinator: AnyCoordinator
  /// What a fresh process begins with.
  let initialCoordinator: AnyCoordinator
  var agent: UserAgent
  var system = CallKitSystem()
  var audio = AudioSession()
  /// The legs that are not over.
  var legs: [LegID: PhoneLeg] = [:]
  /// The Call-IDs that are set aside for invitations whose media may be refused.
  var fallbacks: [LegID: String] = [:]
  var digits = DigitSender()
  /// What the phone's own random waits are drawn from.
  var generator: SeededGenerator
  /// Inputs that wait for their turn, with the records that they are about.
  private var inbox: [PendingInput] = []

  private struct PendingInput: Hashable {
    var input: CoordinatorInput
    var causes: [Int]
  }

  init(
    _ setup: PhoneSetup, index: ActorIndex, mediaAddress: String, coordinator: any Coordinator,
    generator: SeededGenerator
  ) {
    name = setup.address.name
    self.index = index
    settings = setup.settings
    self.generator = generator
    initialCoordinator = AnyCoordinator(coordinator)
    self.coordinator = initialCoordinator
    agent = UserAgent(
      UserAgentIdentity(
        name: setup.address.name, addressOfRecord: setup.address.uri,
        contact: Endpoint(
          host: setup.address.host, port: setup.address.port, transport: setup.address.transport),
        mediaAddress: mediaAddress))
  }

  // MARK: The coordinator's inputs

  /// Tells the coordinator a fact and carries out what it decides, and whatever follows from that at once. Returns the
  /// commands that answered this very input.
  @discardableResult
  mutating func tell(_ input: CoordinatorInput, causes: [Int], on stage: inout Stage) -> [CoordinatorCommand] {
    let commands = handle(input, causes: causes, on: &stage)
    drain(on: &stage)
    return commands
  }

  /// Has an input wait until the commands being carried out are done.
  mutating func tellLater(_ input: CoordinatorInput, causes: [Int]) {
    inbox.append(PendingInput(input: input, causes: causes))
  }

  /// Handles the inputs that wait.
  mutating func drain(on stage: inout Stage) {
    while !inbox.isEmpty {
      let next = inbox.removeFirst()
      handle(next.input, causes: next.causes, on: &stage)
    }
  }

  @discardableResult
  private mutating func handle(
    _ input: CoordinatorInput, causes: [Int], on stage: inout Stage
  ) -> [CoordinatorCommand] {
    guard process == .running else { return [] }
    let outputs = coordinator.base.handle(input, at: stage.now, causes: Causes(causes))
    for output in outputs { carryOut(output.command, causes: output.causes.records, on: &stage) }
    return outputs.map(\.command)
  }

  // MARK: The process

  /// The system ends the app's process: its calls are gone from the screen, its audio and its timers with it. What the
  /// network brings afterwards finds nobody.
  mutating func kill(reason: String, causes: [Int], on stage: inout Stage) {
    let number = stage.record(from: "system", to: name, .lifecycle(.killed(reason: reason)), causes: causes)
    process = .killed
    lastKill = number
    inbox.removeAll()
    stopUnit(causes: [number], on: &stage)
    for uuid in system.calls.keys.sorted() { close(uuid, causes: [number], on: &stage) }
    audio.plan = .off
    audio.unit = .off
    system.dropActions()
    legs = [:]
    fallbacks = [:]
    digits = DigitSender()
    agent.restart()
    stage.cancelTimers { key in
      switch key {
      case .coordinator, .agent, .actionLimit, .digits: true
      case .peer: false
      }
    }
  }
}

/// A coordinator of any type as a value that can be compared.
struct AnyCoordinator: Hashable, Sendable {
  var base: any Coordinator

  init(_ base: any Coordinator) {
    self.base = base
  }

  static func == (left: AnyCoordinator, right: AnyCoordinator) -> Bool {
    AnyHashable(left.base) == AnyHashable(right.base)
  }

  func hash(into hasher: inout Hasher) {
    base.hash(into: &hasher)
  }
}
