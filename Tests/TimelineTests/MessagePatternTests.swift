import Testing
import Timeline

@Suite struct MessagePatternTests {
  private typealias Session = MessageFacts.Session

  private static let invite = MessageFacts(
    id: 1, from: "pbx", to: "phone", method: "INVITE", callID: "c", sequence: 1, fromTag: "a",
    session: Session(role: .offer, direction: "sendrecv"))
  private static let reInvite = MessageFacts(
    id: 2, from: "pbx", to: "phone", method: "INVITE", callID: "c", sequence: 2, fromTag: "a", toTag: "b")
  private static let ringing = MessageFacts(
    id: 3, from: "phone", to: "pbx", method: "INVITE", status: 180, reason: "Ringing", callID: "c", sequence: 1)
  private static let byeOK = MessageFacts(
    id: 4, from: "phone", to: "pbx", method: "BYE", status: 200, reason: "OK", callID: "c", sequence: 3)
  private static let unreadable = MessageFacts(id: 5, from: "pbx", to: "phone", method: "")

  @Test(arguments: [
    (MessagePattern.What.any, [1, 2, 3, 4, 5]),
    (.request(method: "INVITE"), [1, 2]),
    (.request(method: "invite"), []),
    (.request(method: "BYE"), []),
    (.reInvite, [2]),
    (.response(status: 180, method: nil), [3]),
    (.response(status: 180, method: "INVITE"), [3]),
    (.response(status: 200, method: "INVITE"), []),
    (.response(status: 200, method: "BYE"), [4]),
  ])
  func meansByKind(what: MessagePattern.What, expected: [Int]) {
    let all = [Self.invite, Self.reInvite, Self.ringing, Self.byeOK, Self.unreadable]
    let meant = all.filter { MessagePattern(from: $0.from, to: $0.to, what: what).matches($0, call: nil) }
    #expect(meant.map(\.id) == expected)
  }

  @Test func bothEndsMustAgree() {
    #expect(MessagePattern(from: "pbx", to: "phone", what: .any).matches(Self.invite, call: nil))
    #expect(!MessagePattern(from: "phone", to: "pbx", what: .any).matches(Self.invite, call: nil))
    #expect(!MessagePattern(from: "pbx", to: "pbx2", what: .any).matches(Self.invite, call: nil))
  }

  @Test func callRestrictsOnlyWhereItIsNamed() {
    let any = MessagePattern(from: "pbx", to: "phone", what: .any)
    let one = MessagePattern(from: "pbx", to: "phone", what: .any, call: "c1")
    #expect(any.matches(Self.invite, call: "c2"))
    #expect(one.matches(Self.invite, call: "c1"))
    #expect(!one.matches(Self.invite, call: "c2"))
    #expect(!one.matches(Self.invite, call: nil))
  }

  @Test func transactionTakesInRequestResponseAndOnlyTheOneRequester() {
    let transaction = MessagePattern.Transaction(callID: "c", sequence: 1, requester: "pbx")
    let request = MessagePattern(from: "pbx", to: "phone", what: .any, transaction: transaction)
    let response = MessagePattern(from: "phone", to: "pbx", what: .any, transaction: transaction)
    #expect(request.matches(Self.invite, call: nil))
    #expect(!request.matches(Self.reInvite, call: nil))
    #expect(response.matches(Self.ringing, call: nil))
    #expect(!response.matches(Self.byeOK, call: nil))
    var glare = Self.invite
    (glare.from, glare.to) = ("phone", "pbx")
    #expect(!response.matches(glare, call: nil))
  }

  @Test func sessionMustBeTheSame() {
    let offer = MessagePattern(
      from: "pbx", to: "phone", what: .any, session: Session(role: .offer, direction: "sendrecv"))
    let answer = MessagePattern(
      from: "pbx", to: "phone", what: .any, session: Session(role: .answer, direction: "sendrecv"))
    #expect(offer.matches(Self.invite, call: nil))
    #expect(!answer.matches(Self.invite, call: nil))
    #expect(!offer.matches(Self.reInvite, call: nil))
  }

  @Test func whatIsReportedMustBeTheSame() {
    var notify = MessageFacts(id: 1, from: "pbx", to: "phone", method: "NOTIFY")
    let ringing = MessagePattern(from: "pbx", to: "phone", what: .any, fragment: 180)
    #expect(!ringing.matches(notify, call: nil))
    notify.fragment = 183
    #expect(!ringing.matches(notify, call: nil))
    notify.fragment = 180
    #expect(ringing.matches(notify, call: nil))
  }
}
