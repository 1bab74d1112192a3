import Instant
import Testing
import Timeline

@testable import Replay

/// Which dialog carries a call, and which it has had.
@Suite struct RebindingTests {
  private func message(_ callID: String, status: Int? = nil, from: String = "pbx", to: String = "phone") -> Event {
    var facts = MessageFacts(id: 1, from: from, to: to, method: "INVITE", status: status, callID: callID, sequence: 1)
    facts.fromTag = "f-\(callID)"
    facts.toTag = status == nil ? nil : "t-\(callID)"
    return .sip(SIPEvent(phase: from == "phone" ? .sent(bytes: []) : .arrived, message: facts))
  }

  private func book(_ events: [Event]) -> CallBook {
    var book = CallBook(phone: "phone")
    for (place, event) in events.enumerated() {
      book.take(
        Record(
          number: place + 1, instant: .zero, from: "phone", to: "pbx", call: CallLabel(name: "c1"), event: event))
    }
    return book
  }

  @Test func aDialogThatNeverCameAboutIsGivenUpForTheNext() {
    let call = book([message("a"), message("b")])["c1"]
    #expect(call?.callID == "b")
    #expect(call?.callIDs == ["a", "b"])
  }

  @Test func aCompleteDialogCarriesTheCallUntilThePhoneSaysOtherwise() {
    let up = [message("a"), message("a", status: 200, from: "phone", to: "pbx"), message("b")]
    #expect(book(up)["c1"]?.callID == "a")
    #expect(book(up)["c1"]?.dialog.localTag == "t-a")
    let rebound = book(up + [.rebinding(from: "a", to: "b"), message("a")])["c1"]
    #expect(rebound?.callID == "b")
    #expect(rebound?.callIDs == ["a", "b"])
    #expect(rebound?.dialog.remoteTag == "f-b")
  }
}
