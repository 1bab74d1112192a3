import SIP

/// Which of the four state machines, over which transport.
public struct TransactionClass: Hashable, Sendable {
  /// The four machines of RFC 3261 17.
  public enum Machine: String, Hashable, Sendable, CaseIterable {
    case inviteClient = "INVITE client"
    case otherClient = "non-INVITE client"
    case inviteServer = "INVITE server"
    case otherServer = "non-INVITE server"

    var isClient: Bool { self == .inviteClient || self == .otherClient }
    var method: String { self == .inviteClient || self == .inviteServer ? "INVITE" : "OPTIONS" }
  }

  public var machine: Machine
  /// UDP, or TCP for every reliable transport.
  public var transport: Transport

  /// Every machine over either kind of transport.
  public static var all: [TransactionClass] {
    Machine.allCases.flatMap { machine in
      [Transport.udp, .tcp].map { TransactionClass(machine: machine, transport: $0) }
    }
  }
}

/// What happens to a transaction.
enum Stimulus: Hashable, Sendable {
  /// A response arrives.
  case receive(Int)
  /// The transaction user sends a response.
  case send(Int)
  /// The request comes again.
  case again
  /// An ACK comes that names this transaction.
  case ack
  case fire(TransactionTimer.Letter)
}

/// One event of a sequence.
struct OracleEvent: Hashable, Sendable, CustomStringConvertible {
  var stimulus: Stimulus
  /// Whether the transport refuses what the transaction sends at this event.
  var sendingFails = false

  var description: String {
    let words =
      switch stimulus {
      case .receive(let status): "receives \(status)"
      case .send(let status): "sends \(status)"
      case .again: "request again"
      case .ack: "ACK"
      case .fire(let letter): "timer \(letter.rawValue.uppercased())"
      }
    return sendingFails ? words + " (sending fails)" : words
  }
}

extension TransactionClass {
  /// Everything that can happen to such a transaction: a response of each kind, repetitions, ACK, each of its timers,
  /// and events at which it sends something and the transport fails.
  var events: [OracleEvent] {
    let sending: [Stimulus] =
      switch machine {
      case .inviteClient: [.receive(302), .fire(.a)]
      case .otherClient: []
      case .inviteServer: [.send(180), .send(200), .send(302), .again]
      case .otherServer: [.send(100), .again]
      }
    return coreEvents + responses([302, 603]) + sending.map { OracleEvent(stimulus: $0, sendingFails: true) }
  }

  /// The events that long sequences are made of: one response of each kind, as 3xx and 6xx are to a transaction what
  /// 4xx is, and one event at which the transport fails.
  var coreEvents: [OracleEvent] {
    switch machine {
    case .inviteClient: responses([180, 200, 486]) + fires(.a, .b, .d, .m) + [failing(.receive(486))]
    case .otherClient: responses([100, 200, 404]) + fires(.e, .f, .k) + [failing(.fire(.e))]
    case .inviteServer:
      responses([180, 200, 486]) + [OracleEvent(stimulus: .again), OracleEvent(stimulus: .ack)]
        + fires(.g, .h, .i, .l) + [failing(.fire(.g))]
    case .otherServer:
      responses([100, 200, 404]) + [OracleEvent(stimulus: .again)] + fires(.j) + [failing(.send(200))]
    }
  }

  private func responses(_ statuses: [Int]) -> [OracleEvent] {
    statuses.map { OracleEvent(stimulus: machine.isClient ? .receive($0) : .send($0)) }
  }

  private func fires(_ letters: TransactionTimer.Letter...) -> [OracleEvent] {
    letters.map { OracleEvent(stimulus: .fire($0)) }
  }

  private func failing(_ stimulus: Stimulus) -> OracleEvent { OracleEvent(stimulus: stimulus, sendingFails: true) }
}
