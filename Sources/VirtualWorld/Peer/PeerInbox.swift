import SIP

/// The requests that a peer has received and not answered finally, and a short memory of those that it has.
struct PeerInbox: Hashable, Sendable {
  struct Request: Hashable, Sendable {
    /// Its number in the run.
    var number: Int
    var transaction: ServerTransactionID
    var message: SIPMessage
    /// Where it came from.
    var source: Endpoint
    var method: Method
    /// The records that its arrival has among the causes of a decision that the peer takes by itself.
    var causes: [Int]
    /// Whether a provisional response has been sent.
    var isRinging = false
    /// Whether an automatic peer has let it ring, by itself or by the script, and answers it later.
    var isAnswerDue = false
    /// The To tag of the responses, once one has been sent.
    var localTag: String?
  }

  /// So many answered requests are remembered.
  private static let memory = 128

  private var requests: [Int: Request] = [:]
  /// The numbers of the requests of a call, in order of arrival.
  private var numbers: [String: [Int]] = [:]
  private var numberOfTransaction: [ServerTransactionID: Int] = [:]
  /// INVITEs that were accepted, which others behind the same proxy may accept as well.
  private var acceptedInvites = RecentList<Request>(limit: 16)
  private var answered = RecentList<Int>(limit: memory)
  private var answeredInvites = RecentList<String>(limit: memory)
  private var answeredRaw = RecentList<String>(limit: memory)

  mutating func add(_ request: Request) {
    remove(number: request.number)
    requests[request.number] = request
    numbers[request.message.callID, default: []].append(request.number)
    numberOfTransaction[request.transaction] = request.number
  }

  mutating func update(_ request: Request) {
    if requests[request.number] != nil { requests[request.number] = request }
  }

  subscript(number: Int) -> Request? { requests[number] }

  subscript(transaction: ServerTransactionID) -> Request? {
    numberOfTransaction[transaction].flatMap { requests[$0] }
  }

  /// The last request of a call.
  func last(callID: String) -> Request? {
    numbers[callID]?.last.flatMap { requests[$0] }
  }

  /// The request of a call that satisfies a condition.
  func first(callID: String, where condition: (Request) -> Bool) -> Request? {
    for number in numbers[callID] ?? [] {
      if let request = requests[number], condition(request) { return request }
    }
    return nil
  }

  /// Takes out a request that has been answered finally.
  mutating func answer(_ request: Request, status: Int) {
    remove(number: request.number)
    guard !answered.contains(request.number) else { return }
    answered.append(request.number)
    guard request.method == .invite, let branch = request.message.topVia?.branch else { return }
    answeredInvites.append(branch)
    if status < 300, request.message.toTag == nil { acceptedInvites.append(request) }
  }

  /// The INVITE outside a dialog that was accepted lately and satisfies a condition.
  func accepted(where condition: (Request) -> Bool) -> Request? { acceptedInvites.first(where: condition) }

  /// Remembers that a request was answered by the script's own bytes, which the peer does not repeat.
  mutating func answerRaw(_ request: Request) {
    if let branch = request.message.topVia?.branch { answeredRaw.append(branch) }
  }

  func wasAnswered(_ number: Int) -> Bool { answered.contains(number) }

  /// Whether an INVITE with this branch was answered lately.
  func isAnsweredInvite(_ branch: String) -> Bool { answeredInvites.contains(branch) }

  func isAnsweredRaw(_ branch: String) -> Bool { answeredRaw.contains(branch) }

  private mutating func remove(number: Int) {
    guard let request = requests.removeValue(forKey: number) else { return }
    numberOfTransaction[request.transaction] = nil
    let callID = request.message.callID
    numbers[callID]?.removeAll { $0 == number }
    if numbers[callID]?.isEmpty ?? false { numbers[callID] = nil }
  }
}

/// The last few of many elements.
private struct RecentList<Element: Hashable & Sendable>: Hashable, Sendable {
  private let limit: Int
  private var elements: [Element] = []
  private var next = 0

  init(limit: Int) {
    self.limit = limit
  }

  mutating func append(_ element: Element) {
    if elements.count < limit {
      elements.append(element)
    } else {
      elements[next] = element
      next = (next + 1) % limit
    }
  }

  func contains(_ element: Element) -> Bool { elements.contains(element) }
  func first(where condition: (Element) -> Bool) -> Element? { elements.first(where: condition) }
}
