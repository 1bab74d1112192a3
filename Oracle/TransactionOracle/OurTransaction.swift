import Instant
import SIP

/// A transaction of our layer, with what its events bring about. A value: a copy goes its own way.
struct OurTransaction {
  private let kind: TransactionClass
  private let messages: Messages
  private var layer = TransactionLayer()
  /// The timers that run.
  private(set) var running: Set<TransactionTimer.Letter> = []
  /// The timers that the last event set, in milliseconds.
  private(set) var lastSet: [TransactionTimer.Letter: Int] = [:]

  /// The messages of a sequence, read once.
  struct Messages {
    let request: SIPMessage
    let ack: SIPMessage
    private let responses: [Int: SIPMessage]

    init(_ kind: TransactionClass) throws {
      let texts = OracleMessages(kind: kind)
      request = try SIPMessage(reading: Array(texts.request.utf8))
      ack = try SIPMessage(reading: Array(texts.ack.utf8))
      var responses: [Int: SIPMessage] = [:]
      for event in kind.events {
        switch event.stimulus {
        case .receive(let status), .send(let status):
          responses[status] = try SIPMessage(reading: Array(texts.response(status).utf8))
        case .again, .ack, .fire: break
        }
      }
      self.responses = responses
    }

    func response(_ status: Int) -> SIPMessage { responses[status] ?? request }
  }

  private static let client = ClientTransactionID(1)
  private static let server = ServerTransactionID(1)

  init(_ kind: TransactionClass, messages: Messages) {
    self.kind = kind
    self.messages = messages
  }

  private var peer: Endpoint { Endpoint(host: "10.0.0.2", port: 5060, transport: kind.transport) }

  var state: TransactionState? {
    kind.machine.isClient ? layer.state(of: Self.client) : layer.state(of: Self.server)
  }

  /// The request is sent, or arrives.
  mutating func begin(sendingFails: Bool) -> Observation {
    let outputs =
      kind.machine.isClient
      ? layer.send(request: messages.request, to: peer, causes: []).1
      : layer.receive(messages.request, from: peer, causes: [])
    return observe(outputs, sendingFails: sendingFails)
  }

  mutating func take(_ event: OracleEvent) -> Observation {
    let outputs: [TransactionOutput]
    switch event.stimulus {
    case .receive(let status): outputs = layer.receive(messages.response(status), from: peer, causes: [])
    case .send(let status): outputs = layer.send(response: messages.response(status), in: Self.server, causes: [])
    // Once the transaction is over, the request would begin another one.
    case .again: outputs = state == nil ? [] : layer.receive(messages.request, from: peer, causes: [])
    case .ack: outputs = state == nil ? [] : layer.receive(messages.ack, from: peer, causes: [])
    case .fire(let letter):
      running.remove(letter)
      outputs = layer.fire(
        TransactionTimer(letter, of: kind.machine.isClient ? .client(Self.client) : .server(Self.server)))
    }
    return observe(outputs, sendingFails: event.sendingFails)
  }

  private mutating func observe(_ outputs: [TransactionOutput], sendingFails: Bool) -> Observation {
    var result = Observation()
    var unsent: [Transmission] = []
    for output in outputs {
      switch output {
      case .send(let transmission):
        result.sent.append(OracleMessages.summary(of: transmission.message))
        unsent.append(transmission)
      case .response(_, let message, _): result.told.append(.response(Self.status(of: message)))
      case .request: result.told.append(.request)
      case .acknowledgement: result.told.append(.acknowledgement)
      case .timedOut: result.told.append(.timeout)
      case .unacknowledged: result.told.append(.noAcknowledgement)
      case .setTimer, .cancelTimer, .strayResponse, .ended, .absorbed: break
      }
      note(output, in: &result)
    }
    if sendingFails {
      for transmission in unsent {
        for output in layer.sendingFailed(transmission) {
          switch output {
          case .timedOut, .absorbed: result.told.append(.unsent)
          case .send, .setTimer, .cancelTimer, .request, .acknowledgement, .response, .strayResponse, .ended,
            .unacknowledged:
            break
          }
          note(output, in: &result)
        }
      }
    }
    result.state = state
    result.running = running
    lastSet = result.set
    return result
  }

  private mutating func note(_ output: TransactionOutput, in result: inout Observation) {
    switch output {
    case .setTimer(let timer, let span):
      running.insert(timer.letter)
      result.set[timer.letter] = Int(span.microseconds / 1_000)
    case .cancelTimer(let timer):
      running.remove(timer.letter)
      result.set[timer.letter] = nil
    default: break
    }
  }

  private static func status(of message: SIPMessage) -> Int {
    if case .response(let status, _) = message.startLine { status } else { 0 }
  }
}
