import Instant
import Scenario
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

  @Test func onlyAnInvitationBeginsADialogThatCouldCarryTheCall() {
    var bye = message("z")
    if case .sip(var event) = bye {
      event.message.method = "BYE"
      bye = .sip(event)
    }
    #expect(book([message("a"), bye])["c1"]?.callID == "a")
    #expect(book([bye, message("a")])["c1"]?.callID == "a")
    #expect(book([message("a"), bye])["c1"]?.callIDs == ["a", "z"])
  }

  // MARK: When they carried it

  /// What happens at 1 s, 2 s and so on, and the times of each Call-ID in seconds.
  private func history(_ events: [Event]) -> [String] {
    var book = CallBook(phone: "phone")
    for (place, event) in events.enumerated() {
      book.take(
        Record(
          number: place + 1, instant: at(Int64(place + 1) * 1_000), from: "phone", call: CallLabel(name: "c1"),
          event: event))
    }
    return (book["c1"]?.history.periods ?? []).map { period in
      "\(period.callID) \(period.from.description.prefix { $0 != "." })-"
        + (period.until.map { String($0.description.prefix { $0 != "." }) } ?? "")
    }
  }

  private func push(_ callID: String?) -> Event { .push(PushEvent(callID: callID, caller: nil)) }
  private func state(_ word: String) -> Event { .state(old: nil, new: word, reason: nil) }

  @Test func aCallIDCarriesTheCallUntilAnotherDoesOrTheCallEnds() {
    let accepted = message("a", status: 200, from: "phone", to: "pbx")
    #expect(history([]) == [])
    #expect(history([message("a")]) == ["a 1-"])
    #expect(history([message("a"), message("a"), state("ended"), message("a"), message("b")]) == ["a 1-3"])
    #expect(history([message("a"), message("b")]) == ["a 1-2", "b 2-"])
    #expect(
      history([message("a"), accepted, message("b"), .rebinding(from: "a", to: "b"), message("a"), state("ended")])
        == ["a 1-4", "b 4-6"])
    #expect(
      history([message("a"), .rebinding(from: "a", to: "b"), .rebinding(from: "b", to: "a")])
        == ["a 1-2", "b 2-3", "a 3-"])
  }

  @Test func thatOfThePushCountsUntilThereIsADialog() {
    #expect(history([push("a"), state("ringing"), message("a"), state("ended")]) == ["a 1-4"])
    #expect(history([push("a"), state("ringing"), message("b")]) == ["a 1-3", "b 3-"])
    #expect(history([push(nil), state("ringing")]) == [])
    #expect(history([push("a"), state("ended"), push("a")]) == ["a 1-2"])
  }

  @Test func withTheAppItsCallsAreOver() {
    let killed = Event.lifecycle(.killed(reason: "crash"))
    #expect(history([message("a"), state("active"), killed, message("a")]) == ["a 1-3"])
    #expect(history([message("a"), killed, message("a"), state("ringing")]) == ["a 1-2", "a 4-"])
  }

  @Test func theVerdictHasEveryCallThatTheSystemWasToldOf() throws {
    let text = """
      callsim 1
      mode loose
      device phone sip:bob@10.0.0.2
      peer pbx sip:alice@10.0.0.1
      call c1 uuid 7A3C0F52-6B1E-4C55-9D0B-2F5B1E0C9A11 call-id "one"
      @0s pbx -> phone OPTIONS
      @1s push c1 to phone
      @2s pbx -> phone INVITE c1
      @3s pbx -> phone BYE call-id "nobody"

      """
    let file = try #require(ScenarioFile.parse(Array(text.utf8), named: "x.call").file)
    var run = Run(try #require(file.plan(case: nil, params: [:]).plan), seed: nil, until: nil)
    #expect(
      run.execute { _ in }.calls == [
        CallIdentity(
          name: "c1", uuid: "7A3C0F52-6B1E-4C55-9D0B-2F5B1E0C9A11",
          callIDs: [CallIDPeriod(callID: "one", from: at(1_000), until: at(47_000))])
      ])
  }
}
