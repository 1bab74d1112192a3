import Foundation
import Testing

@testable import SIP

/// The state machines of libosip2 get the same random events as ours; what is sent, and whether the transaction is
/// over, must be the same, but for the differences that are listed here:
///
/// - A 2xx to INVITE ends libosip2's transactions at once (RFC 3261); ours stay in Accepted for 64*T1 (RFC 6026), send
///   nothing there, and are over after timer L or M.
@Suite struct TransactionOracleTests {
  enum Kind: Sendable, CaseIterable { case inviteClient, otherClient, inviteServer, otherServer }

  enum Event: Hashable, Sendable {
    case receive(Int)
    case send(Int)
    case again, ack
    case fire(TransactionTimer.Letter)
  }

  /// In a process of its own: libosip2's set-up writes tables that other suites read at the same time.
  @Test func theMachinesAgreeWithLibosip2() async {
    await #expect(processExitsWith: .success) {
      for kind in Kind.allCases {
        for seed in 1...300 as ClosedRange<UInt64> {
          if let difference = TransactionOracleTests.difference(kind, seed: seed) {
            FileHandle.standardError.write(Data("\(kind), seed \(seed): \(difference)\n".utf8))
            exit(1)
          }
        }
      }
    }
  }

  private static func events(of kind: Kind) -> [Event] {
    switch kind {
    case .inviteClient: [.receive(180), .receive(200), .receive(404), .receive(486), .fire(.a), .fire(.b), .fire(.d)]
    case .otherClient: [.receive(100), .receive(200), .receive(404), .fire(.e), .fire(.f), .fire(.k)]
    case .inviteServer: [.send(180), .send(200), .send(486), .again, .ack, .fire(.g), .fire(.h), .fire(.i)]
    case .otherServer: [.send(100), .send(200), .send(404), .again, .fire(.j)]
    }
  }

  /// The first difference of one run; `nil` if there is none.
  private static func difference(_ kind: Kind, seed: UInt64) -> String? {
    var random = UserAgentRandomTests.Generator(state: seed)
    guard let oracle = Oracle(kind) else { return "libosip2 has no transaction" }
    var ours = Machine(kind)
    guard oracle.sent == ours.sent else { return "begin: \(oracle.sent) and \(ours.sent)" }
    let events = events(of: kind)
    var past: [Event] = []
    for _ in 0..<12 {
      let event = events[random.below(events.count)]
      // Neither machine is asked for what its user must not do.
      if case .send = event, !ours.mayRespond { continue }
      past.append(event)
      oracle.take(event)
      ours.take(event)
      guard oracle.sent == ours.sent else { return "\(past): \(oracle.sent) and \(ours.sent) sent" }
      if ours.isAccepted { return oracle.isOver && !ours.isOver ? nil : "\(past): 2xx" }
      guard oracle.isOver == ours.isOver else { return "\(past): over \(oracle.isOver) and \(ours.isOver)" }
      if ours.isOver { return nil }
    }
    return nil
  }

  /// One of our machines, and how often it sent something.
  struct Machine {
    private enum Kind {
      case inviteClient(InviteClientTransaction)
      case otherClient(NonInviteClientTransaction)
      case inviteServer(InviteServerTransaction)
      case otherServer(NonInviteServerTransaction)
    }

    private var kind: Kind
    private(set) var sent = 0
    private(set) var isOver = false
    private var hasResponded = false
    private var timers: Set<TransactionTimer.Letter> = []

    init(_ kind: TransactionOracleTests.Kind) {
      switch kind {
      case .inviteClient:
        let machine = InviteClientTransaction(isReliable: false)
        self.kind = .inviteClient(machine)
        count([.repeatLast] + machine.begin())
      case .otherClient:
        let machine = NonInviteClientTransaction(isReliable: false)
        self.kind = .otherClient(machine)
        count([.repeatLast] + machine.begin())
      case .inviteServer: self.kind = .inviteServer(InviteServerTransaction(isReliable: false))
      case .otherServer: self.kind = .otherServer(NonInviteServerTransaction(isReliable: false))
      }
    }

    var isAccepted: Bool {
      switch kind {
      case .inviteClient(let machine): machine.state == .accepted
      case .inviteServer(let machine): machine.state == .accepted
      case .otherClient, .otherServer: false
      }
    }

    /// Whether no final response has been sent.
    var mayRespond: Bool {
      switch kind {
      case .inviteServer(let machine): machine.state == .proceeding
      case .otherServer(let machine): machine.state != .completed
      case .inviteClient, .otherClient: false
      }
    }

    mutating func take(_ event: Event) {
      if case .fire(let letter) = event, timers.remove(letter) == nil { return }
      var actions: [TransactionAction] = []
      switch (kind, event) {
      case (.inviteClient(var machine), .receive(let status)):
        actions = machine.receive(status: status)
        kind = .inviteClient(machine)
      case (.inviteClient(var machine), .fire(let letter)):
        actions = machine.fire(letter)
        kind = .inviteClient(machine)
      case (.otherClient(var machine), .receive(let status)):
        actions = machine.receive(status: status)
        kind = .otherClient(machine)
      case (.otherClient(var machine), .fire(let letter)):
        actions = machine.fire(letter)
        kind = .otherClient(machine)
      case (.inviteServer(var machine), .send(let status)):
        if let begun = machine.send(status: status) { respond(begun) }
        kind = .inviteServer(machine)
      case (.inviteServer(var machine), .ack):
        actions = machine.receiveAcknowledgement() ?? []
        kind = .inviteServer(machine)
      case (.inviteServer(var machine), .fire(let letter)):
        actions = machine.fire(letter)
        kind = .inviteServer(machine)
      case (.inviteServer(let machine), .again): actions = machine.receiveRepetition()
      case (.otherServer(var machine), .send(let status)):
        if let begun = machine.send(status: status) { respond(begun) }
        kind = .otherServer(machine)
      case (.otherServer(var machine), .fire(let letter)):
        actions = machine.fire(letter)
        kind = .otherServer(machine)
      case (.otherServer(let machine), .again): actions = machine.receiveRepetition()
      default: break
      }
      count(actions)
    }

    private mutating func respond(_ actions: [TransactionAction]) {
      sent += 1
      hasResponded = true
      count(actions)
    }

    private mutating func count(_ actions: [TransactionAction]) {
      for action in actions {
        switch action {
        case .repeatLast:
          if hasResponded || isClient { sent += 1 }
        case .acknowledge: sent += 1
        case .terminate: isOver = true
        case .set(let letter, _): timers.insert(letter)
        case .cancel(let letter): timers.remove(letter)
        case .deliver, .giveUp, .absorb: break
        }
      }
    }

    private var isClient: Bool {
      switch kind {
      case .inviteClient, .otherClient: true
      case .inviteServer, .otherServer: false
      }
    }
  }
}
