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
  /// Everything that can happen to such a transaction: a response of each kind, repetitions, ACK, each of its timers, and
  /// each event that makes it send something once more with a transport that fails.
  var events: [OracleEvent] {
    let stimuli: [Stimulus]
    let sending: [Stimulus]
    switch machine {
    case .inviteClient:
      stimuli = [.receive(180), .receive(200), .receive(302), .receive(486), .receive(603)] + fires(.a, .b, .d, .m)
      sending = [.receive(486), .fire(.a)]
    case .otherClient:
      stimuli = [.receive(100), .receive(200), .receive(302), .receive(404), .receive(603)] + fires(.e, .f, .k)
      sending = [.fire(.e)]
    case .inviteServer:
      stimuli =
        [.send(180), .send(200), .send(302), .send(486), .send(603), .again, .ack] + fires(.g, .h, .i, .l)
      sending = [.send(180), .send(200), .send(486), .again, .fire(.g)]
    case .otherServer:
      stimuli = [.send(100), .send(200), .send(302), .send(404), .send(603), .again] + fires(.j)
      sending = [.send(100), .send(200), .again]
    }
    return stimuli.map { OracleEvent(stimulus: $0) } + sending.map { OracleEvent(stimulus: $0, sendingFails: true) }
  }

  private func fires(_ letters: TransactionTimer.Letter...) -> [Stimulus] { letters.map { .fire($0) } }
}
