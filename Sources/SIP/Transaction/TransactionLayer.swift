import Instant

/// All transactions of one user agent, as one value without clock or sockets (RFC 3261 17, RFC 6026).
///
/// The state machines know no messages; the layer keeps the message of each transaction, finds the transaction of what
/// arrives, and turns the machines' actions into outputs. A transaction that is over leaves nothing behind.
///
/// A transaction has one transport, that of its request's topmost Via: over a reliable one it repeats nothing.
public struct TransactionLayer: Hashable, Sendable {
  typealias ClientMachine = MachineForMethod<InviteClientTransaction, NonInviteClientTransaction>
  typealias ServerMachine = MachineForMethod<InviteServerTransaction, NonInviteServerTransaction>

  struct Client: Hashable, Sendable {
    var key: ClientKey?
    var machine: ClientMachine
    var request: Transmission
    var timers: Set<TransactionTimer.Letter> = []
  }

  struct Server: Hashable, Sendable {
    var key: ServerKey
    var machine: ServerMachine
    var mergeKey: MergeKey?
    /// Whether the same request was there already when this one came.
    var isMerged: Bool
    var destination: Endpoint
    var response: Transmission?
    var timers: Set<TransactionTimer.Letter> = []
  }

  private(set) var clients: [ClientTransactionID: Client] = [:]
  private var clientIDs: [ClientKey: ClientTransactionID] = [:]
  private(set) var servers: [ServerTransactionID: Server] = [:]
  private var serverIDs: [ServerKey: ServerTransactionID] = [:]
  /// How many transactions each request outside of a dialog has.
  private var copies: [MergeKey: Int] = [:]
  private var lastClient = 0
  private var lastServer = 0

  public init() {}

  /// How many transactions there are.
  public var count: Int { clients.count + servers.count }

  // MARK: Client transactions

  /// Begins a client transaction and sends its request.
  public mutating func send(
    request: SIPMessage, to destination: Endpoint, origin: Transmission.Origin = .decision, causes: [Int]
  ) -> (ClientTransactionID, [TransactionOutput]) {
    lastClient += 1
    let id = ClientTransactionID(lastClient)
    let destination = destination.carrying(request)
    let transmission = Transmission(message: request, destination: destination, origin: origin, causes: causes)
    let machine = ClientMachine(request.method, isReliable: destination.transport.isReliable)
    let client = Client(key: ClientKey(request), machine: machine, request: transmission)
    clients[id] = client
    if let key = client.key { clientIDs[key] = id }
    return (id, [.send(transmission)] + take(.begins, client: id, causes: causes))
  }

  /// Takes a message that arrived. A response or an ACK finds its transaction; a request that is new begins one.
  public mutating func receive(_ message: SIPMessage, from source: Endpoint, causes: [Int]) -> [TransactionOutput] {
    switch message.startLine {
    case .response(let status, _): receive(response: message, status: status, causes: causes)
    case .request(let method, _): receive(request: message, method: method, from: source.carrying(message))
    }
  }

  private mutating func receive(response: SIPMessage, status: Int, causes: [Int]) -> [TransactionOutput] {
    guard let key = ClientKey(response), let id = clientIDs[key] else { return [.strayResponse(response)] }
    return take(.response(status: status), client: id, response: response, causes: causes)
  }

  /// Gives a client transaction up that the transaction user does not wait for any more (RFC 3261 9.1).
  public mutating func abandon(_ id: ClientTransactionID) -> [TransactionOutput] {
    perform([.terminate], client: id)
  }

  // MARK: Server transactions

  /// The transaction of the INVITE that a CANCEL means (RFC 3261 9.2).
  public func inviteTransaction(cancelledBy cancel: SIPMessage) -> ServerTransactionID? {
    ServerKey(cancel, method: .invite).flatMap { serverIDs[$0] }
  }

  /// The To tag of the last response that was sent in a transaction.
  public func toTag(sentIn id: ServerTransactionID) -> String? { servers[id]?.response?.message.toTag }

  /// Whether the request came on another way too: same From tag, Call-ID and number, no To tag, while a transaction of
  /// it was going on (RFC 3261 8.2.2.2).
  public func isMerged(_ id: ServerTransactionID) -> Bool { servers[id]?.isMerged ?? false }

  /// Whether an INVITE was refused and its ACK has not come (RFC 3261 14.1 has further INVITEs wait for that).
  public func isUnacknowledged(_ id: ServerTransactionID) -> Bool {
    if case .invite(let machine) = servers[id]?.machine { machine.state == .completed } else { false }
  }

  /// Gives a server transaction up whose request cannot be answered.
  public mutating func abandon(_ id: ServerTransactionID) {
    // One that waits for its response has no timers.
    _ = perform([.terminate], server: id)
  }

  private mutating func receive(
    request: SIPMessage, method: Method, from source: Endpoint
  ) -> [TransactionOutput] {
    guard let key = ServerKey(request, method: method) else {
      return [.absorbed(why: "a request without Via cannot be answered")]
    }
    if let id = serverIDs[key] {
      let event: ServerTransactionEvent = method == .ack ? .acknowledgement : .repetition
      return take(event, server: id, method: method) ?? [.acknowledgement(request)]
    }
    if method == .ack { return [.acknowledgement(request)] }
    lastServer += 1
    let id = ServerTransactionID(lastServer)
    let machine = ServerMachine(method, isReliable: source.transport.isReliable)
    let mergeKey = MergeKey(request, method: method)
    servers[id] = Server(
      key: key, machine: machine, mergeKey: mergeKey, isMerged: mergeKey.map { copies[$0] != nil } ?? false,
      destination: Self.responseDestination(of: request, from: source))
    serverIDs[key] = id
    if let mergeKey { copies[mergeKey, default: 0] += 1 }
    return [.request(id, request, from: source)]
  }

  /// Sends a response in a server transaction. A 2xx to INVITE is repeated by the caller, not by the layer
  /// (RFC 3261 13.3.1.4). A response for which it is too late is not sent.
  public mutating func send(
    response: SIPMessage, in transaction: ServerTransactionID, origin: Transmission.Origin = .decision, causes: [Int]
  ) -> [TransactionOutput] {
    guard let server = servers[transaction], case .response(let status, _) = response.startLine else {
      return [.absorbed(why: "the transaction of the response is over")]
    }
    guard let actions = servers[transaction]?.machine.take(.response(status: status)) else {
      return [.absorbed(why: "the request has been answered finally")]
    }
    let transmission = Transmission(
      message: response, destination: server.destination, origin: origin, causes: causes)
    servers[transaction]?.response = transmission
    return [.send(transmission)] + perform(actions, server: transaction, method: response.method)
  }

  /// Where the responses to a request go (RFC 3261 18.2.2, RFC 3581 4): over the connection that it came on, else to
  /// where it came from, at the port that Via names or, with `rport`, that it came from.
  static func responseDestination(of request: SIPMessage, from source: Endpoint) -> Endpoint {
    guard !source.transport.isReliable, let via = request.topVia, via.rport == nil else { return source }
    return Endpoint(host: source.host, port: via.port ?? 5060, transport: source.transport)
  }

  // MARK: Timers

  /// A timer is due.
  public mutating func fire(_ timer: TransactionTimer) -> [TransactionOutput] {
    switch timer.owner {
    case .client(let id):
      guard clients[id]?.timers.remove(timer.letter) != nil else { return [] }
      return take(.timer(timer.letter), client: id)
    case .server(let id):
      guard servers[id]?.timers.remove(timer.letter) != nil else { return [] }
      return take(.timer(timer.letter), server: id) ?? []
    }
  }

  // MARK: Transport errors

  /// The transport could not send what was given out to be sent (RFC 3261 17.1.4, 17.2.4, RFC 6026 7.1).
  public mutating func sendingFailed(_ transmission: Transmission) -> [TransactionOutput] {
    let message = transmission.message
    let nobody: [TransactionOutput] = [.absorbed(why: "what could not be sent belongs to no transaction")]
    switch message.startLine {
    case .request(let method, _):
      // The ACK to a refusal belongs to its INVITE's transaction and has its branch.
      guard let key = ClientKey(message, method: method == .ack ? .invite : method), let id = clientIDs[key] else {
        return nobody
      }
      return take(.sendingFailed, client: id)
    case .response:
      guard let id = servers.filter({ $0.value.response?.message == message }).keys.min() else { return nobody }
      return take(.sendingFailed, server: id) ?? []
    }
  }

  // MARK: Events and actions

  /// Something happens to a client transaction.
  private mutating func take(
    _ event: ClientTransactionEvent, client id: ClientTransactionID, response: SIPMessage? = nil, causes: [Int] = []
  ) -> [TransactionOutput] {
    perform(clients[id]?.machine.take(event) ?? [], client: id, response: response, causes: causes)
  }

  /// Something happens to a server transaction; `nil` if it is none of its business.
  private mutating func take(
    _ event: ServerTransactionEvent, server id: ServerTransactionID, method: Method? = nil
  ) -> [TransactionOutput]? {
    guard let actions = servers[id]?.machine.take(event) else { return nil }
    return perform(actions, server: id, method: method)
  }

  private mutating func perform(
    _ actions: [TransactionAction], client id: ClientTransactionID, response: SIPMessage? = nil, causes: [Int] = []
  ) -> [TransactionOutput] {
    var outputs: [TransactionOutput] = []
    for action in actions {
      guard let client = clients[id] else { break }
      switch action {
      case .repeatLast:
        var transmission = client.request
        transmission.origin = .retransmission
        outputs.append(.send(transmission))
      case .set(let letter, let span):
        clients[id]?.timers.insert(letter)
        outputs.append(.setTimer(TransactionTimer(letter, of: .client(id)), after: span))
      case .cancel(let letter):
        if clients[id]?.timers.remove(letter) != nil {
          outputs.append(.cancelTimer(TransactionTimer(letter, of: .client(id))))
        }
      case .deliver(let isRepeated):
        if let response { outputs.append(.response(id, response, isRepeated: isRepeated)) }
      case .acknowledge:
        if let response, let ack = Self.acknowledgement(of: response, to: client.request.message) {
          outputs.append(
            .send(
              Transmission(message: ack, destination: client.request.destination, origin: .rule, causes: causes)))
        }
      case .giveUp:
        outputs.append(.timedOut(id))
      case .reportUnsent:
        break
      case .absorb:
        outputs.append(.absorbed(why: "a repeated or late response means nothing to its transaction"))
      case .terminate:
        outputs += client.timers.sorted { $0.rawValue < $1.rawValue }.map {
          .cancelTimer(TransactionTimer($0, of: .client(id)))
        }
        if let key = client.key, clientIDs[key] == id { clientIDs[key] = nil }
        clients[id] = nil
        outputs.append(.ended(id))
      }
    }
    return outputs
  }

  private mutating func perform(
    _ actions: [TransactionAction], server id: ServerTransactionID, method: Method? = nil
  ) -> [TransactionOutput] {
    var outputs: [TransactionOutput] = []
    for action in actions {
      guard let server = servers[id] else { break }
      switch action {
      case .repeatLast:
        if var transmission = server.response {
          transmission.origin = .retransmission
          outputs.append(.send(transmission))
        }
      case .set(let letter, let span):
        servers[id]?.timers.insert(letter)
        outputs.append(.setTimer(TransactionTimer(letter, of: .server(id)), after: span))
      case .cancel(let letter):
        if servers[id]?.timers.remove(letter) != nil {
          outputs.append(.cancelTimer(TransactionTimer(letter, of: .server(id))))
        }
      case .giveUp:
        outputs.append(.unacknowledged(id))
      case .reportUnsent:
        outputs.append(.absorbed(why: "a response could not be sent"))
      case .absorb:
        outputs.append(.absorbed(why: "\(method?.name ?? "a request") came again and meets its transaction"))
      case .terminate:
        outputs += server.timers.sorted { $0.rawValue < $1.rawValue }.map {
          .cancelTimer(TransactionTimer($0, of: .server(id)))
        }
        if serverIDs[server.key] == id { serverIDs[server.key] = nil }
        if let key = server.mergeKey { copies[key] = copies[key].flatMap { $0 > 1 ? $0 - 1 : nil } }
        servers[id] = nil
      case .deliver, .acknowledge:
        break
      }
    }
    return outputs
  }

  /// The ACK to a non-2xx final response: the INVITE's Request-URI, top Via, From, Call-ID, number and Route, and the
  /// response's To (RFC 3261 17.1.1.3).
  private static func acknowledgement(of response: SIPMessage, to invite: SIPMessage) -> SIPMessage? {
    guard case .request(_, let uri) = invite.startLine, let via = invite.value(of: "Via"),
      let sequence = invite.sequence
    else { return nil }
    var headers: [(name: String, value: String)] = [("Via", via), ("Max-Forwards", "70")]
    headers += invite.values(of: "Route").map { ("Route", $0) }
    headers.append(("From", invite.value(of: "From") ?? ""))
    headers.append(("To", response.value(of: "To") ?? ""))
    headers.append(("Call-ID", invite.callID))
    headers.append(("CSeq", "\(sequence.number) ACK"))
    return try? SIPMessage(.request(.ack, uri: uri), headers: headers)
  }
}
